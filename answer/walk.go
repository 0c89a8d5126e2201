package answer

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/algo"
	"github.com/topo-dev/topo/index/graph/ask"
	"github.com/topo-dev/topo/index/graph/draw"
	"github.com/topo-dev/topo/internal/english"
	"github.com/topo-dev/topo/internal/fault"
)

// Relation is what a walk follows.
type Relation struct {
	Name    string // such as callers
	Kinds   []graph.EdgeKind
	Reverse bool   // against the edges: what uses a place, not what it uses
	next    string // the question to ask of what was found
	narrow  bool   // starts at the place itself, not at what it contains as well
}

// Relations are those that have a name of their own.
func Relations() []Relation {
	calls, imports, inherits := []graph.EdgeKind{graph.EdgeCalls}, []graph.EdgeKind{graph.EdgeImports}, []graph.EdgeKind{graph.EdgeInherits}
	return []Relation{
		{"callees", calls, false, "symbol", false},
		{"callers", calls, true, "impact", false},
		{"importers", imports, true, "impact", false},
		{"imports", imports, false, "file", false},
		{"subtypes", inherits, true, "impact", true},
		{"supertypes", inherits, false, "symbol", true},
	}
}

// RelationOf is the relation of that name; an error of usage when there is none.
func RelationOf(name string) (Relation, error) {
	all := Relations()
	if i := slices.IndexFunc(all, func(r Relation) bool { return r.Name == name }); i >= 0 {
		return all[i], nil
	}
	return Relation{}, fault.Usagef("there is no relation %q", name)
}

// Uses follows edges of any kinds: what a place uses, or what uses it.
func Uses(kinds []graph.EdgeKind, usedBy bool) Relation {
	if usedBy {
		return Relation{"used_by", kinds, true, "impact", false}
	}
	return Relation{"uses", kinds, false, "symbol", false}
}

// WalkOptions bound a walk. Of the limits 0 is the default and less than 0 no
// limit.
type WalkOptions struct {
	Depth         int     // most edges in a row; 0 for 1
	MinConfidence float64 // edges less sure are left out, 0 to 1
	Sites         int     // most lines of code for each result; 0 for 3
	Limit         int     // most results; 0 for 1000
}

// Walk is what is found from a place along edges, the nearest and surest first.
type Walk struct {
	Head
	Symbols []SymbolRecord // after those that edges lead to come uses that are no edge, with a Tier
	Tail
}

// walk is one walk being answered.
type walk struct {
	Relation
	s                   *Session
	least               graph.Confidence
	depth, sites, limit int
}

// Walk follows the edges of a relation from a place. To callers it adds who uses
// the place as a value, and who calls something of its name that is not known.
func (s *Session) Walk(ctx context.Context, place string, r Relation, o WalkOptions) (*Walk, error) {
	w := &walk{r, s, graph.Confidence(o.MinConfidence*100 + 0.5), max(o.Depth, 1), orDefault(o.Sites, defaultSites), orDefault(o.Limit, 1000)}
	p, err := s.Find(place)
	if err != nil {
		return nil, err
	}
	named := slices.Clone(p.Nodes)
	from, err := w.starts(p)
	if err != nil {
		return nil, err
	}
	found, more, err := algo.Walk(ctx, s.Graph, from, algo.WalkOptions{Kinds: r.Kinds, Reverse: r.Reverse, Depth: w.depth, MinConfidence: w.least, Limit: w.limit})
	if err != nil {
		return nil, err
	}
	if r.Reverse {
		s.testsLast(found)
	}
	a := &Walk{Head: s.head("walk-answer", r.Name+" "+place), Tail: s.tail()}
	if a.Symbols, err = s.reached(found, r.Kinds, r.Reverse); err != nil {
		return nil, err
	}
	if err := w.addSites(ctx, from, found, a.Symbols); err != nil {
		return nil, err
	}
	if more {
		a.cut("results")
		a.hint(fmt.Sprintf("only the first %d are listed; raise {limit}, or narrow with {min-confidence} 0.9", w.limit))
	}
	if r.Reverse && slices.Contains(r.Kinds, graph.EdgeCalls) {
		if err := w.addUses(ctx, named, found, a); err != nil {
			return nil, err
		}
	}
	a.draw = s.drawing(append(from, idsOf(found)...), r.Kinds, allIDs(p.Nodes))
	w.hints(a, p, found)
	a.TotalSymbols = len(a.Symbols)
	s.noteStale(ctx, &a.Tail, a.Symbols, nil)
	return a, nil
}

// starts are the nodes that the walk starts at.
func (w *walk) starts(p *ask.Places) ([]int, error) {
	switch kind := w.Kinds[0]; {
	case w.narrow:
		return p.IDs(), nil
	case len(w.Kinds) == 1 && (kind == graph.EdgeCalls || kind == graph.EdgeImports):
		return w.s.Starts(p, kind, w.Reverse)
	}
	return w.s.Within(p.IDs())
}

// testsLast puts tests behind what is as far away: they tell that something is
// used, the others what for.
func (s *Session) testsLast(found []algo.Reached) {
	test := make(map[string]int, len(found))
	for _, r := range found {
		if test[r.Path] == 0 && s.IsTest(r.Path) {
			test[r.Path] = 1
		}
	}
	slices.SortStableFunc(found, func(a, b algo.Reached) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(test[a.Path], test[b.Path]))
	})
}

func (w *walk) hints(a *Walk, p *ask.Places, found []algo.Reached) {
	if len(a.Symbols) == 0 {
		a.hint("nothing found; {ask} shows every edge of it", Ask{Question: "symbol", Places: []string{p.Given}})
	}
	a.several(p, w.Name)
	if len(found) == 0 {
		return
	}
	if last := found[len(found)-1]; last.Distance == w.depth && a.Truncated == "" {
		a.hint("go one edge further: {ask}", Ask{Question: w.Name, Places: []string{p.Given}, Options: []string{fmt.Sprintf("depth=%d", w.depth+1)}})
	}
	place := p.Given
	if w.next != "impact" {
		place = placeOf(found[0].Ref)
	}
	a.next(w.next, place)
}

func idsOf(found []algo.Reached) []int {
	ids := make([]int, len(found))
	for i := range found {
		ids[i] = found[i].ID
	}
	return ids
}

// allIDs are the nodes of several places.
func allIDs(nodes []graph.Node) map[int]bool {
	m := make(map[int]bool, len(nodes))
	for i := range nodes {
		m[nodes[i].ID] = true
	}
	return m
}

// reached are the records of what a walk found.
func (s *Session) reached(found []algo.Reached, kinds []graph.EdgeKind, reverse bool) ([]SymbolRecord, error) {
	weakest, names := map[int]graph.Confidence{}, map[int]string{}
	out := make([]SymbolRecord, 0, len(found))
	for _, r := range found {
		edge, err := s.surest(r.Via, r.ID, kinds, reverse)
		if err != nil {
			return nil, err
		}
		if r.Via == algo.NoNode {
			edge = graph.Confidence(r.Confidence*100 + 0.5)
		}
		rec := symbolOf(r.Ref)
		if before, ok := weakest[r.Via]; ok {
			edge = min(edge, before)
			rec.Via = names[r.Via]
		}
		weakest[r.ID], names[r.ID] = edge, r.Name
		rec.Distance, rec.Confidence, rec.Reason = r.Distance, rounded(r.Confidence), edge.Reason()
		out = append(out, rec)
	}
	return out, nil
}

// surest is the confidence of the surest edge between two nodes.
func (s *Session) surest(from, to int, kinds []graph.EdgeKind, reverse bool) (best graph.Confidence, err error) {
	if reverse { // the end with a call in it has fewer edges than the one called
		from, to = to, from
	}
	edges, err := s.Graph.Out(from)
	for _, e := range edges {
		if e.Other == to && slices.Contains(kinds, e.Kind) {
			best = max(best, e.Confidence)
		}
	}
	return best, err
}

// drawing draws nodes with the edges of those kinds among them.
func (s *Session) drawing(ids []int, kinds []graph.EdgeKind, marks map[int]bool) func(context.Context) (*draw.Graph, error) {
	return func(ctx context.Context) (*draw.Graph, error) {
		g, err := draw.Between(ctx, s.Graph, ids, kinds)
		if err == nil {
			g.Marks = marks
		}
		return g, err
	}
}

// Records are the symbols.
func (a *Walk) Records() []any { return anys(a.Symbols) }

// Text lists what was found in the order it was found in, each with its lines.
func (a *Walk) Text(w io.Writer, o TextOptions) {
	t := newText(w, o)
	relation, place, _ := strings.Cut(a.Query, " ")
	uses := slices.IndexFunc(a.Symbols, func(r SymbolRecord) bool { return r.Tier != "" })
	if uses < 0 {
		uses = len(a.Symbols)
	}
	list := a.Symbols[:uses]
	switch relation {
	case "uses":
		relation = "used by"
	case "used_by":
		relation = "users of"
	default:
		relation += " of"
	}
	t.line("%s", t.paint(bold, Visible(relation+" "+place)+": "+english.Count(len(list), "result")))
	if len(list) > 0 {
		rows, under := [][]cell{head(">distance", ">confidence", "kind", "name", "place", "via")}, [][]string{nil}
		for _, r := range list {
			rows = append(rows, []cell{figure(r.Distance), sure(r.Confidence), {r.Kind, cyan, false}, {r.Symbol, bold, false},
				{r.place(), "", false}, {r.Via, dim, false}})
			under = append(under, t.sites(r.Sites, r.MoreSites))
		}
		t.tableOver("", rows, under)
	}
	t.used(a.Symbols[uses:])
}
