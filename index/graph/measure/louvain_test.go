package measure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/community"
	"gonum.org/v1/gonum/graph/simple"
)

// planted makes groups of size files that link to each other with chance in,
// and to others with chance out.
func planted(r *rand.Rand, groups, size int, in, out float64) (n int, list []Link) {
	n = groups * size
	for a := range n {
		for b := range a {
			chance := out
			if a/size == b/size {
				chance = in
			}
			if r.Float64() < chance {
				list = append(list, Link{int32(a), int32(b), 1 + r.Int64N(5)})
			}
		}
	}
	return n, list
}

func gonumOf(n int, list []Link) *simple.WeightedUndirectedGraph {
	g := simple.NewWeightedUndirectedGraph(0, 0)
	for i := range n {
		g.AddNode(simple.Node(i))
	}
	for _, e := range list {
		g.SetWeightedEdge(g.NewWeightedEdge(simple.Node(e.A), simple.Node(e.B), float64(e.Weight)))
	}
	return g
}

func groupsOf(of []int32) (groups [][]graph.Node) {
	for i, g := range of {
		for int(g) >= len(groups) {
			groups = append(groups, nil)
		}
		groups[g] = append(groups[g], simple.Node(i))
	}
	return groups
}

// TestLouvainAgainstGonum holds the division to gonum's: the figure for it is
// the same, and it is as good but for chance.
func TestLouvainAgainstGonum(t *testing.T) {
	ours, theirs := 0.0, 0.0
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 5))
		n, list := planted(r, 2+r.IntN(6), 3+r.IntN(12), 0.2+0.7*r.Float64(), 0.1*r.Float64())
		l := NewLinks(n, list)
		if l.total == 0 {
			continue
		}
		g, of := gonumOf(n, list), louvain(l, seed)
		groups := groupsOf(of)
		q := l.modularity(of, len(groups))
		if want := community.Q(g, groups, 1); math.Abs(q-want) > 1e-9 {
			t.Errorf("seed %d: modularity %v, gonum says %v", seed, q, want)
		}
		ours, theirs = ours+q, theirs+community.Q(g, community.Modularize(g, 1, rand.NewPCG(seed, 0)).Communities(), 1)
	}
	if ours < 0.99*theirs {
		t.Errorf("modularities sum to %.3f, those of gonum to %.3f", ours, theirs)
	}
}

func TestPlantedGroupsAreFound(t *testing.T) {
	n, list := planted(rand.New(rand.NewPCG(1, 1)), 6, 20, 0.6, 0.01)
	paths := make([]string, n+1)
	for i := range paths {
		paths[i] = fmt.Sprintf("d%d/f%03d.go", i/20, i)
	}
	d := Divide(paths, NewLinks(n+1, list), 1)
	if len(d.Groups) != 6 || d.Of[n] != -1 || d.Modularity < 0.5 {
		t.Fatalf("%d groups, modularity %v, the file without links in %d", len(d.Groups), d.Modularity, d.Of[n])
	}
	for _, g := range d.Groups {
		if len(g.Files) != 20 || g.Files[19]-g.Files[0] != 19 {
			t.Errorf("a group holds %v", g.Files)
		}
		if want := fmt.Sprintf("d%d: ", g.Files[0]/20); g.Label[:len(want)] != want {
			t.Errorf("label %q, want %q…", g.Label, want)
		}
	}
}

// TestTheOrderOfLinksDoesNotMatter gives the links in another order and
// direction, some in parts.
func TestTheOrderOfLinksDoesNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	n, list := planted(r, 4, 10, 0.5, 0.1)
	paths := make([]string, n)
	want := Divide(paths, NewLinks(n, list), 7)
	var other []Link
	for _, e := range list {
		if e.Weight > 1 {
			other = append(other, Link{e.A, e.B, e.Weight - 1})
			e.Weight = 1
		}
		other = append(other, Link{e.B, e.A, e.Weight}, Link{e.A, e.A, 9})
	}
	r.Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
	got := Divide(paths, NewLinks(n, other), 7)
	if !slices.Equal(got.Of, want.Of) || got.Modularity != want.Modularity {
		t.Errorf("got %v, want %v", got.Of, want.Of)
	}
}

func TestWeightsOfGroups(t *testing.T) {
	// Two triangles and one link between them.
	d := Divide([]string{"a/1", "a/2", "a/3", "b/1", "b/2", "b/3", "c"}, NewLinks(7, []Link{
		{0, 1, 5}, {1, 2, 5}, {2, 0, 5}, {3, 4, 7}, {4, 5, 7}, {5, 3, 7}, {2, 3, 1}}), 1)
	if len(d.Groups) != 2 {
		t.Fatalf("%+v", d)
	}
	a, b := d.Groups[0], d.Groups[1]
	if a.Inside != 15 || a.Outside != 1 || b.Inside != 21 || b.Outside != 1 || a.Label != "a: 1, 2" || b.Label != "b: 1, 2" {
		t.Errorf("%+v, %+v", a, b)
	}
}

func TestFilesOfOneNameAreToldApart(t *testing.T) {
	d := Divide([]string{"api/core/types.go", "api/apps/types.go"}, NewLinks(2, []Link{{0, 1, 1}}), 1)
	if want := "api: apps/types.go, core/types.go"; d.Groups[0].Label != want {
		t.Errorf("label %q, want %q", d.Groups[0].Label, want)
	}
}

func TestNothingToDivide(t *testing.T) {
	for n := range 3 {
		d := Divide(make([]string, n), NewLinks(n, nil), 1)
		if len(d.Groups) != 0 || len(d.Of) != n || n > 0 && d.Of[0] != -1 {
			t.Errorf("%d files: %+v", n, d)
		}
	}
}

func TestSharedDir(t *testing.T) {
	for _, c := range []struct {
		paths []string
		want  string
	}{
		{[]string{"a.go"}, "."},
		{[]string{"a/b/x", "a/b/y", "a/c/z"}, "a/b"},
		{[]string{"a/x", "b/y"}, "."},
		{[]string{"a/x", "a/b/y", "c/z"}, "a"},
	} {
		if got := sharedDir(c.paths); got != c.want {
			t.Errorf("%v: %q, want %q", c.paths, got, c.want)
		}
	}
}

func TestEqualLabelsAreNumbered(t *testing.T) {
	g := []Group{{Label: "x"}, {Label: "y"}, {Label: "x"}}
	distinguish(g)
	if g[0].Label != "x" || g[1].Label != "y" || g[2].Label != "x #2" {
		t.Errorf("%+v", g)
	}
}

// BenchmarkDivide divides as many files as a large repository has.
func BenchmarkDivide(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	const n = 10_000
	var list []Link
	for range 100_000 {
		a := r.IntN(n)
		list = append(list, Link{int32(a), int32(min(max(a+int(r.NormFloat64()*40), 0), n-1)), 1 + r.Int64N(10)})
	}
	paths := make([]string, n)
	for b.Loop() {
		Divide(paths, NewLinks(n, list), 1)
	}
}
