package graph

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/graph/network"
	"gonum.org/v1/gonum/graph/simple"
)

// randomRows are sure calls among n nodes.
func randomRows(seed uint64, n, m int) (rows, *simple.DirectedGraph) {
	r := rand.New(rand.NewPCG(seed, 1))
	d := simple.NewDirectedGraph()
	for i := range n {
		d.AddNode(simple.Node(i))
	}
	var list []edge
	for range m {
		if a, b := r.IntN(n), r.IntN(n); a != b {
			list = append(list, edge{uint32(a), uint32(b), EdgeCalls, tierResolved})
			d.SetEdge(simple.Edge{F: simple.Node(a), T: simple.Node(b)})
		}
	}
	return newRows(n, list), d
}

func TestNodeRankAgainstGonum(t *testing.T) {
	for seed := range uint64(20) {
		out, d := randomRows(seed, 15, 40)
		want := network.PageRank(d, damping, 1e-10)
		for i, r := range nodeRank(&out) {
			if math.Abs(float64(r)-want[int64(i)]) > 1e-3 {
				t.Errorf("seed %d: node %d has %v, want %v", seed, i, r, want[int64(i)])
			}
		}
	}
}

func TestNodeBetweennessAgainstGonum(t *testing.T) {
	for seed := range uint64(20) {
		out, d := randomRows(seed, 15, 40)
		got, err := betweenness(context.Background(), &out)
		if err != nil {
			t.Fatal(err)
		}
		want := network.Betweenness(d)
		for i, b := range got {
			if w := want[int64(i)] / (14 * 13); math.Abs(float64(b)-w) > 1e-6 {
				t.Errorf("seed %d: node %d has %v, want %v", seed, i, b, w)
			}
		}
	}
}

// TestFiguresInTheIndex makes two groups of files, the calls of one group
// passing through one function.
func TestFiguresInTheIndex(t *testing.T) {
	m := memory{"go.mod": []byte("module m\n"), "README.txt": []byte("words\n")}
	for _, pkg := range []string{"a", "b"} {
		for i := range 4 {
			m[fmt.Sprintf("%s/f%d.go", pkg, i)] = fmt.Appendf(nil, "package %s\n\nfunc F%d() { F%d(); Hub() }\n", pkg, i, (i+1)%4)
			m[fmt.Sprintf("%s/g%d.go", pkg, i)] = fmt.Appendf(nil, "package %s\n\nfunc G%d() {}\n", pkg, i)
		}
		m[pkg+"/hub.go"] = fmt.Appendf(nil, "package %s\n\nfunc Hub() { G0(); G1(); G2(); G3() }\n", pkg)
	}
	_, g := built(t, filepath.Join(t.TempDir(), "x.idx"), m.input())
	if g.NumCommunities() != 2 {
		t.Fatalf("%d communities, want 2", g.NumCommunities())
	}
	for id, want := range []string{"a: hub.go, f0.go", "b: hub.go, f0.go"} {
		if got, err := g.CommunityLabel(id); got != want || err != nil {
			t.Errorf("community %d is %q, %v; want %q", id, got, err, want)
		}
	}
	for _, id := range []int{-1, 2} {
		if _, err := g.CommunityLabel(id); err == nil {
			t.Errorf("community %d has a label", id)
		}
	}
	for name, want := range map[string]int32{"a/f0.go": 0, "b/g3.go": 1, "README.txt": -1} {
		if n := find(t, g, name); n.Community != want {
			t.Errorf("%s is in community %d, want %d", name, n.Community, want)
		}
	}
	if n := find(t, g, "m/a"); n.Community != -1 {
		t.Errorf("a module is in community %d", n.Community)
	}
	ids, err := g.Named("Hub")
	if err != nil || len(ids) != 2 {
		t.Fatal(ids, err)
	}
	if n, _ := g.Node(ids[0]); n.Between <= 0 {
		t.Errorf("Hub lies on no shortest path")
	}
}

func TestFansOfFiles(t *testing.T) {
	m := memory{"go.mod": []byte("module m\n"),
		"a/a.go":      []byte("package a\n\ntype T struct{}\n\nfunc (T) M() {}\n\nfunc New() T { return T{} }\n"),
		"a/other.go":  []byte("package a\n\nfunc Unused() {}\n"),
		"a/a_test.go": []byte("package a\n\nimport \"testing\"\n\nfunc TestNew(t *testing.T) { New().M() }\n"),
		"b/b.go":      []byte("package b\n\nimport \"m/a\"\n\nvar V a.T\n\nfunc F() { V.M(); a.New() }\n"),
		"p/x.py":      []byte("from p import y\n\ny.f()\n"), "p/y.py": []byte("def f(): pass\n"), "p/__init__.py": nil}
	_, g := built(t, filepath.Join(t.TempDir(), "x.idx"), m.input())
	for name, want := range map[string][2]int{"a/a.go": {2, 0}, "a/other.go": {0, 0}, "a/a_test.go": {0, 1}, "b/b.go": {0, 1},
		"p/y.py": {1, 0}, "p/x.py": {0, 2}, "p/__init__.py": {1, 0}, "T": {2, 0}, "V": {1, 1}, "T.M": {2, 0}, "F": {0, 2}, "m/a": {1, 0}} {
		ids, err := g.Named(name)
		if err != nil || len(ids) == 0 {
			t.Fatalf("%s: %v, %v", name, ids, err)
		}
		n, err := g.Node(ids[0])
		if err != nil || [2]int{n.FanIn, n.FanOut} != want {
			t.Errorf("%s has fan-in %d and fan-out %d, want %v (%v)", name, n.FanIn, n.FanOut, want, err)
		}
	}
}

func TestLinkWeight(t *testing.T) {
	for k := EdgeContains; k <= EdgeCoChanges; k++ {
		links := slices.Contains([]EdgeKind{EdgeImports, EdgeCalls, EdgeInherits, EdgeReferences}, k)
		for _, c := range tiers {
			want := int64(0)
			if links && c > NameOnly {
				want = int64(c)
			}
			if got := LinkWeight(k, c); got != want {
				t.Errorf("%v at %d: %d, want %d", k, c, got, want)
			}
		}
	}
}
