package answer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/algo"
	"github.com/topo-dev/topo/internal/english"
)

// Tiers of callers that are none by an edge of calls.
const (
	tierReference  = "reference"  // it takes what was asked for as a value
	tierUnresolved = "unresolved" // it calls something of that name, and nothing is known of the target
)

// addUses adds to the callers of definitions who passes them as values, and who
// calls something of their name that leads nowhere: a list of callers without
// those would say that there are none.
func (w *walk) addUses(ctx context.Context, of []graph.Node, found []algo.Reached, a *Walk) error {
	near := map[int]bool{}
	for _, r := range found {
		near[r.ID] = near[r.ID] || r.Distance == 1
	}
	refs, err := w.references(of, near)
	if err != nil {
		return err
	}
	a.Symbols = append(a.Symbols, refs...)
	if w.least > 0 {
		return nil
	}
	ids := make([]int, len(of))
	for i := range of {
		ids[i] = of[i].ID
	}
	unresolved, err := w.s.Graph.UnresolvedCalls(ctx, ids, w.sites)
	if err != nil {
		return err
	}
	for _, l := range unresolved {
		if near[l.From] {
			continue
		}
		if w.limit > 0 && len(a.Symbols) >= w.limit {
			a.cut("results")
			break
		}
		ref, err := w.s.Graph.Node(l.From)
		if err != nil {
			return err
		}
		rec := symbolOf(ref.Ref())
		rec.Distance, rec.Tier, rec.Reason = 1, tierUnresolved, "calls something of this name, of which nothing is known"
		rec.Sites, rec.MoreSites = w.s.lines(l.Sites)
		a.Symbols = append(a.Symbols, rec)
	}
	return nil
}

// references are the definitions and files that refer to functions, methods and
// variables without calling them.
func (w *walk) references(of []graph.Node, near map[int]bool) (out []SymbolRecord, err error) {
	for i := range of {
		if k := of[i].Kind; k != graph.NodeFunction && k != graph.NodeMethod && k != graph.NodeVar {
			continue
		}
		edges, err := w.s.Graph.In(of[i].ID)
		if err != nil {
			return nil, err
		}
		for _, e := range edges {
			if e.Kind != graph.EdgeReferences || e.Confidence < w.least || near[e.Other] {
				continue
			}
			near[e.Other] = true
			rec, err := w.reference(e, of[i])
			if err != nil {
				return nil, err
			}
			out = append(out, rec)
		}
	}
	slices.SortStableFunc(out, func(a, b SymbolRecord) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), strings.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
	})
	return out, nil
}

// reference is the record of one edge to what is referred to.
func (w *walk) reference(e graph.Edge, of graph.Node) (SymbolRecord, error) {
	n, err := w.s.Graph.Node(e.Other)
	if err != nil {
		return SymbolRecord{}, err
	}
	rec := symbolOf(n.Ref())
	rec.Distance, rec.Confidence, rec.Tier, rec.Reason = 1, rounded(float64(e.Confidence)/100), tierReference, "refers to it"
	list, more, err := w.s.Graph.Mentions(n, of, w.sites)
	rec.Sites, rec.MoreSites = w.s.lines(graph.Sites{List: list, More: more})
	return rec, err
}

// maxUnresolvedTargets bounds the targets of an impact whose unresolved calls are
// looked for: each takes a few milliseconds.
const maxUnresolvedTargets = 20

// unresolvedUses counts the places that may use targets without the impact saying
// so, and makes no small answer of what is not known.
func (s *Session) unresolvedUses(ctx context.Context, a *Impact, im *algo.Impact) error {
	if len(im.Targets) > maxUnresolvedTargets {
		return nil
	}
	ids, direct := make([]int, len(im.Targets)), map[int]bool{}
	for i, r := range im.Targets {
		ids[i], direct[r.ID] = r.ID, true
	}
	for _, r := range im.Direct {
		direct[r.ID] = true
	}
	unresolved, err := s.Graph.UnresolvedCalls(ctx, ids, 1)
	if err != nil {
		return err
	}
	n, first := 0, ""
	for _, l := range unresolved {
		if !direct[l.From] {
			if n++; n == 1 {
				first = fmt.Sprintf("%s:%d", l.List[0].Path, l.List[0].Line)
			}
		}
	}
	if n == 0 {
		return nil
	}
	if l := a.Impact.Level; l == algo.LevelNone || l == algo.LevelLow || n > im.Total {
		a.Impact.Level = algo.LevelUnknown
	}
	callers := Ask{Question: "callers"}
	if len(im.Targets) == 1 {
		callers.Places = []string{placeOf(im.Targets[0])}
	}
	a.hint(fmt.Sprintf("not counted: %s with calls of such a name that lead nowhere known, as at %s; {ask} lists them", english.Count(n, "place"), first), callers)
	return nil
}

// used lists, under the callers, who uses what was asked for otherwise.
func (t *text) used(list []SymbolRecord) {
	for _, tier := range []struct{ name, title string }{
		{tierReference, "referred to by"}, {tierUnresolved, "may be called by, where a call of this name leads nowhere known"}} {
		rows, under := [][]cell{head(">distance", ">confidence", "kind", "name", "place")}, [][]string{nil}
		for _, r := range list {
			if r.Tier == tier.name {
				certain := cell{"?", red, true}
				if r.Confidence > 0 {
					certain = sure(r.Confidence)
				}
				rows = append(rows, []cell{figure(r.Distance), certain, {r.Kind, cyan, false}, {r.Symbol, bold, false}, {r.place(), "", false}})
				under = append(under, t.sites(r.Sites, r.MoreSites))
			}
		}
		if len(rows) > 1 {
			t.line("%s", t.paint(bold, tier.title+": "+english.Count(len(rows)-1, "result")))
			t.tableOver("", rows, under)
		}
	}
}
