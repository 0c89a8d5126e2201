package answer

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/algo"
	"github.com/topo-dev/topo/index/graph/ask"
	"github.com/topo-dev/topo/internal/fault"
)

// PathOptions say which edges a path may take.
type PathOptions struct {
	Kinds      []string // names of kinds of edges; nil for those along which one thing needs another
	Undirected bool     // edges are followed against their direction as well
}

// Path is a shortest way from one place to another.
type Path struct {
	Head
	From, To string         // as they were asked for
	Symbols  []SymbolRecord // the steps; none when there is no way
	Edges    []EdgeRecord   // from each step to the next
	Tail
}

// DefaultPathKinds are the kinds of edges that a path takes by default.
func DefaultPathKinds() []string {
	return []string{"contains", "imports", "calls", "inherits", "references"}
}

// EdgeKinds are kinds of edges by their names; an error of usage for a name of none.
func EdgeKinds(names []string) ([]graph.EdgeKind, error) {
	all := allKinds()
	var out []graph.EdgeKind
	for _, name := range names {
		i := slices.IndexFunc(all, func(k graph.EdgeKind) bool { return k.String() == strings.ToLower(name) })
		if i < 0 {
			var known []string
			for _, k := range all {
				known = append(known, k.String())
			}
			return nil, fault.Usagef("unknown kind %q; one of %s", name, strings.Join(known, ", "))
		}
		out = append(out, all[i])
	}
	if len(out) == 0 {
		return nil, fault.Usagef("no kind given")
	}
	return out, nil
}

// Path finds a way with the fewest edges.
func (s *Session) Path(ctx context.Context, from, to string, o PathOptions) (*Path, error) {
	if o.Kinds == nil {
		o.Kinds = DefaultPathKinds()
	}
	kinds, err := EdgeKinds(o.Kinds)
	if err != nil {
		return nil, err
	}
	start, err := s.Find(from)
	if err != nil {
		return nil, err
	}
	end, err := s.Find(to)
	if err != nil {
		return nil, err
	}
	way, err := algo.Shortest(ctx, s.Graph, start.IDs(), end.IDs(), kinds, o.Undirected)
	if err != nil {
		return nil, err
	}
	a := &Path{Head: s.head("path-answer", "path "+from+" "+to), From: from, To: to, Symbols: []SymbolRecord{}, Edges: []EdgeRecord{}, Tail: s.tail()}
	a.draw = s.drawing(a.steps(way), kinds, nil)
	a.TotalSymbols = len(a.Symbols)
	a.hints(o, way, start, end)
	s.noteStale(ctx, &a.Tail, a.Symbols, a.Edges)
	return a, nil
}

// steps adds the nodes and edges of a way and returns the ids of the nodes.
func (a *Path) steps(way *algo.Path) (ids []int) {
	if way == nil {
		return nil
	}
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
		a.Symbols = append(a.Symbols, rec)
	}
	for _, e := range way.Edges {
		a.Edges = append(a.Edges, EdgeRecord{From: placeOf(refs[e.From]), To: placeOf(refs[e.To]), Kind: e.Kind, Confidence: e.Confidence, Reason: e.Reason})
	}
	return ids
}

func (a *Path) hints(o PathOptions, way *algo.Path, from, to *ask.Places) {
	switch {
	case way == nil && !o.Undirected:
		a.hint(fmt.Sprintf("no way along %s; try {ask}", strings.Join(o.Kinds, ", ")),
			Ask{Question: "path", Places: []string{from.Given, to.Given}, Options: []string{"undirected"}})
		return
	case way == nil:
		a.hint("no way in either direction; {ask} shows how much of the code could be resolved", Ask{Question: "stats"})
		return
	}
	if len(from.Nodes) > 1 || len(to.Nodes) > 1 {
		first, last := way.Nodes[0], way.Nodes[len(way.Nodes)-1]
		a.hint("a name has several places, this is the shortest of all ways: {ask}", Ask{Question: "path", Places: []string{placeOf(first), placeOf(last)}})
	}
	if len(way.Nodes) > 1 {
		a.next("symbol", placeOf(way.Nodes[1]))
	}
}

// Records are the steps and the edges.
func (a *Path) Records() []any { return append(anys(a.Symbols), anys(a.Edges)...) }

// Text shows the steps under each other, with the edge that leads to each.
func (a *Path) Text(w io.Writer, o TextOptions) {
	t := newText(w, o)
	if len(a.Symbols) == 0 {
		t.line("no way from %s to %s", Visible(a.From), Visible(a.To))
		return
	}
	rows := [][]cell{head(">step", "edge", ">confidence", "kind", "name", "place")}
	for i, r := range a.Symbols {
		edge, confidence := "", cell{}
		if i > 0 {
			e := a.Edges[i-1]
			edge, confidence = e.Kind, sure(e.Confidence)
			if e.To != r.named() {
				edge = "← " + edge
			}
		}
		rows = append(rows, []cell{figure(i), {edge, dim, false}, confidence, {r.Kind, cyan, false}, {r.Symbol, bold, false}, {r.place(), "", false}})
	}
	t.table("", rows)
}
