package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/algo"
	"github.com/topo-dev/topo/index/graph/ask"
)

type pathOptions struct {
	graphOptions
	From, To   string
	Kinds      []string
	Undirected bool
}

// pathKinds are the kinds of edges that a path may take unless told otherwise:
// those along which one thing needs another.
var pathKinds = []string{"contains", "imports", "calls", "inherits", "references"}

func newGraphPath(f *factory, runF func(context.Context, *pathOptions) error) *cobra.Command {
	opts := &pathOptions{graphOptions: graphOptions{f: f}}
	cmd := &cobra.Command{
		Use:   "path A B",
		Short: "Show a shortest way from one place to another",
		Long: `Show a way with the fewest edges from A to B, with the kind and the confidence of
each edge. Without a way there is no record, and the hint says how to look wider.`,
		Example: "  topo graph path main.go:main Server.Close\n  topo graph path main.go Server.Close --kinds calls,contains --undirected",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef("%s: expected two places; as in: %s", cmd.CommandPath(), firstExample(cmd))
			}
			opts.From, opts.To = args[0], args[1]
			if _, err := edgeKinds(opts.Kinds); err != nil {
				return err
			}
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return opts.answering(cmd.Context(), opts.ask)
		},
	}
	cmd.Flags().StringSliceVar(&opts.Kinds, "kinds", pathKinds, "kinds of edges to follow")
	cmd.Flags().BoolVar(&opts.Undirected, "undirected", false, "follow edges against their direction, too")
	addGraphFlags(cmd, &opts.graphOptions, drawFormats, 0)
	return cmd
}

// edgeKinds are kinds of edges by their names.
func edgeKinds(names []string) ([]graph.EdgeKind, error) {
	var known []string
	var out []graph.EdgeKind
	for _, name := range names {
		found := false
		known = known[:0]
		for _, k := range allKinds() {
			known = append(known, k.String())
			if k.String() == strings.ToLower(name) {
				out, found = append(out, k), true
			}
		}
		if !found {
			return nil, usagef("--kinds: unknown kind %q; one of %s", name, strings.Join(known, ", "))
		}
	}
	if len(out) == 0 {
		return nil, usagef("--kinds: no kind given")
	}
	return out, nil
}

func (o *pathOptions) ask(ctx context.Context, s *graphSession) (*answer, error) {
	kinds, err := edgeKinds(o.Kinds)
	if err != nil {
		return nil, err
	}
	from, err := s.find(o.From)
	if err != nil {
		return nil, err
	}
	to, err := s.find(o.To)
	if err != nil {
		return nil, err
	}
	way, err := algo.Shortest(ctx, s.g, from.IDs(), to.IDs(), kinds, o.Undirected)
	if err != nil {
		return nil, err
	}
	a := &answer{query: "path " + o.From + " " + o.To, symbols: []symbolRecord{}, edges: []edgeRecord{}}
	var ids []int
	if way != nil {
		refs := map[int]graph.Ref{}
		confidence := 1.0
		for i, r := range way.Nodes {
			rec := symbolOf(r)
			if rec.Distance = i; i > 0 {
				confidence *= way.Edges[i-1].Confidence
				rec.Reason = way.Edges[i-1].Reason
			}
			rec.Confidence = rounded(confidence)
			refs[r.ID] = r
			ids = append(ids, r.ID)
			a.symbols = append(a.symbols, rec)
		}
		for _, e := range way.Edges {
			a.edges = append(a.edges, edgeRecord{From: ask.PlaceOf(refs[e.From]), To: ask.PlaceOf(refs[e.To]),
				Kind: e.Kind, Confidence: e.Confidence, Reason: e.Reason})
		}
	}
	a.human = func(t *graphText) { t.way(o, a) }
	a.draw = s.drawing(ids, kinds, nil)
	o.hints(a, way, from, to)
	return a, nil
}

func (o *pathOptions) hints(a *answer, way *algo.Path, from, to *ask.Places) {
	if way == nil {
		if !o.Undirected {
			a.hint(fmt.Sprintf("no way along %s; try topo graph path %s %s --undirected", strings.Join(o.Kinds, ", "), ask.Quote(o.From), ask.Quote(o.To)))
		} else {
			a.hint("no way in either direction; topo graph stats shows how much of the code could be resolved")
		}
		return
	}
	if len(from.Nodes) > 1 || len(to.Nodes) > 1 {
		first, last := way.Nodes[0], way.Nodes[len(way.Nodes)-1]
		a.hint(fmt.Sprintf("a name has several places, this is the shortest of all ways: topo graph path %s %s", ask.Quote(ask.PlaceOf(first)), ask.Quote(ask.PlaceOf(last))))
	}
	if len(way.Nodes) > 1 {
		a.hint("next: topo graph symbol " + ask.Quote(ask.PlaceOf(way.Nodes[1])))
	}
}

// way shows the nodes of a path under each other, with the edge that leads to
// each.
func (t *graphText) way(o *pathOptions, a *answer) {
	if len(a.symbols) == 0 {
		t.line("no way from %s to %s", visible(o.From), visible(o.To))
		return
	}
	rows := [][]cell{head(">step", "edge", ">confidence", "kind", "name", "place")}
	for i, r := range a.symbols {
		edge, confidence := "", cell{}
		if i > 0 {
			e := a.edges[i-1]
			edge, confidence = e.Kind, sure(e.Confidence)
			if e.To != ask.PlaceOf(refOf(&r)) {
				edge = "← " + edge
			}
		}
		rows = append(rows, []cell{figure(i), {edge, dim, false}, confidence, {r.Kind, cyan, false}, {r.Symbol, bold, false}, {r.place(), "", false}})
	}
	t.table("", rows)
}

func refOf(r *symbolRecord) graph.Ref { return graph.Ref{Kind: r.Kind, Name: r.Symbol, Path: r.Path} }
