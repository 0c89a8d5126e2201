package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/internal/lab"
	"github.com/topo-dev/topo/score/eval"
)

type evalOptions struct {
	f *factory
	topo.EvalOptions
	Cases   []string // files of cases; none with FromGit
	FromGit int      // cases to make from the history of the root
	Min     []string // acc@5=60
	Limit   int      // cases a repository, 0 for all
	JSON    bool     // as --format json
	Extra   []string // files of cases to learn from only
	After   int      // commits after each case's to learn from
	Ablate  bool
	Tables  string // file of the candidates' signals
	Train   string // file of weights to write
}

func newEval(f *factory, runF func(context.Context, *evalOptions) error) *cobra.Command {
	o := &evalOptions{f: f}
	cmd := &cobra.Command{
		Use:   "eval [cases.jsonl...]",
		Short: "Measure the ranking against tasks with known answers",
		Long: `Rank the source files of each case's repository at its commit and report how often
the wanted files are among the first. A case is a line of JSON:

  {"id":"a-1","repo":"owner/name","base_commit":"293ad7e","query":"record panics","gold_files":["recovery.go"]}

Repositories are looked for in --repos under owner+name, owner/name or name; a
case without one is of the root. With --from-git the cases are made from the
root's own history: the messages of its last commits, the source files each of
them changed, searched at the commit before. Nothing later is seen.

Only source files that are no tests are ranked. Figures are per cent with their
95 % interval by bootstrap; --against reports how they differ from those of
another fusion, with the interval of the paired difference.

--functions ranks the functions of the first files too. The fix is the later
commit or pull request that the case's ID ends with, as in caddy-04a44a3c7d and
pylint-4175, or else the first of the next 200 commits that changed just the
wanted files.

--train learns the weights and reports how weights learned on other repositories
rank each case. --extra and --after give it more cases to learn from, which are
not scored. --tables keeps the signals of every candidate; with --tables and no
cases, --train learns from what was kept there. With --functions it learns the
weights of definitions too, and writes them to chunkweights.go in the same
folder.`,
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
	addEvalFlags(cmd.Flags(), o)
	return cmd
}

func addEvalFlags(fl *pflag.FlagSet, o *evalOptions) {
	fl.IntVar(&o.FromGit, "from-git", 0, "make this many cases from the root's history")
	fl.StringVar(&o.Repos, "repos", "", "folder of the cases' repositories")
	fl.StringVar(&o.Preset, "preset", topo.DefaultEvalPreset, "depth: "+strings.Join(presetNames(), ", "))
	fl.StringVar(&o.Fusion, "fusion", "", "how signals are joined: "+strings.Join(topo.Fusions(), ", ")+" (default: the first)")
	fl.BoolVar(&o.Ablate, "ablate", false, "also without each group of signals, and without each signal; with --train also learned without each group")
	fl.StringArrayVar(&o.Min, "min", nil, "fail with exit code 1 below this, as in acc@5=60; acc, hit at 1, 3, 5, 10, or mrr")
	fl.IntVar(&o.Limit, "limit", 0, "take this many cases of each repository, 0 for all")
	fl.BoolVar(&o.JSON, "json", false, "print JSON, as --format json")
	fl.StringVar(&o.Against, "against", "", "also rank by this fusion and report the difference: "+strings.Join(topo.Fusions(), ", "))
	fl.BoolVar(&o.Functions, "functions", false, "also rank functions, against those that the fix changed")
	fl.StringVar(&o.Train, "train", "", "learn weights from the cases, cross-validated by repository, and write them to this Go file")
	fl.StringArrayVar(&o.Extra, "extra", nil, "learn from these cases too, each at half weight, without scoring them")
	fl.IntVar(&o.After, "after", 0, "learn from this many of the commits after each case's too")
	fl.IntVar(&o.Jobs, "jobs", 1, "repositories to work on at a time; the times are then those of a busy machine")
	fl.StringVar(&o.Tables, "tables", "", "keep the signals of all candidates in this file, or learn from what it holds")
}

func runEval(ctx context.Context, o *evalOptions) error {
	minima, err := parseMinima(o.Min)
	if err != nil {
		return err
	}
	report, err := o.evaluate(ctx)
	if report.Report != nil || err == nil {
		if werr := o.write(report); err == nil {
			err = werr
		}
	}
	if err != nil || report.Report == nil {
		return err
	}
	for _, m := range minima {
		if err := m.Check(report.All); err != nil {
			return checkError{err}
		}
	}
	return nil
}

// evaluate ranks the cases and learns what the flags ask for. On an error the
// result holds what was measured before.
func (o *evalOptions) evaluate(ctx context.Context) (*lab.Result, error) {
	l := lab.Options{After: o.After, Ablate: o.Ablate, Tables: o.Tables, Train: o.Train}
	if len(o.Cases) == 0 && o.FromGit == 0 {
		return lab.Run(ctx, nil, nil, l)
	}
	r, err := o.f.open(ctx, nil, "")
	if err != nil {
		return &lab.Result{}, err
	}
	defer r.Close()
	cases, err := o.cases(ctx, r)
	if err != nil {
		return &lab.Result{}, err
	}
	if l.Extra, err = o.read(o.Extra); err != nil {
		return &lab.Result{}, err
	}
	l.EvalOptions = o.EvalOptions
	if o.Ablate || o.Train != "" || o.Tables != "" {
		return lab.Run(ctx, r, cases, l)
	}
	results, err := r.Eval(ctx, cases, o.EvalOptions)
	if err != nil {
		return &lab.Result{}, err
	}
	return &lab.Result{Report: eval.NewReport(results, o.Preset, o.Fusion)}, nil
}

func (o *evalOptions) cases(ctx context.Context, r *topo.Repo) ([]eval.Case, error) {
	if o.FromGit > 0 {
		o.DropAbsent = true // files that the commits made
		return r.EvalCases(ctx, o.FromGit)
	}
	return o.read(o.Cases)
}

// read reads files of cases. The name of a file without its extension is the set
// of its cases.
func (o *evalOptions) read(names []string) (out []eval.Case, err error) {
	for _, name := range names {
		file, err := os.Open(name)
		if err != nil {
			return nil, usagef("cases: %w", err)
		}
		cases, err := eval.ReadCases(file)
		file.Close()
		if err != nil {
			return nil, usagef("%s: %w", name, err)
		}
		for _, c := range eval.Sample(cases, o.Limit) {
			c.Set = strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
			out = append(out, c)
		}
	}
	return out, nil
}

// write prints the report.
func (o *evalOptions) write(r *lab.Result) error {
	if o.JSON || o.f.outputFormat() != "human" {
		return (lines{o.f.out}).write(r)
	}
	return r.WriteText(o.f.out)
}

func parseMinima(list []string) (out []eval.Minimum, err error) {
	for _, text := range list {
		m, err := eval.ParseMinimum(text)
		if err != nil {
			return nil, usagef("--min %w", err)
		}
		out = append(out, m)
	}
	return out, nil
}
