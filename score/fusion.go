package score

import (
	"cmp"
	"slices"
)

// rrfK is the constant of reciprocal rank fusion (Cormack, Clarke and
// Büttcher, 2009).
const rrfK = 60

// ranks gives the rank of every value, 1 for the largest; 0 for a value of 0,
// which is no value. less orders equal values.
func ranks(values []float64, less func(a, b int) int) []int32 {
	order := make([]int32, 0, len(values))
	for i, v := range values {
		if v > 0 {
			order = append(order, int32(i))
		}
	}
	slices.SortFunc(order, func(a, b int32) int {
		if c := cmp.Compare(values[b], values[a]); c != 0 {
			return c
		}
		return less(int(a), int(b))
	})
	out := make([]int32, len(values))
	for r, i := range order {
		out[i] = int32(r + 1)
	}
	return out
}

// rrf is what a rank adds to a fused score.
func rrf(rank int32) float64 {
	if rank == 0 {
		return 0
	}
	return 1 / (rrfK + float64(rank))
}
