package train

import (
	"sort"

	"github.com/topo-dev/topo/score/eval"
	"github.com/topo-dev/topo/score/signal"
)

// chunkL2 is the penalty on the weights of definitions, whose signals are
// smaller than those of files.
const chunkL2 = 1

// Chunks is the feature matrix of the definitions in the best files of a case. The
// names of its fields are part of the format of the tables.
type Chunks struct {
	Names    []string    // of the signals, without those of the file
	Values   [][]float32 // by signal and definition
	File     []int32     // by definition: which of the example's candidates it is in
	Gold     []bool      // by definition: whether the fix changed it
	Function []bool      // by definition: function or method
	Golds    int         // functions that the fix changed, also those that are not listed
}

// fits reports whether all columns have the right length.
func (c *Chunks) fits(candidates int) bool {
	n := len(c.File)
	ok := len(c.Gold) == n && len(c.Function) == n && len(c.Names) == len(c.Values)
	for _, v := range c.Values {
		ok = ok && len(v) == n
	}
	for _, f := range c.File {
		ok = ok && f >= 0 && int(f) < candidates
	}
	return ok
}

// ranked is an example of the definitions in the first [eval.FunctionFiles] files by
// score, with the signals that these give, and which of them are functions.
func (c *Chunks) ranked(e *Example, score []float64) (Example, []bool) {
	place := places(score)
	low, high := 0.0, 0.0
	for i, s := range score {
		if i == 0 || s < low {
			low = s
		}
		if i == 0 || s > high {
			high = s
		}
	}
	out := Example{Set: e.Set, Repo: e.Repo, Golds: c.Golds, Weight: e.Weight, Extra: e.Extra}
	out.Names = append(append(out.Names, c.Names...), FileNames()...)
	out.Values = make([][]float32, len(out.Names))
	var function []bool
	for i, f := range c.File {
		if place[f] >= eval.FunctionFiles {
			continue
		}
		for k := range c.Values {
			out.Values[k] = append(out.Values[k], c.Values[k][i])
		}
		for k, v := range signal.FileValues(normalized(score[f], low, high), place[f]) {
			out.Values[len(c.Values)+k] = append(out.Values[len(c.Values)+k], float32(v))
		}
		out.Gold = append(out.Gold, c.Gold[i])
		function = append(function, c.Function[i])
	}
	return out, function
}

// normalized is a score as a ranking gives it: 1 for the best candidate,
// [signal.Floor] for the last.
func normalized(s, low, high float64) float64 {
	if high <= low {
		return 1
	}
	return signal.Floor + (1-signal.Floor)*(s-low)/(high-low)
}

// FileNames are the signals that definitions have of their file.
func FileNames() (names []string) {
	for _, k := range signal.ChunkSignals() {
		if k.Group == "file" {
			names = append(names, k.Name)
		}
	}
	return names
}

// RankedCandidates lists the places of the candidates, best first under these
// weights.
func (e *Example) RankedCandidates(weights map[string]float64) []int {
	w := make([]float64, len(e.Names))
	for k, n := range e.Names {
		w[k] = weights[n]
	}
	out := make([]int, len(e.Gold))
	for i, n := range places(e.Scores(e.Names, w)) {
		out[n] = i
	}
	return out
}

// places is the place of each by score, 0 for the first; equal ones in order.
func places(score []float64) []int {
	order := make([]int, len(score))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return score[order[a]] > score[order[b]] })
	out := make([]int, len(score))
	for n, i := range order {
		out[i] = n
	}
	return out
}

// ChunkResult is how the functions of an example rank; nil where its fix
// changes none.
type ChunkResult struct {
	Golds int
	Ranks []int
}

// LearnChunks fits the weights of definitions on the examples that have them.
// scores are those of the candidates of each example, best by models that have
// not seen it. With folds it also ranks the functions of each example by weights
// that were learned on the repositories of other folds.
func LearnChunks(examples []Example, scores [][]float64, names []string, folds int, o Options) ([]float64, []*ChunkResult) {
	if o.L2 == 0 {
		o.L2 = chunkL2
	}
	of := Folds(examples, folds, int(o.withDefaults().PerRepo))
	out := make([]*ChunkResult, len(examples))
	list, functions := make([]Example, len(examples)), make([][]bool, len(examples))
	for i := range examples {
		if c := examples[i].Chunks; c != nil {
			list[i], functions[i] = c.ranked(&examples[i], scores[i])
		}
	}
	for k := range folds {
		var rest []Example
		for i := range list {
			if of[i] != k && functions[i] != nil {
				rest = append(rest, list[i])
			}
		}
		w := Fit(rest, names, o)
		for i := range list {
			if of[i] == k && functions[i] != nil && !list[i].Extra && list[i].Golds > 0 {
				out[i] = rankFunctions(&list[i], functions[i], list[i].Scores(names, w))
			}
		}
	}
	var all []Example
	for i := range list {
		if functions[i] != nil {
			all = append(all, list[i])
		}
	}
	return Fit(all, names, o), out
}

// rankFunctions ranks functions among functions.
func rankFunctions(e *Example, function []bool, score []float64) *ChunkResult {
	only := Example{Golds: e.Golds}
	var kept []float64
	for i, is := range function {
		if is {
			only.Gold = append(only.Gold, e.Gold[i])
			kept = append(kept, score[i])
		}
	}
	return &ChunkResult{e.Golds, only.Ranks(kept)}
}
