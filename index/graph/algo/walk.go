package algo

import (
	"cmp"
	"context"
	"slices"

	"github.com/topo-dev/topo/index/graph"
)

// Reached is a node found by following edges. One in JSON:
//
//	{"ID":7,"Kind":"function","Name":"main","Path":"main.go","Line":3,"EndLine":9,"Distance":2,"Confidence":0.54,"Via":5}
type Reached struct {
	graph.Ref
	Distance   int     // edges from the nearest start, 1 or more
	Confidence float64 // of the surest shortest way, 0 to 1
	Via        int     // the node before this one on that way
}

// WalkOptions say which edges to follow.
type WalkOptions struct {
	Kinds         []graph.EdgeKind
	Reverse       bool             // against the direction of the edges
	Depth         int              // longest distance; 0 or less for 1
	MinConfidence graph.Confidence // edges less sure are left out
	Limit         int              // most nodes to return; 0 or less for all
	Near          []Near           // nodes that are one edge away though no edge says so
}

// Near is a node that is known to lie one edge away from what the graph does not
// hold.
type Near struct {
	ID         int
	Confidence graph.Confidence
}

// NoNode is the node before one of [WalkOptions.Near].
const NoNode = -1

// Walk finds what is reached from the start nodes, nearest first, then by
// confidence, then by id. The start nodes are not among it. more reports
// whether Limit cut the answer.
func Walk(ctx context.Context, s graph.Store, from []int, o WalkOptions) (found []Reached, more bool, err error) {
	w := &walk{store: s, o: o, set: setOf(o.Kinds), at: map[int]*Reached{}}
	front := slices.Compact(slices.Sorted(slices.Values(from)))
	for _, id := range front {
		w.at[id] = &Reached{Confidence: 1}
	}
	for depth := 1; depth <= max(o.Depth, 1) && len(front)+len(w.o.Near) > 0; depth++ {
		next, err := w.level(ctx, front, depth)
		if err != nil {
			return nil, false, err
		}
		if depth == 1 {
			next = w.near(next)
		}
		slices.SortFunc(next, func(a, b int) int {
			return cmp.Or(cmp.Compare(w.at[b].Confidence, w.at[a].Confidence), cmp.Compare(a, b))
		})
		for _, id := range next {
			if o.Limit > 0 && len(found) == o.Limit {
				return found, true, nil
			}
			r := w.at[id]
			if r.Ref, err = ref(s, id); err != nil {
				return nil, false, err
			}
			found = append(found, *r)
		}
		front = next
	}
	return found, false, nil
}

type walk struct {
	store graph.Store
	o     WalkOptions
	set   kindSet
	at    map[int]*Reached
}

// level follows the edges of one front. A node reached twice at one distance
// keeps the surer way, of equal ones that through the lower id.
func (w *walk) level(ctx context.Context, front []int, depth int) ([]int, error) {
	var next []int
	for i, id := range front {
		if i%checkEach == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		edges, err := neighbours(w.store, id, w.o.Reverse)
		if err != nil {
			return nil, err
		}
		for _, e := range edges {
			if !w.set.has(e.Kind) || e.Confidence < w.o.MinConfidence {
				continue
			}
			c := w.at[id].Confidence * float64(e.Confidence) / 100
			r, ok := w.at[e.Other]
			switch {
			case !ok:
				w.at[e.Other] = &Reached{Distance: depth, Confidence: c, Via: id}
				next = append(next, e.Other)
			case r.Distance == depth && (c > r.Confidence || c == r.Confidence && id < r.Via):
				r.Confidence, r.Via = c, id
			}
		}
	}
	return next, nil
}

// near adds the nodes that are one edge away without an edge.
func (w *walk) near(next []int) []int {
	for _, n := range w.o.Near {
		c := float64(n.Confidence) / 100
		switch r, ok := w.at[n.ID]; {
		case !ok:
			w.at[n.ID] = &Reached{Distance: 1, Confidence: c, Via: NoNode}
			next = append(next, n.ID)
		case r.Distance == 1 && c > r.Confidence:
			r.Confidence, r.Via = c, NoNode
		}
	}
	w.o.Near = nil
	return next
}

// Callers finds the functions that call one of the nodes, up to that depth.
func Callers(ctx context.Context, s graph.Store, of []int, depth int) ([]Reached, error) {
	return one(ctx, s, of, graph.EdgeCalls, true, depth)
}

// Callees finds the functions that the nodes call, up to that depth.
func Callees(ctx context.Context, s graph.Store, of []int, depth int) ([]Reached, error) {
	return one(ctx, s, of, graph.EdgeCalls, false, depth)
}

// Importers finds the files that import one of the nodes, up to that depth.
func Importers(ctx context.Context, s graph.Store, of []int, depth int) ([]Reached, error) {
	return one(ctx, s, of, graph.EdgeImports, true, depth)
}

// Imports finds what the files import, up to that depth.
func Imports(ctx context.Context, s graph.Store, of []int, depth int) ([]Reached, error) {
	return one(ctx, s, of, graph.EdgeImports, false, depth)
}

func one(ctx context.Context, s graph.Store, of []int, kind graph.EdgeKind, reverse bool, depth int) ([]Reached, error) {
	found, _, err := Walk(ctx, s, of, WalkOptions{Kinds: []graph.EdgeKind{kind}, Reverse: reverse, Depth: depth})
	return found, err
}
