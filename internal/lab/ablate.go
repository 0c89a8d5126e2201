package lab

import (
	"slices"

	"github.com/topo-dev/topo/internal/lab/train"
	"github.com/topo-dev/topo/score/eval"
	"github.com/topo-dev/topo/score/signal"
)

// ablate ranks the candidates of each result without each group of signals and
// without each signal, under the other weights as they are.
func ablate(results []eval.Result, matrices []train.Example) (out []eval.Line) {
	out = append(out, rankWithout("nothing", results, matrices, func(signal.Known) bool { return false }))
	var weighted []signal.Known
	var groups []string
	for _, k := range signal.Signals() {
		if _, ok := signal.Weights[k.Name]; !ok {
			continue
		}
		if weighted = append(weighted, k); !slices.Contains(groups, k.Group) {
			groups = append(groups, k.Group)
		}
	}
	for _, g := range groups {
		out = append(out, rankWithout("group "+g, results, matrices, func(k signal.Known) bool { return k.Group == g }))
	}
	for _, s := range weighted {
		out = append(out, rankWithout(s.Name, results, matrices, func(k signal.Known) bool { return k.Name == s.Name }))
	}
	return out
}

// rankWithout ranks the candidates by the weights of the signals that drop does
// not choose.
func rankWithout(name string, results []eval.Result, matrices []train.Example, drop func(signal.Known) bool) eval.Line {
	var names []string
	var weights []float64
	for _, k := range signal.Signals() {
		if w, ok := signal.Weights[k.Name]; ok && !drop(k) {
			names, weights = append(names, k.Name), append(weights, w)
		}
	}
	var outs []eval.Outcome
	for i, row := range results {
		if !row.Unmatched {
			e := &matrices[i]
			outs = append(outs, eval.Outcome{Case: row.Case, Ranks: e.Ranks(e.Scores(names, weights))})
		}
	}
	return eval.NewLine(name, outs)
}
