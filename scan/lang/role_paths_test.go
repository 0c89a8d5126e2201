package lang

// rolePaths is the table of TestRoleOf: for each role, paths that have it by
// their path alone. Each block is one ecosystem; the traps are next to what
// they are mistaken for.
var rolePaths = map[string]string{
	"impl": `
main.go cmd/topo/main.go internal/par/par.go pkg/kubelet/eviction/eviction_manager.go latest.go contest.go spec.go testify.go
testing.go src/testing/testing.go pkg/testing/tool.go attest/attest.go pkg/attestation/verify.go pkg/spec/spec.go pkg/docs/docs.go
staging/src/k8s.io/client-go/testing.go pkg/latest/api.go cmd/protest/main.go pkg/generate/generator.go pkg/build/build.go pkg/config/config.go pkg/deps/resolve.go
src/main.rs src/lib.rs crates/core/src/search.rs src/testable.rs src/bin/tool.rs examples/hello.rs library/test/src/lib.rs src/contest.rs
setup_tools.py app/models.py contest.py latest.py attest.py src/pkg/__init__.py django/test/client.py numpy/testing/_private/utils.py src/protester.py
pkg/testing.py app/test.d/run.py tools/pytest_plugin.py scripts/deploy.py
index.js src/index.ts src/app.tsx lib/attest.js src/latest.ts src/inspector.ts src/spectator.js packages/core/src/index.ts src/testing-library.ts
src/contest.tsx lib/spec.js src/manifest.js components/Button.jsx src/environment.prod.ts app.vue src/App.svelte
src/main/java/com/acme/Auth.java src/main/java/org/junit/Test.java src/main/java/com/acme/Contest.java src/main/java/com/acme/Testify.java
src/main/java/com/acme/AUDIT.java spring-test/src/main/java/org/springframework/test/web/MockServer.java src/main/java/com/acme/Latest.java
src/main/java/com/acme/test/TestContext.java app/src/main/kotlin/Main.kt src/main/scala/Main.scala src/main/groovy/Plugin.groovy src/main/java/UNIT.java
app/models/user.rb lib/active_support/test_case.rb lib/rspec/core.rb app/controllers/users_controller.rb lib/contest.rb lib/spec.rb lib/tasks/x.rb
src/main.c src/t_string.c src/latest.c include/foo.h src/attest.cc src/Contest.cpp lib/protest.hpp src/manifest.cc lib/spec.cpp include/linux/unistd.h
Program.cs src/Contest.cs Latest.cs index.php src/Controller.php app/Attest.php lib/app.ex lib/app_web/router.ex Sources/App/main.swift
lib/main.dart src/Main.hs src/lib.ml main.lua run.sh bin/deploy.bash install.ps1 schema.sql api/v1/api.proto schema.graphql query.sparql
index.html style.css theme.scss main.tf variables.tf schema.cue default.nix kernel.cu shader.glsl main.zig core.clj app.erl model.jl analysis.R macro.vim
notebook.ipynb page.vue view.erb templates/_helpers.tpl top.v alu.vhd proof.v contract.sol prog.adb calc.f90 a.pas main.nim main.cr main.d`,
	"test": `
main_test.go pkg/kubelet/eviction/eviction_manager_test.go test/e2e/framework/util.go pkg/test/framework/run.go test/integration/main.go
pkg/volume/testing/fake.go internal/testutil/golden.go internal/testkit/tree.go pkg/foo/testdata/in.go testdata/golden.txt testdata/x.json e2e/run.go
testdata/README.md a/testdata/Makefile test/images/agnhost/main.go
tests/integration.rs crates/core/tests/common/mod.rs src/parser/tests.rs src/parser/tests/expr.rs benches/bench.rs src/lexer_test.rs src/ui_tests.rs tests/ui/issue-1.rs
test_auth.py tests/test_auth.py conftest.py tests/conftest.py pkg/tests/helpers.py auth_test.py app/tests.py Lib/test/support/__init__.py tests/data.json test/util.py
tests/fixtures/sample.yaml tests/__init__.py unittest/run.py
src/app.test.tsx src/app.spec.ts app.test.js __tests__/app.js src/__tests__/deep/util.ts src/__mocks__/fs.js cypress/e2e/login.cy.ts e2e/login.ts test/index.js
app.e2e-spec.ts types.test-d.ts lib/util-test.js lib/util_test.ts spec/app-spec.js tests/unit/a.mjs src/Button.spec.jsx src/x.bench.ts test/fixtures/a.json
src/test/java/com/acme/Auth.java src/test/java/com/acme/AuthTest.java module/src/test/resources/a.xml AuthTest.java AuthTests.java AuthIT.java TestAuth.java
src/integrationTest/java/A.java src/androidTest/java/A.kt src/commonTest/kotlin/A.kt src/testFixtures/java/A.java testsuite/src/main/java/io/SocketEchoTest.java
src/test/kotlin/AuthTest.kt src/test/scala/AuthSpec.scala AuthSuite.scala src/test/groovy/AuthSpec.groovy HTTPTest.java AuthTestCase.java src/it/simple/pom.properties
spec/models/user_spec.rb spec/spec_helper.rb spec/factories/users.rb test/models/user_test.rb test/test_helper.rb test_auth.rb features/steps/login.rb features/login.feature
spec/fixtures/a.yml lib/foo/foo_spec.rb spec/rails_helper.rb
test/test_auth.c tests/unit/dict.c auth_test.cc auth_unittest.cc auth_tests.cpp AuthTest.cpp test/AuthTests.cc unittests/IR/Value.cpp test_dict.c gtest/run.cc browser_browsertest.cc
test/cfg/a.h tests/helpers/util.tcl test-queue.c auth-test.c
src/Acme.Tests/Auth.cs AuthTests.cs AuthTest.cs Acme.UnitTests/Helper.cs tests/AuthTest.php AuthTest.php tests/bootstrap.php test/auth_test.exs test/test_helper.exs
Tests/AppTests/AppTests.swift AppUITests/Login.swift AuthTests.swift test/widget_test.dart test/Spec.hs test/AuthSpec.hs test/test_lib.ml t/basic.t spec/auth_spec.lua
test/run.bats tests/smoke.sh auth_SUITE.erl test/core_test.clj test/runtests.jl tests/testthat/test-a.R Auth.Tests.ps1 policy_test.rego top_tb.v suite.robot req.http test/a.html`,
	"generated": `
zz_generated.deepcopy.go pkg/apis/v1/zz_generated.conversion.go api.pb.go api.pb.gw.go api/v1/generated.pb.go types_swagger_doc_generated.go model.gen.go
api_pb2.py api_pb2_grpc.py pb/api_pb2.pyi lib/api_pb.rb api.pb.h api.pb.cc service.grpc.pb.cc monster_generated.h parser.tab.c lexer.yy.c moc_window.cpp
model.g.dart model.freezed.dart api_pb.js api_pb.d.ts app.min.js style.min.css app.bundle.js dist/app.js app.js.map graphql.generated.ts
Form1.Designer.cs View.g.cs Api.pb.swift AddressBookOuterClass.java HealthGrpc.java
package-lock.json yarn.lock pnpm-lock.yaml Cargo.lock Gemfile.lock composer.lock poetry.lock uv.lock go.sum go.work.sum mix.lock pubspec.lock Podfile.lock Package.resolved flake.lock .terraform.lock.hcl
src/__tests__/__snapshots__/app.test.js.snap tests/fixtures/package-lock.json vendor/api.pb.go node_modules/x/dist/x.min.js crates/a/Cargo.lock`,
	"build": `
Makefile GNUmakefile sub/Makefile.am rules.mk Dockerfile Dockerfile.alpine build/api.dockerfile Containerfile CMakeLists.txt cmake/FindFoo.cmake
package.json packages/a/package.json Cargo.toml build.rs pyproject.toml setup.py setup.cfg tox.ini requirements.txt requirements-dev.txt MANIFEST.in Pipfile
pom.xml build.gradle build.gradle.kts settings.gradle gradlew gradle.properties build.sbt build.xml go.mod go.work magefile.go
Gemfile Rakefile foo.gemspec composer.json mix.exs rebar.config Package.swift pubspec.yaml build.zig dune dune-project meson.build build.ninja BUILD BUILD.bazel WORKSPACE rules.bzl
Acme.csproj Acme.sln configure.ac configure Jenkinsfile .travis.yml .gitlab-ci.yml .github/workflows/ci.yml .circleci/config.yml azure-pipelines.yml
docker-compose.yml compose.yaml skaffold.yaml charts/a/Chart.yaml justfile Earthfile Procfile webpack.config.js vite.config.ts rollup.config.mjs gulpfile.js Gruntfile.js
tests/Makefile test/CMakeLists.txt tests/package.json docs/Makefile test/e2e/Dockerfile examples/a/Cargo.toml Kconfig stack.yaml foo.cabal foo.opam Android.bp`,
	"docs": `
README.md README README.rst README.txt docs/guide.md docs/conf.py docs/src/index.js doc/api.txt LICENSE LICENSE-MIT LICENSE.txt COPYING NOTICE CHANGELOG CHANGELOG.md
CONTRIBUTING.md AUTHORS pkg/README.md test/README.md tests/e2e/README.md spec/topo.md guide.adoc notes.org manual.tex man/tool.1 Documentation/admin.rst
docs/diagram.svg website/docs/intro.mdx SECURITY.md guide.pod paper.bib docs/config.yaml`,
	"config": `
config.yaml config/app.toml settings.json app.ini application.properties src/main/resources/application.yml .editorconfig .gitignore .eslintrc .eslintrc.js .prettierrc
.babelrc tsconfig.json jest.config.js babel.config.cjs eslint.config.mjs tailwind.config.ts nginx.conf .env .env.production .golangci.yml .github/dependabot.yml
deploy/k8s/service.yaml OWNERS CODEOWNERS .gitattributes .npmrc spec/openapi.yaml.example AndroidManifest.xml web.xml logback.xml local.cfg .flake8 foo.service api.jsonnet prod.tfstate`,
	"other": `
logo.png data.csv a/b/c image.jpg font.woff2 movie.mp4 data.bin icon.svg fix.patch vendor/github.com/x/y/z.go node_modules/react/index.js third_party/zlib/inflate.c
third_party/foo/foo_test.go deps/hiredis/sds.c deps/hiredis/test.c vendor/x/README.md vendor/x/Makefile pip/_vendor/requests/api.py Pods/AFNetworking/A.m deps.txt.gz archive.tar data/x.parquet Scene.unity`,
}
