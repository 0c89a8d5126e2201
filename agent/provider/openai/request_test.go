package openai

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/providertest"
	"github.com/topo-dev/topo/agent/provider/wire"
)

var update = flag.Bool("update", false, "write the golden files anew")

func ask() agent.Request {
	return agent.Request{
		Model: "anthropic/m", System: "You are an agent.", MaxTokens: 1000, Effort: "low",
		Schema: json.RawMessage(`{"type":"object","properties":{"z":{},"a":{}}}`),
		Tools:  []agent.ToolSpec{{Name: "ls", Description: "Lists.", Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"},"all":{"type":"boolean"}},"required":["path"]}`)}},
		Messages: []agent.Message{agent.UserText("Fix it."), {Role: agent.Assistant, Blocks: []agent.Block{
			{Kind: agent.BlockThinking, Text: "hm", Signature: `[{"type":"reasoning.text","text":"hm","signature":"c2ln"}]`},
			{Kind: agent.BlockThinking, Text: "of another API", Signature: "c2ln"},
			{Kind: agent.BlockText, Text: "I look."},
			{Kind: agent.BlockCall, Call: &agent.Call{ID: "c1", Name: "ls", Input: json.RawMessage(`{"path": "\u003ca\u003e"}`)}},
			{Kind: agent.BlockCall, Call: &agent.Call{ID: "c2", Name: "no such", Input: json.RawMessage(`{}`), Invalid: "x"}}}},
			{Role: agent.User, Blocks: []agent.Block{
				{Kind: agent.BlockText, Text: "Go on."},
				{Kind: agent.BlockResult, Result: &agent.CallResult{ID: "c1", Content: "main.go"}},
				{Kind: agent.BlockResult, Result: &agent.CallResult{ID: "c2", Content: "no such tool", IsError: true}}}}},
	}
}

func body(t *testing.T, f Flavour, req agent.Request) []byte {
	t.Helper()
	srv := providertest.New(providertest.Turn{providertest.Text("ok")})
	defer srv.Close()
	p, err := New(f, wire.Config{BaseURL: srv.OpenAI(), Agent: "topo/test"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Stream(t.Context(), req, func(agent.Delta) {}); err != nil {
		t.Fatal(err)
	}
	if got := srv.Requests()[0].Header.Get("User-Agent"); got != "topo/test" {
		t.Errorf("User-Agent: %s", got)
	}
	return srv.Requests()[0].Body
}

// One request as each flavour sends it.
func TestGolden(t *testing.T) {
	for _, f := range []Flavour{OpenAI, OpenRouter, VLLM} {
		var got bytes.Buffer
		if err := json.Indent(&got, body(t, f, ask()), "", " "); err != nil {
			t.Fatal(err)
		}
		got.WriteByte('\n')
		name := "testdata/" + f.Name + ".json"
		if *update {
			if err := os.WriteFile(name, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil || !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%s (run with -update after a look at the difference): %v\n%s", name, err, got.Bytes())
		}
	}
}

// The key of the cache is that of the session: the same while it grows, another
// for another task.
func TestCacheKey(t *testing.T) {
	req := ask()
	longer, other := req, req
	longer.Messages = append(longer.Messages, agent.UserText("more"))
	other.Messages = []agent.Message{agent.UserText("Something else.")}
	if cacheKey(req) != cacheKey(longer) || cacheKey(req) == cacheKey(other) || strings.Contains(cacheKey(req), "Fix") {
		t.Errorf("%s %s %s", cacheKey(req), cacheKey(longer), cacheKey(other))
	}
	_ = cacheKey(agent.Request{})
}
