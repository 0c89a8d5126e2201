package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/score/eval"
)

type evalOptions struct {
	f         *factory
	Cases     []string // files of cases; none with FromGit
	FromGit   int      // cases to make from the history of the root
	Repos     string   // folder of the cases' repositories
	Preset    string
	Fusion    string
	Ablate    bool
	Min       []string // acc@5=60
	Limit     int      // cases a repository, 0 for all
	Against   string   // another fusion to compare with
	JSON      bool     // as --format json
	Train     string   // file of weights to write
	Functions bool     // rank functions too
	Extra     []string // files of cases to learn from only
	After     int      // commits after each case's to learn from
	Tables    string   // file of the candidates' signals
	Jobs      int      // repositories at a time
}

func newEval(f *factory, runF func(context.Context, *evalOptions) error) *cobra.Command {
	o := &evalOptions{f: f}
	cmd := &cobra.Command{
		Use:   "eval [cases.jsonl...]",
		Short: "Measure the ranking against tasks with known answers",
		Long: `Rank the source files of each case's repository at its commit and tell how often
the wanted files are among the first. A case is a line of JSON:

  {"id":"a-1","repo":"owner/name","base_commit":"293ad7e","query":"record panics","gold_files":["recovery.go"]}

Repositories are looked for in --repos under owner+name, owner/name or name; a
case without one is of the root. With --from-git the cases are made from the
root's own history: the messages of its last commits, the source files each of
them changed, searched at the commit before. Nothing later is seen.

Only source files that are no tests are ranked. Figures are per cent with their
95 % interval by bootstrap; --against tells how they differ from those of another
fusion, with the interval of the paired difference.

--functions ranks the functions of the leading files too. The fix is the later
commit or pull request that the case's ID ends with, as in caddy-04a44a3c7d and
pylint-4175, or else the first of the next 200 commits that changed just the
wanted files.

--train learns the weights anew and tells how weights learned on other
repositories rank each case. --extra and --after give it more cases to learn
from, which are not scored. --tables keeps the signals of every candidate; with
--tables and no cases, --train learns from what was kept there. With --functions
it learns the weights of definitions too, and writes them to chunkweights.go
beside the others.`,
		Example: `  topo eval --from-git 100
  topo eval cases.jsonl --repos ~/mirrors --against rrf --min acc@5=60
  topo eval --tables signals.gz --train weights.go`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Cases = args
			if o.Jobs < 1 {
				return usagef("eval: --jobs %d; give 1 or more", o.Jobs)
			}
			kept := o.Tables != "" && o.Train != ""
			if len(args) > 0 && o.FromGit != 0 || len(args) == 0 && o.FromGit == 0 && !kept {
				return usagef("eval: give either files of cases or --from-git N")
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
	fl.BoolVar(&o.Ablate, "ablate", false, "also without each group of signals, and without each signal; with --train also learned without each group")
	fl.StringArrayVar(&o.Min, "min", nil, "fail with exit code 1 below this, as in acc@5=60; acc, hit at 1, 3, 5, 10, or mrr")
	fl.IntVar(&o.Limit, "limit", 0, "take this many cases of each repository, 0 for all")
	fl.BoolVar(&o.JSON, "json", false, "print JSON, as --format json")
	fl.StringVar(&o.Against, "against", "", "also rank by this fusion and tell the difference: "+strings.Join(score.Fusions(), ", "))
	fl.BoolVar(&o.Functions, "functions", false, "also rank functions, against those that the fix changed")
	fl.StringVar(&o.Train, "train", "", "learn weights from the cases, cross-validated by repository, and write them to this Go file")
	fl.StringArrayVar(&o.Extra, "extra", nil, "learn from these cases too, each at half weight, without scoring them")
	fl.IntVar(&o.After, "after", 0, "learn from this many of the commits after each case's too")
	fl.IntVar(&o.Jobs, "jobs", 1, "repositories to work on at a time; the times told are then those of a busy machine")
	fl.StringVar(&o.Tables, "tables", "", "keep the signals of all candidates in this file, or learn from what it holds")
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
	if len(o.Cases) == 0 && o.FromGit == 0 {
		examples, err := o.readTables()
		if err != nil {
			return err
		}
		return o.train(examples, nil)
	}
	root, err := o.f.settle("")
	if err != nil {
		return err
	}
	cases, err := o.cases(ctx, root)
	if err != nil {
		return err
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
	if o.Tables != "" {
		if err := o.writeTables(bench.examples); err != nil {
			return err
		}
	}
	r := newEvalReport(rows, o)
	if err := r.write(o.f); err != nil {
		return err
	}
	if o.Train != "" {
		if err := o.train(bench.examples, rows); err != nil {
			return err
		}
	}
	return r.check(bars)
}

// evalCase is a case of a set; extra ones are learned from only.
type evalCase struct {
	eval.Case
	set   string
	extra bool
}

func (o *evalOptions) cases(ctx context.Context, root string) (out []evalCase, err error) {
	if o.FromGit > 0 {
		cases, err := casesFromGit(ctx, root, o.FromGit)
		for _, c := range cases {
			out = append(out, evalCase{Case: c})
		}
		return out, err
	}
	add := func(name string, extra bool) error {
		file, err := os.Open(name)
		if err != nil {
			return usagef("cases: %w", err)
		}
		defer file.Close()
		cases, err := eval.ReadCases(file)
		if err != nil {
			return usagef("%s: %w", name, err)
		}
		if o.Limit > 0 {
			cases = limited(cases, o.Limit)
		}
		for _, c := range cases {
			out = append(out, evalCase{c, strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)), extra})
		}
		return nil
	}
	for _, name := range o.Cases {
		if err := add(name, false); err != nil {
			return nil, err
		}
	}
	for _, name := range o.Extra {
		if err := add(name, true); err != nil {
			return nil, err
		}
	}
	return out, nil
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
