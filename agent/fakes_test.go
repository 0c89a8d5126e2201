package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

// script is a provider that answers each request with the next of its turns.
type script struct {
	turns    []func(ctx context.Context, req Request, emit func(Delta)) (Response, error)
	mu       sync.Mutex
	requests []Request
}

func (s *script) Name() string { return "script" }

func (s *script) Stream(ctx context.Context, req Request, emit func(Delta)) (Response, error) {
	s.mu.Lock()
	n := len(s.requests)
	req.Messages = slices.Clone(req.Messages)
	s.requests = append(s.requests, req)
	s.mu.Unlock()
	if err := ValidTranscript(req.Messages); err != nil {
		return Response{}, fmt.Errorf("request %d: %w", n+1, err)
	}
	if n >= len(s.turns) {
		return Response{}, errors.New("the script is over")
	}
	return s.turns[n](ctx, req, emit)
}

type turn = func(context.Context, Request, func(Delta)) (Response, error)

// reply is a turn that answers with blocks.
func reply(stop StopReason, blocks ...Block) turn {
	return func(_ context.Context, _ Request, emit func(Delta)) (Response, error) {
		for _, b := range blocks {
			if b.Kind == BlockText {
				emit(Delta{Kind: DeltaText, Text: b.Text})
			}
		}
		usd := 0.01
		return Response{Message: Message{Role: Assistant, Blocks: blocks}, Stop: stop, Usage: Usage{Input: 100, Output: 10, USD: &usd}}, nil
	}
}

func fails(err error) turn {
	return func(context.Context, Request, func(Delta)) (Response, error) { return Response{}, err }
}

func text(s string) Block { return Block{Kind: BlockText, Text: s} }

func call(id, name, input string) Block {
	return Block{Kind: BlockCall, Call: &Call{ID: id, Name: name, Input: json.RawMessage(input)}}
}

// say is a final answer.
func say(s string) turn { return reply(StopEnd, text(s)) }

// log is a sink that keeps everything.
type log struct {
	mu     sync.Mutex
	events []Event
	fail   func(Event) error
}

func (l *log) Emit(e Event) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fail != nil {
		if err := l.fail(e); err != nil {
			return err
		}
	}
	l.events = append(l.events, e)
	return nil
}

func (l *log) kinds() (out []EventKind) {
	for _, e := range l.events {
		if !e.Event.Live() {
			out = append(out, e.Event)
		}
	}
	return out
}

func (l *log) of(k EventKind) (out []Event) {
	for _, e := range l.events {
		if e.Event == k {
			out = append(out, e)
		}
	}
	return out
}

// fn is a tool made of functions.
type fn struct {
	name   string
	ro     bool
	access func(json.RawMessage) ([]Access, error)
	run    func(context.Context, json.RawMessage) (Output, error)
}

func (f fn) Spec() ToolSpec {
	return ToolSpec{Name: f.name, Schema: json.RawMessage(`{"type":"object"}`), ReadOnly: f.ro}
}

func (f fn) Access(in json.RawMessage) ([]Access, error) {
	if f.access == nil {
		return nil, nil
	}
	return f.access(in)
}

func (f fn) Run(ctx context.Context, in json.RawMessage) (Output, error) { return f.run(ctx, in) }

// echo is a tool that reads and returns its input.
func echo(name string) fn {
	return fn{name: name, ro: true, run: func(_ context.Context, in json.RawMessage) (Output, error) {
		return Output{Text: name + " " + string(in)}, nil
	}}
}

// onPath is the access of tools whose input holds a path.
func onPath(op Op) func(json.RawMessage) ([]Access, error) {
	return func(in json.RawMessage) ([]Access, error) {
		var p struct{ Path string }
		if err := json.Unmarshal(in, &p); err != nil {
			return nil, err
		}
		if p.Path == "" {
			return nil, errors.New("path is missing")
		}
		return []Access{{Op: op, Path: p.Path}}, nil
	}
}

// gate decides by the name of the tool.
type gate map[string]Verdict

func (g gate) Decide(spec ToolSpec, _ Call, _ []Access) Decision {
	v, ok := g[spec.Name]
	if !ok {
		v = Allow
	}
	return Decision{Verdict: v, Rule: string(v) + " " + spec.Name, Reason: map[Verdict]string{Deny: "use another tool"}[v]}
}

func (g gate) Remember(spec ToolSpec, _ []Access) []string {
	g[spec.Name] = Allow
	return []string{"allow " + spec.Name}
}

type asker func(Question) (Answer, error)

func (a asker) Ask(_ context.Context, q Question) (Answer, error) { return a(q) }

// bench is a loop in a test.
type bench struct {
	*testing.T
	cfg   Config
	log   *log
	state State
	ai    *script
}

func newBench(t *testing.T, tools []Tool, turns ...turn) *bench {
	b := &bench{T: t, log: &log{}, ai: &script{turns: turns}}
	now := time.Date(2026, 11, 21, 9, 10, 0, 0, time.UTC)
	var mu sync.Mutex
	b.cfg = Config{Provider: b.ai, Model: "m", Tools: tools, Gate: gate{}, Sink: b.log, Now: func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(time.Millisecond)
		return now
	}}
	return b
}

// run plays a turn and checks what must hold after each.
func (b *bench) run(ctx context.Context, prompt string) End {
	b.Helper()
	end, err := Run(ctx, b.cfg, &b.state, Turn{Session: Event{Session: "s1", Root: "/r"}, Prompt: prompt})
	if err != nil {
		b.Fatal(err)
	}
	b.check()
	return end
}

// check folds the log again and compares: what is sent is what was stored.
func (b *bench) check() {
	b.Helper()
	var again State
	for _, e := range b.log.events {
		if err := again.Apply(e); err != nil {
			b.Fatal(err)
		}
	}
	want, _ := json.Marshal(b.state.Messages)
	got, _ := json.Marshal(again.Messages)
	if string(want) != string(got) || again.Usage.Total() != b.state.Usage.Total() || again.Step != b.state.Step {
		b.Fatalf("the log gives\n%s\nthe loop has\n%s", got, want)
	}
	if err := ValidTranscript(again.Messages); err != nil {
		b.Fatal(err)
	}
	if len(again.calls) > 0 {
		b.Fatalf("calls without results: %v", again.pending())
	}
}

// results are the results of the session by call.
func (b *bench) results() map[string]CallResult {
	out := map[string]CallResult{}
	for _, e := range b.log.of(EventResults) {
		for _, bl := range e.Message.Blocks {
			if bl.Result != nil {
				out[bl.Result.ID] = *bl.Result
			}
		}
	}
	return out
}
