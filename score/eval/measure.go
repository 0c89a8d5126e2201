package eval

import (
	"slices"
	"sort"
)

// Cutoffs are the k of Acc@k and Hit@k.
var Cutoffs = []int{1, 3, 5, 10}

// Budgets are the token budgets within which recall is taken.
var Budgets = []int{4000, 8000, 16000, 32000}

// Outcome is what one case came to.
type Outcome struct {
	Case      Case
	Ranks     []int   // 1-based rank of each gold file, 0 when it was not ranked, in Case.Gold's order
	Seconds   float64 // time of the ranking alone
	InBudget  []int   // gold files within each of Budgets
	Unmatched bool    // no gold file is in the tree: the case measures nothing
}

// Judge finds the gold files in a ranking, best first. cost is the tokens each
// ranked file takes from a budget, in the same order; nil leaves InBudget empty.
func Judge(c Case, ranked []string, cost []int) Outcome {
	o := Outcome{Case: c, Ranks: make([]int, len(c.Gold))}
	for i, p := range ranked {
		if g := slices.Index(c.Gold, p); g >= 0 && o.Ranks[g] == 0 {
			o.Ranks[g] = i + 1
		}
	}
	if cost != nil {
		o.InBudget = make([]int, len(Budgets))
		for b, budget := range Budgets {
			left := budget
			for i, p := range ranked {
				if left -= cost[i]; left < 0 {
					break
				}
				if slices.Contains(c.Gold, p) {
					o.InBudget[b]++
				}
			}
		}
	}
	return o
}

// All reports whether every gold file is within the first k.
func (o Outcome) All(k int) bool {
	for _, r := range o.Ranks {
		if r == 0 || r > k {
			return false
		}
	}
	return true
}

// Any reports whether a gold file is within the first k.
func (o Outcome) Any(k int) bool {
	for _, r := range o.Ranks {
		if r != 0 && r <= k {
			return true
		}
	}
	return false
}

// Reciprocal is one over the best rank, 0 when no gold file was ranked.
func (o Outcome) Reciprocal() float64 {
	best := 0
	for _, r := range o.Ranks {
		if r != 0 && (best == 0 || r < best) {
			best = r
		}
	}
	if best == 0 {
		return 0
	}
	return 1 / float64(best)
}

// By groups outcomes by key, in sorted order of the keys.
func By(outs []Outcome, key func(Case) string) (keys []string, groups map[string][]Outcome) {
	groups = map[string][]Outcome{}
	for _, o := range outs {
		k := key(o.Case)
		groups[k] = append(groups[k], o)
	}
	for k := range groups {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys, groups
}

func values(outs []Outcome, f func(Outcome) float64) []float64 {
	xs := make([]float64, len(outs))
	for i, o := range outs {
		xs[i] = f(o)
	}
	return xs
}

// rate is 1 for what holds, else 0.
func rate(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
