package answer

import (
	"context"
	"slices"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/algo"
)

// defaultSites is how many lines of one caller, callee or importer are shown:
// they tell how something is used, the rest is counted.
const defaultSites = 3

// addSites fills in the lines of what a walk found: those of all edges that
// lead to a result from what is one edge nearer to the start. Only calls and
// imports have lines.
func (w *walk) addSites(ctx context.Context, from []int, found []algo.Reached, to []SymbolRecord) error {
	for _, kind := range []graph.EdgeKind{graph.EdgeCalls, graph.EdgeImports} {
		if !slices.Contains(w.Kinds, kind) {
			continue
		}
		ends, err := w.ends(kind, from, found)
		if err != nil {
			return err
		}
		sites, err := w.s.Graph.Sites(ctx, kind, ends, w.sites)
		if err != nil {
			return err
		}
		for i, list := range sites {
			if len(to[i].Sites) == 0 {
				to[i].Sites, to[i].MoreSites = w.s.lines(list)
			}
		}
	}
	return nil
}

// ends are the edges of a kind that lead to each result.
func (w *walk) ends(kind graph.EdgeKind, from []int, found []algo.Reached) ([][]graph.Ends, error) {
	distance, result := map[int]int{}, map[int]int{}
	for i, r := range found {
		distance[r.ID], result[r.ID] = r.Distance, i
	}
	for _, id := range from {
		distance[id] = 0
	}
	ends := make([][]graph.Ends, len(found))
	for _, id := range append(from[:len(from):len(from)], idsOf(found)...) {
		edges, err := w.s.Graph.Out(id)
		if err != nil {
			return nil, err
		}
		for _, e := range edges {
			if _, ok := distance[e.Other]; !ok || e.Kind != kind || e.Confidence < w.least {
				continue
			}
			near, far := id, e.Other
			if w.Reverse {
				near, far = far, near
			}
			if i, ok := result[far]; ok && distance[far] == distance[near]+1 {
				ends[i] = append(ends[i], graph.Ends{From: id, To: e.Other})
			}
		}
	}
	return ends, nil
}

// lines are the lines of code that may be shown, and how many others there are.
func (s *Session) lines(of graph.Sites) ([]graph.Site, int) {
	if s.Readable == nil {
		return of.List, of.More
	}
	shown := slices.DeleteFunc(of.List, func(l graph.Site) bool { return !s.Readable(l.Path) })
	return shown, of.More + len(of.List) - len(shown)
}
