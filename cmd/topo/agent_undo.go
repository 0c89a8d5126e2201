package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/session"
	"github.com/topo-dev/topo/agent/snapshot"
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

// step is a step of a session that changed the tree.
type step struct {
	n      int
	span   snapshot.Span
	undone bool
	kept   bool
}

// steps reads the snapshots of a session's log, in order.
func steps(events []agent.Event) (out []step) {
	at := func(n int) *step {
		for i := range out {
			if out[i].n == n {
				return &out[i]
			}
		}
		return nil
	}
	for _, e := range events {
		switch {
		case e.Event == agent.EventSnapshot && e.Text == "before":
			out = append(out, step{n: e.Step, span: snapshot.Span{Before: e.Snapshot}})
		case e.Event == agent.EventSnapshot && len(out) > 0:
			out[len(out)-1].span.After = e.Snapshot
		case e.Event == agent.EventUndone:
			if s := at(e.Step); s != nil {
				s.undone = true
			}
		case e.Event == agent.EventAccepted:
			for i := range out {
				out[i].kept = out[i].kept || out[i].n <= e.Step
			}
		}
	}
	return out
}

// open are the steps whose changes are neither undone nor accepted. A command
// that changed nothing is none.
func open(all []step) []step {
	return slices.DeleteFunc(slices.Clone(all), func(s step) bool { return s.undone || s.kept || s.span.Before == s.span.After })
}

// changed is a session with its snapshots, ready to be changed.
type changed struct {
	p     *agentPlace
	id    string
	steps []step
	store *snapshot.Store
}

// changes opens a session for the commands about its changes. A step that was
// killed has no snapshot after it; the tree as it is now stands in for that.
func (o *undoOptions) changes(ctx context.Context) (*changed, error) {
	p, err := o.f.agentSessions()
	if err != nil {
		return nil, err
	}
	if o.Session == "" {
		o.Session = session.Last
	}
	id, err := p.resolve(o.Session)
	if err != nil {
		return nil, err
	}
	events, err := p.sessions.Events(id)
	if err != nil {
		return nil, envError{err}
	}
	c := &changed{p: p, id: id, steps: steps(events)}
	if c.store, err = snapshot.Open(ctx, snapshot.Options{Root: p.root, Dir: filepath.Join(p.cache, snapshotFolder)}); err != nil {
		return nil, envError{err}
	}
	for i := range c.steps {
		if c.steps[i].span.After != "" {
			continue
		}
		if i+1 < len(c.steps) {
			c.steps[i].span.After = c.steps[i+1].span.Before
		} else if c.steps[i].span.After, _, err = c.store.Snapshot(ctx, "now"); err != nil {
			return nil, envError{err}
		}
	}
	return c, nil
}

// wanted are the steps that the flags name: one, all that are open, or the last
// open one when last is set.
func (o *undoOptions) wanted(c *changed, last bool) ([]step, error) {
	if o.Step != 0 {
		i := slices.IndexFunc(c.steps, func(s step) bool { return s.n == o.Step })
		if i < 0 {
			return nil, usagef("step %d of session %s changed nothing; those that did: %s", o.Step, c.id, numbers(c.steps))
		}
		return c.steps[i : i+1], nil
	}
	list := open(c.steps)
	if last && !o.All && len(list) > 0 {
		list = list[len(list)-1:]
	}
	if len(list) == 0 {
		return nil, usagef("session %s has no changes that are not undone or accepted; topo agent sessions lists the others", c.id)
	}
	return list, nil
}

func numbers(list []step) string {
	if len(list) == 0 {
		return "none"
	}
	var out []string
	for _, s := range list {
		out = append(out, fmt.Sprint(s.n))
	}
	return strings.Join(out, ", ")
}

func addChangeFlags(cmd *cobra.Command, o *undoOptions) {
	cmd.Flags().StringVar(&o.Session, "session", "", "ID of the session, its beginning, or last (default: last)")
	cmd.Flags().IntVar(&o.Step, "step", 0, "the step alone")
}

func newAgentUndo(f *factory, runF func(context.Context, *undoOptions) error) *cobra.Command {
	opts := &undoOptions{f: f}
	cmd := &cobra.Command{
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
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Paths = args
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return runAgentUndo(cmd.Context(), opts)
		},
	}
	addChangeFlags(cmd, opts)
	cmd.Flags().BoolVar(&opts.All, "all", false, "every step that is not undone or accepted")
	cmd.Flags().BoolVar(&opts.Force, "force", false, "undo also where that loses later changes")
	cmd.Flags().BoolVar(&opts.Preview, "preview", false, "show the difference that undoing would make, and do nothing")
	return cmd
}

func runAgentUndo(ctx context.Context, o *undoOptions) error {
	c, err := o.changes(ctx)
	if err != nil {
		return err
	}
	list, err := o.wanted(c, true)
	if err != nil {
		return err
	}
	var spans []snapshot.Span
	for _, s := range list {
		spans = append(spans, s.span)
	}
	plan, err := c.store.Plan(ctx, spans, o.Force, relative(c.p.root, o.Paths)...)
	if err != nil {
		return envError{err}
	}
	if o.Preview {
		return o.preview(ctx, c, plan)
	}
	if len(plan.Conflicts) > 0 {
		return checkError{fmt.Errorf("undo step %s: %s; nothing was undone; --force undoes it all the same", numbers(list), conflicts(plan))}
	}
	if err := c.record(o.f, list, plan, len(o.Paths) > 0, func() error { return c.store.Apply(ctx, plan) }); err != nil {
		return err
	}
	for _, r := range plan.Restore {
		fmt.Fprintf(o.f.out, "%s\t%s\n", restored(r.Kind), visible(r.Path))
	}
	o.f.notef("undone: step %s, %s", numbers(list), plural(len(plan.Restore), "file"))
	return nil
}

// restored says what an undo did to a file.
func restored(k snapshot.Kind) string {
	return map[snapshot.Kind]string{snapshot.Added: "brought back", snapshot.Deleted: "removed", snapshot.Modified: "restored"}[k]
}

func conflicts(p snapshot.Plan) string {
	var out []string
	for _, c := range p.Conflicts {
		out = append(out, c.Path+" ("+c.Reason+")")
	}
	return strings.Join(out, ", ")
}

// relative makes paths of the command line relative to the root.
func relative(root string, paths []string) (out []string) {
	for _, p := range paths {
		if abs, err := filepath.Abs(p); err == nil {
			if dir, err := filepath.EvalSymlinks(filepath.Dir(abs)); err == nil {
				abs = filepath.Join(dir, filepath.Base(abs))
			}
			if rel, err := filepath.Rel(root, abs); err == nil && filepath.IsLocal(rel) {
				p = filepath.ToSlash(rel)
			}
		}
		out = append(out, p)
	}
	return out
}

func (o *undoOptions) preview(ctx context.Context, c *changed, plan snapshot.Plan) error {
	for _, x := range plan.Conflicts {
		o.f.notef("in the way: %s (%s)", x.Path, x.Reason)
	}
	diff, err := c.store.Diff(ctx, plan.Now, plan.Then)
	if err != nil {
		return envError{err}
	}
	return o.f.printDiff(diff)
}

// record carries an undo out and writes it down in the session. The session is
// locked meanwhile, so that no run can be in it.
func (c *changed) record(f *factory, list []step, plan snapshot.Plan, partly bool, do func() error) error {
	log, state, err := c.p.sessions.Resume(c.id)
	if err != nil {
		return envError{err}
	}
	defer log.Close()
	now, _, err := f.clock()
	if err != nil {
		return err
	}
	if err := do(); err != nil {
		return envError{err}
	}
	paths := []string{}
	for _, r := range plan.Restore {
		paths = append(paths, r.Path)
	}
	for _, s := range list {
		e := agent.Event{Event: agent.EventUndone, Session: c.id, Time: now().UTC().Truncate(time.Millisecond), Step: s.n, Paths: paths, Snapshot: plan.Now}
		e.Text = fmt.Sprintf("The user has undone the changes of step %d; these files are as they were before it: %s.", s.n, strings.Join(paths, ", "))
		if partly {
			// The rest of the step can still be undone.
			e.Event, e.Snapshot, e.Text = agent.EventNote, "", "undone in part: "+strings.Join(paths, ", ")
		}
		if err := agent.Record(state, log, e); err != nil {
			return envError{err}
		}
	}
	return nil
}
