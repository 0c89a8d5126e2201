package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

func TestConflict(t *testing.T) {
	touching := func(ro bool, access ...Access) *task {
		return &task{tool: echo("x"), spec: ToolSpec{ReadOnly: ro}, access: access}
	}
	read := func(p string) *task { return touching(true, Access{Op: OpRead, Path: p}) }
	write := func(p string) *task { return touching(false, Access{Op: OpWrite, Path: p}) }
	exec := touching(false, Access{Op: OpExec, Command: "ls"})
	unknown := touching(false)
	for _, c := range []struct {
		a, b *task
		want bool
	}{
		{read("a"), read("a"), false},
		{read("a"), write("a"), true},
		{write("a"), write("A"), true},
		{write("a/b"), write("a/c"), false},
		{write("a/b"), read("a"), true},
		{write("a/b"), read("."), true},
		{write("ab"), read("a"), false},
		{write("./a/../b"), write("b"), true},
		{write("."), read("z"), true},
		{exec, read("a"), true},
		{exec, exec, true},
		{unknown, read("a"), true},
		{touching(true), write("a"), false},
		{touching(true, Access{Op: OpNet, Host: "h"}), write("."), true},
		{touching(true, Access{Op: OpNet, Host: "h"}), write("a"), false},
	} {
		if conflict(c.a, c.b) != c.want || conflict(c.b, c.a) != c.want {
			t.Errorf("%+v and %+v: conflict %v, want %v", c.a.access, c.b.access, !c.want, c.want)
		}
	}
}

// TestParallel: calls without conflict run at once, bounded; calls that write
// one path run in their order; commands run alone.
func TestParallel(t *testing.T) {
	var mu sync.Mutex
	var order []string
	var running, most atomic.Int32
	both := make(chan struct{})
	meet := fn{name: "meet", ro: true, run: func(ctx context.Context, _ json.RawMessage) (Output, error) {
		if running.Add(1) == 2 {
			close(both)
		}
		select {
		case <-both: // both run at once
		case <-ctx.Done():
		}
		running.Add(-1)
		return Output{Text: "met"}, nil
	}}
	note := func(name string) fn {
		return fn{name: name, access: onPath(OpWrite), run: func(_ context.Context, in json.RawMessage) (Output, error) {
			n := running.Add(1)
			most.Store(max(most.Load(), n))
			mu.Lock()
			order = append(order, string(in))
			mu.Unlock()
			running.Add(-1)
			return Output{}, nil
		}}
	}
	alone := fn{name: "bash", access: func(json.RawMessage) ([]Access, error) { return []Access{{Op: OpExec, Command: "x"}}, nil },
		run: func(context.Context, json.RawMessage) (Output, error) {
			if running.Load() != 0 {
				return Output{}, errors.New("not alone")
			}
			return Output{Text: "alone"}, nil
		}}
	var blocks []Block
	blocks = append(blocks, call("m1", "meet", `{}`), call("m2", "meet", `{}`))
	for i := range 20 {
		blocks = append(blocks, call(fmt.Sprintf("w%d", i), "write", fmt.Sprintf(`{"path":"f","n":%d}`, i)))
	}
	blocks = append(blocks, call("b", "bash", `{}`), call("m3", "meet", `{}`))
	b := newBench(t, []Tool{meet, note("write"), alone}, reply(StopCalls, blocks...), say("ok"))
	b.run(context.Background(), "go")
	for i, got := range order {
		if want := fmt.Sprintf(`{"path":"f","n":%d}`, i); got != want {
			t.Fatalf("write %d was %s", i, got)
		}
	}
	if r := b.results()["b"]; r.Content != "alone" {
		t.Errorf("the command: %+v", r)
	}
	if len(order) != 20 || len(b.results()) != 24 {
		t.Errorf("%d writes, %d results", len(order), len(b.results()))
	}
}

func TestParallelIsBounded(t *testing.T) {
	var running, most atomic.Int32
	tool := fn{name: "t", ro: true, run: func(context.Context, json.RawMessage) (Output, error) {
		n := running.Add(1)
		for {
			m := most.Load()
			if n <= m || most.CompareAndSwap(m, n) {
				break
			}
		}
		running.Add(-1)
		return Output{}, nil
	}}
	var blocks []Block
	for i := range 100 {
		blocks = append(blocks, call(fmt.Sprint(i), "t", fmt.Sprintf(`{"n":%d}`, i)))
	}
	b := newBench(t, []Tool{tool}, reply(StopCalls, blocks...), say("ok"))
	b.cfg.Parallel = 3
	b.run(context.Background(), "go")
	if most.Load() > 3 {
		t.Errorf("%d calls ran at once", most.Load())
	}
}

func TestPermissions(t *testing.T) {
	type answer = func(Question) (Answer, error)
	for name, c := range map[string]struct {
		asker   answer
		outcome Outcome
		verdict Verdict
		rules   string
		content string
	}{
		"yes":     {func(Question) (Answer, error) { return Answer{Allow: true}, nil }, OutcomeDone, Allow, "", "write {"},
		"always":  {func(Question) (Answer, error) { return Answer{Allow: true, Always: true}, nil }, OutcomeDone, Allow, "allow write", "write {"},
		"no":      {func(Question) (Answer, error) { return Answer{Text: "use b"}, nil }, OutcomeDone, Deny, "", "the user denied this call and said: use b"},
		"nobody":  {func(Question) (Answer, error) { return Answer{}, ErrNobody }, OutcomeRefused, Deny, "", "nobody can be asked"},
		"no face": {nil, OutcomeRefused, Deny, "", "nobody can be asked"},
	} {
		w := echo("write")
		w.ro, w.access = false, onPath(OpWrite)
		b := newBench(t, []Tool{w}, reply(StopCalls, call("a", "write", `{"path":"f"}`)), say("ok"))
		b.cfg.Gate = gate{"write": Ask}
		if c.asker != nil {
			b.cfg.Asker = asker(c.asker)
		}
		end := b.run(context.Background(), "go")
		p := b.log.of(EventPermission)
		if end.Outcome != c.outcome || len(p) != 1 || p[0].Verdict != c.verdict || strings.Join(p[0].Rules, " ") != c.rules {
			t.Errorf("%s: %+v, %+v", name, end, p)
		}
		if r := b.results()["a"]; !strings.Contains(r.Content, c.content) {
			t.Errorf("%s: %+v", name, r)
		}
		if got := strings.Join(b.state.Rules, " "); got != c.rules {
			t.Errorf("%s: the state has the rules %q", name, got)
		}
	}
}

// TestWayAroundDenial: a model that does without what nobody could grant is
// done, not refused.
func TestWayAroundDenial(t *testing.T) {
	b := newBench(t, []Tool{echo("read"), echo("write")}, reply(StopCalls, call("a", "write", `{}`)), reply(StopCalls, call("b", "read", `{}`)), say("ok"))
	b.cfg.Gate = gate{"write": Ask}
	if end := b.run(context.Background(), "go"); end.Outcome != OutcomeDone {
		t.Errorf("%+v", end)
	}
}

type tracker func(label string) (string, []string, error)

func (f tracker) Snapshot(_ context.Context, label string) (string, []string, error) { return f(label) }

func TestSnapshots(t *testing.T) {
	w := echo("write")
	w.ro, w.access = false, onPath(OpWrite)
	turns := []turn{reply(StopCalls, call("r", "read", `{}`)), reply(StopCalls, call("w", "write", `{"path":"f"}`), call("x", "write", `{"path":"g"}`)), say("ok")}
	b := newBench(t, []Tool{echo("read"), w}, turns...)
	var labels []string
	b.cfg.Parallel = 1
	b.cfg.Tracker = tracker(func(l string) (string, []string, error) {
		labels = append(labels, l)
		return fmt.Sprint("t", len(labels)), []string{"big.bin"}, nil
	})
	b.run(context.Background(), "go")
	if got := strings.Join(labels, "; "); got != "before step 2; after step 2" {
		t.Errorf("snapshots: %s", got)
	}
	if s := b.log.of(EventSnapshot); len(s) != 2 || s[0].Snapshot != "t1" || s[0].Paths[0] != "big.bin" || s[1].Text != "after" {
		t.Errorf("events: %+v", s)
	}
	// What could not be undone is not done.
	b = newBench(t, []Tool{echo("read"), w}, turns...)
	b.cfg.Tracker = tracker(func(string) (string, []string, error) { return "", nil, errors.New("disk full") })
	b.run(context.Background(), "go")
	if r := b.results()["w"]; !r.IsError || !strings.Contains(r.Content, "no snapshot") {
		t.Errorf("without a snapshot: %+v", r)
	}
	if n := b.log.of(EventNote); len(n) != 1 || !strings.Contains(n[0].Text, "disk full") {
		t.Errorf("notes: %+v", n)
	}
}

// TestCancel cancels the run at each event in turn: the transcript stays valid,
// no tool starts afterwards, and a second run goes on.
func TestCancel(t *testing.T) {
	plan := func() []turn {
		return []turn{reply(StopCalls, text("x"), call("a", "read", `{"n":1}`), call("b", "write", `{"path":"f"}`)), reply(StopCalls, call("c", "read", `{}`)), say("ok")}
	}
	w := echo("write")
	w.ro, w.access = false, onPath(OpWrite)
	whole := newBench(t, []Tool{echo("read"), w}, plan()...)
	whole.run(context.Background(), "go")
	for at := range len(whole.log.events) - 1 {
		ctx, cancel := context.WithCancel(context.Background())
		b := newBench(t, []Tool{echo("read"), w}, plan()...)
		n, started := 0, 0
		b.log.fail = func(e Event) error {
			if n++; n == at+1 {
				cancel()
			} else if n > at+1 && e.Event == EventCallStart {
				started++
			}
			return nil
		}
		end := b.run(ctx, "go")
		// Events of calls that run at once are not in one order.
		if end.Outcome != OutcomeCancelled && end.Outcome != OutcomeDone || started > 1 {
			t.Errorf("cancelled at event %d (%s): %+v, %d calls started later", at+1, whole.log.events[at].Event, end, started)
		}
		b.log.fail = nil
		b.ai.turns = append(b.ai.turns[:len(b.ai.requests)], say("went on"))
		if end := b.run(context.Background(), ""); end.Outcome != OutcomeDone {
			t.Errorf("cancelled at event %d: the second run %+v", at+1, end)
		}
		cancel()
	}
}

// TestCancelledToolThatGoesOn does not keep the run.
func TestCancelledToolThatGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		never := make(chan struct{})
		deaf := fn{name: "deaf", run: func(context.Context, json.RawMessage) (Output, error) { <-never; return Output{}, nil }}
		b := newBench(t, []Tool{deaf}, reply(StopCalls, call("a", "deaf", `{}`)))
		ctx, cancel := context.WithCancel(context.Background())
		b.log.fail = func(e Event) error {
			if e.Event == EventCallStart {
				cancel()
			}
			return nil
		}
		end := b.run(ctx, "go")
		if r := b.results()["a"]; end.Outcome != OutcomeCancelled || !strings.Contains(r.Content, "may still run") {
			t.Errorf("%+v, %+v", end, r)
		}
		close(never)
	})
}
