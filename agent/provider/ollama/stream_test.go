package ollama

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/providertest"
	"github.com/topo-dev/topo/agent/provider/wire"
)

var update = flag.Bool("update", false, "write the golden files anew")

func ask(text string) agent.Request {
	return agent.Request{Model: "m", Messages: []agent.Message{agent.UserText(text)}}
}

// read reads lines as an answer to a request in a window of tokens.
func read(t *testing.T, window int, req agent.Request, lines ...string) (agent.Response, error) {
	t.Helper()
	p, err := New(wire.Config{Context: window})
	if err != nil {
		t.Fatal(err)
	}
	return newReader(p, req).read(strings.NewReader(strings.Join(lines, "\n")+"\n"), func(agent.Delta) {})
}

func end(reason string, prompt, output int) string {
	return fmt.Sprintf(`{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":%q,"prompt_eval_count":%d,"eval_count":%d}`, reason, prompt, output)
}

func TestStream(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"thinking, text, call, text", []string{`{"message":{"thinking":"h"}}`, `{"message":{"thinking":"m"}}`, `{"message":{"content":"a"}}`, `{"message":{"tool_calls":[{"function":{"name":"ls","arguments":{"b":1,"a":"<"}}}]}}`, `{"message":{"content":"b"}}`, end("stop", 9, 2)},
			`thinking hm | text a | call call_1 {"b":1,"a":"<"} | text b`},
		{"text with the last line", []string{`{"message":{"content":"a"},"done":true,"done_reason":"stop"}`}, "text a"},
		{"arguments as a string", []string{`{"message":{"tool_calls":[{"id":"x","function":{"name":"ls","arguments":"{}"}}]}}`, end("stop", 9, 2)}, `call x {} the input is valid JSON but no object; send an object that fits the tool's schema`},
		{"arguments missing", []string{`{"message":{"tool_calls":[{"function":{"name":"ls"}},{"function":{"name":"ls","arguments":null}}]}}`, end("stop", 9, 2)}, `call call_1 {} | call call_2 {}`},
		{"nothing", []string{"", " ", `{}`, end("stop", 9, 0)}, ""},
		{"no last line", []string{`{"message":{"content":"a"}}`}, "!protocol"},
		{"last line cut", []string{`{"message":{"content":"a"}}`, end("stop", 9, 2)[:60]}, "!protocol"},
		{"error", []string{`{"message":{"content":"a"}}`, `{"error":"model runner has unexpectedly stopped"}`}, "!server"},
	} {
		res, err := read(t, 0, ask("x"), c.lines...)
		var out []string
		for _, b := range res.Message.Blocks {
			s := string(b.Kind) + " " + b.Text
			if b.Call != nil {
				s = strings.TrimSpace("call " + b.Call.ID + " " + string(b.Call.Input) + " " + b.Call.Invalid)
			}
			out = append(out, s)
		}
		got := strings.Join(out, " | ")
		var pe *agent.ProviderError
		if errors.As(err, &pe) {
			got = "!" + string(pe.Kind)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s (%v)", c.name, got, c.want, err)
		}
	}
}

// An answer to a part of the request is no answer.
func TestWindow(t *testing.T) {
	code := strings.Repeat("func (p *Provider) Stream(ctx context.Context) error {\n", 400) // 22,000 bytes, at least 2,750 tokens
	for _, c := range []struct {
		name   string
		window int
		line   string
		want   agent.StopReason // "" for an error of kind context
	}{
		{"fits", 8000, end("stop", 5500, 2), agent.StopEnd},
		{"not said", 8000, end("stop", 0, 2), agent.StopEnd},
		{"a server that leaves out what it cached", 8000, end("stop", 12, 2), agent.StopEnd},
		{"read less than was sent", 4000, end("stop", 2600, 2), ""},
		{"filled to the brim", 4000, end("stop", 4000, 2), ""},
		{"asked for length", 8000, end("length", 5500, 100), agent.StopMaxTokens},
		{"the answer met the window", 6000, end("length", 5500, 500), agent.StopContext},
	} {
		res, err := read(t, c.window, ask(code), `{"message":{"content":"a"}}`, c.line)
		var pe *agent.ProviderError
		if c.want == "" {
			if !errors.As(err, &pe) || pe.Kind != agent.ErrContext || pe.Retryable() || !strings.Contains(pe.Message, fmt.Sprintf("%d tokens (num_ctx)", c.window)) {
				t.Errorf("%s: %+v, %v", c.name, res, err)
			}
		} else if err != nil || res.Stop != c.want {
			t.Errorf("%s: %s, %v, want %s", c.name, res.Stop, err, c.want)
		}
	}
}

// What cannot fit is not sent.
func TestTooLongToSend(t *testing.T) {
	srv := providertest.New(providertest.Turn{providertest.Text("a")})
	defer srv.Close()
	p, err := New(wire.Config{BaseURL: srv.URL, Context: 1000})
	if err != nil {
		t.Fatal(err)
	}
	var pe *agent.ProviderError
	_, err = p.Stream(t.Context(), ask(strings.Repeat("many words ", 1000)), func(agent.Delta) {})
	if !errors.As(err, &pe) || pe.Kind != agent.ErrContext || len(srv.Requests()) != 0 {
		t.Errorf("%v, %d requests", err, len(srv.Requests()))
	}
	if _, err := p.Stream(t.Context(), ask(strings.Repeat("-", 20000)), func(agent.Delta) {}); err != nil { // few tokens, for all that
		t.Error(err)
	}
}

func TestAdvice(t *testing.T) {
	missing := providertest.Fault{Status: 404, Message: `model "m" not found`}
	srv := providertest.New(providertest.Turn{providertest.Step{HTTP: &missing}})
	p, err := New(wire.Config{BaseURL: srv.URL})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Stream(t.Context(), ask("x"), func(agent.Delta) {}); err == nil || !strings.Contains(err.Error(), "ollama pull m") {
		t.Error(err)
	}
	srv.Close()
	cfg := wire.Config{BaseURL: srv.URL}
	cfg.Retry.Attempts = 1
	if p, err = New(cfg); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Stream(t.Context(), ask("x"), func(agent.Delta) {}); err == nil || !strings.Contains(err.Error(), "ollama serve") {
		t.Error(err)
	}
}

// A model on this machine costs nothing; one in the cloud an unknown price.
func TestPrice(t *testing.T) {
	res, err := read(t, 0, ask("x"), end("stop", 9, 2))
	if err != nil || res.Usage.USD == nil || *res.Usage.USD != 0 || res.Usage.Input != 9 || res.Usage.Output != 2 {
		t.Errorf("%+v, %v", res.Usage, err)
	}
	res, err = read(t, 0, ask("x"), strings.Replace(end("stop", 9, 2), `"m"`, `"big:480b-cloud"`, 1))
	if err != nil || res.Usage.USD != nil {
		t.Errorf("%+v, %v", res.Usage, err)
	}
}

func TestGolden(t *testing.T) {
	srv := providertest.New(providertest.Turn{providertest.Text("ok")})
	defer srv.Close()
	p, err := New(wire.Config{BaseURL: srv.URL, Context: 16384})
	if err != nil {
		t.Fatal(err)
	}
	req := agent.Request{
		Model: "m", System: "You are an agent.", MaxTokens: 1000, Effort: "low", Schema: json.RawMessage(`{"type":"object"}`),
		Tools: []agent.ToolSpec{{Name: "ls", Description: "Lists.", Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"},"all":{"type":"boolean"}}}`)}},
		Messages: []agent.Message{agent.UserText("Fix it."),
			{Role: agent.Assistant, Blocks: []agent.Block{{Kind: agent.BlockThinking, Text: "hm"}, {Kind: agent.BlockThinking, Text: "signed", Signature: "c2ln"},
				{Kind: agent.BlockCall, Call: &agent.Call{ID: "c1", Name: "ls", Input: json.RawMessage(`{"path":"<a>"}`)}}}},
			{Role: agent.Assistant},
			{Role: agent.User, Blocks: []agent.Block{{Kind: agent.BlockText, Text: "Go on."}, {Kind: agent.BlockResult, Result: &agent.CallResult{ID: "c1", Content: "no such folder", IsError: true}}}}},
	}
	if _, err := p.Stream(t.Context(), req, func(agent.Delta) {}); err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := json.Indent(&got, srv.Requests()[0].Body, "", " "); err != nil {
		t.Fatal(err)
	}
	got.WriteByte('\n')
	if *update {
		if err := os.WriteFile("testdata/chat.json", got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/chat.json")
	if err != nil || !bytes.Equal(got.Bytes(), want) {
		t.Errorf("testdata/chat.json (run with -update after a look at the difference): %v\n%s", err, got.Bytes())
	}
}
