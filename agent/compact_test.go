package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// wordy is a tool whose answers fill the window.
func wordy(n int) fn {
	t := echo("read")
	t.run = func(_ context.Context, in json.RawMessage) (Output, error) {
		return Output{Text: string(in) + "\n" + strings.Repeat("line of text\n", n/13)}, nil
	}
	return t
}

// filling is a session of n steps that read, after a first that writes and
// keeps a list.
func filling(n int, last ...turn) []turn {
	first := reply(StopCalls, call("w", "write", `{"path":"src/login.go"}`), call("t", "todo", `{"items":["mend login"]}`))
	turns := []turn{first}
	for i := range n {
		turns = append(turns, reply(StopCalls, text(fmt.Sprintf("Reading %d.", i)), call(fmt.Sprint("r", i), "read", fmt.Sprintf(`{"n":%d}`, i))))
	}
	for i := range turns {
		turns[i] = uncounted(turns[i])
	}
	return append(turns, last...)
}

// uncounted is a turn of a provider that counts no tokens, so that the estimate
// counts.
func uncounted(t turn) turn {
	return func(ctx context.Context, r Request, emit func(Delta)) (Response, error) {
		resp, err := t(ctx, r, emit)
		resp.Usage = Usage{}
		return resp, err
	}
}

func fillingTools(n int) []Tool {
	write := echo("write")
	write.ro, write.access = false, onPath(OpWrite)
	todo := echo("todo")
	return []Tool{wordy(n), write, todo}
}

func TestCompactionBySummary(t *testing.T) {
	b := newBench(t, fillingTools(6000), filling(3, say("SUMMARY of it"), say("done"))...)
	b.cfg.Window = 7000
	end := b.run(context.Background(), "fix the login")
	c := b.log.of(EventCompaction)
	if end.Outcome != OutcomeDone || len(c) != 1 || !strings.HasPrefix(c[0].Text, "summary:") {
		t.Fatalf("%+v, %+v", end, c)
	}
	head := c[0].Messages[0].Text()
	for _, want := range []string{"fix the login", "SUMMARY of it", "src/login.go", "mend login"} {
		if !strings.Contains(head, want) {
			t.Errorf("the transcript lost %q:\n%s", want, head)
		}
	}
	ask := b.ai.requests[len(b.ai.requests)-2]
	if ask.Messages[len(ask.Messages)-1].Blocks[1].Text != summaryPrompt || ask.System != b.cfg.System {
		t.Error("the request for the summary does not extend the one before it")
	}
	// The original stays in the log.
	raw, _ := json.Marshal(b.log.events)
	if !strings.Contains(string(raw), `{\"n\":0}\nline of text`) {
		t.Error("the log lost the original")
	}
}

func TestCompactionWithoutModel(t *testing.T) {
	for name, c := range map[string]struct {
		steps, size int
		method      string
	}{
		"results": {12, 3000, "results:"},
		"digest":  {3, 9000, "digest:"},
	} {
		turns := filling(c.steps)
		ok := len(turns)
		b := newBench(t, fillingTools(c.size), turns...)
		plan := b.ai.turns
		b.ai.turns = nil
		n := 0
		for range ok + 8 {
			b.ai.turns = append(b.ai.turns, func(ctx context.Context, r Request, emit func(Delta)) (Response, error) {
				if last := r.Messages[len(r.Messages)-1]; strings.Contains(last.Text(), "grown too long") {
					return Response{}, errors.New("no summary today")
				}
				if n == ok {
					return say("done")(ctx, r, emit)
				}
				n++
				return plan[n-1](ctx, r, emit)
			})
		}
		b.cfg.Window = 10_000
		end := b.run(context.Background(), "fix the login")
		got := b.log.of(EventCompaction)
		if end.Outcome != OutcomeDone || len(got) == 0 || !strings.HasPrefix(got[0].Text, c.method) {
			t.Errorf("%s: %+v, %d compactions", name, end, len(got))
			for _, e := range got {
				t.Log(e.Text)
			}
			continue
		}
		raw, _ := json.Marshal(got[len(got)-1].Messages)
		for _, want := range []string{"fix the login", "src/login.go", "mend login"} {
			if !strings.Contains(string(raw), want) {
				t.Errorf("%s: the transcript lost %q", name, want)
			}
		}
	}
}

// TestContextError shortens at once when the provider says that the transcript
// is too long, whatever the estimate said.
func TestContextError(t *testing.T) {
	turns := filling(4)
	turns = append(turns, fails(&ProviderError{Provider: "p", Kind: ErrContext, Message: "too long"}), say("done"))
	b := newBench(t, fillingTools(6000), turns...)
	if end := b.run(context.Background(), "fix the login"); end.Outcome != OutcomeDone {
		t.Fatalf("%+v", end)
	}
	if c := b.log.of(EventCompaction); len(c) != 1 {
		t.Errorf("%d compactions", len(c))
	}
	// A window that fills up while the model writes.
	b = newBench(t, fillingTools(6000), append(filling(4), reply(StopContext, text("half")), say("SUMMARY"), say("done"))...)
	if end := b.run(context.Background(), "fix the login"); end.Outcome != OutcomeDone || len(b.log.of(EventCompaction)) != 1 {
		t.Errorf("%+v, %d compactions", end, len(b.log.of(EventCompaction)))
	}
}

// TestCompactionFits: whatever the transcript, what compaction leaves is valid,
// and shorter than what it should come under.
func TestCompactionFits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		b := newBench(t, fillingTools(10))
		cfg, err := b.cfg.check()
		if err != nil {
			t.Fatal(err)
		}
		cfg.Window = 5000 + r.IntN(20000)
		l := &loop{cfg: &cfg, emitter: newEmitter(&cfg, &b.state, func() {}), repeats: newRepeats()}
		for _, tool := range cfg.Tools {
			l.names, l.specs = append(l.names, tool.Spec().Name), append(l.specs, tool.Spec())
		}
		l.emit(Event{Event: EventSession, Session: "s"})
		prompt := UserText(strings.Repeat("word ", r.IntN(20000)))
		l.emit(Event{Event: EventPrompt, Message: &prompt})
		for i := range r.IntN(8) {
			m := Message{Role: Assistant, Blocks: []Block{text(strings.Repeat("t", r.IntN(3000)))}}
			res := Message{Role: User}
			for j := range 1 + r.IntN(4) {
				id := fmt.Sprint(i, "-", j)
				m.Blocks = append(m.Blocks, call(id, "read", `{}`))
				res.Blocks = append(res.Blocks, Block{Kind: BlockResult, Result: &CallResult{ID: id, Content: strings.Repeat("r", r.IntN(30000))}})
			}
			l.emit(Event{Event: EventMessage, Message: &m, Stop: StopCalls})
			l.emit(Event{Event: EventResults, Message: &res})
		}
		if l.failure() != nil {
			t.Fatal(l.failure())
		}
		l.full = 1 // no model
		before := l.contextTokens()
		l.compact(context.Background())
		after := l.contextTokens()
		if l.failure() != nil || ValidTranscript(b.state.Messages) != nil {
			t.Fatalf("%v, %v", l.failure(), ValidTranscript(b.state.Messages))
		}
		if before > cfg.Window && after > cfg.Window*8/10 {
			t.Errorf("window %d: %d tokens became %d", cfg.Window, before, after)
		}
	}
}
