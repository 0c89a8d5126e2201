package host

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/snapshot"
)

// Undo is what taking changes back would do. [Host.PlanUndo] makes it; nothing
// happens before [Undo.Apply].
type Undo struct {
	Steps     []int
	Restore   []snapshot.Change   // what happens to each file, seen from the tree as it is
	Conflicts []snapshot.Conflict // files that somebody changed after the step

	h       *Host
	session *changed
	plan    snapshot.Plan
	partly  bool // some files of the steps only
}

// PlanUndo plans to take changes back: of the step that is named, of all that are
// open, or of the last open one. Force takes changes back also where that loses
// later ones.
func (h *Host) PlanUndo(ctx context.Context, what Changes, all, force bool) (*Undo, error) {
	c, err := h.changes(ctx, what.Session)
	if err != nil {
		return nil, err
	}
	list, err := c.wanted(what.Step)
	if err != nil {
		return nil, err
	}
	if !all {
		list = list[len(list)-1:]
	}
	var spans []snapshot.Span
	for _, s := range list {
		spans = append(spans, s.span)
	}
	plan, err := c.store.Plan(ctx, spans, force, what.Paths...)
	if err != nil {
		return nil, err
	}
	return &Undo{Steps: numbers(list), Restore: plan.Restore, Conflicts: plan.Conflicts,
		h: h, session: c, plan: plan, partly: len(what.Paths) > 0}, nil
}

// Diff is the unified diff that the undo would make.
func (u *Undo) Diff(ctx context.Context) (string, error) {
	return u.session.store.Diff(ctx, u.plan.Now, u.plan.Then)
}

// ConflictError says that an undo would lose changes that no step made.
type ConflictError struct {
	Steps     []int
	Conflicts []snapshot.Conflict
}

// Error implements error.
func (e *ConflictError) Error() string {
	var out []string
	for _, c := range e.Conflicts {
		out = append(out, c.Path+" ("+c.Reason+")")
	}
	return fmt.Sprintf("undo step %s: %s; nothing was undone", Steps(e.Steps), strings.Join(out, ", "))
}

// Apply takes the changes back and writes that down in the session, which is
// locked meanwhile: no run can be in it. With conflicts it does nothing and
// returns a [*ConflictError].
func (u *Undo) Apply(ctx context.Context) error {
	if len(u.Conflicts) > 0 {
		return &ConflictError{u.Steps, u.Conflicts}
	}
	log, state, err := u.h.sessions.Resume(u.session.id)
	if err != nil {
		return err
	}
	defer log.Close()
	if err := u.session.store.Apply(ctx, u.plan); err != nil {
		return err
	}
	paths := []string{}
	for _, r := range u.Restore {
		paths = append(paths, r.Path)
	}
	for _, n := range u.Steps {
		e := agent.Event{Event: agent.EventUndone, Session: u.session.id, Time: u.h.now().UTC().Truncate(time.Millisecond), Step: n, Paths: paths, Snapshot: u.plan.Now}
		e.Text = fmt.Sprintf("The user has undone the changes of step %d; these files are as they were before it: %s.", n, strings.Join(paths, ", "))
		if u.partly {
			// The rest of the step can still be undone.
			e.Event, e.Snapshot, e.Text = agent.EventNote, "", "undone in part: "+strings.Join(paths, ", ")
		}
		if err := agent.Record(state, log, e); err != nil {
			return err
		}
	}
	return nil
}
