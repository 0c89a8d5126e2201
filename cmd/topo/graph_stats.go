package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/index/graph"
)

type statsOptions struct{ graphOptions }

// statsRecord counts what the graph holds. One in JSON:
//
//	{"Nodes":9,"Edges":12,"NodeKinds":{"file":2,…},"EdgeKinds":{"calls":4,…},"Calls":{"resolved":3,…},"UnknownCalls":1,"Resolved":0.75}
type statsRecord struct {
	Nodes, Edges int
	NodeKinds    orderedObject // nodes by kind
	EdgeKinds    orderedObject // edges by kind
	Calls        orderedObject // edges of calls by their confidence
	UnknownCalls int           // calls whose target is not known
	Resolved     float64       // share of the calls with a target that is more than a name, 0 to 1
}

func newGraphStats(f *factory, runF func(context.Context, *statsOptions) error) *cobra.Command {
	opts := &statsOptions{graphOptions{f: f}}
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Count nodes and edges by kind, and calls by how sure they are",
		Long: `Count the nodes and edges of the graph by kind, the calls by their confidence, and
the calls whose target is not known. What lies outside of the repository is known
by name only and counts as external.`,
		Example: "  topo graph stats\n  topo graph stats --format json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return opts.answering(cmd.Context(), opts.ask)
		},
	}
	addGraphFlags(cmd, &opts.graphOptions, tableFormats, 0)
	return cmd
}

// tiers are the confidences of edges, the surest first.
var tiers = []graph.Confidence{graph.Resolved, graph.KnownType, graph.Dispatched, graph.Overloaded, graph.NameOnly}

func (o *statsOptions) ask(ctx context.Context, s *graphSession) (*answer, error) {
	var nodes [graph.NodeExternal + 1]int
	var edges [graph.EdgeCoChanges + 1]int
	calls := map[string]int{}
	rec := statsRecord{Nodes: s.g.NumNodes()}
	for id := range rec.Nodes {
		if id%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		n, err := s.g.Node(id)
		if err != nil {
			return nil, err
		}
		nodes[n.Kind]++
		rec.UnknownCalls += n.Unknown
		out, err := s.g.Out(id)
		if err != nil {
			return nil, err
		}
		rec.Edges += len(out)
		for _, e := range out {
			edges[min(e.Kind, graph.EdgeCoChanges)]++
			if e.Kind == graph.EdgeCalls {
				calls[e.Confidence.Reason()]++
			}
		}
	}
	for k, n := range nodes {
		rec.NodeKinds.add(graph.NodeKind(k).String(), n)
	}
	for k, n := range edges {
		rec.EdgeKinds.add(graph.EdgeKind(k).String(), n)
	}
	for _, c := range tiers {
		rec.Calls.add(c.Reason(), calls[c.Reason()])
	}
	unsure := rec.UnknownCalls + calls[graph.NameOnly.Reason()]
	if all := edges[graph.EdgeCalls] + rec.UnknownCalls; all > 0 {
		rec.Resolved = rounded(1 - float64(unsure)/float64(all))
	}
	a := &answer{query: "stats", list: "stats", others: []any{rec}, human: func(t *graphText) { t.stats(&rec) }}
	a.hint("next: topo graph hotspots", "next: topo graph query 'MATCH (f) RETURN f.name, f.path ORDER BY f.fanin DESC LIMIT 10'")
	return a, nil
}

func (t *graphText) stats(r *statsRecord) {
	for _, part := range []struct {
		title string
		list  orderedObject
	}{{plural(r.Nodes, "node"), r.NodeKinds}, {plural(r.Edges, "edge"), r.EdgeKinds},
		{fmt.Sprintf("calls, %.0f %% of them to a known target", 100*r.Resolved), append(r.Calls, orderedField{"unknown", r.UnknownCalls})}} {
		t.line("%s", t.paint(bold, part.title))
		var rows [][]cell
		for _, f := range part.list {
			rows = append(rows, []cell{{f.key, cyan, false}, figure(f.value)})
		}
		t.table("  ", rows)
	}
}
