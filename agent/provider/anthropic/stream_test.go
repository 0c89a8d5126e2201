package anthropic

import (
	"errors"
	"strings"
	"testing"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/providertest"
	"github.com/topo-dev/topo/agent/provider/wire"
)

// read reads lines of data as an answer.
func read(t *testing.T, data ...string) (agent.Response, error) {
	t.Helper()
	p, err := New(wire.Config{BaseURL: "http://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	body := "data: " + strings.Join(data, "\n\ndata: ") + "\n\n"
	return newReader(p.wire, agent.Request{Model: "asked"}).read(strings.NewReader(body), func(agent.Delta) {})
}

const (
	start = `{"type":"message_start","message":{"model":"m","usage":{"input_tokens":9,"output_tokens":1,"cache_read_input_tokens":null}}}`
	text0 = `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"in"}}`
	add0  = `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"itial"}}`
	stop0 = `{"type":"content_block_stop","index":0}`
	call1 = `{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"c","name":"n","input":{"a":1}}}`
	add1  = `{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"b\":2}"}}`
	stop1 = `{"type":"content_block_stop","index":1}`
	ended = `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}`
	done  = `{"type":"message_stop"}`
)

func TestStream(t *testing.T) {
	for _, c := range []struct {
		name string
		data []string
		want string // text and inputs, or a part of the error after "!"
	}{
		{"text at the start of a block", []string{start, text0, add0, stop0, ended, done}, "initial"},
		{"blocks interleaved", []string{start, text0, call1, add1, add0, stop1, stop0, ended, done}, `initial {"b":2}`},
		{"input whole at the start", []string{start, call1, stop1, ended, done}, `{"a":1}`},
		{"input whole, block never ended", []string{start, call1, ended, done}, `{"a":1}`},
		{"nothing between", []string{start, ended, done}, ""},
		{"no message_start", []string{text0, add0, ended, done}, "initial"},
		{"unknown block", []string{start, `{"type":"content_block_start","index":0,"content_block":{"type":"hologram","rays":[1]}}`, add0, stop0, ended, done}, ""},
		{"unknown piece", []string{start, text0, `{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":{"text":7}}}`, add0, ended, done}, "initial"},
		{"unknown event that is no object", []string{start, `[1,2]`, `{"type":"later","index":"x"}`, text0, add0, ended, done}, "!not valid"},
		{"unknown event with odd fields", []string{start, `{"type":"later","index":"x"}`, text0, add0, ended, done}, "initial"},
		{"no stop reason", []string{start, text0, add0, stop0, done}, "!without a reason"},
		{"null stop reason", []string{start, text0, `{"type":"message_delta","delta":{"stop_reason":null}}`, done}, "!without a reason"},
		{"no message_stop", []string{start, text0, add0, stop0, ended}, "!ended before"},
		{"piece of no block", []string{start, add0, ended, done}, "!never began"},
		{"piece after the end", []string{start, text0, stop0, add0, ended, done}, "!after its end"},
		{"block twice", []string{start, text0, text0, ended, done}, "!began twice"},
		{"broken event", []string{start, `{"type":"content_block_delta","index":"zero"}`, done}, "!not valid"},
		{"after the message", []string{start, text0, add0, ended, done, "garbage"}, "initial"},
	} {
		res, err := read(t, c.data...)
		got := res.Message.Text()
		for _, call := range res.Message.Calls() {
			got = strings.TrimSpace(got + " " + string(call.Input))
		}
		if err != nil {
			got = "!" + err.Error()
			var pe *agent.ProviderError
			if !errors.As(err, &pe) || pe.Kind != agent.ErrProtocol || !pe.Retryable() {
				t.Errorf("%s: %v is not an error to retry", c.name, err)
			}
		}
		if strings.HasPrefix(c.want, "!") != strings.HasPrefix(got, "!") || !strings.Contains(got, strings.TrimPrefix(c.want, "!")) || err == nil && got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// The count that came last of each kind counts, and null is none.
func TestUsage(t *testing.T) {
	res, err := read(t, start, `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5,"input_tokens":null,"cache_read_input_tokens":3,"cache_creation_input_tokens":-1}}`, done)
	if want := (agent.Usage{Input: 9, Output: 5, CacheRead: 3}); err != nil || res.Usage != want || res.Model != "m" {
		t.Errorf("%+v, %v", res, err)
	}
	res, err = read(t, strings.Replace(start, `"m"`, `"claude-sonnet-5-5"`, 1), ended, done)
	if err != nil || res.Usage.USD == nil || *res.Usage.USD != (9*2+5*10)/1e6 {
		t.Errorf("%+v, %v", res.Usage, err)
	}
}

// Thinking that the server refuses, because the model or the conversation was
// changed, is left out of a second request.
func TestThinkingThatIsRefused(t *testing.T) {
	refusal := providertest.Turn{providertest.Step{HTTP: &providertest.Fault{Kind: agent.ErrRequest, Message: "messages.1.content.0: Invalid `signature` in `thinking` block"}}}
	srv := providertest.New(refusal, providertest.Turn{providertest.Text("ok")}, refusal)
	defer srv.Close()
	p, err := New(wire.Config{BaseURL: srv.URL})
	if err != nil {
		t.Fatal(err)
	}
	req := agent.Request{Model: "claude-sonnet-5-5", Messages: []agent.Message{agent.UserText("a"),
		{Role: agent.Assistant, Blocks: []agent.Block{{Kind: agent.BlockThinking, Text: "secret plan", Signature: "c2ln"}, {Kind: agent.BlockText, Text: "b"}}}, agent.UserText("c")}}
	var kinds []agent.DeltaKind
	res, err := p.Stream(t.Context(), req, func(d agent.Delta) { kinds = append(kinds, d.Kind) })
	got := srv.Requests()
	if err != nil || res.Message.Text() != "ok" || len(got) != 2 || kinds[0] != agent.DeltaRetry {
		t.Fatalf("%+v, %v, %d requests, %v", res, err, len(got), kinds)
	}
	if !got[0].Holds("secret plan") || got[1].Holds("secret plan") || got[1].Holds("c2ln") {
		t.Errorf("%s\n%s", got[0].Body, got[1].Body)
	}
	req.Messages = req.Messages[:1] // nothing to leave out: the error is the user's
	if _, err := p.Stream(t.Context(), req, func(agent.Delta) {}); err == nil || len(srv.Requests()) != 3 {
		t.Errorf("%v, %d requests", err, len(srv.Requests()))
	}
}
