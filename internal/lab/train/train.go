// Package train learns the weights of the linear fusion from cases with known
// answers.
//
// The model gives each candidate the weighted sum of its normalised signals, and
// what a few boosted trees add to it ([Boost]). The loss of the weights is
// that of choosing a wanted file over all unwanted ones by softmax, averaged over
// the wanted files of a case, plus half of [Options.L2] times the squares of the
// weights. It is convex and has one minimum.
//
// What always holds: the same examples give the same weights, bit for bit; a
// repository counts at most for [Options.PerRepo] cases, which keeps one
// repository from deciding the weights; cross-validation never scores a repository with
// weights that have seen it.
package train

import (
	"math"
	"sort"
)

// Example is the feature matrix of the candidates of one case. The names of its
// fields are part of the format of the tables.
type Example struct {
	ID     string // of the case
	Set    string // name of the file that the case is from
	Repo   string
	Names  []string    // of the signals
	Values [][]float32 // normalised, by signal and candidate
	Gold   []bool      // by candidate
	Golds  int         // wanted files, also those that are no candidates
	Weight float64     // of the case; 0 is 1
	Extra  bool        // to learn from, not to be ranked
	Chunks *Chunks     // definitions of the best candidates; nil where they are not known
}

// Options is how to learn. The zero value of each field is its default.
type Options struct {
	L2      float64 // 3
	PerRepo float64 // 60 cases
	Steps   int     // 100
}

func (o Options) withDefaults() Options {
	if o.L2 == 0 {
		o.L2 = 3
	}
	if o.PerRepo == 0 {
		o.PerRepo = 60
	}
	if o.Steps == 0 {
		o.Steps = 100
	}
	return o
}

// Fit returns the weight of each of the named signals.
func Fit(examples []Example, names []string, o Options) []float64 {
	o = o.withDefaults()
	p := newProblem(examples, names, o)
	return minimize(len(names), o.Steps, p.loss)
}

type problem struct {
	l2    float64
	cases []problemCase
}

type problemCase struct {
	values [][]float32 // by candidate and signal
	gold   []bool
	weight float64 // of each wanted file
}

func newProblem(examples []Example, names []string, o Options) *problem {
	p := &problem{l2: o.L2}
	weights := CaseWeights(examples, o.PerRepo)
	for i := range examples {
		e := &examples[i]
		golds := e.countGold()
		if golds == 0 || weights[i] == 0 {
			continue
		}
		at := e.places(names)
		c := problemCase{gold: e.Gold, weight: weights[i] / float64(golds)}
		for i := range e.Gold {
			row := make([]float32, len(names))
			for k, j := range at {
				if j >= 0 {
					row[k] = e.Values[j][i]
				}
			}
			c.values = append(c.values, row)
		}
		p.cases = append(p.cases, c)
	}
	return p
}

// CaseWeights is what each example counts: its weight, less when those of its
// repository come to more than perRepo.
func CaseWeights(examples []Example, perRepo float64) []float64 {
	total := map[string]float64{}
	out := make([]float64, len(examples))
	for i, e := range examples {
		if out[i] = e.Weight; e.Weight == 0 {
			out[i] = 1
		}
		total[e.Repo] += out[i]
	}
	for i, e := range examples {
		out[i] *= min(1, perRepo/total[e.Repo])
	}
	return out
}

// countGold counts the wanted files among the candidates.
func (e *Example) countGold() (n int) {
	for _, g := range e.Gold {
		if g {
			n++
		}
	}
	return n
}

// places are those of the names in e.Names, -1 for what e does not have.
func (e *Example) places(names []string) []int {
	at := make(map[string]int, len(e.Names))
	for k, n := range e.Names {
		at[n] = k
	}
	out := make([]int, len(names))
	for k, n := range names {
		out[k] = -1
		if j, ok := at[n]; ok {
			out[k] = j
		}
	}
	return out
}

// minPull is the pull on a candidate below which it is left out of the gradient.
const minPull = 1e-9

// loss at w; its gradient is written to grad.
func (p *problem) loss(w, grad []float64) float64 {
	total := 0.0
	for k, x := range w {
		grad[k] = p.l2 * x
		total += p.l2 * x * x / 2
	}
	var odds, pull []float64
	for i := range p.cases {
		c := &p.cases[i]
		odds = c.odds(odds[:0], w)
		pull = append(pull[:0], make([]float64, len(odds))...)
		total = c.addLoss(total, odds, pull)
		for j, row := range c.values {
			if math.Abs(pull[j]) > minPull {
				for k, x := range row {
					grad[k] += pull[j] * float64(x)
				}
			}
		}
	}
	return total
}

// odds appends the exponential of each candidate's score, divided by the largest.
func (c *problemCase) odds(out, w []float64) []float64 {
	top := math.Inf(-1)
	for _, row := range c.values {
		s := 0.0
		for k, x := range row {
			s += w[k] * float64(x)
		}
		out = append(out, s)
		top = max(top, s)
	}
	for j := range out {
		out[j] = math.Exp(out[j] - top)
	}
	return out
}

// addLoss adds the loss of the case to total. It sets pull to the derivative by
// each candidate's score.
func (c *problemCase) addLoss(total float64, odds, pull []float64) float64 {
	others := 0.0
	for j, x := range odds {
		if !c.gold[j] {
			others += x
		}
	}
	push := 0.0
	for j, x := range odds {
		if c.gold[j] {
			share := x / (x + others)
			total -= c.weight * math.Log(max(share, 1e-300))
			pull[j] = -c.weight * (1 - share)
			push += c.weight / (x + others)
		}
	}
	for j, x := range odds {
		if !c.gold[j] {
			pull[j] = x * push
		}
	}
	return total
}

// Folds divides the repositories that have an example to be ranked into n folds of
// about equal weight. It returns the fold of each example, -1 for examples of other
// repositories.
func Folds(examples []Example, n, perRepo int) []int {
	count := map[string]int{}
	var repos []string
	for _, e := range examples {
		if e.Extra {
			continue
		}
		if count[e.Repo]++; count[e.Repo] == 1 {
			repos = append(repos, e.Repo)
		}
	}
	sort.Slice(repos, func(i, j int) bool {
		if count[repos[i]] != count[repos[j]] {
			return count[repos[i]] > count[repos[j]]
		}
		return repos[i] < repos[j]
	})
	load, fold := make([]int, n), map[string]int{}
	for _, r := range repos {
		smallest := 0
		for k := range load {
			if load[k] < load[smallest] {
				smallest = k
			}
		}
		fold[r] = smallest
		load[smallest] += min(count[r], perRepo)
	}
	out := make([]int, len(examples))
	for i, e := range examples {
		out[i] = -1
		if k, ok := fold[e.Repo]; ok {
			out[i] = k
		}
	}
	return out
}

// Scores are the candidates' scores under linear weights.
func (e *Example) Scores(names []string, w []float64) []float64 {
	score := make([]float64, len(e.Gold))
	for k, j := range e.places(names) {
		if j < 0 || w[k] == 0 {
			continue
		}
		for i, x := range e.Values[j] {
			score[i] += w[k] * float64(x)
		}
	}
	return score
}

// Ranks are those of the wanted files by score, 1 for the first; a wanted file that
// is no candidate has rank 0.
func (e *Example) Ranks(score []float64) []int {
	var out []int
	for i, g := range e.Gold {
		if !g {
			continue
		}
		rank := 1
		for j := range score {
			if score[j] > score[i] || score[j] == score[i] && j < i {
				rank++
			}
		}
		out = append(out, rank)
	}
	for len(out) < e.Golds {
		out = append(out, 0)
	}
	return out
}
