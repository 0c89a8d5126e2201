package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/agent/host"
	"github.com/topo-dev/topo/answer"
	"github.com/topo-dev/topo/face/term"
)

// undoOptions is for the commands about the changes of a session.
type undoOptions struct {
	f       *factory
	Session string
	Step    int // 0 is not given
	All     bool
	Force   bool
	Preview bool
	Paths   []string
}

// changeCommand completes a command about changes: its flags, and how it is run.
func changeCommand(cmd *cobra.Command, o *undoOptions, runF, run func(context.Context, *undoOptions) error) *cobra.Command {
	cmd.Flags().StringVar(&o.Session, "session", "", "ID of the session, its beginning, or last (default: last)")
	cmd.Flags().IntVar(&o.Step, "step", 0, "the step alone")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		o.Paths = args
		if runF != nil {
			return runF(cmd.Context(), o)
		}
		return run(cmd.Context(), o)
	}
	return cmd
}

func newAgentUndo(f *factory, runF func(context.Context, *undoOptions) error) *cobra.Command {
	opts := &undoOptions{f: f}
	cmd := changeCommand(&cobra.Command{
		Use:   "undo [path...]",
		Short: "Take back what steps of a session changed in the tree",
		Long: `Take back what the last step of a session that changed the tree did to it,
whatever changed it: an edit, or a command. Undo again for the step before that,
or name a step, or --all.

A path that somebody changed after the step is not touched and told, and then
nothing is undone; --force undoes it too. --preview shows what would happen.
The user's git index, branches and stash stay as they are. The next run of the
session tells the model.`,
		Example: "  topo agent undo --preview\n  topo agent undo --step 3\n  topo agent undo --all --session 20261121-0910",
	}, opts, runF, runAgentUndo)
	cmd.Flags().BoolVar(&opts.All, "all", false, "every step that is not undone or accepted")
	cmd.Flags().BoolVar(&opts.Force, "force", false, "undo also where that loses later changes")
	cmd.Flags().BoolVar(&opts.Preview, "preview", false, "show the difference that undoing would make, and do nothing")
	return cmd
}

func newAgentDiff(f *factory, runF func(context.Context, *undoOptions) error) *cobra.Command {
	return changeCommand(&cobra.Command{
		Use:   "diff [path...]",
		Short: "Show what a session changed in the tree",
		Long: `Show as a unified diff what a session changed: one step, or every step that is
not undone or accepted. Commands count as much as edits.`,
		Example: "  topo agent diff\n  topo agent diff --step 3 src/login.go",
	}, &undoOptions{f: f}, runF, runAgentDiff)
}

func newAgentAccept(f *factory, runF func(context.Context, *undoOptions) error) *cobra.Command {
	cmd := changeCommand(&cobra.Command{
		Use:   "accept",
		Short: "Keep what a session changed: later undos leave it alone",
		Long: `Mark the changes of a session as accepted, all of them or those up to a step:
topo agent undo and diff then leave them alone. The tree is not touched.`,
		Example: "  topo agent accept\n  topo agent accept --step 3",
		Args:    cobra.NoArgs,
	}, &undoOptions{f: f}, runF, runAgentAccept)
	cmd.Flags().Lookup("step").Usage = "up to this step"
	return cmd
}

// changes opens the host and names the changes that the flags mean.
func (o *undoOptions) changes(ctx context.Context) (h *host.Host, c host.Changes, err error) {
	if h, err = o.f.settledHost(ctx); err != nil {
		return nil, c, err
	}
	c.Step, c.Paths = o.Step, h.Relative(o.Paths)
	c.Session, err = resolveSession(h, o.Session)
	return h, c, err
}

// changeError is hostError for the commands that show or undo changes.
func changeError(err error) error {
	var conflict *host.ConflictError
	switch {
	case errors.Is(err, host.ErrNoChanges):
		return usagef("%w; topo agent sessions lists the others", err)
	case errors.As(err, &conflict):
		return checkError{fmt.Errorf("%w; --force undoes it all the same", err)}
	}
	return hostError(err)
}

func runAgentDiff(ctx context.Context, o *undoOptions) error {
	h, what, err := o.changes(ctx)
	if err != nil {
		return err
	}
	diff, err := h.Diff(ctx, what)
	if err != nil {
		return changeError(err)
	}
	return o.f.printDiff(diff)
}

func runAgentUndo(ctx context.Context, o *undoOptions) error {
	h, what, err := o.changes(ctx)
	if err != nil {
		return err
	}
	undo, err := h.PlanUndo(ctx, what, o.All, o.Force)
	if err != nil {
		return changeError(err)
	}
	if o.Preview {
		for _, x := range undo.Conflicts {
			o.f.notef("in the way: %s (%s)", x.Path, x.Reason)
		}
		diff, err := undo.Diff(ctx)
		if err != nil {
			return hostError(err)
		}
		return o.f.printDiff(diff)
	}
	if err := undo.Apply(ctx); err != nil {
		return changeError(err)
	}
	done := map[string]string{"added": "brought back", "deleted": "removed", "modified": "restored"}
	for _, r := range undo.Restore {
		fmt.Fprintf(o.f.out, "%s\t%s\n", done[string(r.Kind)], answer.Visible(r.Path))
	}
	o.f.notef("undone: step %s, %s", host.Steps(undo.Steps), plural(len(undo.Restore), "file"))
	return nil
}

func runAgentAccept(ctx context.Context, o *undoOptions) error {
	h, what, err := o.changes(ctx)
	if err != nil {
		return err
	}
	steps, err := h.Accept(ctx, what.Session, o.Step)
	if err != nil {
		return hostError(err)
	}
	o.f.notef("accepted: step %s", host.Steps(steps))
	return nil
}

// printDiff prints a unified diff, coloured on a terminal.
func (f *factory) printDiff(diff string) error {
	w := bufio.NewWriter(f.out)
	if !f.outTTY {
		w.WriteString(diff)
		return w.Flush()
	}
	for line := range strings.Lines(diff) {
		line, color := term.Screen(strings.TrimSuffix(line, "\n")), ""
		if f.color() {
			color = term.DiffColor(line)
		}
		if color != "" {
			line = color + line + "\x1b[0m"
		}
		w.WriteString(line + "\n")
	}
	return w.Flush()
}
