package graph

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// dense is the definition written down: the stationary vector of the matrix
// that follows an import with probability damping (a group's members in equal
// parts, anywhere when there is no import) and jumps anywhere otherwise.
func dense(all []targets, groups [][]uint32) []float64 {
	n := len(all)
	m := make([][]float64, n) // m[i][j]: from i to j
	for i := range m {
		m[i] = make([]float64, n)
		degree := float64(len(all[i].files) + len(all[i].groups))
		for j := range m[i] {
			m[i][j] = (1 - damping) / float64(n)
			if degree == 0 {
				m[i][j] = 1 / float64(n)
			}
		}
		for _, f := range all[i].files {
			m[i][f] += damping / degree
		}
		for _, g := range all[i].groups {
			for _, f := range groups[g] {
				m[i][f] += damping / degree / float64(len(groups[g]))
			}
		}
	}
	v := make([]float64, n)
	for i := range v {
		v[i] = 1 / float64(n)
	}
	for range 300 {
		next := make([]float64, n)
		for i := range m {
			for j := range m[i] {
				next[j] += v[i] * m[i][j]
			}
		}
		v = next
	}
	return v
}

func TestPageRankIsTheStationaryVector(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 150 {
		n := 1 + r.IntN(30)
		pick := func(n, most int) (out []uint32) {
			for range r.IntN(most + 1) {
				out = append(out, uint32(r.IntN(n)))
			}
			return distinct(out, none)
		}
		var groups [][]uint32
		for range r.IntN(4) {
			groups = append(groups, append(pick(n, 5), 0))
			slices.Sort(groups[len(groups)-1])
			groups[len(groups)-1] = slices.Compact(groups[len(groups)-1])
		}
		all := make([]targets, n)
		edges := 0
		for i := range all {
			all[i].files = pick(n, 4)
			if len(groups) > 0 {
				all[i].groups = pick(len(groups), 2)
			}
			edges += len(all[i].files) + len(all[i].groups)
		}
		got := pageRank(all, groups)
		if edges == 0 {
			if got != nil {
				t.Fatal("ranks without an edge")
			}
			continue
		}
		want, sum := dense(all, groups), 0.0
		for i := range want {
			sum += float64(got[i])
			if math.Abs(float64(got[i])-want[i]) > 1e-6 {
				t.Fatalf("file %d of %d: rank %v, by definition %v\n%v\n%v", i, n, got[i], want[i], all, groups)
			}
		}
		if math.Abs(sum-1) > 1e-5 {
			t.Fatalf("the ranks sum to %v", sum)
		}
	}
}

// What many import ranks above what few import, and a package counts once
// however many files it has.
func TestPageRankOrders(t *testing.T) {
	groups := [][]uint32{{4, 5, 6}}
	all := make([]targets, 7)
	for i := range 3 {
		all[i].file(3)
	}
	all[0].group(0)
	r := pageRank(all, groups)
	if r[3] <= r[4] || r[4] != r[5] || r[4] <= r[0] {
		t.Errorf("ranks %v: want file 3 first, its importers last, the package's files alike", r)
	}
}
