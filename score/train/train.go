// Package train learns the weights of the linear fusion from cases with known
// answers.
//
// The model gives each candidate the weighted sum of its normalised signals.
// The loss is that of choosing a wanted file over all unwanted ones by softmax,
// averaged over the wanted files of a case, plus half of [Options.L2] times the
// squares of the weights; it is convex, so that there is one answer.
//
// What always holds: the same examples give the same weights, bit for bit; a
// repository counts at most for [Options.PerRepo] cases, so that none is what
// the weights are made for; cross-validation never scores a repository with
// weights that have seen it.
package train

import (
	"math"
	"sort"
)

// Example is the candidates of one case.
type Example struct {
	Repo   string
	Names  []string    // of the signals
	Values [][]float64 // normalised, by signal and candidate
	Gold   []bool      // by candidate
	Golds  int         // wanted files, also those that are no candidates
	Weight float64     // of the case; 0 is 1
}

// Options is how to learn. The zero value of each field is its default.
type Options struct {
	L2      float64 // 3
	PerRepo float64 // 60 cases
	Steps   int     // 300
}

func (o Options) filled() Options {
	if o.L2 == 0 {
		o.L2 = 3
	}
	if o.PerRepo == 0 {
		o.PerRepo = 60
	}
	if o.Steps == 0 {
		o.Steps = 300
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
	values [][]float64 // by candidate and signal
	gold   []bool
	weight float64 // of each wanted file
}

func newProblem(examples []Example, names []string, o Options) *problem {
	p := &problem{l2: o.L2}
	count := map[string]float64{}
	for _, e := range examples {
		count[e.Repo]++
	}
	for _, e := range examples {
		golds := 0
		for _, g := range e.Gold {
			if g {
				golds++
			}
		}
		if golds == 0 {
			continue
		}
		at := map[string]int{}
		for k, n := range e.Names {
			at[n] = k
		}
		c := problemCase{gold: e.Gold, weight: min(1, o.PerRepo/count[e.Repo]) / float64(golds)}
		if e.Weight != 0 {
			c.weight *= e.Weight
		}
		for i := range e.Gold {
			row := make([]float64, len(names))
			for k, n := range names {
				if j, ok := at[n]; ok {
					row[k] = e.Values[j][i]
				}
			}
			c.values = append(c.values, row)
		}
		p.cases = append(p.cases, c)
	}
	return p
}

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
				s += w[k] * x
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
			if coef[j] != 0 {
				for k, x := range row {
					grad[k] += coef[j] * x
				}
			}
		}
	}
	return total
}

// Folds deals the repositories to n folds of about equal weight, by example.
func Folds(examples []Example, n int, perRepo int) []int {
	count := map[string]int{}
	var repos []string
	for _, e := range examples {
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
		least := 0
		for k := range load {
			if load[k] < load[least] {
				least = k
			}
		}
		fold[r] = least
		load[least] += min(count[r], perRepo)
	}
	out := make([]int, len(examples))
	for i, e := range examples {
		out[i] = fold[e.Repo]
	}
	return out
}

// Ranks are the places of the wanted files under the weights, 1 for the first;
// a wanted file that is no candidate has place 0.
func (e *Example) Ranks(names []string, w []float64) []int {
	score := make([]float64, len(e.Gold))
	at := map[string]int{}
	for k, n := range e.Names {
		at[n] = k
	}
	for k, n := range names {
		j, ok := at[n]
		if !ok {
			continue
		}
		for i, x := range e.Values[j] {
			score[i] += w[k] * x
		}
	}
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

// CrossValidate ranks every example with weights learned on the repositories of
// the other folds.
func CrossValidate(examples []Example, names []string, folds int, o Options) [][]int {
	o = o.filled()
	of := Folds(examples, folds, int(o.PerRepo))
	out := make([][]int, len(examples))
	for k := range folds {
		var rest []Example
		for i, e := range examples {
			if of[i] != k {
				rest = append(rest, e)
			}
		}
		w := Fit(rest, names, o)
		for i := range examples {
			if of[i] == k {
				out[i] = examples[i].Ranks(names, w)
			}
		}
	}
	return out
}
