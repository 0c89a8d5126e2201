package algo

import (
	"context"
	"math"

	"github.com/topo-dev/topo/index/graph"
)

// The power iteration, after Page, Brin, Motwani and Winograd, "The PageRank
// Citation Ranking" (1999), damping as given there.
const (
	damping   = 0.85
	epsilon   = 1e-9 // of the sum of all changes in a round
	maxRounds = 200
)

// PageRank ranks every node by the edges of those kinds that lead to it; the
// ranks sum to 1. An edge counts by its confidence, parallel ones once. What a
// node without edges holds goes to all in equal parts.
func PageRank(ctx context.Context, s graph.Store, kinds []graph.EdgeKind) ([]float64, error) {
	a, err := load(ctx, s, kinds, false)
	if err != nil || a.len() == 0 {
		return nil, err
	}
	n := a.len()
	rank, next, out := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		rank[i] = 1 / float64(n)
		for _, c := range a.confidence[a.start[i]:a.start[i+1]] {
			out[i] += float64(c)
		}
	}
	for range maxRounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		a.spread(rank, next, out)
		moved := 0.0
		for i := range rank {
			moved += math.Abs(rank[i] - next[i])
		}
		if rank, next = next, rank; moved < epsilon {
			break
		}
	}
	return rank, nil
}

// spread writes one round from rank into next, in the order of the nodes.
func (a *adjacency) spread(rank, next, out []float64) {
	clear(next)
	dangling := 0.0
	for i, r := range rank {
		if out[i] == 0 {
			dangling += r
			continue
		}
		for k := a.start[i]; k < a.start[i+1]; k++ {
			next[a.to[k]] += r * float64(a.confidence[k]) / out[i]
		}
	}
	n := float64(len(rank))
	base := (1-damping)/n + damping*dangling/n
	for i := range next {
		next[i] = base + damping*next[i]
	}
}
