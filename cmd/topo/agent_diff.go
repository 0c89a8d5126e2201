package main

import (
	"bufio"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/agent"
)

func newAgentDiff(f *factory, runF func(context.Context, *undoOptions) error) *cobra.Command {
	opts := &undoOptions{f: f}
	cmd := &cobra.Command{
		Use:   "diff [path...]",
		Short: "Show what a session changed in the tree",
		Long: `Show as a unified diff what a session changed: one step, or every step that is
not undone or accepted. Commands count as much as edits.`,
		Example: "  topo agent diff\n  topo agent diff --step 3 src/login.go",
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Paths = args
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return runAgentDiff(cmd.Context(), opts)
		},
	}
	addChangeFlags(cmd, opts)
	return cmd
}

func runAgentDiff(ctx context.Context, o *undoOptions) error {
	c, err := o.changes(ctx)
	if err != nil {
		return err
	}
	list, err := o.wanted(c, false)
	if err != nil {
		return err
	}
	diff, err := c.store.Diff(ctx, list[0].span.Before, list[len(list)-1].span.After, relative(c.p.root, o.Paths)...)
	if err != nil {
		return envError{err}
	}
	return o.f.printDiff(diff)
}

// printDiff prints a unified diff, coloured on a terminal.
func (f *factory) printDiff(diff string) error {
	w := bufio.NewWriter(f.out)
	if !f.outTTY {
		w.WriteString(diff)
		return w.Flush()
	}
	for line := range strings.Lines(diff) {
		line, color := screen(strings.TrimSuffix(line, "\n")), ""
		if f.color() {
			color = diffColor(line)
		}
		if color != "" {
			line = color + line + "\x1b[0m"
		}
		w.WriteString(line + "\n")
	}
	return w.Flush()
}

func newAgentAccept(f *factory, runF func(context.Context, *undoOptions) error) *cobra.Command {
	opts := &undoOptions{f: f}
	cmd := &cobra.Command{
		Use:   "accept",
		Short: "Keep what a session changed: later undos leave it alone",
		Long: `Mark the changes of a session as accepted, all of them or those up to a step:
topo agent undo and diff then leave them alone. The tree is not touched.`,
		Example: "  topo agent accept\n  topo agent accept --step 3",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return runAgentAccept(cmd.Context(), opts)
		},
	}
	addChangeFlags(cmd, opts)
	cmd.Flags().Lookup("step").Usage = "up to this step"
	return cmd
}

func runAgentAccept(ctx context.Context, o *undoOptions) error {
	c, err := o.changes(ctx)
	if err != nil {
		return err
	}
	list := open(c.steps)
	if o.Step > 0 {
		list = slices.DeleteFunc(list, func(s step) bool { return s.n > o.Step })
	}
	if len(list) == 0 {
		return usagef("session %s has no changes that are not undone or accepted", c.id)
	}
	log, state, err := c.p.sessions.Resume(c.id)
	if err != nil {
		return envError{err}
	}
	defer log.Close()
	now, _, err := o.f.clock()
	if err != nil {
		return err
	}
	e := agent.Event{Event: agent.EventAccepted, Session: c.id, Time: now().UTC().Truncate(time.Millisecond), Step: list[len(list)-1].n}
	if err := agent.Record(state, log, e); err != nil {
		return envError{err}
	}
	o.f.notef("accepted: step %s", numbers(list))
	return nil
}
