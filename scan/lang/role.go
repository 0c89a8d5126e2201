package lang

import (
	"strings"

	"github.com/topo-dev/topo/stream"
)

// RoleOf says what part a file plays in its repository, from its path, its
// language as [Detect] named it, and the start of its content (may be nil). The
// first of these that holds decides:
//
//   - generated: made by a program, by name (api.pb.go, zz_generated.x.go, a
//     lock file), by the notice at its top ("Code generated … DO NOT EDIT",
//     "@generated"), or minified;
//   - other: someone else's code kept in this repository (vendor/,
//     node_modules/, third_party/, deps/ at the top): neither this project's implementation nor
//     its tests;
//   - test: fixtures, whatever their kind (testdata/, __snapshots__/);
//   - build: what builds, packs, locks and ships the project (Makefile,
//     package.json, Dockerfile), CI pipelines included, tests or not;
//   - docs: prose and its licence, even under tests/;
//   - test: by the conventions of its language, or under a test directory;
//   - docs: whatever lies under docs/;
//   - the role of its language: implementation, config, docs or other.
//
// A file of no known language is other, unless its name says more.
func RoleOf(path, language string, head []byte) stream.Role {
	head = cut(head)
	l := lookup().names[language]
	p := splitPath(path)
	switch {
	case generatedName(p, l) || generatedContent(p.base, l, head):
		return stream.RoleGenerated
	case p.anyDir(vendored) || strings.HasPrefix(path, "deps/"):
		return stream.RoleOther
	case p.anyDir(fixture):
		return stream.RoleTest
	case buildFile(p, l):
		return stream.RoleBuild
	case docsFile(p, l):
		return stream.RoleDocs
	case testName(p, l) || testDir(p, l):
		return stream.RoleTest
	case configFile(p):
		return stream.RoleConfig
	case underDocs(p):
		return stream.RoleDocs
	case l != nil:
		return l.Role
	}
	return stream.RoleOther
}

// pathParts is a path cut into what the rules look at.
type pathParts struct {
	path string
	dir  string // without the last slash, empty at the root
	base string
	stem string
}

func splitPath(path string) pathParts {
	base := baseName(path)
	dir := strings.TrimSuffix(path[:len(path)-len(base)], "/")
	return pathParts{path: path, dir: dir, base: base, stem: stemOf(base)}
}

// anyDir reports whether a directory of the path is one that is asks for.
func (p pathParts) anyDir(is func(string) bool) bool {
	rest := p.dir
	for rest != "" {
		var d string
		d, rest, _ = strings.Cut(rest, "/")
		if is(d) {
			return true
		}
	}
	return false
}

// match reports whether the file name follows the convention.
func (n *Names) match(p pathParts) bool {
	for _, s := range n.Exact {
		if p.base == s {
			return true
		}
	}
	for _, s := range n.Prefix {
		if hasPrefix(p.stem, s) {
			return true
		}
	}
	for _, s := range n.Suffix {
		if hasSuffix(p.stem, s) {
			return true
		}
	}
	return false
}

func isSmall(c byte) bool   { return 'a' <= c && c <= 'z' }
func isCapital(c byte) bool { return 'A' <= c && c <= 'Z' }
func isDigit(c byte) bool   { return '0' <= c && c <= '9' }

// hasPrefix holds when s starts with prefix, goes on, and a prefix that ends in
// a small letter is a word of its own (TestFoo, Test2, not Testify).
func hasPrefix(s, prefix string) bool {
	if len(s) <= len(prefix) || s[:len(prefix)] != prefix {
		return false
	}
	end, next := prefix[len(prefix)-1], s[len(prefix)]
	if isSmall(end) || isCapital(end) {
		return isCapital(next) || isDigit(next)
	}
	return true
}

// hasSuffix holds when s ends with suffix, starts before it, and a suffix in
// capitals (IT) follows a small letter or digit (FooIT, not AUDIT).
func hasSuffix(s, suffix string) bool {
	i := len(s) - len(suffix)
	if i <= 0 || s[i:] != suffix {
		return false
	}
	if len(suffix) > 1 && isCapital(suffix[0]) && isCapital(suffix[1]) {
		return isSmall(s[i-1]) || isDigit(s[i-1])
	}
	return true
}
