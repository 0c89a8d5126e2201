# make          builds bin/topo
# make demo     builds it and runs the main job on this repository
# make test     runs every test (TOPO_SLOW=1 for the slow ones too)
# make help     lists the targets

SHELL := /bin/sh
.DEFAULT_GOAL := build

# The tree-sitter grammars are C. These flags parse about a quarter faster than
# Go's default "-O2 -g". They are exported for every target, tests included, so
# that one build cache serves all and the grammars are compiled once.
export CGO_ENABLED := 1
export CGO_CFLAGS := -O3 -DNDEBUG

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
# Some grammars hold C++. Where its runtime is there to be linked in, the binary
# needs none on the machine it runs on, and starts a tenth faster.
STATIC_CXX = $(shell [ "$$(uname -s)" = Linux ] && echo 'int main(){}' | $${CXX:-g++} -x c++ - -static-libstdc++ -static-libgcc -o /dev/null 2>/dev/null && echo "-extldflags '-static-libstdc++ -static-libgcc'")
LDFLAGS = -s -w -X main.version=$(VERSION) $(STATIC_CXX)
PREFIX ?= $(HOME)/.local
BIN ?= bin/topo
DIST ?= dist
FUZZTIME ?= 10s
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.7.0

DEMO_TASK ?= where does the walk decide that a file is ignored

.PHONY: build install uninstall demo test slow lint bench gobench accuracy test-qdrant fuzz golden generate train clean help tools

build: tools ## build bin/topo
	@mkdir -p bin
	go build -ldflags "$(LDFLAGS)" -o bin/topo ./cmd/topo

# Where the shells and man look below PREFIX. DESTDIR is for makers of packages.
MAN1 = $(DESTDIR)$(PREFIX)/share/man/man1
COMPLETIONS = $(addprefix $(DESTDIR)$(PREFIX)/share/,bash-completion/completions/topo zsh/site-functions/_topo fish/vendor_completions.d/topo.fish)

install: build ## install topo, its manual and completions below PREFIX (default ~/.local)
	rm -rf $(DIST)/man
	$(BIN) gen --man $(DIST)/man --completions $(DIST)/completions
	install -d $(DESTDIR)$(PREFIX)/bin $(MAN1) $(dir $(COMPLETIONS))
	install -m 755 $(BIN) $(DESTDIR)$(PREFIX)/bin/topo
	rm -f $(MAN1)/topo.1 $(MAN1)/topo-*.1
	install -m 644 $(DIST)/man/*.1 $(MAN1)
	install -m 644 $(DIST)/completions/topo.bash $(word 1,$(COMPLETIONS))
	install -m 644 $(DIST)/completions/_topo $(word 2,$(COMPLETIONS))
	install -m 644 $(DIST)/completions/topo.fish $(word 3,$(COMPLETIONS))

uninstall: ## remove what make install installed below PREFIX
	rm -f $(DESTDIR)$(PREFIX)/bin/topo $(MAN1)/topo.1 $(MAN1)/topo-*.1 $(COMPLETIONS)

demo: build ## run the main job on this repository
	@echo '$$ topo quick "$(DEMO_TASK)" | topo render --max-tokens 2000'
	@bin/topo quick "$(DEMO_TASK)" | bin/topo render --max-tokens 2000

test: tools ## run every test
	go test ./...

slow: tools ## run the slow tests and oracles too
	TOPO_SLOW=1 go test -timeout 30m ./...

lint: tools ## formatting, vet, staticcheck, import rules, file sizes
	@out=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$out" ]; then echo "not formatted (run gofmt -w):"; echo "$$out"; exit 1; fi
	go vet ./...
	go run ./internal/archlint
	go run $(STATICCHECK) ./...

bench: build ## compare with the peers found on this machine
	go run ./internal/lab/bench -topo bin/topo

gobench: tools ## the Go benchmarks beside the hot code
	go test -run '^$$' -bench . -benchmem ./...

# Checkouts that the code graph is measured on; see docs/accuracy.md.
REPOS ?= ../repos
REDIS_DIRS := hiredis linenoise lua/src hdr_histogram fpconv xxhash fast_float
accuracy: tools ## measure the code graph on the checkouts in REPOS; rewrites docs/accuracy.md
	@mkdir -p bin
	@for r in cobra gin zoekt caddy flask requests pytest vue trpc jq redis gson netty ripgrep serde sinatra fmt json webpack protobuf-csharp newtonsoft twig monolog composer okhttp okio; do test -d $(REPOS)/$$r || { echo "no checkout of $$r in $(REPOS): clone the repositories that docs/accuracy.md lists there, or say REPOS=<folder>"; exit 1; }; done
	cd internal/lab/accuracy && go build -o ../../../bin/accuracy .
	bin/accuracy $(foreach r,cobra gin zoekt caddy,go:$(REPOS)/$(r)) \
	  python:$(REPOS)/flask:src:flask python:$(REPOS)/requests:src:requests python:$(REPOS)/pytest:src:_pytest \
	  'typescript:$(REPOS)/vue:packages/*/src' 'typescript:$(REPOS)/trpc:packages/*/src' \
	  'c:$(REPOS)/jq:src:-I. -I./src -Ivendor -DUSE_DECNUM=1' \
	  'c:$(REPOS)/redis:src:-I. $(addprefix -Ideps/,$(REDIS_DIRS)) -DREDIS_TEST' \
	  'cpp:$(REPOS)/fmt:test/*-test.cc:-Iinclude -Itest/gtest -std=c++20 -DFMT_HEADER_ONLY=1' \
  'cpp:$(REPOS)/json:tests/src/*.cpp:-Iinclude -Itests/thirdparty/doctest -Itests/thirdparty/fifo_map -std=c++17' \
  javascript:$(REPOS)/webpack:lib \
  java:$(REPOS)/gson: 'java:$(REPOS)/netty:[bch]*/src/main' rust:$(REPOS)/ripgrep rust:$(REPOS)/serde \
	  'ruby:$(REPOS)/sinatra:lib sinatra-contrib/lib rack-protection/lib' \
  csharp:$(REPOS)/protobuf-csharp:src/Google.Protobuf csharp:$(REPOS)/newtonsoft:Src/Newtonsoft.Json:-DNET40 \
  php:$(REPOS)/twig:src php:$(REPOS)/monolog:src php:$(REPOS)/composer:src \
  'kotlin:$(REPOS)/okhttp:okhttp3:okio-jvm-*.jar' 'kotlin:$(REPOS)/okio:commonMain jvmMain systemFileSystemMain zlibMain' > docs/accuracy.md

test-qdrant: tools ## run the suite of vector stores against the Qdrant at QDRANT_HOST
	@test -n "$(QDRANT_HOST)" || { echo "QDRANT_HOST is not set: start a server with 'docker run -p 6334:6334 qdrant/qdrant' and say: make test-qdrant QDRANT_HOST=localhost:6334"; exit 1; }
	QDRANT_HOST=$(QDRANT_HOST) go test -count=1 -v -run 'TestStores/real_qdrant' ./score/embed

# The cases that the ranking's weights are learned on, and the repositories they
# are of; see docs/retrieval.md.
CASES ?= ../eval/commits_dev.jsonl ../eval/issues_dev.jsonl
MORE_CASES ?=
train: build ## learn the ranking's weights from CASES; rewrites score/signal/weights.go and chunkweights.go
	@for f in $(CASES) $(MORE_CASES); do test -f $$f || { echo "no cases in $$f: say CASES='<file.jsonl> …'"; exit 1; }; done
	bin/topo eval $(CASES) $(addprefix --extra ,$(MORE_CASES)) --after 3 --jobs 2 --functions --repos $(REPOS) --tables bin/signals.gz --train score/signal/weights.go --format human

fuzz: tools ## run every fuzz target for FUZZTIME
	@go list ./... | while read -r pkg; do \
	  for target in $$(go test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
	    echo "fuzz $$pkg $$target"; \
	    go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$pkg > .fuzz.out 2>&1 || { cat .fuzz.out; rm -f .fuzz.out; exit 1; }; \
	  done || exit 1; \
	done; rm -f .fuzz.out

golden: tools ## rewrite the golden files from what the code prints now
	go test ./... -update

generate: build ## rewrite the generated docs; man pages go to dist/man
	go generate ./...
	bin/topo gen --man $(DIST)/man

clean: ## remove what was built
	rm -rf bin dist

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-10s %s\n", $$1, $$2}'

# Name what is missing and how to get it, instead of failing half-way.
tools:
	@miss=0; \
	command -v go >/dev/null 2>&1 || { echo "go is missing: install Go 1.26 or newer from https://go.dev/dl"; miss=1; }; \
	command -v git >/dev/null 2>&1 || { echo "git is missing: apt-get install git, or brew install git"; miss=1; }; \
	{ command -v gcc || command -v cc || command -v clang; } >/dev/null 2>&1 || { echo "a C compiler is missing: apt-get install gcc libc6-dev, or xcode-select --install"; miss=1; }; \
	exit $$miss
