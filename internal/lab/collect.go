package lab

import (
	"context"
	"slices"
	"sync"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/internal/lab/train"
	"github.com/topo-dev/topo/score/eval"
	"github.com/topo-dev/topo/score/eval/replay"
	"github.com/topo-dev/topo/score/signal"
)

// What cases that are not ranked count when weights are learned.
const (
	extraWeight = 0.5
	afterWeight = 0.4
)

// nearCommits is how many commits after a case's are searched for [Options.After].
const nearCommits = 40

// collector keeps what the trees of the cases have to learn from.
type collector struct {
	o        Options
	ranked   int               // cases that are ranked; those after them are extra
	results  []eval.Result     // by case
	matrices []train.Example   // by case, with [Options.Ablate]
	examples [][]train.Example // by [replay.Tree.Order]

	mu   sync.Mutex
	used map[string]map[string]bool // by root: commits that were made into cases
}

// collect ranks the cases and computes the feature matrices of them and of the
// extra ones.
func collect(ctx context.Context, repo *topo.Repo, cases []eval.Case, o Options) (*collector, error) {
	runner, err := repo.EvalRunner(o.EvalOptions)
	if err != nil {
		return nil, err
	}
	all := slices.Concat(cases, o.Extra)
	c := &collector{o: o, ranked: len(cases), results: make([]eval.Result, len(cases)), matrices: make([]train.Example, len(cases)),
		examples: make([][]train.Example, len(all)), used: map[string]map[string]bool{}}
	return c, runner.Each(ctx, all, func(i int, t *replay.Tree) error { return c.visit(ctx, i, t) })
}

// visit ranks case i, unless it is extra, and keeps its feature matrix.
func (c *collector) visit(ctx context.Context, i int, t *replay.Tree) (err error) {
	extra := i >= c.ranked
	if !extra {
		if c.results[i], err = t.Judge(ctx); err != nil {
			return err
		}
	}
	if !t.Matched() || !c.o.learns() && (extra || !c.o.Ablate) {
		return nil
	}
	e, paths, err := newExample(ctx, t, t.Case)
	if err != nil {
		return err
	}
	if !extra {
		c.matrices[i] = e
	}
	if !c.o.learns() {
		return nil
	}
	if extra {
		e.Extra, e.Weight = true, extraWeight
	} else if c.o.Functions {
		if e.Chunks, err = newDefinitions(ctx, t, paths, e.RankedCandidates(signal.Weights)); err != nil {
			return err
		}
	}
	later, err := c.after(ctx, t)
	c.examples[t.Order] = append([]train.Example{e}, later...)
	return err
}

// after makes examples of the commits that followed that of the case, searched at
// the same tree: much to learn from for no further index.
func (c *collector) after(ctx context.Context, t *replay.Tree) (out []train.Example, err error) {
	if c.o.After == 0 {
		return nil, nil
	}
	commits, err := t.Following(ctx, nearCommits)
	if err != nil {
		return nil, err
	}
	for _, k := range c.casesAfter(t, eval.FromChanges(t.Case.Repo, replay.AsChanges(commits), nearCommits, replay.IsSourcePath)) {
		e, _, err := newExample(ctx, t, k)
		if err != nil {
			return nil, err
		}
		e.Extra, e.Weight = true, afterWeight
		out = append(out, e)
	}
	return out, nil
}

// casesAfter keeps the first of the cases that the tree can answer and that no
// case before was given.
func (c *collector) casesAfter(t *replay.Tree, cases []eval.Case) (out []eval.Case) {
	c.mu.Lock()
	defer c.mu.Unlock()
	used := c.used[t.Root]
	if used == nil {
		used = map[string]bool{}
		c.used[t.Root] = used
	}
	for _, k := range cases {
		absent := slices.ContainsFunc(k.Gold, func(path string) bool { return !t.Ranks(path) })
		if absent || slices.Equal(k.Gold, t.Case.Gold) || used[k.BaseCommit] || len(out) == c.o.After {
			continue
		}
		used[k.BaseCommit] = true
		out = append(out, k)
	}
	return out
}
