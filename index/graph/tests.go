package graph

import (
	"strings"

	"github.com/topo-dev/topo/chunk"
)

// style says how the tests of a language are distinguished from helpers.
type style uint8

const (
	// styleEntry: whatever nobody calls. The tool finds tests by annotations or
	// macros, which the graph does not hold, and calls them itself.
	styleEntry style = iota
	styleName        // by the prefix of the name
	styleFile        // tests are calls at the top of a file, so the file is the test
)

// testStyles is by language; others are styleEntry.
var testStyles = map[string]struct {
	style    style
	prefixes []string
}{
	"go":         {styleName, []string{"Test", "Fuzz", "Example"}},
	"python":     {styleName, []string{"test"}},
	"javascript": {styleFile, nil},
	"svelte":     {styleFile, nil},
	"tsx":        {styleFile, nil},
	"typescript": {styleFile, nil},
	"vue":        {styleFile, nil},
	"ruby":       {styleFile, []string{"test_"}}, // methods of Minitest, blocks of RSpec
	"lua":        {styleFile, []string{"test"}},
	"elixir":     {styleFile, nil},
}

// fixtures are names that a tool calls around tests.
var fixtures = oneOf("setup teardown setupclass teardownclass setupall teardownall before after beforeeach aftereach beforeall afterall beforeclass afterclass testmain main init")

// IsTest reports whether a node is a test that its language's tool runs by
// itself, rather than a helper of tests. inTestFile says whether its file is
// one of tests. Of languages whose tests are calls at the top of a file, the
// file is the test.
func IsTest(n *Node, inTestFile bool) bool {
	s := testStyles[n.Language]
	switch {
	case n.Kind == NodeFile:
		return inTestFile && s.style == styleFile
	case n.Kind != NodeFunction && n.Kind != NodeMethod || !inTestFile && !testScope(n.Language, n.Name):
		return false
	}
	yes, sure := testNamed(n.Language, LastPart(n.Kind, n.Name))
	return yes && (sure || n.FanIn == 0)
}

// InTests reports whether what a node calls is called by tests: it is in a
// file of tests or, in Rust, in a module of tests.
func InTests(n *Node, inTestFile bool) bool { return inTestFile || testScope(n.Language, n.Name) }

// testNamed tells whether a function of tests may be a test by its name, and
// whether the name alone decides that.
func testNamed(language, name string) (yes, sure bool) {
	s := testStyles[language]
	if fixtures(strings.ToLower(strings.ReplaceAll(name, "_", ""))) {
		return false, true
	}
	for _, p := range s.prefixes {
		if rest, ok := strings.CutPrefix(name, p); ok && (language != "go" || rest == "" || rest[0] < 'a' || rest[0] > 'z') {
			return true, true
		}
	}
	return s.style == styleEntry, s.style != styleEntry
}

// testScope reports whether a definition is in a module of tests inside of
// the file that it tests, as Rust has them.
func testScope(language, name string) bool {
	if language != "rust" {
		return false
	}
	for part := range strings.SplitSeq(name, ".") {
		if part == "tests" || part == "test" {
			return true
		}
	}
	return false
}

// testAt is the test that a call from a node is part of, as far as names tell:
// the node, or the file where files are the tests; none for helpers and for
// what is no test.
func (b *builder) testAt(f *source, from uint32) uint32 {
	name := ""
	if from != f.node {
		name = f.chunks[b.nodes[from].chunk].Qualified()
	}
	if !f.test && !testScope(f.Language, name) {
		return none
	}
	if k := b.nodes[from].kind; k == NodeFunction || k == NodeMethod {
		if yes, _ := testNamed(f.Language, LastPart(NodeMethod, name)); yes {
			return from
		}
	}
	if from == f.node || testStyles[f.Language].style == styleFile {
		return f.node
	}
	return none
}

// inTests reports whether a definition belongs to tests.
func (b *builder) inTests(n int32) bool {
	d := &b.nodes[n]
	f := &b.files[d.file]
	return f.test || d.chunk >= 0 && testScope(f.Language, f.chunks[d.chunk].Qualified())
}

// conventions draws the edges that the names of tests tell: TestX and test_x
// test X, a_test.go and test_a.py test a.
func (b *builder) conventions(f *source, w *worker) {
	for c := range f.chunks {
		k := &f.chunks[c]
		n := f.nodeOf[c]
		if n == none || k.Kind != chunk.Function && k.Kind != chunk.Method || b.testAt(f, n) != n {
			continue
		}
		name, ok := tested(k.Name)
		if !ok || f.unit < 0 {
			continue
		}
		if f.rules == goRules {
			if typeName, methodName, ok := strings.Cut(name, "_"); ok {
				if t, ok := b.units[f.unit].types[typeName]; ok {
					for _, m := range b.types[t].methodsOf(methodName) {
						f.edges = append(f.edges, edge{n, uint32(m.node), EdgeTests, tierKnown})
					}
					continue
				}
			}
		}
		for _, try := range []string{name, strings.ToLower(name[:1]) + name[1:]} {
			if r := w.global(f, try, 0); r.ok() {
				for _, t := range r.nodes {
					if b.nodes[t].file != noFile && !b.files[b.nodes[t].file].test {
						f.edges = append(f.edges, edge{n, uint32(t), EdgeTests, tierKnown})
					}
				}
				break
			}
		}
	}
	if p := testedFile(f.Path); p != "" {
		if t, ok := b.tree.number[p]; ok {
			f.edges = append(f.edges, edge{f.node, b.files[t].node, EdgeTests, tierKnown})
		}
	}
}

// tested is what a test's name says that it tests.
func tested(name string) (string, bool) {
	for _, p := range []string{"Test_", "Test", "test_", "Fuzz", "Example"} {
		if rest, ok := strings.CutPrefix(name, p); ok && rest != "" {
			return rest, true
		}
	}
	return "", false
}

// testedFile is the file that a test file's name says that it tests, in the
// same folder.
func testedFile(p string) string {
	dir, base := dirOf(p), p[strings.LastIndexByte(p, '/')+1:]
	ext := base[strings.LastIndexByte(base, '.')+1:]
	stem := strings.TrimSuffix(base, "."+ext)
	for _, s := range []string{"_test", ".test", ".spec", "_spec", "Test", "Tests"} {
		if rest, ok := strings.CutSuffix(stem, s); ok && rest != "" {
			return joinDir(dir, rest+"."+ext)
		}
	}
	if rest, ok := strings.CutPrefix(stem, "test_"); ok {
		return joinDir(dir, rest+"."+ext)
	}
	return ""
}
