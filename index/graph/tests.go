package graph

import (
	"strings"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/scan/lang"
)

// fixtures are names that a tool calls around tests.
var fixtures = oneOf("setup teardown setupclass teardownclass setupall teardownall before after beforeeach aftereach beforeall afterall beforeclass afterclass testmain main init")

// IsTest reports whether a node is a test that its language's tool runs by
// itself, rather than a helper of tests. inTestFile says whether its file is
// one of tests. Of languages whose tests are calls at the top of a file, the
// file is the test.
func IsTest(n *Node, inTestFile bool) bool {
	tests := &lang.SyntaxOf(n.Language).Tests
	switch {
	case n.Kind == NodeFile:
		return inTestFile && tests.Style == lang.TestFile
	case n.Kind != NodeFunction && n.Kind != NodeMethod || !InTests(n, inTestFile):
		return false
	}
	yes, sure := testNamed(tests, LastPart(n.Kind, n.Name))
	return yes && (sure || n.FanIn == 0)
}

// InTests reports whether what a node calls is called by tests: it is in a
// file of tests or, in Rust, in a module of tests.
func InTests(n *Node, inTestFile bool) bool {
	return inTestFile || lang.SyntaxOf(n.Language).Tests.InModule(n.Name)
}

// testNamed tells whether a function of tests may be a test by its name, and
// whether the name alone decides that.
func testNamed(tests *lang.Tests, name string) (yes, sure bool) {
	if fixtures(strings.ToLower(strings.ReplaceAll(name, "_", ""))) {
		return false, true
	}
	if tests.IsTestName(name) {
		return true, true
	}
	return tests.Style == lang.TestEntry, tests.Style != lang.TestEntry
}

// testAt is the test that a call from a node is part of, as far as names tell:
// the node, or the file where files are the tests; none for helpers and for
// what is no test.
func (b *builder) testAt(f *source, from uint32) uint32 {
	name, tests := "", &lang.SyntaxOf(f.Language).Tests
	if from != f.node {
		name = f.chunks[b.nodes[from].chunk].Qualified()
	}
	if !f.test && !tests.InModule(name) {
		return none
	}
	if k := b.nodes[from].kind; k == NodeFunction || k == NodeMethod {
		if yes, _ := testNamed(tests, LastPart(NodeMethod, name)); yes {
			return from
		}
	}
	if from == f.node || tests.Style == lang.TestFile {
		return f.node
	}
	return none
}

// inTests reports whether a definition belongs to tests.
func (b *builder) inTests(n int32) bool {
	d := &b.nodes[n]
	f := &b.files[d.file]
	return f.test || d.chunk >= 0 && lang.SyntaxOf(f.Language).Tests.InModule(f.chunks[d.chunk].Qualified())
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
		name, ok := lang.TestedFunction(k.Name)
		if !ok || f.unit < 0 {
			continue
		}
		if mark := lang.SyntaxOf(f.Language).Tests.MethodMark; mark != "" {
			if typeName, methodName, ok := strings.Cut(name, mark); ok {
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
	dir := dirOf(f.Path)
	if base := lang.TestedFile(strings.TrimPrefix(f.Path[len(dir):], "/")); base != "" {
		if t, ok := b.tree.number[joinDir(dir, base)]; ok {
			f.edges = append(f.edges, edge{f.node, b.files[t].node, EdgeTests, tierKnown})
		}
	}
}
