package codebase

import (
	"context"

	"github.com/topo-dev/topo/index/fresh"
	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/algo"
)

// sitesOfOne is how many lines of one caller, callee or importer are shown:
// they show how something is used, the rest is counted.
const sitesOfOne = 3

// sites are the lines of code that the edges between from and each of what was
// found one edge away come from.
func (q question) sites(ctx context.Context, v *fresh.Snapshot, from []int, found []algo.Reached) ([]graph.Sites, error) {
	start, place := map[int]bool{}, map[int]int{}
	for _, id := range from {
		start[id] = true
	}
	for i, r := range found {
		place[r.ID] = i
	}
	ends := make([][]graph.Ends, len(found))
	add := func(id int) error {
		edges, err := v.Graph.Out(id)
		for _, e := range edges {
			near, far := id, e.Other
			if q.reverse {
				near, far = far, near
			}
			if i, ok := place[far]; ok && start[near] && e.Kind == q.kind {
				ends[i] = append(ends[i], graph.Ends{From: id, To: e.Other})
			}
		}
		return err
	}
	if !q.reverse {
		for _, id := range from {
			if err := add(id); err != nil {
				return nil, err
			}
		}
	} else {
		for _, r := range found {
			if err := add(r.ID); err != nil {
				return nil, err
			}
		}
	}
	return v.Graph.Sites(ctx, q.kind, ends, sitesOfOne)
}

// sites adds the lines of one answer, those of files that may be read.
func (t *text) sites(s graph.Sites) {
	for _, l := range s.List {
		if t.readable == nil || t.readable(l.Path) {
			t.line("      %s:%d  %s", visible(l.Path), l.Line, visible(l.Text))
		}
	}
	if s.More > 0 {
		t.line("      and %d more", s.More)
	}
}
