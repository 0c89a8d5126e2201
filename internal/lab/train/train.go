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

// Example is the candidates of one case.
type Example struct {
	ID     string // of the case
	Set    string // the cases that it is of
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

func (o Options) filled() Options {
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
	o = o.filled()
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
		golds := e.found()
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

// found counts the wanted files among the candidates.
func (e *Example) found() (n int) {
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
	var u, coef []float64
	for i := range p.cases {
		c := &p.cases[i]
		u = u[:0]
		top := math.Inf(-1)
		for _, row := range c.values {
			s := 0.0
			for k, x := range row {
				s += w[k] * float64(x)
			}
			u = append(u, s)
			top = max(top, s)
		}
		others := 0.0
		for j := range u {
			u[j] = math.Exp(u[j] - top)
			if !c.gold[j] {
				others += u[j]
			}
		}
		coef = append(coef[:0], make([]float64, len(u))...)
		pull := 0.0
		for j := range u {
			if c.gold[j] {
				share := u[j] / (u[j] + others)
				total -= c.weight * math.Log(max(share, 1e-300))
				coef[j] = -c.weight * (1 - share)
				pull += c.weight / (u[j] + others)
			}
		}
		for j, row := range c.values {
			if !c.gold[j] {
				coef[j] = u[j] * pull
			}
			if math.Abs(coef[j]) > minPull {
				for k, x := range row {
					grad[k] += coef[j] * float64(x)
				}
			}
		}
	}
	return total
}

// Folds deals the repositories that hold an example to be ranked to n folds of
// about equal weight, by example; -1 for examples of other repositories.
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

// Ranks are the places of the wanted files by score, 1 for the first; a wanted
// file that is no candidate has place 0.
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
