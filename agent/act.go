package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/topo-dev/topo/agent/spill"
	"github.com/topo-dev/topo/internal/nearest"
)

// task is one call on its way to its result.
type task struct {
	call     Call
	tool     Tool
	spec     ToolSpec
	access   []Access
	approved bool
	result   CallResult
	done     chan struct{} // closed when the call has its result
}

// changes reports whether the call may change the tree.
func (t *task) changes() bool {
	if t.tool == nil || t.spec.ReadOnly {
		return false
	}
	return len(t.access) == 0 || slices.ContainsFunc(t.access, func(a Access) bool { return a.Op == OpWrite || a.Op == OpExec })
}

// fail gives the call an error as its result.
func (t *task) fail(format string, args ...any) {
	t.approved = false
	t.result = CallResult{ID: t.call.ID, Content: fmt.Sprintf(format, args...), IsError: true}
}

// refuseAll answers calls that are not run.
func refuseAll(calls []Call, why string) (blocks []Block) {
	for _, c := range calls {
		blocks = append(blocks, Block{Kind: BlockResult, Result: &CallResult{ID: c.ID, Content: why, IsError: true}})
	}
	return blocks
}

// act runs the calls of a message and stores their results, one for each,
// whatever happens.
func (l *loop) act(ctx context.Context, calls []Call) *End {
	l.undecidedCall = ""
	tasks := make([]*task, len(calls))
	changes := false
	for i, c := range calls {
		tasks[i] = l.prepare(c)
		l.decide(ctx, tasks[i])
		changes = changes || tasks[i].approved && tasks[i].changes()
	}
	if changes {
		l.after.Wait()
	}
	if changes && !l.snapshot(ctx, "before", l.state.Step) {
		for _, t := range tasks {
			if t.approved && t.changes() {
				t.fail("not run: no snapshot of the tree could be taken, so the change could not be undone")
			}
		}
		changes = false
	}
	l.runAll(ctx, tasks)
	if changes {
		l.snapshotAfter(ctx)
	}
	l.answerAll(tasks)
	return nil
}

// snapshotAfter records the tree after a step while the model already reads its
// results: the next step that changes something waits for it.
func (l *loop) snapshotAfter(ctx context.Context) {
	step := l.state.Step
	// Also after Ctrl-C: what the step changed is to be undone all the same.
	ctx = context.WithoutCancel(ctx)
	if l.cfg.Parallel == 1 {
		l.snapshot(ctx, "after", step)
		return
	}
	l.after.Go(func() { l.snapshot(ctx, "after", step) })
}

// answerAll stores the results in the order of the calls, with a word about
// calls that repeat.
func (l *loop) answerAll(tasks []*task) {
	var blocks []Block
	var warnings []string
	room := l.cfg.Window / 2 * bytesPerToken
	for i, t := range tasks {
		// The results of one step share half of the window.
		share := room / (len(tasks) - i)
		t.result.Content = spill.Cap(t.result.Content, t.result.Handle, max(share, minResult))
		room = max(0, room-len(t.result.Content))
		if w := l.repeats.add(t.call, t.result, t.changes()); w != "" {
			warnings = append(warnings, w)
		}
		blocks = append(blocks, Block{Kind: BlockResult, Result: &t.result})
	}
	l.addUserMessage(blocks, strings.Join(warnings, "\n"))
}

// minResult is the size, in bytes, that a result may always have, however full
// the context window is.
const minResult = 512

// prepare finds the tool of a call and checks the input.
func (l *loop) prepare(c Call) *task {
	t := &task{call: c, done: make(chan struct{})}
	i, ok := slices.BinarySearch(l.names, c.Name)
	switch {
	case !ok:
		hint := "the tools are " + strings.Join(l.names, ", ")
		if n := nearest.Of(c.Name, l.names); n != "" {
			hint = "did you mean " + n + "?"
		}
		t.fail("there is no tool %q; %s", firstLine(c.Name, 64), hint)
		return t
	case c.Invalid != "":
		t.fail("not run: the input is not valid: %s", c.Invalid)
		return t
	}
	t.tool, t.spec = l.cfg.Tools[i], l.specs[i]
	access, err := accessOf(t.tool, c)
	if err != nil {
		t.fail("not run: the input is not valid: %v", err)
		return t
	}
	t.access, t.approved = access, true
	return t
}

// accessOf asks the tool what a call touches.
func accessOf(tool Tool, c Call) (access []Access, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s could not judge it: %v", c.Name, p)
		}
	}()
	return tool.Access(c.Input)
}

// decide asks the rules and, where they say so, a person whether the call may
// run, and stores what was decided.
func (l *loop) decide(ctx context.Context, t *task) {
	if !t.approved {
		return
	}
	d := l.cfg.Gate.Decide(t.spec, t.call, t.access)
	ev := Event{Event: EventPermission, Call: &t.call, Verdict: d.Verdict, Text: d.Rule}
	switch d.Verdict {
	case Allow:
	case Ask:
		l.ask(ctx, t, d, &ev)
	default:
		ev.Verdict = Deny
		t.fail("not allowed: %s", orElse(d.Reason, "a rule denies it: "+d.Rule))
	}
	l.emit(ev)
}

// ask puts the call before a person.
func (l *loop) ask(ctx context.Context, t *task, d Decision, ev *Event) {
	if ctx.Err() != nil {
		t.fail("cancelled before it ran")
		ev.Verdict, ev.Text = Deny, "cancelled"
		return
	}
	answer, err := Answer{}, ErrNobody
	if l.cfg.Asker != nil {
		answer, err = l.cfg.Asker.Ask(ctx, Question{Spec: t.spec, Call: t.call, Access: t.access, Decision: d})
	}
	switch {
	case err != nil && ctx.Err() != nil:
		t.fail("cancelled before it ran")
		ev.Verdict, ev.Text = Deny, "cancelled"
	case err != nil:
		ev.Verdict, ev.Text = Deny, fmt.Sprintf("%v (%s)", err, d.Rule)
		l.undecidedCall = fmt.Sprintf("%s needs a permission that nobody could grant (%s): %v", describeCall(t), d.Rule, err)
		t.fail("not allowed: this call needs the permission of a person, and nobody can be asked. Do without it, or say what you would have done")
	case !answer.Allow:
		ev.Verdict, ev.Text = Deny, "denied by the user"
		t.fail("the user denied this call%s", sentence(answer.Text))
	default:
		ev.Verdict, ev.Text = Allow, "allowed by the user"
		if answer.Always {
			ev.Rules = l.cfg.Gate.Remember(t.spec, t.access)
		}
	}
}

func sentence(text string) string {
	if text = strings.TrimSpace(text); text != "" {
		return " and said: " + text
	}
	return ""
}

// describeCall is a call for a person: its tool and what it touches.
func describeCall(t *task) string {
	for _, a := range t.access {
		switch {
		case a.Command != "":
			return fmt.Sprintf("%s (%s)", t.call.Name, firstLine(a.Command, 80))
		case a.Path != "":
			return fmt.Sprintf("%s (%s)", t.call.Name, firstLine(a.Path, 80))
		}
	}
	return t.call.Name
}

// snapshot records the tree around a step that changes it, and reports whether
// it is recorded.
func (l *loop) snapshot(ctx context.Context, when string, step int) bool {
	if l.cfg.Tracker == nil {
		return true
	}
	id, skipped, err := l.cfg.Tracker.Snapshot(ctx, fmt.Sprintf("%s step %d", when, step))
	if err != nil {
		if ctx.Err() == nil {
			l.note("no snapshot %s step %d: %v", when, step, err)
		}
		return false
	}
	return l.emit(Event{Event: EventSnapshot, Step: step, Snapshot: id, Paths: skipped, Text: when}) == nil
}
