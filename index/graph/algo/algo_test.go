package algo

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/graph/simple"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/graphtest"
)

var ctx = context.Background()

var calls = []graph.EdgeKind{graph.EdgeCalls}

// random makes a graph of functions that call each other, all edges sure.
func random(seed uint64, n, m int) (*graphtest.Graph, *simple.DirectedGraph) {
	r := rand.New(rand.NewPCG(seed, 1))
	g, d := &graphtest.Graph{}, simple.NewDirectedGraph()
	for i := range n {
		g.Func("a.go", "f")
		d.AddNode(simple.Node(i))
	}
	for range m {
		a, b := r.IntN(n), r.IntN(n)
		if a == b {
			continue
		}
		g.Call(a, b)
		d.SetEdge(simple.Edge{F: simple.Node(a), T: simple.Node(b)})
	}
	return g, d
}

// distances is Floyd and Warshall's algorithm, the plainest there is.
func distances(g *graphtest.Graph, set kindSet, undirected bool) [][]int {
	n := g.NumNodes()
	d := make([][]int, n)
	for i := range d {
		d[i] = make([]int, n)
		for j := range d[i] {
			d[i][j] = 1 << 20
		}
		d[i][i] = 0
	}
	for i := range n {
		out, _ := g.Out(i)
		for _, e := range out {
			if set.has(e.Kind) {
				d[i][e.Other] = min(d[i][e.Other], 1)
				if undirected {
					d[e.Other][i] = min(d[e.Other][i], 1)
				}
			}
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				d[i][j] = min(d[i][j], d[i][k]+d[k][j])
			}
		}
	}
	return d
}

func TestWalkFindsWhatIsNear(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 3))
		g := graphtest.Random(r, 2+r.IntN(12), r.IntN(50))
		d := distances(g, setOf(using), false)
		start, depth := r.IntN(g.NumNodes()), 1+r.IntN(4)
		found, _, err := Walk(ctx, g, []int{start}, WalkOptions{Kinds: using, Reverse: true, Depth: depth})
		if err != nil {
			t.Fatal(err)
		}
		near := map[int]int{}
		for i, f := range found {
			near[f.ID] = f.Distance
			if i > 0 && found[i-1].Distance > f.Distance {
				t.Errorf("seed %d: the farther comes first", seed)
			}
		}
		for id := range g.NumNodes() {
			want := d[id][start]
			if want == 0 || want > depth {
				want = 0
			}
			if near[id] != want {
				t.Errorf("seed %d: node %d at %d, want %d", seed, id, near[id], want)
			}
		}
	}
}

// surest tries every way of exactly that length.
func surest(g *graphtest.Graph, from, to, length int) float64 {
	if length == 0 {
		if from == to {
			return 1
		}
		return 0
	}
	best := 0.0
	out, _ := g.Out(from)
	for _, e := range out {
		if e.Kind == graph.EdgeCalls {
			best = max(best, float64(e.Confidence)/100*surest(g, e.Other, to, length-1))
		}
	}
	return best
}

func TestConfidenceIsOfTheSurestShortestWay(t *testing.T) {
	tiers := []graph.Confidence{graph.Resolved, graph.KnownType, graph.Dispatched, graph.NameOnly}
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 4))
		g, _ := random(seed, 8, 0)
		for range 20 {
			g.Link(graph.EdgeCalls, r.IntN(8), r.IntN(8), tiers[r.IntN(4)])
		}
		found, err := Callees(ctx, g, []int{0}, 3)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			if want := surest(g, 0, f.ID, f.Distance); math.Abs(f.Confidence-want) > 1e-12 {
				t.Errorf("seed %d: node %d has %v, want %v", seed, f.ID, f.Confidence, want)
			}
		}
	}
}

func TestCallersAndImportsFollowTheirEdges(t *testing.T) {
	g := &graphtest.Graph{}
	a, b, f1, f2 := g.Func("a.go", "a"), g.Func("a.go", "b"), g.File("a.go"), g.File("b.go")
	g.Call(a, b)
	g.Link(graph.EdgeImports, f1, f2, graph.Resolved)
	for name, c := range map[string]struct {
		f    func(context.Context, graph.Store, []int, int) ([]Reached, error)
		of   int
		want int
	}{"callers": {Callers, b, a}, "callees": {Callees, a, b}, "importers": {Importers, f2, f1}, "imports": {Imports, f1, f2}} {
		got, err := c.f(ctx, g, []int{c.of}, 2)
		if err != nil || len(got) != 1 || got[0].ID != c.want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func TestShortestAgainstFloydWarshall(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 5))
		g := graphtest.Random(r, 2+r.IntN(12), r.IntN(30))
		undirected := seed%2 == 0
		d := distances(g, setOf(using), undirected)
		a, b := r.IntN(g.NumNodes()), r.IntN(g.NumNodes())
		p, err := Shortest(ctx, g, []int{a}, []int{b}, using, undirected)
		if err != nil {
			t.Fatal(err)
		}
		if (p == nil) != (d[a][b] >= 1<<20) || p != nil && len(p.Edges) != d[a][b] {
			t.Errorf("seed %d: %d→%d: %+v, want length %d", seed, a, b, p, d[a][b])
		}
		if p == nil {
			continue
		}
		for i, e := range p.Edges {
			x, y := p.Nodes[i].ID, p.Nodes[i+1].ID
			if !(e.From == x && e.To == y || undirected && e.From == y && e.To == x) {
				t.Errorf("seed %d: edge %d is not between its nodes: %+v", seed, i, p)
			}
		}
	}
}

func TestCyclesGoRound(t *testing.T) {
	g, _ := random(9, 30, 60)
	g.Call(29, 29)
	cycles, err := Cycles(ctx, g, calls)
	if err != nil || len(cycles) == 0 {
		t.Fatalf("%v, %v", cycles, err)
	}
	for _, c := range cycles {
		for i, n := range c.Example {
			next := c.Example[(i+1)%len(c.Example)].ID
			out, _ := g.Out(n.ID)
			if !slices.ContainsFunc(out, func(e graph.Edge) bool { return e.Other == next }) {
				t.Errorf("no edge %d→%d in the example %v", n.ID, next, c.Example)
			}
		}
	}
}

func TestALongChainIsNoDeepRecursion(t *testing.T) {
	g := &graphtest.Graph{}
	const n = 100_000
	for range n {
		g.Func("a.go", "f")
	}
	for i := range n {
		g.Call(i, (i+1)%n)
	}
	cycles, err := Cycles(ctx, g, calls)
	if err != nil || len(cycles) != 1 || cycles[0].Size != n || len(cycles[0].Example) != n {
		t.Errorf("%d cycles, %v", len(cycles), err)
	}
}

func TestCancelledAndBrokenStores(t *testing.T) {
	g, _ := random(1, 20, 40)
	done, cancel := context.WithCancel(ctx)
	cancel()
	broken := failing{g}
	run := map[string]func(context.Context, graph.Store) error{
		"walk": func(c context.Context, s graph.Store) error { _, err := Callers(c, s, []int{1}, 2); return err },
		"path": func(c context.Context, s graph.Store) error {
			_, err := Shortest(c, s, []int{0}, []int{19}, calls, false)
			return err
		},
		"cycles":      func(c context.Context, s graph.Store) error { _, err := Cycles(c, s, calls); return err },
		"communities": func(c context.Context, s graph.Store) error { _, err := FindCommunities(c, s, 1); return err },
		"impact": func(c context.Context, s graph.Store) error {
			_, err := ImpactOf(c, s, []int{1}, ImpactOptions{})
			return err
		},
		"tests": func(c context.Context, s graph.Store) error {
			_, err := TestsOf(c, s, []int{1}, ImpactOptions{})
			return err
		},
	}
	for name, f := range run {
		if err := f(done, g); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, cancelled: %v", name, err)
		}
		if err := f(ctx, broken); !errors.Is(err, errBroken) {
			t.Errorf("%s, broken: %v", name, err)
		}
	}
}

var errBroken = errors.New("broken")

type failing struct{ *graphtest.Graph }

func (failing) Out(int) ([]graph.Edge, error) { return nil, errBroken }
func (failing) In(int) ([]graph.Edge, error)  { return nil, errBroken }

func TestEmptyGraph(t *testing.T) {
	g := &graphtest.Graph{}
	if c, err := FindCommunities(ctx, g, 1); err != nil || len(c.List) != 0 {
		t.Errorf("%v %v", c, err)
	}
	if h, err := Hotspots(ctx, g, nil, 3); err != nil || len(h) != 0 {
		t.Errorf("%v %v", h, err)
	}
}

func TestReachedInJSON(t *testing.T) {
	r := Reached{Ref: graph.Ref{ID: 7, Kind: "function", Name: "main", Path: "main.go", Line: 3, EndLine: 9}, Distance: 2, Confidence: 0.54, Via: 5}
	got, err := json.Marshal(r)
	want := `{"ID":7,"Kind":"function","Name":"main","Path":"main.go","Line":3,"EndLine":9,"Distance":2,"Confidence":0.54,"Via":5}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
}
