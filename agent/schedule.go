package agent

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// cancelGrace is how long a call may take to end once it is cancelled, before
// its result no longer waits for it.
const cancelGrace = 3 * time.Second

// runAll runs the approved calls and returns when each has its result. Calls
// that touch the same path, one of them writing, run in the order in which they
// occur in the message; a call that runs a command, writes the whole tree or
// does not say what it touches runs alone.
func (l *loop) runAll(ctx context.Context, tasks []*task) {
	slots := make(chan struct{}, l.cfg.Parallel)
	before := make([][]*task, len(tasks))
	for i, t := range tasks {
		for _, earlier := range tasks[:i] {
			if earlier.approved && conflict(earlier, t) {
				before[i] = append(before[i], earlier)
			}
		}
	}
	var wg sync.WaitGroup
	for i, t := range tasks {
		if !t.approved {
			continue
		}
		wg.Go(func() {
			defer close(t.done)
			for _, b := range before[i] {
				<-b.done
			}
			slots <- struct{}{}
			defer func() { <-slots }()
			l.runOne(ctx, t)
		})
	}
	wg.Wait()
}

// conflict reports whether two calls must not run at once.
func conflict(a, b *task) bool {
	if a.runsAlone() || b.runsAlone() {
		return true
	}
	for _, x := range a.access {
		for _, y := range b.access {
			if (x.Op == OpWrite || y.Op == OpWrite) && x.Op != OpNet && y.Op != OpNet && overlap(x.Path, y.Path) {
				return true
			}
		}
	}
	return false
}

func (t *task) runsAlone() bool {
	if !t.changes() {
		return false
	}
	return len(t.access) == 0 || slices.ContainsFunc(t.access, func(a Access) bool {
		return a.Op == OpExec || a.Op == OpWrite && path.Clean(a.Path) == "."
	})
}

// overlap reports whether one path is the other or holds it, on a file system
// that may not tell upper case from lower case.
func overlap(a, b string) bool {
	a, b = strings.ToLower(path.Clean(a)), strings.ToLower(path.Clean(b))
	return a == b || a == "." || b == "." || strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/")
}

// runOne runs a call that may run and leaves its result in the task.
func (l *loop) runOne(ctx context.Context, t *task) {
	if ctx.Err() != nil {
		t.fail("%s before it ran", endWord(ctx))
		return
	}
	// What is not recorded must not happen.
	if err := l.emit(Event{Event: EventCallStart, Call: &t.call}); err != nil {
		t.fail("not run: %v", err)
		return
	}
	start := l.cfg.Now()
	out, err := l.guarded(ctx, t)
	switch {
	case err != nil && ctx.Err() != nil:
		t.fail("%s while it ran: %v", endWord(ctx), err)
	case err != nil:
		t.fail("%s", excerpt(err.Error(), maxResult))
	default:
		t.result = l.result(t.call, out)
	}
	result := t.result
	l.emit(Event{Event: EventCallEnd, Result: &result, DurationMs: l.cfg.Now().Sub(start).Milliseconds()})
}

func endWord(ctx context.Context) string {
	if errors.Is(context.Cause(ctx), errTime) {
		return "stopped at the limit of time"
	}
	return "cancelled"
}

// result is what the model reads of an output.
func (l *loop) result(c Call, out Output) CallResult {
	// Before the whole is stored, which is not a part of an event.
	shown, handle := l.cfg.Keep(c, l.redactText(out.Text))
	r := CallResult{ID: c.ID, Content: strings.ToValidUTF8(shown, "\uFFFD"), IsError: out.IsError, Handle: handle, Hints: out.Hints}
	if len(out.Hints) > 0 {
		r.Content = strings.TrimSuffix(r.Content, "\n") + "\n\nNext: " + strings.Join(out.Hints, "\nNext: ")
	}
	if r.Content == "" {
		r.Content = "(no output)"
	}
	return r
}

// guarded runs the tool. A panic in it becomes an error, and so does a tool
// that goes on after it was cancelled.
func (l *loop) guarded(ctx context.Context, t *task) (Output, error) {
	type ran struct {
		out Output
		err error
	}
	done := make(chan ran, 1)
	go func() {
		var r ran
		defer func() {
			if p := recover(); p != nil {
				r = ran{err: fmt.Errorf("%s broke: %v; this is a defect of the tool, so try another way", t.call.Name, p)}
			}
			done <- r
		}()
		r.out, r.err = t.tool.Run(ctx, slices.Clone(t.call.Input))
	}()
	select {
	case r := <-done:
		return r.out, r.err
	case <-ctx.Done():
	}
	timer := time.NewTimer(cancelGrace)
	defer timer.Stop()
	select {
	case r := <-done:
		return r.out, r.err
	case <-timer.C:
		return Output{}, errors.New("it did not stop in time and may still run")
	}
}
