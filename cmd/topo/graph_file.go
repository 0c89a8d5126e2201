package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/ask"
)

func newGraphFile(f *factory, runF func(context.Context, *symbolOptions) error) *cobra.Command {
	opts := &symbolOptions{graphOptions: graphOptions{f: f}}
	cmd := &cobra.Command{
		Use:   "file PATH",
		Short: "Show a file: what it defines, imports and is imported by",
		Long: `Show a file of the index: its history, what it defines with figures, what it
imports and is imported by, what it tests and what changes together with it.`,
		Example: "  topo graph file net/server.go\n  topo graph file net/server.go --format dot",
		Args:    onePlace,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Place = args[0]
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return opts.answering(cmd.Context(), opts.askFile)
		},
	}
	addGraphFlags(cmd, &opts.graphOptions, drawFormats, fileLimit)
	return cmd
}

// fileLimit is how many edges of each kind and direction a file shows.
const fileLimit = 200

func (o *symbolOptions) askFile(_ context.Context, s *graphSession) (*answer, error) {
	p, err := s.find(o.Place)
	if err != nil {
		return nil, err
	}
	p.Only(func(n *graph.Node) bool { return n.Kind == graph.NodeFile })
	n := &p.Nodes[0]
	id, ok := s.x.Lookup(n.Path)
	if n.Kind != graph.NodeFile || len(p.Nodes) > 1 || !ok {
		return nil, usagef("%s: not a file of the index%s", o.Place, fileHint(p))
	}
	nodes, err := s.ask.FileNodes(id)
	if err != nil {
		return nil, err
	}
	a := &answer{query: "file " + o.Place}
	e := &edgeLister{s: s, a: a, limit: o.Limit, seen: map[edgeKey]bool{}}
	if err := e.add(n, false); err != nil {
		return nil, err
	}
	for i := range nodes[1:] {
		d := &nodes[1+i]
		rec := symbolOf(d.Ref())
		rec.Measures = measuresOf(d)
		a.symbols = append(a.symbols, rec)
		e.ids = append(e.ids, d.ID)
	}
	a.human = func(t *graphText) { t.file(a) }
	a.draw = s.drawing(e.ids, allKinds(), allIDs(nodes[:1]))
	if a.truncated != "" {
		a.hint(fmt.Sprintf("only %d edges of each kind are listed; --limit 0 gives all", o.Limit))
	}
	if len(nodes) > 1 {
		a.hint("next: topo graph symbol " + ask.Quote(ask.PlaceOf(nodes[1].Ref())))
	}
	a.hint("next: topo graph impact " + ask.Quote(n.Path))
	return a, nil
}

// fileHint says which files a name may mean.
func fileHint(p *ask.Places) string {
	var paths []string
	for _, n := range p.Nodes {
		if n.Path != "" && len(paths) < ask.NearMost && (len(paths) == 0 || paths[len(paths)-1] != n.Path) {
			paths = append(paths, n.Path)
		}
	}
	if len(paths) > 0 {
		return "; did you mean " + strings.Join(paths, ", ") + "?"
	}
	return "; give the path of one, as topo scan lists it"
}

// file shows the file and what it defines.
func (t *graphText) file(a *answer) {
	defined := a.symbols[1:]
	t.symbols(&answer{symbols: a.symbols[:1], edges: a.edges})
	if len(defined) == 0 {
		return
	}
	t.line("  %s", t.paint(bold, "defines"))
	rows := [][]cell{head(">line", "kind", "name", ">lines", ">cyclomatic", ">cognitive", ">fan-in", ">fan-out")}
	for i := range defined {
		r := &defined[i]
		row := []cell{figure(r.Line), {r.Kind, cyan, false}, {r.Symbol, bold, false}, {}, {}, {}, figure(r.Measures.FanIn), figure(r.Measures.FanOut)}
		if r.runs() {
			row[3], row[4], row[5] = figure(r.Measures.Lines), figure(r.Measures.Cyclomatic), figure(r.Measures.Cognitive)
		}
		rows = append(rows, row)
	}
	t.table("    ", rows)
}
