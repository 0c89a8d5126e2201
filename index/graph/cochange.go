package graph

import (
	"cmp"
	"slices"
)

// Bounds of the co-changes. They were chosen by predicting the last 400
// commits of twelve repositories from those before (docs/decisions.md).
const (
	maxCommitFiles = 30  // a commit of more files is a sweep and links nothing
	wholeCommit    = 10  // one of more counts less, in proportion
	minSupport     = 3   // commits that must have touched both files
	minShare       = 0.3 // of a file's commits that must have touched the other
	maxPartners    = 10  // of a file: the surest
)

// partner is a file that changed together with another.
type partner struct {
	file    uint32
	support uint32  // commits that touched both
	weight  float64 // of those commits
}

// cochanges are the edges from a file to those that often change when it does.
// The confidence is the share of its commits that touched the other, rounded
// down to a tier, so the two directions may differ and one may be missing.
func (b *builder) cochanges() []edge {
	touched := b.commitFiles()
	files := make(map[uint32][]int) // commits of each file
	for i, ids := range touched {
		for _, id := range ids {
			files[id] = append(files[id], i)
		}
	}
	var edges []edge
	at := make(map[uint32]int) // position in list
	for file := range b.files {
		commits := files[uint32(file)]
		if len(commits) < minSupport {
			continue
		}
		clear(at)
		var list []partner
		whole := 0.0
		for _, c := range commits {
			ids := touched[c]
			weight := min(1, wholeCommit/float64(len(ids)))
			whole += weight
			for _, id := range ids {
				k, ok := at[id]
				if !ok {
					k = len(list)
					at[id], list = k, append(list, partner{file: id})
				}
				list[k].support++
				list[k].weight += weight
			}
		}
		edges = b.partners(edges, uint32(file), list, whole)
	}
	return edges
}

// commitFiles are the files of each commit that is no sweep, ascending.
func (b *builder) commitFiles() [][]uint32 {
	var touched [][]uint32
	for _, c := range b.in.History {
		if len(c.Files) > maxCommitFiles {
			continue
		}
		var ids []uint32
		for _, p := range c.Files {
			if n, ok := b.tree.number[p]; ok {
				ids = append(ids, n)
			}
		}
		slices.Sort(ids)
		touched = append(touched, slices.Compact(ids))
	}
	return touched
}

// partners appends the edges of one file, given the weight of all its commits.
func (b *builder) partners(edges []edge, file uint32, list []partner, whole float64) []edge {
	list = slices.DeleteFunc(list, func(p partner) bool {
		return p.file == file || p.support < minSupport || p.weight < minShare*whole
	})
	slices.SortFunc(list, func(a, b partner) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.file, b.file))
	})
	for _, p := range list[:min(len(list), maxPartners)] {
		tier := tierName
		for tier > tierResolved && p.weight*100 >= float64(tiers[tier-1])*whole {
			tier--
		}
		edges = append(edges, edge{b.files[file].node, b.files[p.file].node, EdgeCoChanges, tier})
	}
	return edges
}

// Together counts the commits of the history that touched a file, and those of
// them that touched the other as well, sweeps included. Both are file nodes.
func (g *Graph) Together(file, other int) (both, all int, err error) {
	var commits [2][]uint32
	for i, id := range []int{file, other} {
		b, err := g.record(id)
		if err != nil {
			return 0, 0, err
		}
		if commits[i], err = g.x.FileCommits(int(le.Uint32(b)), nil); err != nil {
			return 0, 0, err
		}
	}
	for i, k := 0, 0; i < len(commits[0]) && k < len(commits[1]); { // both ascend
		switch c := cmp.Compare(commits[0][i], commits[1][k]); {
		case c < 0:
			i++
		case c > 0:
			k++
		default:
			both, i, k = both+1, i+1, k+1
		}
	}
	return both, len(commits[0]), nil
}
