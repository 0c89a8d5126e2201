package measure

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/graph/topo"
)

func TestCyclesAgainstGonum(t *testing.T) {
	for seed := range uint64(60) {
		a, d := random(seed, 12, int(seed))
		if seed%3 == 0 { // node 0 leads to itself
			a.To = slices.Insert(a.To, 0, 0)
			for i := 1; i < len(a.Start); i++ {
				a.Start[i]++
			}
		}
		var want [][]int
		for _, c := range topo.TarjanSCC(d) {
			var ids []int
			for _, n := range c {
				ids = append(ids, int(n.ID()))
			}
			slices.Sort(ids)
			if len(ids) > 1 || ids[0] == 0 && seed%3 == 0 {
				want = append(want, ids)
			}
		}
		got := Cycles(a)
		slices.SortFunc(got, slices.Compare)
		slices.SortFunc(want, slices.Compare)
		if !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("seed %d: got %v, want %v", seed, got, want)
		}
	}
}
