package anthropic

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/providertest"
	"github.com/topo-dev/topo/agent/provider/wire"
)

var update = flag.Bool("update", false, "write the golden files anew")

// loop is a transcript after n steps of a loop, each with calls calls.
func loop(n, calls int) agent.Request {
	req := agent.Request{
		Model: "claude-sonnet-5-5", System: "You are an agent.",
		Tools:    []agent.ToolSpec{{Name: "ls", Description: "Lists.", Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}}}`)}, {Name: "read", Schema: json.RawMessage(`{"type":"object"}`)}},
		Messages: []agent.Message{agent.UserText("Fix the <login>.")},
	}
	for i := range n {
		say := agent.Message{Role: agent.Assistant, Blocks: []agent.Block{{Kind: agent.BlockText, Text: fmt.Sprintf("Step %d.", i)}}}
		get := agent.Message{Role: agent.User}
		for k := range calls {
			id := fmt.Sprintf("c%d_%d", i, k)
			say.Blocks = append(say.Blocks, agent.Block{Kind: agent.BlockCall, Call: &agent.Call{ID: id, Name: "ls", Input: json.RawMessage(`{"path":"a&b"}`)}})
			get.Blocks = append(get.Blocks, agent.Block{Kind: agent.BlockResult, Result: &agent.CallResult{ID: id, Content: "main.go", IsError: k == 1}})
		}
		req.Messages = append(req.Messages, say, get)
	}
	return req
}

func body(t *testing.T, req agent.Request) []byte {
	t.Helper()
	srv := providertest.New(providertest.Turn{providertest.Text("ok")})
	defer srv.Close()
	p, err := New(wire.Config{BaseURL: srv.URL})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Stream(t.Context(), req, func(agent.Delta) {}); err != nil {
		t.Fatal(err)
	}
	return srv.Requests()[0].Body
}

var marker = regexp.MustCompile(`,?"cache_control":\{"type":"ephemeral"\},?`)

// bare is a body without its breakpoints, each replaced by a comma.
func bare(b []byte) []byte {
	b = marker.ReplaceAll(b, []byte(","))
	return bytes.ReplaceAll(bytes.ReplaceAll(b, []byte("{,"), []byte("{")), []byte(",}"), []byte("}"))
}

// prefix is what of a body is cached up to the end of its n-th message.
func prefix(t *testing.T, b []byte, n int) string {
	t.Helper()
	var req struct {
		Model    json.RawMessage   `json:"model"`
		System   json.RawMessage   `json:"system"`
		Tools    json.RawMessage   `json:"tools"`
		Messages []json.RawMessage `json:"messages"`
	}
	if err := json.Unmarshal(b, &req); err != nil {
		t.Fatal(err)
	}
	parts := []string{string(req.Model), string(req.Tools), string(req.System)}
	for _, m := range req.Messages[:n] {
		parts = append(parts, string(m))
	}
	return strings.Join(parts, "\n")
}

// Two requests of a loop, as they are on the wire, with where the cache ends.
func TestGolden(t *testing.T) {
	for i, req := range []agent.Request{loop(1, 2), loop(2, 2)} {
		var got bytes.Buffer
		if err := json.Indent(&got, body(t, req), "", " "); err != nil {
			t.Fatal(err)
		}
		got.WriteByte('\n')
		name := fmt.Sprintf("testdata/step%d.json", i+1)
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

// Each request of a long loop begins with the bytes of the one before it, and
// finds its end: at most four breakpoints, one of them where the request before
// had its last.
func TestPrefixIsStable(t *testing.T) {
	for _, calls := range []int{1, 3, 25} { // 25: more blocks than the cache looks back
		var last []byte
		for n := range 8 {
			b := body(t, loop(n, calls))
			if c := bytes.Count(b, []byte(`"cache_control"`)); c > 4 || c != min(4, 3+n) {
				t.Errorf("%d steps of %d calls: %d breakpoints", n, calls, c)
			}
			if n > 0 {
				k := 2*n - 1 // messages of the request before
				if prefix(t, bare(last), k) != prefix(t, bare(b), k) {
					t.Errorf("%d steps of %d calls: the beginning changed\n%s\n%s", n, calls, last, b)
				}
				if !strings.HasSuffix(marks(t, last), " last") || !strings.Contains(marks(t, b), fmt.Sprintf("message %d", k-1)) {
					t.Errorf("%d steps of %d calls: breakpoints at %s, before at %s", n, calls, marks(t, b), marks(t, last))
				}
			}
			last = b
		}
	}
}

// marks lists where the breakpoints of a body are.
func marks(t *testing.T, b []byte) string {
	t.Helper()
	var req struct {
		Messages []struct {
			Content []struct {
				Cache json.RawMessage `json:"cache_control"`
			} `json:"content"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(b, &req); err != nil {
		t.Fatal(err)
	}
	var out []string
	for i, m := range req.Messages {
		for k, c := range m.Content {
			if c.Cache != nil {
				out = append(out, fmt.Sprintf("message %d", i))
				if i == len(req.Messages)-1 && k == len(m.Content)-1 {
					out = append(out, "last")
				}
			}
		}
	}
	return strings.Join(out, " ")
}

func TestThink(t *testing.T) {
	for _, c := range []struct {
		model, effort string
		max           int
		want          string
	}{
		{"claude-sonnet-5-5", "", 0, `"thinking":{"type":"adaptive","display":"summarized"}`},
		{"claude-opus-4-6", "high", 0, `"effort":"high"`},
		{"claude-haiku-4-5-20251001", "low", 0, `"budget_tokens":2048`},
		{"claude-sonnet-4-20250514", "high", 0, `"budget_tokens":16000`},
		{"claude-opus-4-1", "high", 8000, `"budget_tokens":4000`},
		{"claude-3-7-sonnet-latest", "medium", 0, `"budget_tokens":8192`},
	} {
		req := loop(0, 0)
		req.Model, req.Effort, req.MaxTokens = c.model, c.effort, c.max
		if b := body(t, req); !bytes.Contains(b, []byte(c.want)) {
			t.Errorf("%s %q: no %s in\n%s", c.model, c.effort, c.want, b)
		}
	}
	for _, m := range []string{"claude-haiku-4-5", "some-other-model"} {
		req := loop(0, 0)
		req.Model = m
		if b := body(t, req); bytes.Contains(b, []byte(`"thinking"`)) || bytes.Contains(b, []byte("output_config")) {
			t.Errorf("%s thinks without being asked:\n%s", m, b)
		}
	}
}

// What other providers and odd models left in a transcript is made fit for this
// API.
func TestOddTranscript(t *testing.T) {
	req := loop(0, 0)
	req.Schema = json.RawMessage(`{"type":"object","properties":{"ok":{"type":"boolean"}}}`)
	req.Messages = append(req.Messages, agent.Message{Role: agent.Assistant, Blocks: []agent.Block{
		{Kind: agent.BlockThinking, Text: "from OpenRouter", Signature: `[{"type":"reasoning.text"}]`},
		{Kind: agent.BlockThinking, Text: "unsigned"},
		{Kind: agent.BlockText, Text: " \n"},
		{Kind: agent.BlockCall, Call: &agent.Call{ID: "functions.ls:0", Name: "my tool/é", Input: json.RawMessage("{}")}},
	}}, agent.Message{Role: agent.User, Blocks: []agent.Block{
		{Kind: agent.BlockText, Text: "And hurry."},
		{Kind: agent.BlockResult, Result: &agent.CallResult{ID: "functions.ls:0"}},
	}}, agent.Message{Role: agent.Assistant}, agent.Message{Role: agent.Assistant, Blocks: []agent.Block{{Kind: agent.BlockText, Text: "To be continued \n"}}})
	b := string(body(t, req))
	id := callID("functions.ls:0")
	for _, want := range []string{`"id":"` + id + `"`, `"tool_use_id":"` + id + `"`, `"name":"my_tool__"`, `"To be continued"`, `"json_schema"`} {
		if !strings.Contains(b, want) {
			t.Errorf("no %s in\n%s", want, b)
		}
	}
	for _, not := range []string{"OpenRouter", "unsigned", `"text":" \n"`, "functions.ls"} {
		if strings.Contains(b, not) {
			t.Errorf("%s is in\n%s", not, b)
		}
	}
	if strings.Index(b, "tool_result") > strings.Index(b, "And hurry.") {
		t.Errorf("text before results:\n%s", b)
	}
}
