package measure

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/graph/network"
	"gonum.org/v1/gonum/graph/simple"
)

var ctx = context.Background()

// random makes a directed graph without loops, each arc once.
func random(seed uint64, n, m int) (*Arcs, *simple.DirectedGraph) {
	r := rand.New(rand.NewPCG(seed, 1))
	to, d := make([][]int32, n), simple.NewDirectedGraph()
	for i := range n {
		d.AddNode(simple.Node(i))
	}
	for range m {
		if a, b := r.IntN(n), r.IntN(n); a != b && !slices.Contains(to[a], int32(b)) {
			to[a] = append(to[a], int32(b))
			d.SetEdge(simple.Edge{F: simple.Node(a), T: simple.Node(b)})
		}
	}
	return arcs(to), d
}

func arcs(to [][]int32) *Arcs {
	a := &Arcs{Start: []int{0}}
	for _, list := range to {
		a.To = append(a.To, list...)
		a.Start = append(a.Start, len(a.To))
	}
	return a
}

func TestBetweennessAgainstGonum(t *testing.T) {
	for seed := range uint64(20) {
		a, d := random(seed, 15, 40)
		got, err := Betweenness(ctx, a, 1)
		if err != nil {
			t.Fatal(err)
		}
		want := network.Betweenness(d)
		for i, b := range got {
			if w := want[int64(i)] / (14 * 13); math.Abs(b-w) > 1e-9 {
				t.Errorf("seed %d: node %d has %v, want %v", seed, i, b, w)
			}
		}
	}
}

func TestSampledBetweennessIsNearTheExact(t *testing.T) {
	a, _ := random(3, 400, 1600)
	exact, _ := a.betweenness(ctx, 1000, 0, 0)
	guess, _ := a.betweenness(ctx, 100, 128, 7)
	again, _ := a.betweenness(ctx, 100, 128, 7)
	if !slices.Equal(guess, again) {
		t.Error("the same seed gave another answer")
	}
	sum, off := 0.0, 0.0
	for i := range exact {
		sum += exact[i]
		off += math.Abs(exact[i] - guess[i])
	}
	if off > 0.35*sum || slices.Equal(exact, guess) {
		t.Errorf("off by %.2f of the whole", off/sum)
	}
}

func TestCountlessShortestPathsStayFinite(t *testing.T) {
	const layers, wide = 700, 4 // 4^700 paths overflow a float
	to := make([][]int32, layers*wide)
	for l := range layers - 1 {
		for i := range wide {
			for j := range wide {
				to[l*wide+i] = append(to[l*wide+i], int32((l+1)*wide+j))
			}
		}
	}
	got, err := Betweenness(ctx, arcs(to), 1)
	if err != nil || slices.ContainsFunc(got, func(b float64) bool { return math.IsNaN(b) || b < 0 || b > 1 }) {
		t.Errorf("%v", err)
	}
}

// TestADenseGraphIsBounded has more edges than are looked at.
func TestADenseGraphIsBounded(t *testing.T) {
	const n = 1200
	to := make([][]int32, n)
	for i := range n {
		for k := range n {
			if k != i {
				to[i] = append(to[i], int32(k))
			}
		}
	}
	got, err := Betweenness(ctx, arcs(to), 1)
	if err != nil || slices.Max(got) != 0 {
		t.Errorf("all are neighbours, so that no node lies between: %v, %v", slices.Max(got), err)
	}
}

func TestBetweennessCancelled(t *testing.T) {
	done, cancel := context.WithCancel(ctx)
	cancel()
	a, _ := random(1, 20, 40)
	if _, err := Betweenness(done, a, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if b, err := Betweenness(ctx, &Arcs{Start: []int{0}}, 1); err != nil || len(b) != 0 {
		t.Errorf("of nothing: %v, %v", b, err)
	}
}

func BenchmarkBetweenness(b *testing.B) {
	a, _ := random(1, 20_000, 60_000)
	for b.Loop() {
		if _, err := Betweenness(ctx, a, 1); err != nil {
			b.Fatal(err)
		}
	}
}
