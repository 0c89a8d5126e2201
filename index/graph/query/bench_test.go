package query

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/graphtest"
)

// town is a graph of the size of a large repository's: functions in files that
// call mostly their neighbours.
func town(nodes, calls int) *graphtest.Graph {
	r := rand.New(rand.NewPCG(1, 1))
	g := &graphtest.Graph{}
	for i := range nodes {
		g.Func(fmt.Sprintf("d%d/f%d.go", i/800, i/20), fmt.Sprintf("f%d", i))
	}
	for range calls {
		a := r.IntN(nodes)
		g.Call(a, min(max(a+int(r.NormFloat64()*400), 0), nodes-1))
	}
	for i := range nodes / 4 {
		g.Link(graph.EdgeReferences, i*4, (i*7)%nodes, graph.Resolved)
	}
	return g
}

func BenchmarkQueries(b *testing.B) {
	g := town(100_000, 400_000)
	for name, q := range map[string]string{
		"callers":  "MATCH (f)-[:CALLS*1..3]->(g) WHERE id(g) = 5000 RETURN DISTINCT f.name",
		"scan":     "MATCH (f:Function) WHERE f.cyclomatic > 3 RETURN f.name ORDER BY f.cyclomatic LIMIT 10",
		"group":    "MATCH (f)-[:CALLS]->(g) RETURN g.path, count(f) AS n ORDER BY n DESC LIMIT 10",
		"untested": "MATCH (f:Function) WHERE NOT (f)<-[:TESTS]-() RETURN count(*)",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Run(context.Background(), g, q, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
