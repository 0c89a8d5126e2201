package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/algo"
	"github.com/topo-dev/topo/index/graph/ask"
)

// Tiers of callers that are none by an edge of calls.
const (
	tierReference  = "reference"  // it takes what was asked for as a value
	tierUnresolved = "unresolved" // it calls something of that name, of which nothing is known
)

// addUses adds to the callers of definitions who hands them on as values, and who
// calls something of their name that leads nowhere: a list of callers that leaves
// those out says that there are none.
func (o *walkOptions) addUses(ctx context.Context, s *graphSession, of []graph.Node, found []algo.Reached, a *answer) error {
	near := map[int]bool{}
	for _, r := range found {
		near[r.ID] = near[r.ID] || r.Distance == 1
	}
	refs, err := o.references(s, of, near)
	if err != nil {
		return err
	}
	a.symbols = append(a.symbols, refs...)
	if o.Least > 0 {
		return nil
	}
	loose, err := s.g.UnresolvedCalls(ctx, (&ask.Places{Nodes: of}).IDs(), o.Sites)
	if err != nil {
		return err
	}
	for _, l := range loose {
		if near[l.From] {
			continue
		}
		if o.Limit > 0 && len(a.symbols) >= o.Limit {
			a.truncated = "results"
			break
		}
		ref, err := s.g.Node(l.From)
		if err != nil {
			return err
		}
		rec := symbolOf(ref.Ref())
		rec.Distance, rec.Tier, rec.Reason = 1, tierUnresolved, "calls something of this name, of which nothing is known"
		rec.Sites, rec.MoreSites = l.List, l.More
		a.symbols = append(a.symbols, rec)
	}
	return nil
}

// references are the definitions and files that refer to functions, methods and
// variables without calling them.
func (o *walkOptions) references(s *graphSession, of []graph.Node, near map[int]bool) (out []symbolRecord, err error) {
	for i := range of {
		if k := of[i].Kind; k != graph.NodeFunction && k != graph.NodeMethod && k != graph.NodeVar {
			continue
		}
		edges, err := s.g.In(of[i].ID)
		if err != nil {
			return nil, err
		}
		for _, e := range edges {
			if e.Kind != graph.EdgeReferences || e.Confidence < o.least() || near[e.Other] {
				continue
			}
			near[e.Other] = true
			n, err := s.g.Node(e.Other)
			if err != nil {
				return nil, err
			}
			rec := symbolOf(n.Ref())
			rec.Distance, rec.Confidence, rec.Tier, rec.Reason = 1, rounded(float64(e.Confidence)/100), tierReference, "refers to it"
			if rec.Sites, rec.MoreSites, err = s.g.Mentions(n, of[i], o.Sites); err != nil {
				return nil, err
			}
			out = append(out, rec)
		}
	}
	slices.SortStableFunc(out, func(a, b symbolRecord) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), strings.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
	})
	return out, nil
}

// maxLooseTargets bounds the targets of an impact whose unresolved calls are
// looked for: each takes a few milliseconds.
const maxLooseTargets = 20

// unresolvedUses counts the places that may use targets without the impact saying
// so, and makes no small answer of what is not known.
func (s *graphSession) unresolvedUses(ctx context.Context, a *answer, im *algo.Impact) error {
	if len(im.Targets) > maxLooseTargets {
		return nil
	}
	ids, direct := make([]int, len(im.Targets)), map[int]bool{}
	for i, r := range im.Targets {
		ids[i], direct[r.ID] = r.ID, true
	}
	for _, r := range im.Direct {
		direct[r.ID] = true
	}
	loose, err := s.g.UnresolvedCalls(ctx, ids, 1)
	if err != nil {
		return err
	}
	n, first := 0, ""
	for _, l := range loose {
		if !direct[l.From] {
			if n++; n == 1 {
				first = fmt.Sprintf("%s:%d", l.List[0].Path, l.List[0].Line)
			}
		}
	}
	if n == 0 {
		return nil
	}
	if l := a.impact.Level; l == algo.LevelNone || l == algo.LevelLow || n > im.Total {
		a.impact.Level = algo.LevelUnknown
	}
	command := "topo graph callers"
	if len(im.Targets) == 1 {
		command += " " + ask.Quote(ask.PlaceOf(im.Targets[0]))
	}
	a.hint(fmt.Sprintf("not counted: %s with calls of such a name that lead nowhere known, as at %s; %s lists them", plural(n, "place"), first, command))
	return nil
}

// used lists, under the callers, who uses what was asked for otherwise.
func (t *graphText) used(list []symbolRecord) {
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
			t.line("%s", t.paint(bold, tier.title+": "+plural(len(rows)-1, "result")))
			t.tableOver("", rows, under)
		}
	}
}
