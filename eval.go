package topo

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/topo-dev/topo/internal/fault"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/score/eval"
	"github.com/topo-dev/topo/score/eval/replay"
)

// EvalOptions say how the cases of an evaluation are ranked.
type EvalOptions = replay.Options

// DefaultEvalPreset is the preset of an evaluation that names none.
const DefaultEvalPreset = "deep"

// evalFolder holds the indexes of evaluations, in the cache folder.
const evalFolder = "eval"

// Eval ranks the source files of each case's repository at its commit, and
// returns the results in the order of the cases. [eval.NewReport] summarizes them.
// A case that names no repository is ranked in r. The progress of stage "cases" is
// reported.
func (r *Repo) Eval(ctx context.Context, cases []eval.Case, o EvalOptions) ([]eval.Result, error) {
	k, err := r.EvalRunner(o)
	if err != nil {
		return nil, err
	}
	return k.Run(ctx, cases)
}

// EvalRunner prepares to rank cases, for a caller who wants their trees too. An
// error has the kind [Usage].
func (r *Repo) EvalRunner(o EvalOptions) (*replay.Runner, error) {
	o.Preset = cmp.Or(o.Preset, DefaultEvalPreset)
	if _, err := score.NewPlan(o.Preset, ""); err != nil {
		return nil, fault.Of(fault.Usage, err)
	}
	for _, name := range []string{o.Fusion, o.Against} {
		if name != "" && !slices.Contains(score.Fusions(), name) {
			return nil, fault.Usagef("unknown fusion %q; known: %s", name, strings.Join(score.Fusions(), ", "))
		}
	}
	if err := r.prepareCache(); err != nil {
		return nil, err
	}
	return &replay.Runner{Options: o, Root: r.root, Dir: filepath.Join(r.cache, evalFolder), Services: r.services(),
		Progress: func(done, total int) { r.o.Report.step("cases", done, total) }}, nil
}

// EvalCases makes n cases of the repository's own history: the messages of its
// last commits, and the source files that each of them changed, to be searched at
// the commit before. Rank them with [EvalOptions.DropAbsent].
func (r *Repo) EvalCases(ctx context.Context, n int) ([]eval.Case, error) {
	return replay.Cases(ctx, r.root, n)
}
