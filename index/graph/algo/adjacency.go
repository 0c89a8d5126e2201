package algo

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/measure"
)

// checkEach is how many nodes are handled between two looks at the context.
const checkEach = 1 << 10

// kindSet holds kinds of edges, one bit each.
type kindSet uint16

func setOf(kinds []graph.EdgeKind) kindSet {
	var s kindSet
	for _, k := range kinds {
		s |= 1 << k
	}
	return s
}

func (s kindSet) has(k graph.EdgeKind) bool { return s&(1<<k) != 0 }

// adjacency is a part of the graph in memory, the neighbours of each node
// ascending.
type adjacency struct {
	measure.Arcs
	confidence []uint8 // of the surest edge, in per cent, as To
}

// load reads the edges of those kinds, against their direction when reverse.
func load(ctx context.Context, s graph.Store, kinds []graph.EdgeKind, reverse bool) (*adjacency, error) {
	set, n := setOf(kinds), s.NumNodes()
	a := &adjacency{Arcs: measure.Arcs{Start: make([]int, n+1)}}
	seen := make([]int, n) // 1 + place in to, when beyond the node's start
	for id := range n {
		if id%checkEach == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		edges, err := neighbours(s, id, reverse)
		if err != nil {
			return nil, err
		}
		for _, e := range edges {
			if !set.has(e.Kind) {
				continue
			}
			if e.Other < 0 || e.Other >= n {
				return nil, fmt.Errorf("edge of node %d to node %d of %d: the graph is damaged, build it again", id, e.Other, n)
			}
			if at := seen[e.Other] - 1; at >= a.Start[id] && at >= 0 {
				a.confidence[at] = max(a.confidence[at], uint8(e.Confidence))
				continue
			}
			a.To = append(a.To, int32(e.Other))
			a.confidence = append(a.confidence, uint8(e.Confidence))
			seen[e.Other] = len(a.To)
		}
		a.Start[id+1] = len(a.To)
		a.sort(id)
	}
	return a, nil
}

// sort puts the neighbours of a node in order. Edges come sorted by kind, then
// by node, so those of one kind are in order already.
func (a *adjacency) sort(id int) {
	if !slices.IsSorted(a.Of(id)) {
		sort.Sort(pairs{a.Of(id), a.confidence[a.Start[id]:a.Start[id+1]]})
	}
}

// pairs sorts neighbours together with their confidence.
type pairs struct {
	to         []int32
	confidence []uint8
}

func (p pairs) Len() int           { return len(p.to) }
func (p pairs) Less(i, j int) bool { return p.to[i] < p.to[j] }
func (p pairs) Swap(i, j int) {
	p.to[i], p.to[j] = p.to[j], p.to[i]
	p.confidence[i], p.confidence[j] = p.confidence[j], p.confidence[i]
}

// neighbours are the edges out of a node, or into it.
func neighbours(s graph.Store, id int, reverse bool) ([]graph.Edge, error) {
	edges := s.Out
	if reverse {
		edges = s.In
	}
	all, err := edges(id)
	if err != nil {
		return nil, fmt.Errorf("edges of node %d of the graph: %w", id, err)
	}
	return all, nil
}

// node reads a node, with its id in the error.
func node(s graph.Store, id int) (graph.Node, error) {
	n, err := s.Node(id)
	if err != nil {
		return n, fmt.Errorf("node %d of the graph: %w", id, err)
	}
	return n, nil
}

func ref(s graph.Store, id int) (graph.Ref, error) {
	n, err := node(s, id)
	return n.Ref(), err
}
