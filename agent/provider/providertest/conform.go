package providertest

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/retry"
	"github.com/topo-dev/topo/agent/provider/wire"
)

// Subject is an adapter under test. The flags say what its wire format can
// express; what it can, the adapter must keep.
type Subject struct {
	New  func(wire.Config) (agent.Provider, error)
	Base func(*Server) string // the base URL to give to New

	Signatures bool // thinking has signatures, and can be encrypted
	Cache      bool // usage reports cached input
	Fragments  bool // input of calls comes in pieces, and may be no JSON
	Types      bool // errors inside a stream have a type
	Stops      []agent.StopReason
}

// Conform runs the whole suite.
func Conform(t *testing.T, s Subject) {
	for _, c := range []struct {
		name string
		run  func(*testing.T, Subject)
	}{
		{"messages", conformMessages},
		{"calls", conformCalls},
		{"ids", conformIDs},
		{"stops", conformStops},
		{"styles", conformStyles},
		{"early ends", conformEnds},
		{"status", conformStatus},
		{"inside", conformInside},
		{"waits", conformWaits},
		{"bounds", conformBounds},
		{"cancel", conformCancel},
		{"watchdog", conformWatchdog},
		{"bytes", conformBytes},
		{"secrets", conformSecrets},
		{"connection", conformConnection},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, s) })
	}
}

// run is one exchange with a subject and everything seen of it.
type run struct {
	Server *Server
	Res    agent.Response
	Err    error
	Deltas []agent.Delta
	Slept  []time.Duration
}

// ask is a small request with a tool and a history of one call.
func ask() agent.Request {
	return agent.Request{
		Model:  "test-model",
		System: "You are a test.",
		Tools: []agent.ToolSpec{
			{Name: "ls", Description: "Lists <files> & folders.", Schema: json.RawMessage(`{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"integer"}},"required":["z"]}`)},
			{Name: "read", Description: "Reads.", Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}}}`)},
		},
		Messages: []agent.Message{
			agent.UserText("Do it."),
			{Role: agent.Assistant, Blocks: []agent.Block{{Kind: agent.BlockText, Text: "I look."},
				{Kind: agent.BlockCall, Call: &agent.Call{ID: "old_1", Name: "ls", Input: json.RawMessage(`{"z":"<a&b>"}`)}}}},
			{Role: agent.User, Blocks: []agent.Block{{Kind: agent.BlockResult, Result: &agent.CallResult{ID: "old_1", Content: "main.go", IsError: true}}}},
		},
	}
}

// play runs one request against a script over a real connection.
func (s Subject) play(t *testing.T, turns ...Turn) run {
	t.Helper()
	srv := New(turns...)
	t.Cleanup(srv.Close)
	return s.with(t, srv, ask(), nil)
}

// with runs a request against a server, with what tune changes of the
// configuration. Waits are recorded and not waited.
func (s Subject) with(t *testing.T, srv *Server, req agent.Request, tune func(*wire.Config)) run {
	t.Helper()
	out := run{Server: srv}
	cfg := wire.Config{BaseURL: s.Base(srv), Key: wire.NewSecret("test-key-1234567890"), Retry: retry.Policy{
		Rand:  func() float64 { return 1 },
		Sleep: func(ctx context.Context, d time.Duration) error { out.Slept = append(out.Slept, d); return ctx.Err() },
	}}
	if tune != nil {
		tune(&cfg)
	}
	p, err := s.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	out.Res, out.Err = p.Stream(t.Context(), req, func(d agent.Delta) { out.Deltas = append(out.Deltas, d) })
	return out
}

// kinds is the sequence of kinds of deltas, repetitions as one.
func (r run) kinds() string {
	var out []string
	for _, d := range r.Deltas {
		if n := len(out); n == 0 || out[n-1] != string(d.Kind) {
			out = append(out, string(d.Kind))
		}
	}
	return strings.Join(out, " ")
}

// joined is the text of all deltas of a kind since the last reset.
func (r run) joined(kind agent.DeltaKind) (s string) {
	for _, d := range r.Deltas {
		if d.Kind == agent.DeltaReset {
			s = ""
		} else if d.Kind == kind {
			s += d.Text
		}
	}
	return s
}

func (r run) ok(t *testing.T) run {
	t.Helper()
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	return r
}

// shape writes a message as one line for comparison.
func shape(m agent.Message) string {
	var out []string
	for _, b := range m.Blocks {
		s := string(b.Kind)
		switch {
		case b.Call != nil:
			s += " " + b.Call.Name + " " + string(b.Call.Input)
			if b.Call.Invalid != "" {
				s += " invalid"
			}
		default:
			s += " " + b.Text
		}
		out = append(out, s)
	}
	return strings.Join(out, " | ")
}

func conformMessages(t *testing.T, s Subject) {
	r := s.play(t, Turn{Ping(), Think("c2lnbmF0dXJl", "Let me ", "think."), Text("Hel", "", "lo ", "wörld"), Unknown()}).ok(t)
	if got := shape(r.Res.Message); got != "thinking Let me think. | text Hello wörld" {
		t.Errorf("message: %s", got)
	}
	if r.Res.Stop != agent.StopEnd || r.Res.Model != "test-model" || r.Res.Message.Role != agent.Assistant {
		t.Errorf("%+v", r.Res)
	}
	if r.joined(agent.DeltaText) != "Hello wörld" || r.joined(agent.DeltaThinking) != "Let me think." || r.kinds() != "thinking text" {
		t.Errorf("deltas: %+v", r.Deltas)
	}
	want := DefaultUsage
	if !s.Cache {
		want = agent.Usage{Input: want.Input + want.CacheRead + want.CacheWrite, Output: want.Output}
	}
	got := r.Res.Usage
	if got.USD = nil; got != want {
		t.Errorf("usage %+v, want %+v", got, want)
	}
	if r := s.play(t, Turn{}).ok(t); len(r.Res.Message.Blocks) != 0 || r.Res.Stop != agent.StopEnd {
		t.Errorf("an empty message: %+v", r.Res)
	}
	if s.Signatures {
		conformThinking(t, s)
	}
}

// Thinking goes back to the server with its signature, the encrypted too.
func conformThinking(t *testing.T, s Subject) {
	srv := New(Turn{Think("c2lnbmF0dXJl", "hm"), Step{Redacted: "ZW5jcnlwdGVk"}, Use("c1", "ls", `{"z":"."}`)}, Turn{Text("ok")})
	defer srv.Close()
	req := ask()
	first := s.with(t, srv, req, nil).ok(t)
	req.Messages = append(req.Messages, first.Res.Message, agent.Message{Role: agent.User, Blocks: []agent.Block{
		{Kind: agent.BlockResult, Result: &agent.CallResult{ID: "c1", Content: "a"}}}})
	s.with(t, srv, req, nil).ok(t)
	for _, want := range []string{"c2lnbmF0dXJl", "ZW5jcnlwdGVk", "hm"} {
		if !srv.Requests()[1].Holds(want) {
			t.Errorf("%q did not go back to the server:\n%s", want, srv.Requests()[1].Body)
		}
	}
}

func conformCalls(t *testing.T, s Subject) {
	for _, c := range []struct {
		name, want string
		turn       Turn
		pieces     bool
	}{
		{"fragments", `call read {"path":"a/b"}`, Turn{Use("c", "read", `{"pa`, "", `th":"a`, `/b"}`)}, false},
		{"whole", `call read {"path":"a"}`, Turn{Use("c", "read", ` {"path" : "a"} `)}, false},
		{"no input", `call ls {}`, Turn{Use("c", "ls")}, false},
		{"empty object", `call ls {}`, Turn{Use("c", "ls", "{}")}, false},
		{"empty fragments", `call ls {}`, Turn{Use("c", "ls", "", "")}, true},
		{"html", `call ls {"z":"<&>` + "\u2028" + `"}`, Turn{Use("c", "ls", "{\"z\":\"\\u003c&>\u2028\"}")}, false},
		{"after text", `text I read. | call read {"path":"a"}`, Turn{Text("I read."), Use("c", "read", `{"path":"a"}`)}, false},
		{"several", `call ls {"z":"1"} | call read {"path":"2"} | call ls {"z":"3"}`,
			Turn{Use("a", "ls", `{"z":"1"}`), Use("b", "read", `{"path":"2"}`), Use("c", "ls", `{"z":"3"}`)}, false},
		{"interleaved", `call ls {"z":"1"} | call read {"path":"2"}`,
			Turn{Step{Calls: []Call{{ID: "a", Name: "ls", Input: []string{`{"z"`, `:"1"`, `}`}}, {ID: "b", Name: "read", Input: []string{`{"path"`, `:"2"}`}}}}}, false},
		{"cut", `call read {} invalid`, Turn{Use("c", "read", `{"path":"a`)}, true},
		{"more than one value", `call read {} invalid`, Turn{Use("c", "read", `{"path":"a"}{"path":"b"}`)}, true},
		{"looks whole", `call read {} invalid`, Turn{Use("c", "read", `{"a":{"path":"a"}`)}, true},
		{"no JSON", `call read {} invalid`, Turn{Use("c", "read", "path=a")}, false},
		{"list", `call read {} invalid`, Turn{Use("c", "read", `["a"]`)}, false},
		{"number", `call read {} invalid`, Turn{Use("c", "read", `7`)}, false},
		{"null", `call read {} invalid`, Turn{Use("c", "read", `null`)}, true},
		{"one of two is bad", `call ls {"z":"1"} | call read {} invalid`, Turn{Use("a", "ls", `{"z":"1"}`), Use("b", "read", `{"`)}, true},
	} {
		if c.pieces && !s.Fragments {
			continue
		}
		r := s.play(t, c.turn).ok(t)
		if got := shape(r.Res.Message); got != c.want || r.Res.Stop != agent.StopCalls {
			t.Errorf("%s: %s, stop %s, want %s", c.name, got, r.Res.Stop, c.want)
		}
		checkCallDeltas(t, c.name, r)
	}
}

// checkCallDeltas compares what was passed on of calls with the message.
func checkCallDeltas(t *testing.T, name string, r run) {
	t.Helper()
	inputs := map[int]string{}
	var seen []string
	for _, d := range r.Deltas {
		switch d.Kind {
		case agent.DeltaCall:
			if d.Index != len(seen) {
				t.Errorf("%s: call %d is announced as number %d", name, len(seen), d.Index)
			}
			seen = append(seen, d.ID+" "+d.Name)
		case agent.DeltaInput:
			if d.Index >= len(seen) {
				t.Errorf("%s: input of call %d before it is announced", name, d.Index)
			}
			inputs[d.Index] += d.Text
		}
	}
	for i, c := range r.Res.Message.Calls() {
		if !slices.Contains(seen, c.ID+" "+c.Name) {
			t.Errorf("%s: call %s was never announced in %q", name, c.ID, seen)
		}
		if in := string(wire.Canonical([]byte(inputs[i]))); c.Invalid == "" && in != string(c.Input) && in != "" {
			t.Errorf("%s: input passed on %s, in the message %s", name, in, c.Input)
		}
	}
}

// Every call has an id that no other call of the transcript has.
func conformIDs(t *testing.T, s Subject) {
	r := s.play(t, Turn{Use("", "ls"), Use("same", "ls"), Use("same", "read"), Use("old_1", "ls"), Use("call_4", "ls"), Use("", "ls")}).ok(t)
	ids := map[string]bool{"old_1": true}
	for _, c := range r.Res.Message.Calls() {
		if c.ID == "" || ids[c.ID] {
			t.Errorf("id %q is empty or not the only one in %s", c.ID, shape(r.Res.Message))
		}
		ids[c.ID] = true
	}
	if len(ids) != 7 || !ids["same"] {
		t.Errorf("ids %v: want seven, the first of two kept", ids)
	}
	checkCallDeltas(t, "ids", r)
}

func conformStops(t *testing.T, s Subject) {
	for _, why := range s.Stops {
		if r := s.play(t, Turn{Text("a"), Stop(why)}).ok(t); r.Res.Stop != why {
			t.Errorf("%s came as %s", why, r.Res.Stop)
		}
	}
	for _, c := range []struct {
		name string
		turn Turn
		want agent.StopReason
	}{
		{"done, with calls", Turn{Use("c", "ls"), Stop(agent.StopEnd)}, agent.StopCalls},
		{"calls, with none", Turn{Text("a"), Stop(agent.StopCalls)}, agent.StopEnd},
		{"a reason of the future", Turn{Text("a"), Stop("retired")}, agent.StopEnd},
	} {
		if r := s.play(t, c.turn).ok(t); r.Res.Stop != c.want {
			t.Errorf("%s: %s, want %s", c.name, r.Res.Stop, c.want)
		}
	}
	if !s.Fragments {
		return
	}
	for _, in := range [][]string{{`{"path":"a`}, {}, {""}} { // a call that was cut is not run, also when nothing of it came
		r := s.play(t, Turn{Use("a", "ls", `{"z":"1"}`), Use("b", "read", in...), Stop(agent.StopMaxTokens)}).ok(t)
		if got := shape(r.Res.Message); got != `call ls {"z":"1"} | call read {} invalid` || r.Res.Stop != agent.StopMaxTokens {
			t.Errorf("cut after %q: %s, %s", in, got, r.Res.Stop)
		}
	}
}

// However a server writes, the message is the same, and several requests at once
// do not mix.
func conformStyles(t *testing.T, s Subject) {
	turn := Turn{Ping(), Think("c2ln", "hm"), Text("a\n\ndata: b\r\n", "\ufeffc"), Unknown(), Use("c", "read", `{"path":`, `"\n"}`), Ping()}
	want := s.play(t, turn).ok(t).Res
	styles := []Style{{CRLF: true}, {BOM: true}, {Bytes: true}, {CRLF: true, BOM: true, Bytes: true}}
	srv := NewFunc(func(Recorded) Turn { return turn })
	defer srv.Close()
	for _, style := range styles {
		srv.SetStyle(style)
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				r := s.with(t, srv, ask(), nil)
				if r.Err != nil || shape(r.Res.Message) != shape(want.Message) || r.Res.Usage.Total() != want.Usage.Total() {
					t.Errorf("%+v: %v, %q, want %q", style, r.Err, shape(r.Res.Message), shape(want.Message))
				}
			})
		}
		wg.Wait()
	}
}
