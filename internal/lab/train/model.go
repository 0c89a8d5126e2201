package train

import (
	"sync"

	"github.com/topo-dev/topo/score/signal"
)

// Model is linear weights and the trees that mend what these get wrong.
type Model struct {
	Names   []string  // of the signals
	Weights []float64 // of each
	Trees   []signal.Tree
}

// Learn fits the weights, then the trees.
func Learn(examples []Example, names []string, o Options, b BoostOptions) Model {
	m := Model{Names: names, Weights: Fit(examples, names, o)}
	m.Trees = Boost(examples, names, m.Weights, b)
	return m
}

// Scores are those of the candidates of an example.
func (m *Model) Scores(e *Example) []float64 {
	score := e.Scores(m.Names, m.Weights)
	if len(m.Trees) == 0 {
		return score
	}
	values := make([][]float64, len(e.Values))
	for k, column := range e.Values {
		values[k] = make([]float64, len(column))
		for i, x := range column {
			values[k][i] = float64(x)
		}
	}
	for i, x := range signal.Value(m.Trees, e.Names, values, len(score)) {
		score[i] += x
	}
	return score
}

// CrossValidate ranks every example with what learn makes of the repositories
// of the other folds, by each of its models. Extra examples join the learning
// only; they have no ranks.
func CrossValidate(examples []Example, folds int, perRepo float64, learn func([]Example) []Model) [][][]int {
	out := make([][][]int, len(examples))
	for i, scores := range CrossScores(examples, folds, perRepo, learn) {
		for _, s := range scores {
			out[i] = append(out[i], examples[i].Ranks(s))
		}
	}
	return out
}

// CrossScores are the scores of the candidates that [CrossValidate] ranks by, by
// example and model.
func CrossScores(examples []Example, folds int, perRepo float64, learn func([]Example) []Model) [][][]float64 {
	of := Folds(examples, folds, int(perRepo))
	out := make([][][]float64, len(examples))
	var wg sync.WaitGroup
	for k := range folds {
		wg.Go(func() {
			var rest []Example
			for i, e := range examples {
				if of[i] != k {
					rest = append(rest, e)
				}
			}
			models := learn(rest)
			for i := range examples {
				for _, m := range models {
					if of[i] == k && !examples[i].Extra {
						out[i] = append(out[i], m.Scores(&examples[i]))
					}
				}
			}
		})
	}
	wg.Wait()
	return out
}
