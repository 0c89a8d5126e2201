package agent

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestResumeAtEveryEvent cuts the log after each stored event, as a kill would,
// and goes on from what is there.
func TestResumeAtEveryEvent(t *testing.T) {
	w := echo("write")
	w.ro, w.access = false, onPath(OpWrite)
	tools := []Tool{echo("read"), w}
	plan := []turn{reply(StopCalls, call("a", "read", `{"n":1}`), call("b", "write", `{"path":"f"}`)), reply(StopCalls, call("c", "read", `{}`)), say("ok")}
	whole := newBench(t, tools, plan...)
	whole.cfg.Parallel = 1
	whole.run(context.Background(), "go")
	stored := slices.DeleteFunc(slices.Clone(whole.log.events), func(e Event) bool { return e.Event.Live() })
	for cut := 1; cut <= len(stored); cut++ {
		var s State
		for _, e := range stored[:cut] {
			if err := s.Apply(e); err != nil {
				t.Fatal(err)
			}
		}
		b := newBench(t, tools, say("went on"))
		b.state, b.log.events = s, slices.Clone(stored[:cut])
		started := map[string]bool{}
		for _, p := range s.calls {
			started[p.call.ID] = p.started && p.result == nil
		}
		prompt := ""
		if len(s.Messages) == 0 {
			prompt = "go"
		}
		end := b.run(context.Background(), prompt)
		if end.Outcome != OutcomeDone {
			t.Errorf("cut after %s (%d): %+v", stored[cut-1].Event, cut, end)
		}
		told := map[string]string{}
		for _, e := range b.log.of(EventRecovered) {
			told[e.Call.ID] = e.Text
		}
		for id, was := range started {
			r := b.results()[id]
			if was && (!r.IsError || !strings.Contains(r.Content, "may have done") || !strings.Contains(told[id], "may have done")) {
				t.Errorf("cut after %s (%d): call %s had begun, its result is %+v", stored[cut-1].Event, cut, id, r)
			}
		}
	}
}

// TestApplyRefuses gives the state events that cannot follow.
func TestApplyRefuses(t *testing.T) {
	user, ai := UserText("hi"), Message{Role: Assistant, Blocks: []Block{call("a", "read", `{}`)}}
	twice := Message{Role: Assistant, Blocks: []Block{call("a", "read", `{}`), call("a", "read", `{}`)}}
	other := Message{Role: User, Blocks: []Block{{Kind: BlockResult, Result: &CallResult{ID: "z"}}}}
	good := []Event{{Event: EventSession, Seq: 1}, {Event: EventPrompt, Seq: 2, Message: &user}, {Event: EventMessage, Seq: 3, Message: &ai}}
	for name, c := range map[string]struct {
		after int
		e     Event
		want  string
	}{
		"a gap":                 {1, Event{Event: EventPrompt, Seq: 3, Message: &user}, "follows"},
		"no message":            {1, Event{Event: EventPrompt, Seq: 2}, "no user message"},
		"an answer first":       {1, Event{Event: EventMessage, Seq: 2, Message: &ai}, "before any question"},
		"the wrong role":        {1, Event{Event: EventPrompt, Seq: 2, Message: &ai}, "no user message"},
		"a call twice":          {2, Event{Event: EventMessage, Seq: 3, Message: &twice}, "twice"},
		"calls without results": {3, Event{Event: EventPrompt, Seq: 4, Message: &user}, `no result for call "a"`},
		"a result for nothing":  {3, Event{Event: EventResults, Seq: 4, Message: &other}, "waits for none"},
		"an answer too early":   {3, Event{Event: EventMessage, Seq: 4, Message: &ai}, "no results"},
		"a start of nothing":    {3, Event{Event: EventCallStart, Seq: 4, Call: &Call{ID: "z"}}, "not one of those"},
		"an end of nothing":     {3, Event{Event: EventCallEnd, Seq: 4}, "no call"},
		"compaction too early":  {3, Event{Event: EventCompaction, Seq: 4}, "no results"},
		"a broken compaction":   {2, Event{Event: EventCompaction, Seq: 3, Messages: []Message{ai}}, "role"},
	} {
		var s State
		for _, e := range good[:c.after] {
			if err := s.Apply(e); err != nil {
				t.Fatal(err)
			}
		}
		err := s.Apply(c.e)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if s.Seq != int64(c.after) {
			t.Errorf("%s: the event was counted", name)
		}
	}
}

// TestSecondPrompt follows results and is joined to them.
func TestSecondPrompt(t *testing.T) {
	b := newBench(t, []Tool{echo("read")}, reply(StopCalls, call("a", "read", `{}`)), say("one"), say("two"))
	b.cfg.Limits.Steps = 1
	if end := b.run(context.Background(), "first"); end.Outcome != OutcomeLimit {
		t.Fatalf("%+v", end)
	}
	b.cfg.Limits.Steps = 0
	b.run(context.Background(), "second")
	last := b.state.Messages[2]
	if len(b.state.Messages) != 4 || len(last.Blocks) != 3 || last.Text() != resumedText+"second" {
		t.Errorf("%+v", b.state.Messages)
	}
	if end := b.run(context.Background(), ""); end.Outcome != OutcomeDone || end.Text != "one" || end.Steps != 0 {
		t.Errorf("going on with a session that is done: %+v", end)
	}
}

// FuzzApply folds events that anybody may have written: nothing panics, and a
// state that took them all holds a valid transcript.
func FuzzApply(f *testing.F) {
	f.Add([]byte(`[{"Event":"prompt","Message":{"Role":"user","Blocks":[{"Kind":"text","Text":"x"}]}},{"Event":"message","Message":{"Role":"assistant","Blocks":[{"Kind":"call","Call":{"ID":"a","Name":"n","Input":{}}}]}},{"Event":"results","Message":{"Role":"user","Blocks":[{"Kind":"result","Result":{"ID":"a"}}]}}]`))
	f.Add([]byte(`[{"Event":"compaction","Messages":[{"Role":"user","Blocks":[{"Kind":"result"}]},{"Role":"assistant","Blocks":[{"Kind":"call"}]}]}]`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var events []Event
		if json.Unmarshal(raw, &events) != nil {
			return
		}
		var s State
		ids := map[string]bool{}
		for _, e := range events {
			e.Seq = s.Seq + 1
			if s.Apply(e) != nil {
				return
			}
			for _, p := range s.calls {
				if e.Event == EventMessage && ids[p.call.ID] {
					return // unique IDs over the whole transcript are the loop's care
				}
				ids[p.call.ID] = true
			}
			if err := ValidTranscript(s.Messages); err != nil {
				t.Fatalf("%v\n%s", err, raw)
			}
		}
	})
}

// TestUndoneIsTold: the model learns of an undo between two runs, also when the
// run before was killed with calls under way.
func TestUndoneIsTold(t *testing.T) {
	for name, cut := range map[string]int{"after the end": 0, "amid a call": 6} {
		b := newBench(t, []Tool{echo("read")}, reply(StopCalls, call("a", "read", `{}`)), say("one"), say("two"))
		b.run(context.Background(), "first")
		events := slices.DeleteFunc(b.log.events, func(e Event) bool { return e.Event.Live() })
		if cut > 0 {
			events = events[:cut]
		}
		b.state, b.log.events = State{}, events
		for _, e := range events {
			if err := b.state.Apply(e); err != nil {
				t.Fatal(err)
			}
		}
		if err := Record(&b.state, b.log, Event{Event: EventUndone, Session: "s1", Step: 1, Text: "UNDONE"}); err != nil {
			t.Fatal(err)
		}
		b.ai.turns = append(b.ai.turns[:len(b.ai.requests)], say("two"))
		b.run(context.Background(), "second")
		last := b.ai.requests[len(b.ai.requests)-1].Messages
		if got := last[len(last)-1].Text(); strings.Replace(got, resumedText, "", 1) != "UNDONEsecond" {
			t.Errorf("%s: the model was told %q", name, got)
		}
	}
}
