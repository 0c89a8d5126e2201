package graph

// The power iteration, after Page, Brin, Motwani and Winograd, "The PageRank
// Citation Ranking" (1999): damping as given there. It stops when no round
// moves more than epsilon in all, or after maxRounds.
const (
	damping   = 0.85
	epsilon   = 1e-7
	maxRounds = 100
)

// pageRank ranks the files; the ranks sum to 1, nil when there is no edge. A
// group is one target of its importers and passes what it gets on to its
// members in equal parts, so a Go package of forty files counts as one import
// and needs no forty edges. What a file without imports holds goes to all.
func pageRank(all []targets, groups [][]uint32) []float32 {
	n := len(all)
	any := false
	for i := range all {
		any = any || len(all[i].files)+len(all[i].groups) > 0
	}
	if !any {
		return nil
	}
	rank, next := make([]float64, n), make([]float64, n)
	through := make([]float64, len(groups))
	for i := range rank {
		rank[i] = 1 / float64(n)
	}
	for range maxRounds {
		step(all, groups, rank, next, through)
		moved := 0.0
		for i := range rank {
			moved += max(rank[i]-next[i], next[i]-rank[i])
		}
		rank, next = next, rank
		if moved < epsilon {
			break
		}
	}
	out := make([]float32, n)
	for i, r := range rank {
		out[i] = float32(r)
	}
	return out
}

// step writes one round from rank into next. Files and groups are summed in
// their order, so the result is the same on every machine.
func step(all []targets, groups [][]uint32, rank, next, through []float64) {
	clear(next)
	clear(through)
	dangling := 0.0
	for i := range all {
		to := &all[i]
		degree := len(to.files) + len(to.groups)
		if degree == 0 {
			dangling += rank[i]
			continue
		}
		share := rank[i] / float64(degree)
		for _, f := range to.files {
			next[f] += share
		}
		for _, g := range to.groups {
			through[g] += share
		}
	}
	for g, members := range groups {
		if through[g] == 0 {
			continue
		}
		share := through[g] / float64(len(members))
		for _, f := range members {
			next[f] += share
		}
	}
	base := (1-damping)/float64(len(rank)) + damping*dangling/float64(len(rank))
	for i := range next {
		next[i] = base + damping*next[i]
	}
}
