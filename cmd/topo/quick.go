package main

import (
	"context"

	"github.com/spf13/cobra"
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
	return cmd
}

func newQuery(f *factory, runF func(context.Context, *queryOptions) error) *cobra.Command {
	opts := &queryOptions{scoreOptions: scoreOptions{f: f}, sel: selectOptions{f: f}}
	cmd := &cobra.Command{
		Use:   "query <task>",
		Short: "Find the code of a task in the index that is there",
		Long: `Score and select the files of the index, as it is: nothing is scanned and
nothing is written. Standard input is not read, unless the task is -.`,
		Example: `  topo index --deep && topo query "session expiry" --top 5
  topo query --max-tokens 8000 --file report.md | topo render`,
		RunE: opts.runE(runF, runQuery),
	}
	addScoreFlags(cmd.Flags(), &opts.scoreOptions)
	addSelectFlags(cmd.Flags(), &opts.sel)
	addRevFlag(cmd.Flags(), &opts.Rev)
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
	q, err := o.query(ctx)
	if err != nil {
		return err
	}
	root, err := o.f.settle("")
	if err != nil {
		return err
	}
	if _, err := o.plan(); err != nil {
		return err
	}
	t, s, err := scanStage(ctx, &o.scan, root)
	if err != nil {
		return err
	}
	defer t.Close()
	if _, err := indexStage(ctx, t, s, false, false); err != nil {
		if ctx.Err() != nil {
			return err
		}
		o.f.notef("%v; going on without an index", err)
	}
	if err := scoreStage(ctx, t, s, &o.scoreOptions, q, o.sel.least); err != nil {
		return err
	}
	if err := selectStage(ctx, t, s, &o.sel); err != nil {
		return err
	}
	return o.f.emit(ctx, s)
}

func runQuery(ctx context.Context, o *queryOptions) error {
	q, err := o.query(ctx)
	if err != nil {
		return err
	}
	t, s, err := o.scored(ctx, nil)
	if err != nil {
		return err
	}
	defer t.Close()
	if err := scoreStage(ctx, t, s, &o.scoreOptions, q, o.sel.least); err != nil {
		return err
	}
	if err := selectStage(ctx, t, s, &o.sel); err != nil {
		return err
	}
	return o.f.emit(ctx, s)
}
