package measure

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

const (
	// ExactNodes is the size up to which Betweenness is exact.
	ExactNodes = 2000
	// Pivots is from how many nodes it is estimated beyond that. The standard
	// error of a value falls with the root of their number.
	Pivots = 256
	// maxVisits bounds the edges looked at, so a graph made to be dense
	// costs no more than a large one: the pivots left are then fewer.
	maxVisits = 8 << 20
)

// Arcs is a directed graph: the nodes that node i leads to are
// To[Start[i]:Start[i+1]], each once.
type Arcs struct {
	Start []int // one more than there are nodes
	To    []int32
}

// Len is the number of nodes.
func (a *Arcs) Len() int { return len(a.Start) - 1 }

// Of are the nodes that node i leads to.
func (a *Arcs) Of(i int) []int32 { return a.To[a.Start[i]:a.Start[i+1]] }

// Betweenness is, for every node, on which share of the shortest paths between
// all others it lies, from 0 to 1: Brandes, "A faster algorithm for betweenness
// centrality" (2001). Above ExactNodes nodes it is estimated from Pivots nodes
// drawn by the seed, after Brandes and Pich, "Centrality estimation in large
// networks" (2007). Only nodes that lead somewhere are drawn: from the others no
// path starts. Its error is the context's.
func Betweenness(ctx context.Context, a *Arcs, seed uint64) ([]float64, error) {
	return a.betweenness(ctx, ExactNodes, Pivots, seed)
}

func (a *Arcs) betweenness(ctx context.Context, exact, pivots int, seed uint64) ([]float64, error) {
	n := a.Len()
	sources := []int{}
	for id := range n {
		if len(a.Of(id)) > 0 {
			sources = append(sources, id)
		}
	}
	starts := len(sources)
	r := rand.New(rand.NewPCG(seed, 0))
	r.Shuffle(starts, func(i, j int) { sources[i], sources[j] = sources[j], sources[i] })
	if n > exact && starts > pivots {
		sources = sources[:pivots]
	}
	b := &brandes{a: a, sum: make([]float64, n), paths: make([]float64, n), share: make([]float64, n), depth: make([]int32, n)}
	for i := range b.depth {
		b.depth[i] = -1
	}
	used := 0
	for _, id := range sources {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b.from(id)
		if used++; b.visits > maxVisits {
			break
		}
	}
	scale := float64(starts) / float64(max(used, 1))
	if n > 2 {
		scale /= float64(n-1) * float64(n-2)
	}
	for i := range b.sum {
		b.sum[i] = min(b.sum[i]*scale, 1)
	}
	return b.sum, nil
}

type brandes struct {
	a            *Arcs
	sum          []float64
	paths, share []float64
	depth        []int32 // −1 where not reached
	queue        []int32
	visits       int // edges looked at
}

// from adds the shares of the shortest paths from one node.
func (b *brandes) from(source int) {
	b.queue = append(b.queue[:0], int32(source))
	b.depth[source], b.paths[source] = 0, 1
	for at := 0; at < len(b.queue); at++ {
		v := b.queue[at]
		b.visits += len(b.a.Of(int(v)))
		for _, w := range b.a.Of(int(v)) {
			if b.depth[w] < 0 {
				b.depth[w] = b.depth[v] + 1
				b.queue = append(b.queue, w)
			}
			if b.depth[w] == b.depth[v]+1 {
				b.paths[w] = min(b.paths[w]+b.paths[v], math.MaxFloat64) // stays finite, so no share becomes NaN
			}
		}
	}
	for _, v := range slices.Backward(b.queue) {
		for _, w := range b.a.Of(int(v)) {
			if b.depth[w] == b.depth[v]+1 {
				b.share[v] += float64(b.paths[v] / b.paths[w] * (1 + b.share[w]))
			}
		}
		if int(v) != source {
			b.sum[v] += b.share[v]
		}
	}
	for _, v := range b.queue {
		b.depth[v], b.paths[v], b.share[v] = -1, 0, 0
	}
}
