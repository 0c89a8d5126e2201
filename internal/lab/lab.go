// Package lab learns the weights of the ranking from cases with known answers,
// and tells what each group of signals is good for.
//
// What always holds: nothing that runs imports it; the command topo eval calls it
// for its flags that learn. The same cases give the same weights, bit for bit, at
// any number of jobs. A figure of learned weights is cross-validated: no
// repository is ranked by weights that have seen it.
//
// The rooms below it measure in other ways: train fits the weights, bench compares
// the built binary with other programs, accuracy compares the code graph with
// compilers.
package lab

import (
	"cmp"
	"context"
	"slices"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/score/eval"
)

// Options say what is learned from the cases.
type Options struct {
	topo.EvalOptions
	Extra  []eval.Case // learned from at half weight, not ranked
	After  int         // commits after each case's that are learned from, at most
	Ablate bool        // also rank without each group of signals and each signal
	// Tables is the file of the feature matrices of all cases. It is written, or
	// read when there are no cases.
	Tables string
	// Train is the Go file of weights to write. Those of definitions go to
	// chunkweights.go in the same folder.
	Train string
}

// learns reports whether feature matrices are kept.
func (o *Options) learns() bool { return o.Train != "" || o.Tables != "" }

// Result is what was measured. As JSON it is one object: the report with the
// fields below.
type Result struct {
	*eval.Report // nil when no cases were ranked

	CrossValidated []eval.Line       `json:",omitempty"` // by set, of the linear part and of the whole model
	CrossAgainst   []eval.Difference `json:",omitempty"` // what these gain over the other fusion
	LearnedWithout []eval.Line       `json:",omitempty"` // cross-validated linear weights without the named group
	CrossFunctions []eval.Line       `json:",omitempty"` // by set, of functions
}

// RecordKind is the name of the object in JSON.
func (*Result) RecordKind() string { return "evaluation" }

// Run ranks the cases as [topo.Repo.Eval] does and learns from them. repo may be
// nil when there are no cases. When learning fails, the result holds what was
// measured before.
func Run(ctx context.Context, repo *topo.Repo, cases []eval.Case, o Options) (*Result, error) {
	r := &Result{}
	if len(cases) == 0 {
		examples, err := readTables(o.Tables)
		if err != nil {
			return r, err
		}
		return r, r.learn(examples, nil, o)
	}
	c, err := collect(ctx, repo, cases, o)
	if err != nil {
		return r, err
	}
	r.Report = eval.NewReport(c.results, cmp.Or(o.Preset, topo.DefaultEvalPreset), o.Fusion)
	if o.Ablate {
		r.Ablation = ablate(c.results, c.matrices)
	}
	examples := slices.Concat(c.examples...)
	if o.Tables != "" {
		if err := writeTables(o.Tables, examples); err != nil {
			return r, err
		}
	}
	if o.Train == "" {
		return r, nil
	}
	return r, r.learn(examples, c.results, o)
}
