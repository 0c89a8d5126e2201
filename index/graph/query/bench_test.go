package query

import (
	"context"
	"testing"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/graphtest"
)

func BenchmarkQueries(b *testing.B) {
	const nodes = 100_000
	g := graphtest.SyntheticGraph(nodes, 400_000)
	for i := range nodes / 4 {
		g.Link(graph.EdgeReferences, i*4, (i*7)%nodes, graph.Resolved)
	}
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
