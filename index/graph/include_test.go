package graph

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
)

// TestTypesOfOneNameInC has a struct of one name in two headers and one source.
func TestTypesOfOneNameInC(t *testing.T) {
	m := memory{
		"a/node.h": []byte("typedef struct node { int a; } node;\nstruct deep { node n; };\n"),
		"a/all.h":  []byte("#include \"node.h\"\n"),
		"a/use.c":  []byte("#include \"all.h\"\n\nint a(struct node *n) { return n->a; }\n"),
		"b/node.h": []byte("struct node { int b; };\n"),
		"b/use.c":  []byte("#include \"node.h\"\n\nint b(struct node *n) { return n->b; }\n"),
		"c.c":      []byte("struct node { int c; };\n\nint c(struct node *n) { return sizeof(struct node); }\n"),
	}
	_, g := built(t, filepath.Join(t.TempDir(), "x.idx"), m.input())
	var got []string
	for id := range g.NumNodes() {
		n, err := g.Node(id)
		if err != nil {
			t.Fatal(err)
		}
		edges, err := g.Out(id)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range edges {
			if other, _ := g.Node(e.Other); e.Kind == EdgeReferences {
				got = append(got, fmt.Sprintf("%s %s:%s", n.Name, other.Path, other.Name))
			}
		}
	}
	slices.Sort(got)
	want := []string{"a a/node.h:node", "b b/node.h:node", "c c.c:node", "deep a/node.h:node"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
