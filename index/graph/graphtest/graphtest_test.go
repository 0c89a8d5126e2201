package graphtest

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/topo-dev/topo/index/graph"
)

var _ graph.Store = (*Graph)(nil)

func order(a, b graph.Edge) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Other, b.Other))
}

func TestRandomKeepsTheStoresPromises(t *testing.T) {
	g := Random(rand.New(rand.NewPCG(1, 2)), 20, 80)
	for id := range g.NumNodes() {
		out, _ := g.Out(id)
		if !slices.IsSortedFunc(out, order) {
			t.Errorf("edges of %d are not sorted: %v", id, out)
		}
		for _, e := range out {
			back, _ := g.In(e.Other)
			if !slices.Contains(back, graph.Edge{Kind: e.Kind, Other: id, Confidence: e.Confidence}) {
				t.Errorf("edge %d→%v is not seen from its far end", id, e)
			}
		}
	}
}

func TestNamedFindsNamesAndLastParts(t *testing.T) {
	g := &Graph{}
	g.File("x/Close")
	g.Func("a.go", "Server.Close")
	g.Func("a.go", "Closer")
	g.Func("a.go", "Close")
	if got, _ := g.Named("Close"); !slices.Equal(got, []int{0, 1, 3}) {
		t.Errorf("got %v", got)
	}
}

func TestOutsideIDsAreErrors(t *testing.T) {
	g := &Graph{}
	for _, id := range []int{-1, 0} {
		if _, err := g.Node(id); err == nil {
			t.Errorf("no error for node %d of none", id)
		}
		if _, err := g.Out(id); err == nil {
			t.Errorf("no error for edges out of %d", id)
		}
		if _, err := g.In(id); err == nil {
			t.Errorf("no error for edges into %d", id)
		}
	}
}

func TestLinkKeepsTheSurerOfTwo(t *testing.T) {
	g := &Graph{}
	a, b := g.Func("a.go", "a"), g.Func("a.go", "b")
	g.Link(graph.EdgeCalls, a, b, graph.NameOnly)
	g.Call(a, b)
	if out, _ := g.Out(a); len(out) != 1 || out[0].Confidence != graph.Resolved {
		t.Errorf("got %v", out)
	}
}
