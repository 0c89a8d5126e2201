package host

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/snapshot"
	"github.com/topo-dev/topo/internal/fault"
)

// Changes names changes that a session made to the tree.
type Changes struct {
	Session string   // empty is [Last]
	Step    int      // this step alone; 0 is every step that is neither undone nor accepted
	Paths   []string // relative to the root, slash-separated; none means all
}

// ErrNoChanges says that every change of a session is undone or accepted.
var ErrNoChanges = errors.New("has no changes that are not undone or accepted")

// step is a step of a session that changed the tree.
type step struct {
	n      int
	span   snapshot.Span
	undone bool
	kept   bool
}

// steps reads the snapshots of a session's log, in order.
func steps(events []agent.Event) (out []step) {
	for _, e := range events {
		switch {
		case e.Event == agent.EventSnapshot && e.Text == "before":
			out = append(out, step{n: e.Step, span: snapshot.Span{Before: e.Snapshot}})
		case e.Event == agent.EventSnapshot && len(out) > 0:
			out[len(out)-1].span.After = e.Snapshot
		case e.Event == agent.EventUndone:
			if i := slices.IndexFunc(out, func(s step) bool { return s.n == e.Step }); i >= 0 {
				out[i].undone = true
			}
		case e.Event == agent.EventAccepted:
			for i := range out {
				out[i].kept = out[i].kept || out[i].n <= e.Step
			}
		}
	}
	return out
}

// openSteps are the steps whose changes are neither undone nor accepted. A command
// that changed nothing is none.
func openSteps(all []step) []step {
	return slices.DeleteFunc(slices.Clone(all), func(s step) bool { return s.undone || s.kept || s.span.Before == s.span.After })
}

// changed is a session with its snapshots.
type changed struct {
	id    string
	steps []step
	store *snapshot.Store
}

// snapshots opens the store of the tree's snapshots. The folders of the index and
// of the user's state are no part of the tree.
func (h *Host) snapshots(ctx context.Context) (*snapshot.Store, error) {
	if err := h.prepare(); err != nil {
		return nil, err
	}
	return snapshot.Open(ctx, snapshot.Options{Root: h.root, Dir: filepath.Join(h.state, snapshotsFolder),
		Apart: []string{h.place.Cache, h.o.Folders.State}})
}

// changes reads what a session changed. A step that was killed has no snapshot
// after it; the tree as it is now takes its place.
func (h *Host) changes(ctx context.Context, name string) (*changed, error) {
	if name == "" {
		name = Last
	}
	id, err := h.Resolve(name)
	if err != nil {
		return nil, err
	}
	events, err := h.sessions.Events(id)
	if err != nil {
		return nil, err
	}
	c := &changed{id: id, steps: steps(events)}
	if c.store, err = h.snapshots(ctx); err != nil {
		return nil, err
	}
	for i := range c.steps {
		span := &c.steps[i].span
		switch {
		case span.After != "":
		case i+1 < len(c.steps):
			span.After = c.steps[i+1].span.Before
		default:
			if span.After, _, err = c.store.Snapshot(ctx, "now"); err != nil {
				return nil, err
			}
		}
	}
	return c, nil
}

// wanted are the step that is named, or all that are open.
func (c *changed) wanted(n int) ([]step, error) {
	if n != 0 {
		i := slices.IndexFunc(c.steps, func(s step) bool { return s.n == n })
		if i < 0 {
			return nil, fault.Usagef("step %d of session %s changed nothing; those that did: %s", n, c.id, Steps(numbers(c.steps)))
		}
		return c.steps[i : i+1], nil
	}
	list := openSteps(c.steps)
	if len(list) == 0 {
		return nil, c.none()
	}
	return list, nil
}

func (c *changed) none() error {
	return fault.Usagef("session %s %w", c.id, ErrNoChanges)
}

func numbers(list []step) (out []int) {
	for _, s := range list {
		out = append(out, s.n)
	}
	return out
}

// Steps lists the numbers of steps for a person.
func Steps(list []int) string {
	if len(list) == 0 {
		return "none"
	}
	var out []string
	for _, n := range list {
		out = append(out, fmt.Sprint(n))
	}
	return strings.Join(out, ", ")
}

// Diff is a unified diff of the changes.
func (h *Host) Diff(ctx context.Context, what Changes) (string, error) {
	c, err := h.changes(ctx, what.Session)
	if err != nil {
		return "", err
	}
	list, err := c.wanted(what.Step)
	if err != nil {
		return "", err
	}
	return c.store.Diff(ctx, list[0].span.Before, list[len(list)-1].span.After, what.Paths...)
}

// Accept marks changes as kept, which Diff and Undo then leave alone: all of the
// session, or those up to a step. It returns the steps.
func (h *Host) Accept(ctx context.Context, session string, upTo int) ([]int, error) {
	c, err := h.changes(ctx, session)
	if err != nil {
		return nil, err
	}
	list := openSteps(c.steps)
	if upTo > 0 {
		list = slices.DeleteFunc(list, func(s step) bool { return s.n > upTo })
	}
	if len(list) == 0 {
		return nil, c.none()
	}
	log, state, err := h.sessions.Resume(c.id)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	e := agent.Event{Event: agent.EventAccepted, Session: c.id, Time: h.now().UTC().Truncate(time.Millisecond), Step: list[len(list)-1].n}
	return numbers(list), agent.Record(state, log, e)
}

// Relative makes paths relative to the root, for [Changes]. Those that lead to
// nothing below it stay as they are: a person may name them from the root.
func (h *Host) Relative(paths []string) (out []string) {
	for _, p := range paths {
		if abs, err := filepath.Abs(p); err == nil {
			if dir, err := filepath.EvalSymlinks(filepath.Dir(abs)); err == nil {
				abs = filepath.Join(dir, filepath.Base(abs))
			}
			if rel, err := filepath.Rel(h.root, abs); err == nil && filepath.IsLocal(rel) {
				p = filepath.ToSlash(rel)
			}
		}
		out = append(out, p)
	}
	return out
}
