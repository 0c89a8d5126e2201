package main

import (
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/score/eval"
)

type evalOptions struct {
	f       *factory
	Cases   string // file of cases; empty with FromGit
	FromGit int    // cases to make from the history of the root
	Repos   string // folder of the cases' repositories
	Preset  string
	Fusion  string
	Ablate  bool
	Min     []string // acc@5=60
	Limit   int      // cases a repository, 0 for all
	Train   string   // file of weights to write
}

func newEval(f *factory, runF func(context.Context, *evalOptions) error) *cobra.Command {
	o := &evalOptions{f: f}
	cmd := &cobra.Command{
		Use:   "eval [cases.jsonl]",
		Short: "Measure the ranking against tasks with known answers",
		Long: `Rank the source files of each case's repository at its commit and tell how often
the wanted files are among the first. A case is a line of JSON:

  {"id":"a-1","repo":"owner/name","base_commit":"293ad7e","query":"record panics","gold_files":["recovery.go"]}

Repositories are looked for in --repos under owner+name, owner/name or name; a
case without one is of the root. With --from-git the cases are made from the
root's own history: the messages of its last commits, the source files each of
them changed, searched at the commit before. Nothing later is seen.

Only source files that are no tests are ranked. Figures are per cent with their
95 % interval by bootstrap.`,
		Example: `  topo eval --from-git 100
  topo eval cases.jsonl --repos ~/mirrors --min acc@5=60`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.Cases = args[0]
			}
			if (o.Cases == "") == (o.FromGit == 0) {
				return usagef("eval: give either a file of cases or --from-git N")
			}
			if runF != nil {
				return runF(cmd.Context(), o)
			}
			return runEval(cmd.Context(), o)
		},
	}
	fl := cmd.Flags()
	fl.IntVar(&o.FromGit, "from-git", 0, "make this many cases from the root's history")
	fl.StringVar(&o.Repos, "repos", "", "folder of the cases' repositories")
	fl.StringVar(&o.Preset, "preset", "deep", "depth: "+strings.Join(presetNames(), ", "))
	fl.StringVar(&o.Fusion, "fusion", "", "how signals are joined: "+strings.Join(score.Fusions(), ", ")+" (default: the first)")
	fl.BoolVar(&o.Ablate, "ablate", false, "also without each group of signals, and without each signal")
	fl.StringArrayVar(&o.Min, "min", nil, "fail with exit code 1 below this, as in acc@5=60; acc, hit at 1, 3, 5, 10, or mrr")
	fl.IntVar(&o.Limit, "limit", 0, "take this many cases of each repository, 0 for all")
	fl.StringVar(&o.Train, "train", "", "learn weights from the cases, cross-validated by repository, and write them to this Go file")
	return cmd
}

func runEval(ctx context.Context, o *evalOptions) error {
	if _, err := score.NewPlan(o.Preset, ""); err != nil {
		return usagef("%w", err)
	}
	bars, err := parseBars(o.Min)
	if err != nil {
		return err
	}
	root, err := o.f.settle("")
	if err != nil {
		return err
	}
	cases, err := o.cases(ctx, root)
	if err != nil {
		return err
	}
	if o.Limit > 0 {
		cases = limited(cases, o.Limit)
	}
	bench, err := o.bench(ctx, root)
	if err != nil {
		return err
	}
	bar := o.f.progress("cases", len(cases))
	rows, err := bench.run(ctx, cases, bar.done)
	bar.finish()
	if err != nil {
		return err
	}
	if o.Train != "" {
		return o.train(rows)
	}
	r := newEvalReport(rows, o)
	if err := r.write(o.f); err != nil {
		return err
	}
	return r.check(bars)
}

func (o *evalOptions) cases(ctx context.Context, root string) ([]eval.Case, error) {
	if o.FromGit > 0 {
		return casesFromGit(ctx, root, o.FromGit)
	}
	file, err := os.Open(o.Cases)
	if err != nil {
		return nil, usagef("cases: %w", err)
	}
	defer file.Close()
	cases, err := eval.ReadCases(file)
	if err != nil {
		return nil, usagef("%w", err)
	}
	return cases, nil
}

// limited keeps n cases of each repository, spread evenly.
func limited(cases []eval.Case, n int) []eval.Case {
	total, seen := map[string]int{}, map[string]int{}
	for _, c := range cases {
		total[c.Repo]++
	}
	var out []eval.Case
	for _, c := range cases {
		k, all := seen[c.Repo], total[c.Repo]
		if k*min(n, all)/all != (k+1)*min(n, all)/all {
			out = append(out, c)
		}
		seen[c.Repo]++
	}
	return out
}
