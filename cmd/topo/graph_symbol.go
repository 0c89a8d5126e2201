package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/ask"
)

type symbolOptions struct {
	graphOptions
	Place string
}

// symbolLimit is how many edges of each kind and direction are listed.
const symbolLimit = 20

func newGraphSymbol(f *factory, runF func(context.Context, *symbolOptions) error) *cobra.Command {
	opts := &symbolOptions{graphOptions: graphOptions{f: f}}
	cmd := &cobra.Command{
		Use:   "symbol X",
		Short: "Show a definition: its figures and every edge to and from it",
		Long: `Show the definitions that X names, with complexity, fan-in and fan-out, rank and
the history of their file, and the edges to and from each: callers and callees
with the lines of the calls, what contains it and what it contains, bases, uses
and tests.`,
		Example: "  topo graph symbol Server.Close\n  topo graph symbol net/server.go:88 --limit 0 --format json",
		Args:    onePlace,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Place = args[0]
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return opts.answering(cmd.Context(), opts.ask)
		},
	}
	addGraphFlags(cmd, &opts.graphOptions, drawFormats, symbolLimit)
	return cmd
}

func (o *symbolOptions) ask(ctx context.Context, s *graphSession) (*answer, error) {
	p, err := s.find(o.Place)
	if err != nil {
		return nil, err
	}
	if p.Folder {
		return nil, usagef("%s: a folder has no figures of its own; topo graph importers, imports, callers, callees and impact take one", o.Place)
	}
	a := &answer{query: "symbol " + o.Place}
	e := &edgeLister{s: s, a: a, limit: o.Limit, seen: map[edgeKey]bool{}}
	for i := range p.Nodes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := e.add(&p.Nodes[i], true); err != nil {
			return nil, err
		}
	}
	if err := e.sites(ctx); err != nil {
		return nil, err
	}
	a.human = func(t *graphText) { t.symbols(a) }
	if len(p.Nodes) > symbolPlaces {
		a.human = func(t *graphText) { t.places(o.Place, a.symbols[:len(p.Nodes)]) }
	}
	a.draw = s.drawing(e.ids, allKinds(), allIDs(p.Nodes))
	if a.truncated != "" {
		a.hint(fmt.Sprintf("only %d edges of each kind are listed; --limit 0 gives all", o.Limit))
	}
	a.hint(p.Narrow("topo graph symbol")...)
	n := p.Nodes[0].Ref()
	switch p.Nodes[0].Kind {
	case graph.NodeFile, graph.NodeModule, graph.NodeExternal:
		a.hint("next: topo graph importers " + ask.Quote(ask.PlaceOf(n)))
	default:
		a.hint("next: topo graph impact " + ask.Quote(ask.PlaceOf(n)))
	}
	return a, nil
}

// allKinds are the kinds of edges in their order.
func allKinds() []graph.EdgeKind {
	var all []graph.EdgeKind
	for k := graph.EdgeContains; k <= graph.EdgeCoChanges; k++ {
		all = append(all, k)
	}
	return all
}

// edgeLister collects nodes with their edges.
type edgeLister struct {
	s     *graphSession
	a     *answer
	limit int // of edges of one kind in one direction; 0 for all
	seen  map[edgeKey]bool
	ends  [][]graph.Ends // of each edge of the answer that is a call
	ids   []int
}

// edgeKey tells edges of an answer apart.
type edgeKey struct {
	from, to, kind string
	confidence     float64
	reason         string
}

// sites fills in the lines of the calls.
func (l *edgeLister) sites(ctx context.Context) error {
	found, err := l.s.g.Sites(ctx, graph.EdgeCalls, l.ends, siteLimit)
	for i, f := range found {
		l.a.edges[i].Sites, l.a.edges[i].MoreSites = f.List, f.More
	}
	return err
}

// add adds a node with its figures and edges. Without contained the edges to
// what it contains are left out.
func (l *edgeLister) add(n *graph.Node, contained bool) error {
	rec := symbolOf(n.Ref())
	var err error
	if rec.Measures, err = l.s.measure(n); err != nil {
		return err
	}
	l.a.symbols = append(l.a.symbols, rec)
	l.ids = append(l.ids, n.ID)
	for _, reverse := range []bool{true, false} {
		edges, err := l.s.g.Out(n.ID)
		if reverse {
			edges, err = l.s.g.In(n.ID)
		}
		if err != nil {
			return err
		}
		if err := l.edges(n, edges, reverse, contained); err != nil {
			return err
		}
	}
	return nil
}

func (l *edgeLister) edges(n *graph.Node, edges []graph.Edge, reverse, contained bool) error {
	count := map[graph.EdgeKind]int{}
	for _, e := range edges {
		if e.Kind == graph.EdgeContains && !reverse && !contained {
			continue
		}
		if count[e.Kind]++; l.limit > 0 && count[e.Kind] > l.limit {
			l.a.truncated = "edges"
			continue
		}
		other, err := l.s.g.Node(e.Other)
		if err != nil {
			return err
		}
		from, to := n.Ref(), other.Ref()
		if reverse {
			from, to = to, from
		}
		rec := edgeOf(from, to, e.Kind, e.Confidence)
		if e.Kind == graph.EdgeCoChanges {
			both, all, err := l.s.g.Together(from.ID, to.ID)
			if err != nil {
				return err
			}
			rec.Reason = fmt.Sprintf("in %d of the %d commits that changed it", both, all)
		}
		if key := (edgeKey{rec.From, rec.To, rec.Kind, rec.Confidence, rec.Reason}); !l.seen[key] {
			l.seen[key] = true
			l.a.edges = append(l.a.edges, rec)
			var ends []graph.Ends
			if e.Kind == graph.EdgeCalls {
				ends = []graph.Ends{{From: from.ID, To: to.ID}}
			}
			l.ends = append(l.ends, ends)
		}
		l.ids = append(l.ids, e.Other)
	}
	return nil
}

func edgeOf(from, to graph.Ref, kind graph.EdgeKind, c graph.Confidence) edgeRecord {
	return edgeRecord{From: ask.PlaceOf(from), To: ask.PlaceOf(to), Kind: kind.String(), Confidence: float64(c) / 100, Reason: kind.Reason(c)}
}

// symbols shows each symbol with its figures and its edges.
func (t *graphText) symbols(a *answer) {
	for i := range a.symbols {
		r := &a.symbols[i]
		if i > 0 {
			t.line("")
		}
		t.line("%s %s  %s", t.paint(cyan, r.Kind), t.paint(bold, visible(r.Symbol)), visible(r.place()))
		if r.Measures != nil {
			t.table("  ", r.Measures.rows(r))
			if r.Measures.Community != "" {
				t.line("  belongs to %s", visible(r.Measures.Community))
			}
			if r.Measures.LastChange != "" {
				t.line("  last change %s by %s", r.Measures.LastChange[:10], visible(r.Measures.LastAuthor))
			}
		}
		t.edgesOf(a, ask.PlaceOf(graph.Ref{Name: r.Symbol, Path: r.Path}))
	}
}

// passive names what an edge means to the node it ends at.
var passive = map[string]string{"contains": "contained in", "imports": "imported by", "calls": "called by",
	"inherits": "inherited by", "references": "referenced by", "tests": "tested by", "cochanges": "when these change, it often does"}

// active names what an edge means to the node it starts at, where the kind
// itself does not say it.
var active = map[string]string{"cochanges": "when it changes, these often do"}

// edgesOf shows the edges at a place, by kind.
func (t *graphText) edgesOf(a *answer, place string) {
	for _, k := range allKinds() {
		for _, reverse := range []bool{true, false} {
			var rows [][]cell
			var under [][]string
			for _, e := range a.edges {
				here, there := e.From, e.To
				if reverse {
					here, there = e.To, e.From
				}
				if e.Kind == k.String() && here == place {
					row := []cell{sure(e.Confidence), {there, "", false}}
					if k == graph.EdgeCoChanges {
						row = append(row, cell{e.Reason, dim, false})
					}
					rows, under = append(rows, row), append(under, t.sites(e.Sites, e.MoreSites))
				}
			}
			if len(rows) == 0 {
				continue
			}
			if k == graph.EdgeCoChanges {
				slices.SortStableFunc(rows, func(a, b []cell) int { return strings.Compare(b[0].text, a[0].text) })
			}
			title := k.String()
			if reverse {
				title = passive[title]
			} else if name, ok := active[title]; ok {
				title = name
			}
			t.line("  %s", t.paint(bold, title))
			t.tableOver("    ", rows, under)
		}
	}
}

// symbolPlaces is up to how many definitions of a name are shown with their edges
// to a person.
const symbolPlaces = 5

// places lists the definitions of a name that many have.
func (t *graphText) places(name string, list []symbolRecord) {
	t.line("%s", t.paint(bold, plural(len(list), "place")+" called "+visible(name)))
	rows := [][]cell{head("kind", "name", "place", ">lines", ">fan-in", ">fan-out")}
	for i := range list {
		r := &list[i]
		row := []cell{{r.Kind, cyan, false}, {r.Symbol, bold, false}, {r.place(), "", false}, {}, figure(r.Measures.FanIn), figure(r.Measures.FanOut)}
		if r.runs() {
			row[3] = figure(r.Measures.Lines)
		}
		rows = append(rows, row)
	}
	t.table("", rows)
}
