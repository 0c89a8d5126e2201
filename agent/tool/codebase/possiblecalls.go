package codebase

import (
	"context"

	"github.com/topo-dev/topo/index/fresh"
	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/algo"
)

// Bounds of what is reported about unresolved calls.
const (
	maxCallTargets = 20 // more definitions than that are not looked at
	maxCallPlaces  = 20 // listed
)

// possibleCalls lists unresolved calls by the name of a definition: an answer
// without them would say that nothing uses it.
func possibleCalls(ctx context.Context, v *fresh.Snapshot, ids []int, found []algo.Reached, t *text) error {
	if len(ids) > maxCallTargets {
		return nil
	}
	list, err := v.Graph.UnresolvedCalls(ctx, ids, 1)
	if err != nil {
		return err
	}
	near := map[int]bool{}
	for _, r := range found {
		near[r.ID] = near[r.ID] || r.Distance == 1
	}
	var refs []graph.Ref
	for _, l := range list {
		if near[l.From] {
			continue
		}
		n, err := v.Graph.Node(l.From)
		if err != nil {
			return err
		}
		ref := n.Ref()
		ref.Path, ref.Line = l.List[0].Path, l.List[0].Line
		refs = append(refs, ref)
	}
	if len(refs) == 0 {
		return nil
	}
	t.line("May use it too, where a call of its name leads nowhere known: %s", plural(len(refs), "place"))
	for _, r := range refs[:min(len(refs), maxCallPlaces)] {
		t.line("  %s %s  %s", r.Kind, visible(r.Name), at(r, false))
	}
	if rest := len(refs) - maxCallPlaces; rest > 0 {
		t.line("  and %d more: grep for the name", rest)
	}
	return nil
}
