package main

import (
	"context"
	"fmt"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/algo"
)

// siteLimit is how many lines of one caller, callee or importer are shown:
// they tell how something is used, the rest is counted.
const siteLimit = 3

// addSites fills in the lines of what a walk found: those of all edges that
// lead to a result from what is one edge nearer to the start.
func (o *walkOptions) addSites(ctx context.Context, s *graphSession, from []int, found []algo.Reached, to []symbolRecord) error {
	distance, result := map[int]int{}, map[int]int{}
	for i, r := range found {
		distance[r.ID], result[r.ID] = r.Distance, i
	}
	for _, id := range from {
		distance[id] = 0
	}
	ends := make([][]graph.Ends, len(found))
	for _, id := range append(from[:len(from):len(from)], idsOf(found)...) {
		edges, err := s.g.Out(id)
		if err != nil {
			return err
		}
		for _, e := range edges {
			if _, ok := distance[e.Other]; !ok || e.Kind != o.kind || e.Confidence < o.least() {
				continue
			}
			near, far := id, e.Other
			if o.reverse {
				near, far = far, near
			}
			if i, ok := result[far]; ok && distance[far] == distance[near]+1 {
				ends[i] = append(ends[i], graph.Ends{From: id, To: e.Other})
			}
		}
	}
	sites, err := s.g.Sites(ctx, o.kind, ends, o.Sites)
	for i, list := range sites {
		to[i].Sites, to[i].MoreSites = list.List, list.More
	}
	return err
}

// least is the confidence below which edges are left out.
func (o *walkOptions) least() graph.Confidence { return graph.Confidence(o.Least*100 + 0.5) }

// sites are the lines under a row.
func (t *graphText) sites(list []graph.Site, more int) []string {
	var out []string
	for _, s := range list {
		out = append(out, t.paint(dim, fmt.Sprintf("%s:%d", visible(s.Path), s.Line))+"  "+visible(s.Text))
	}
	if more > 0 {
		out = append(out, t.paint(dim, fmt.Sprintf("and %d more", more)))
	}
	return out
}
