package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/stream"
)

func newScore(f *factory, runF func(context.Context, *scoreOptions) error) *cobra.Command {
	opts := &scoreOptions{f: f}
	cmd := &cobra.Command{
		Use:   "score <task>",
		Short: "Rank files by how much they matter to a task",
		Long: `Rank the files of the stream on standard input, or those of the index when
there is none, by how much they matter to a task: a few words or a whole bug
report.

File records leave best first, with Score and Signals set; records of other
kinds follow them unchanged and in order.

Presets fast to thorough read ever more: paths only; contents; imports and
history; the best files' definitions. All but fast use the deep index, which is
brought up to date when it is there and built when the tree is small. Without
one the files are searched as they are.`,
		Example: `  topo scan | topo score "evict pods under memory pressure"
  topo scan | topo score --preset deep --file report.md
  topo scan | topo score --scoring heuristic "auth middleware"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := opts.taskArgs(cmd, args); err != nil {
				return err
			}
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return runScore(cmd.Context(), opts)
		},
	}
	addScoreFlags(cmd.Flags(), opts)
	addRevFlag(cmd.Flags(), &opts.Rev)
	addNullFlag(cmd.Flags(), f)
	return cmd
}

func runScore(ctx context.Context, o *scoreOptions) error {
	task, err := o.taskText(ctx)
	if err != nil {
		return err
	}
	if _, err := topo.NewQuery(task, topo.QueryOptions{}); err != nil {
		return err // before it waits for a stream
	}
	var s *stream.Stream
	if !o.readsTask() {
		if s, err = o.f.input(ctx); err != nil {
			return err
		}
	}
	if s != nil && o.Rev != "" {
		return usagef("--rev: a stream is on standard input, whose scan has been done; give the flag to topo scan")
	}
	r, err := o.f.open(ctx, s, o.Rev)
	if err != nil {
		return err
	}
	defer r.Close()
	q, err := topo.NewQuery(task, o.options())
	if err != nil {
		return err
	}
	if s == nil {
		if s, err = r.Indexed(ctx, q); err != nil {
			return err
		}
	}
	if err := r.Rank(ctx, s, q); err != nil {
		return err
	}
	return o.f.emit(ctx, s)
}
