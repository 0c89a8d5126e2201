package lang

import "strings"

// vendored names directories that hold other people's code.
func vendored(d string) bool {
	switch d {
	case "vendor", "_vendor", "vendored", "node_modules", "bower_components", "jspm_packages", "third_party", "third-party",
		"thirdparty", "3rdparty", "3rd-party", "3rd_party", "Godeps", "Pods", "Carthage", "site-packages", ".yarn":
		return true
	}
	return false
}

// buildFile reports whether a file builds, packs, ships or checks the project.
func buildFile(p pathParts, l *Language) bool {
	if l != nil && l.Role == "build" {
		return true
	}
	switch p.base {
	case "package.json", "bower.json", "lerna.json", "nx.json", "turbo.json", "rush.json", "pnpm-workspace.yaml", "deno.json", "deno.jsonc",
		"Cargo.toml", "rust-toolchain", "rust-toolchain.toml", "build.rs",
		"pyproject.toml", "setup.py", "setup.cfg", "MANIFEST.in", "Pipfile", "tox.ini", "noxfile.py", "environment.yml", "SConstruct", "SConscript", "wscript",
		"gradlew", "gradlew.bat", "mvnw", "mvnw.cmd", "gradle.properties", "gradle-wrapper.properties", "maven-wrapper.properties", "build.sbt", "build.sc", "build.mill", "ivy.xml", "build.xml",
		"Gemfile", "Rakefile", "Brewfile", "Podfile", "Fastfile", "Guardfile", "Vagrantfile", "Jakefile", "Cakefile", "gems.rb",
		"composer.json", "mix.exs", "rebar.config", "Package.swift", "Cartfile", "pubspec.yaml", "shard.yml", "elm.json", "deps.edn", "project.clj",
		"build.zig", "build.zig.zon", "dune-project", "configure", "configure.ac", "autogen.sh", "bootstrap.sh", "vcpkg.json", "conanfile.txt", "conanfile.py", "SConscript.py",
		"CMakePresets.json", "Directory.Build.props", "Directory.Build.targets", "Directory.Packages.props", "global.json",
		"docker-compose.yml", "docker-compose.yaml", "compose.yml", "compose.yaml", "docker-bake.hcl", "skaffold.yaml", "Chart.yaml",
		"Jenkinsfile", ".travis.yml", ".gitlab-ci.yml", "appveyor.yml", ".appveyor.yml", "azure-pipelines.yml", "bitbucket-pipelines.yml", ".cirrus.yml", ".drone.yml", "cloudbuild.yaml", ".goreleaser.yml", ".goreleaser.yaml",
		"magefile.go", "Taskfile.yml", "Taskfile.yaml", "buf.yaml", "buf.gen.yaml", "meson_options.txt", "stack.yaml", "package.yaml", "Kbuild", "Kconfig", "DEPS":
		return true
	}
	if strings.HasPrefix(p.path, ".github/workflows/") || strings.HasPrefix(p.path, ".github/actions/") || strings.HasPrefix(p.path, ".circleci/") ||
		strings.HasPrefix(p.path, ".buildkite/") || strings.Contains(p.path, "/.github/workflows/") {
		return true
	}
	switch extOf(p.base) {
	case ".gradle", ".csproj", ".fsproj", ".vbproj", ".vcxproj", ".sln", ".slnx", ".gemspec", ".podspec", ".nuspec", ".sbt", ".cabal", ".pbxproj", ".am", ".ac", ".gyp", ".gypi", ".bazelrc", ".rockspec", ".nimble", ".opam", ".xcconfig", ".targets", ".mill":
		return true
	}
	return strings.HasSuffix(p.base, ".gradle.kts") || bundler(p)
}

// bundler knows the scripts that set up JavaScript's bundlers and task runners.
func bundler(p pathParts) bool {
	name, _, _ := strings.Cut(p.base, ".")
	switch name {
	case "gulpfile", "Gruntfile", "gruntfile", "Gulpfile":
		return true
	case "webpack", "rollup", "vite", "esbuild", "tsup", "rspack", "turbopack", "metro":
		return strings.Contains(p.base, ".config.")
	}
	return false
}

// docsFile reports whether a file is prose about the project.
func docsFile(p pathParts, l *Language) bool {
	if l != nil {
		switch {
		case l.Role != "docs":
			return false
		case l.Name != "text":
			return true
		}
	}
	stem, _, _ := strings.Cut(p.base, ".")
	stem, _, _ = strings.Cut(stem, "-")
	switch strings.ToUpper(stem) {
	case "README", "LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "CHANGELOG", "CHANGES", "HISTORY", "NEWS", "AUTHORS", "CONTRIBUTORS",
		"CONTRIBUTING", "SECURITY", "CODE_OF_CONDUCT", "MAINTAINERS", "INSTALL", "TODO", "PATENTS", "ROADMAP", "THANKS", "CREDITS", "UNLICENSE", "SUPPORT", "GOVERNANCE":
		return l != nil || extOf(p.base) == "" || strings.Contains(p.base, "-")
	}
	return false
}

// configFile knows configuration by name that is written in a programming
// language or in no known one.
func configFile(p pathParts) bool {
	if len(p.base) > 3 && p.base[0] == '.' && (strings.HasSuffix(p.base, "rc") || strings.Contains(p.base, "rc.")) {
		return true // .bashrc, .eslintrc.js
	}
	switch p.base {
	case "OWNERS", "OWNERS_ALIASES", ".nvmrc", ".node-version", ".python-version", ".ruby-version", ".tool-versions", ".mailmap", ".rspec", ".watchmanconfig":
		return true
	}
	// jest.config.js, babel.config.cjs, eslint.config.mjs, tailwind.config.ts
	i := strings.Index(p.base, ".config.")
	return i > 0 && len(p.base)-i <= len(".config.json5")
}

// underDocs reports whether the file lies under a documentation directory: one
// at the top, or one that a project inside the repository has at its top. A
// package called docs further down is code.
func underDocs(p pathParts) bool {
	rest, depth := p.dir, 0
	for rest != "" && depth < 3 {
		var d string
		d, rest, _ = strings.Cut(rest, "/")
		switch d {
		case "docs", "doc", "documentation", "Documentation", "Docs", "Doc":
			return true
		case "src", "lib", "pkg", "internal", "app", "cmd":
			return false
		}
		depth++
	}
	return false
}

func extOf(base string) string {
	if i := strings.LastIndexByte(base, '.'); i >= 0 {
		return base[i:]
	}
	return ""
}
