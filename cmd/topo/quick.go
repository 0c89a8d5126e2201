package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo"
)

// queryOptions is what query and quick are told.
type queryOptions struct {
	scoreOptions
	sel  selectOptions
	scan scanOptions // quick only
}

func newQuick(f *factory, runF func(context.Context, *queryOptions) error) *cobra.Command {
	opts := &queryOptions{scoreOptions: scoreOptions{f: f}, sel: selectOptions{f: f}, scan: scanOptions{f: f}}
	cmd := &cobra.Command{
		Use:   "quick <task>",
		Short: "Find the code of a task at once: scan, index, score and select",
		Long: `Find the code of a task: the same as

  topo scan | topo index | topo score <task> | topo select

in one process, and the same bytes. Standard input is not read, unless the task
is -.`,
		Example: `  topo quick "evict pods under memory pressure" | topo render --max-tokens 8000
  topo quick --preset deep --top 5 "session expiry"
  gh issue view 12 --json body -q .body | topo quick - --max-tokens 4000`,
		RunE: opts.runE(runF, runQuick),
	}
	addScoreFlags(cmd.Flags(), &opts.scoreOptions)
	addSelectFlags(cmd.Flags(), &opts.sel)
	addScanFlags(cmd.Flags(), &opts.scan)
	addNullFlag(cmd.Flags(), f)
	return cmd
}

func newQuery(f *factory, runF func(context.Context, *queryOptions) error) *cobra.Command {
	opts := &queryOptions{scoreOptions: scoreOptions{f: f}, sel: selectOptions{f: f}}
	cmd := &cobra.Command{
		Use:   "query <task>",
		Short: "Find the code of a task in the index that is there",
		Long: `Score and select the files of the index, as it is, whatever the preset: it is not
brought up to date. When it is older than the tree, that is said on standard error.
Standard input is not read, unless the task is -.`,
		Example: `  topo index --deep && topo query "session expiry" --top 5
  topo query --max-tokens 8000 --file report.md | topo render`,
		RunE: opts.runE(runF, runQuery),
	}
	addScoreFlags(cmd.Flags(), &opts.scoreOptions)
	addSelectFlags(cmd.Flags(), &opts.sel)
	addRevFlag(cmd.Flags(), &opts.Rev)
	addNullFlag(cmd.Flags(), f)
	return cmd
}

// runE checks the command line and calls runF, or run when it is nil.
func (o *queryOptions) runE(runF, run func(context.Context, *queryOptions) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if err := o.taskArgs(cmd, args); err != nil {
			return err
		}
		if err := o.sel.check(); err != nil {
			return err
		}
		if runF != nil {
			return runF(cmd.Context(), o)
		}
		return run(cmd.Context(), o)
	}
}

func runQuick(ctx context.Context, o *queryOptions) error {
	task, err := o.taskText(ctx)
	if err != nil {
		return err
	}
	r, err := o.f.open(ctx, nil, o.scan.Rev)
	if err != nil {
		return err
	}
	defer r.Close()
	s, problems, err := r.Quick(ctx, task, topo.QuickOptions{Query: o.options(), Scan: o.scan.options(), Select: o.sel.options()})
	if err != nil {
		return err
	}
	o.scan.scanned(r, s.Footer.ScannedFiles, problems)
	return o.f.emit(ctx, s)
}

func runQuery(ctx context.Context, o *queryOptions) error {
	task, err := o.taskText(ctx)
	if err != nil {
		return err
	}
	r, err := o.f.open(ctx, nil, o.Rev)
	if err != nil {
		return err
	}
	defer r.Close()
	s, err := r.Query(ctx, task, o.options(), o.sel.options())
	if err != nil {
		return err
	}
	return o.f.emit(ctx, s)
}
