package algo

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/graphtest"
)

// town is a graph of the size of a large repository's: functions in files that
// call mostly their neighbours.
func town(nodes, links int) *graphtest.Graph {
	r := rand.New(rand.NewPCG(1, 1))
	g := &graphtest.Graph{}
	for i := range nodes {
		g.Func(fmt.Sprintf("d%d/f%d.go", i/800, i/20), fmt.Sprintf("f%d", i))
	}
	for range links {
		a := r.IntN(nodes)
		g.Call(a, min(max(a+int(r.NormFloat64()*400), 0), nodes-1))
	}
	return g
}

func BenchmarkTown(b *testing.B) {
	g := town(100_000, 400_000)
	for name, f := range map[string]func() error{
		"communities": func() error { _, err := FindCommunities(ctx, g, 1); return err },
		"cycles":      func() error { _, err := Cycles(ctx, g, calls); return err },
		"impact":      func() error { _, err := ImpactOf(ctx, g, []int{5000}, ImpactOptions{Depth: 4}); return err },
		"path": func() error {
			_, err := Shortest(ctx, g, []int{10}, []int{90_000}, []graph.EdgeKind{graph.EdgeCalls}, false)
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := f(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
