package algo

import (
	"testing"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/graphtest"
)

func BenchmarkSyntheticGraph(b *testing.B) {
	g := graphtest.SyntheticGraph(100_000, 400_000)
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
