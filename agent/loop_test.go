package agent

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestRunCallsAndAnswers(t *testing.T) {
	b := newBench(t, []Tool{echo("read"), echo("grep")},
		reply(StopCalls, text("Looking."), call("a", "read", `{"path":"x"}`), call("b", "grep", `{"q":"y"}`)),
		say("Found it."))
	b.cfg.Parallel = 1
	end := b.run(context.Background(), "find it")
	if end.Outcome != OutcomeDone || end.Text != "Found it." || end.Steps != 2 || end.Usage.Total() != 220 {
		t.Errorf("got %+v", end)
	}
	want := []EventKind{EventSession, EventPrompt, EventStep, EventMessage, EventPermission, EventPermission,
		EventCallStart, EventCallEnd, EventCallStart, EventCallEnd, EventResults, EventStep, EventMessage, EventEnd}
	if got := b.log.kinds(); !slices.Equal(got, want) {
		t.Errorf("events\n%v\nwant\n%v", got, want)
	}
	res := b.log.of(EventResults)[0].Message.Blocks
	if len(res) != 2 || res[0].Result.ID != "a" || res[1].Result.ID != "b" || res[1].Result.Content != `grep {"q":"y"}` {
		t.Errorf("results %+v", res)
	}
	for i, e := range b.log.events {
		if e.Session != "s1" {
			t.Errorf("event %d is of session %q", i+1, e.Session)
		}
	}
	if v := b.log.events[0].Version; v != LogVersion {
		t.Errorf("version %d of the log", v)
	}
	for i, e := range b.log.of(EventStep) {
		if e.Step != i+1 {
			t.Errorf("step %d is numbered %d", i+1, e.Step)
		}
	}
}

// TestPrefixIsStable: each request begins with the bytes of the one before.
func TestPrefixIsStable(t *testing.T) {
	b := newBench(t, []Tool{echo("z"), echo("a")},
		reply(StopCalls, call("1", "a", `{}`)), reply(StopCalls, call("2", "z", `{}`)), say("done"))
	b.run(context.Background(), "go")
	var before string
	for i, r := range b.ai.requests {
		if !slices.IsSortedFunc(r.Tools, func(a, b ToolSpec) int { return compare(a.Name, b.Name) }) {
			t.Error("the tools are not sorted")
		}
		raw, _ := json.Marshal(r.Messages)
		if !strings.HasPrefix(string(raw), strings.TrimSuffix(before, "]")) {
			t.Errorf("request %d is not an extension of the one before", i+1)
		}
		before = string(raw)
	}
}

func TestCallsThatDoNotRun(t *testing.T) {
	ran := 0
	write := fn{name: "write", access: onPath(OpWrite), run: func(context.Context, json.RawMessage) (Output, error) { ran++; return Output{}, nil }}
	broken := fn{name: "broken", run: func(context.Context, json.RawMessage) (Output, error) { panic("boom") }}
	odd := fn{name: "odd", access: func(json.RawMessage) ([]Access, error) { panic("bang") }, run: broken.run}
	fail := fn{name: "fails", run: func(context.Context, json.RawMessage) (Output, error) { return Output{}, errors.New("no such file") }}
	code := fn{name: "code", run: func(context.Context, json.RawMessage) (Output, error) {
		return Output{Text: "exit code 1", IsError: true, Hints: []string{"look"}}, nil
	}}
	bad := call("bad", "write", `{}`)
	bad.Call.Invalid = "unexpected end"
	b := newBench(t, []Tool{write, broken, odd, fail, code, echo("secret")},
		reply(StopCalls, bad, call("typo", "wirte", `{"path":"x"}`), call("in", "write", `{}`), call("raw", "write", `[1]`),
			call("panic", "broken", `{}`), call("odd", "odd", `{}`), call("fail", "fails", `{}`), call("code", "code", `{}`), call("deny", "secret", `{}`)),
		say("ok"))
	b.cfg.Gate = gate{"secret": Deny}
	b.run(context.Background(), "go")
	res := b.results()
	for id, want := range map[string]string{
		"bad": "not valid: unexpected end", "typo": "did you mean write?", "in": "path is missing", "raw": "no JSON object",
		"panic": "broken broke: boom", "odd": "bang", "fail": "no such file", "code": "exit code 1\n\nNext: look", "deny": "use another tool",
	} {
		if r := res[id]; !r.IsError || !strings.Contains(r.Content, want) {
			t.Errorf("%s: %+v, want an error with %q", id, r, want)
		}
	}
	if ran != 0 {
		t.Error("a call that is not valid was run")
	}
}

func TestIDsAreUnique(t *testing.T) {
	b := newBench(t, []Tool{echo("read")},
		reply(StopCalls, call("", "read", `{}`), call("x", "read", `{}`), call("x", "read", `{}`)),
		reply(StopCalls, call("x", "read", `{"again":1}`)), say("ok"))
	if end := b.run(context.Background(), "go"); end.Outcome != OutcomeDone {
		t.Fatalf("%+v", end)
	}
	if got := len(b.results()); got != 4 {
		t.Errorf("%d results by ID, want 4", got)
	}
}

func TestStops(t *testing.T) {
	long := strings.Repeat("x", 10)
	for name, c := range map[string]struct {
		turns []turn
		want  Outcome
		text  string
	}{
		"refusal":             {[]turn{reply(StopRefusal)}, OutcomeRefused, "the model refused"},
		"refusal says why":    {[]turn{reply(StopRefusal, text("I will not."))}, OutcomeRefused, "I will not."},
		"refusal with a call": {[]turn{reply(StopRefusal, call("a", "read", `{}`))}, OutcomeRefused, "refused"},
		"pause":               {[]turn{reply(StopPause, text("a")), reply(StopPause, text("b")), say("c")}, OutcomeDone, "c"},
		"cut and gone on":     {[]turn{reply(StopMaxTokens, text(long)), say("rest")}, OutcomeDone, "rest"},
		"cut for ever":        {[]turn{reply(StopMaxTokens, text(long)), reply(StopMaxTokens, text(long)), reply(StopMaxTokens, text(long))}, OutcomeLimit, "cut short"},
		"empty answer":        {[]turn{reply(StopEnd)}, OutcomeDone, ""},
		"only thinking":       {[]turn{reply(StopEnd, Block{Kind: BlockThinking, Text: "hm", Signature: "s"})}, OutcomeDone, ""},
		"calls at the end":    {[]turn{reply(StopEnd, call("a", "read", `{}`)), say("ok")}, OutcomeDone, "ok"},
		"provider fails":      {[]turn{fails(&ProviderError{Provider: "p", Kind: ErrAuth, Message: "no key"})}, OutcomeFailed, "no key"},
		"provider panics":     {[]turn{func(context.Context, Request, func(Delta)) (Response, error) { panic("x") }}, OutcomeFailed, "the provider failed"},
		"context for ever": {[]turn{fails(&ProviderError{Kind: ErrContext}), fails(&ProviderError{Kind: ErrContext}), fails(&ProviderError{Kind: ErrContext})},
			OutcomeFailed, "context"},
	} {
		b := newBench(t, []Tool{echo("read")}, c.turns...)
		end := b.run(context.Background(), "go")
		if end.Outcome != c.want || !strings.Contains(end.Text, c.text) {
			t.Errorf("%s: %s %q, want %s %q", name, end.Outcome, end.Text, c.want, c.text)
		}
		last := b.log.events[len(b.log.events)-1]
		if last.Event != EventEnd || last.Outcome != c.want {
			t.Errorf("%s: the last event is %+v", name, last)
		}
	}
}

func TestLimits(t *testing.T) {
	again := func(i int) turn {
		return reply(StopCalls, call(string(rune('a'+i)), "read", `{"n":`+string(rune('0'+i))+`}`))
	}
	for name, c := range map[string]struct {
		lim   Limits
		steps int
		text  string
	}{
		"steps":  {Limits{Steps: 2}, 2, "2 steps"},
		"tokens": {Limits{Tokens: 400}, 3, "does not hold the next request"},
		"usd":    {Limits{USD: 0.03}, 3, "$0.03"},
	} {
		b := newBench(t, []Tool{echo("read")}, again(0), again(1), again(2), again(3), say("done"))
		b.cfg.Limits = c.lim
		end := b.run(context.Background(), "go")
		if end.Outcome != OutcomeLimit || end.Steps != c.steps || !strings.Contains(end.Text, c.text) {
			t.Errorf("%s: %+v", name, end)
		}
	}
	b := newBench(t, []Tool{echo("read")}, func(context.Context, Request, func(Delta)) (Response, error) {
		return Response{Message: Message{Blocks: []Block{call("a", "read", `{}`)}}, Stop: StopCalls, Usage: Usage{Input: 1}}, nil
	})
	b.cfg.Limits.USD = 1
	if end := b.run(context.Background(), "go"); end.Outcome != OutcomeLimit || !strings.Contains(end.Text, "not known") {
		t.Errorf("without a price: %+v", end)
	}
}

// TestTimeLimit ends a tool that waits.
func TestTimeLimit(t *testing.T) {
	wait := fn{name: "wait", ro: true, run: func(ctx context.Context, _ json.RawMessage) (Output, error) {
		<-ctx.Done()
		return Output{}, ctx.Err()
	}}
	b := newBench(t, []Tool{wait}, reply(StopCalls, call("a", "wait", `{}`)))
	b.cfg.Limits.Time = time.Millisecond
	end := b.run(context.Background(), "go")
	if end.Outcome != OutcomeLimit || !strings.Contains(end.Text, "time") {
		t.Errorf("%+v", end)
	}
}

func TestStructuredAnswer(t *testing.T) {
	check := func(s string) (string, error) {
		if s != "{}" {
			return "", errors.New("no object")
		}
		return "{}", nil
	}
	for _, c := range []struct {
		turns []turn
		want  Outcome
	}{
		{[]turn{say("{}")}, OutcomeDone},
		{[]turn{say("hm"), say("{}")}, OutcomeDone},
		{[]turn{say("hm"), say("hm"), say("{}")}, OutcomeFailed},
	} {
		b := newBench(t, nil, c.turns...)
		b.cfg.Schema, b.cfg.Check = json.RawMessage(`{"type":"object"}`), check
		end := b.run(context.Background(), "go")
		var wrong *AnswerError
		if end.Outcome != c.want || errors.As(end.Err, &wrong) != (c.want == OutcomeFailed) {
			t.Errorf("%d turns: %+v", len(c.turns), end)
		}
	}
}

func TestLoopDetection(t *testing.T) {
	var turns []turn
	for i := range 9 {
		turns = append(turns, reply(StopCalls, call("c"+string(rune('0'+i)), "read", `{"path": "x"}`)))
	}
	b := newBench(t, []Tool{echo("read")}, turns...)
	end := b.run(context.Background(), "go")
	if end.Outcome != OutcomeLimit || end.Steps != repeatsStop || !strings.Contains(end.Text, "5 times") {
		t.Errorf("%+v", end)
	}
	told := b.log.of(EventResults)[repeatsHint-1].Message
	if !strings.Contains(told.Text(), "3 times") {
		t.Errorf("the model was not told: %+v", told)
	}
}

// TestRepeatsAfterChange: reading again after a change is no loop.
func TestRepeatsAfterChange(t *testing.T) {
	write := fn{name: "write", access: onPath(OpWrite), run: func(_ context.Context, in json.RawMessage) (Output, error) { return Output{Text: string(in)}, nil }}
	var turns []turn
	for i := range 8 {
		n := string(rune('0' + i))
		turns = append(turns, reply(StopCalls, call("r"+n, "read", `{}`)), reply(StopCalls, call("w"+n, "write", `{"path":"x","v":`+n+`}`)))
	}
	b := newBench(t, []Tool{echo("read"), write}, append(turns, say("ok"))...)
	if end := b.run(context.Background(), "go"); end.Outcome != OutcomeDone {
		t.Errorf("%+v", end)
	}
}

func TestSinkFailureStopsTheRun(t *testing.T) {
	broken := errors.New("disk full")
	ran := false
	tool := fn{name: "write", access: onPath(OpWrite), run: func(context.Context, json.RawMessage) (Output, error) { ran = true; return Output{}, nil }}
	for _, kind := range []EventKind{EventSession, EventPrompt, EventStep, EventText, EventMessage, EventPermission, EventCallStart} {
		b := newBench(t, []Tool{tool}, reply(StopCalls, text("x"), call("a", "write", `{"path":"x"}`)), say("ok"))
		b.log.fail = func(e Event) error {
			if e.Event == kind {
				return broken
			}
			return nil
		}
		_, err := Run(context.Background(), b.cfg, &b.state, Turn{Session: Event{Session: "s"}, Prompt: "go"})
		if !errors.Is(err, broken) {
			t.Errorf("%s: error %v", kind, err)
		}
		if ran {
			t.Errorf("%s: a tool ran that was not recorded", kind)
		}
	}
}

func TestSecretsAreRedacted(t *testing.T) {
	const key = `sk-ant-"q\uote\d"-0123456789`
	leak := fn{name: "leak", ro: true, run: func(context.Context, json.RawMessage) (Output, error) { return Output{Text: "KEY=" + key}, nil }}
	b := newBench(t, []Tool{leak}, reply(StopCalls, text("the key is "+key), call("a", "leak", `{}`)), say("ok"))
	b.cfg.Secrets = []string{key, "short"}
	b.run(context.Background(), "use "+key)
	raw, _ := json.Marshal(b.log.events)
	sent, _ := json.Marshal(b.ai.requests)
	quoted, _ := json.Marshal(key)
	for _, where := range []string{string(raw), string(sent)} {
		if strings.Contains(where, key) || strings.Contains(where, string(quoted[1:len(quoted)-1])) {
			t.Errorf("the key is in %s", where)
		}
		if !strings.Contains(where, "KEY="+Redacted) {
			t.Error("nothing stands where the key was")
		}
	}
}
