package eval

import (
	"math"
	"math/rand/v2"
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

// Interval is a mean with its 95 % bootstrap confidence interval. Rates are
// fractions, not per cent.
type Interval struct{ Mean, Low, High float64 }

// Summary is what a set of outcomes comes to.
type Summary struct {
	Cases      int
	Acc        map[int]Interval // all gold files within the first k
	Hit        map[int]Interval // any gold file within the first k
	MRR        Interval
	Recall     map[int]Interval // share of gold files within a token budget
	MedianSecs float64
	P95Secs    float64
}

// Summarize takes the means of the outcomes and their intervals.
func Summarize(outs []Outcome) Summary {
	s := Summary{Cases: len(outs), Acc: map[int]Interval{}, Hit: map[int]Interval{}, Recall: map[int]Interval{}}
	if len(outs) == 0 {
		return s
	}
	for _, k := range Cutoffs {
		s.Acc[k] = Mean(values(outs, func(o Outcome) float64 { return Rate(o.All(k)) }))
		s.Hit[k] = Mean(values(outs, func(o Outcome) float64 { return Rate(o.Any(k)) }))
	}
	s.MRR = Mean(values(outs, Outcome.Reciprocal))
	for b, budget := range Budgets {
		if outs[0].InBudget != nil {
			s.Recall[budget] = Mean(values(outs, func(o Outcome) float64 {
				return float64(o.InBudget[b]) / float64(len(o.Case.Gold))
			}))
		}
	}
	secs := values(outs, func(o Outcome) float64 { return o.Seconds })
	sort.Float64s(secs)
	s.MedianSecs, s.P95Secs = secs[len(secs)/2], secs[(len(secs)-1)*95/100]
	return s
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

const (
	resamples = 1000
	// seed makes an interval a function of the values alone.
	seed = 0x746f706f
)

// Mean is the mean of xs with its percentile bootstrap interval.
func Mean(xs []float64) Interval {
	if len(xs) == 0 {
		return Interval{}
	}
	rng := rand.New(rand.NewPCG(seed, uint64(len(xs))))
	means := make([]float64, resamples)
	for i := range means {
		sum := 0.0
		for range xs {
			sum += xs[rng.IntN(len(xs))]
		}
		means[i] = sum / float64(len(xs))
	}
	sort.Float64s(means)
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return Interval{sum / float64(len(xs)), quantile(means, 0.025), quantile(means, 0.975)}
}

// Difference is the mean of a[i]-b[i] with its paired bootstrap interval; a and
// b are the same cases under two rankings. An interval above zero says that a
// is better.
func Difference(a, b []float64) Interval {
	d := make([]float64, len(a))
	for i := range a {
		d[i] = a[i] - b[i]
	}
	return Mean(d)
}

// Compare is the [Difference] of a measure of the same cases under two rankings.
func Compare(a, b []Outcome, of func(Outcome) float64) Interval {
	return Difference(values(a, of), values(b, of))
}

func quantile(sorted []float64, q float64) float64 {
	return sorted[int(math.Round(q*float64(len(sorted)-1)))]
}

func values(outs []Outcome, f func(Outcome) float64) []float64 {
	xs := make([]float64, len(outs))
	for i, o := range outs {
		xs[i] = f(o)
	}
	return xs
}

// Rate is 1 for what holds, else 0.
func Rate(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
