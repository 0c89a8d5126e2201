package openai

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/wire"
)

// params makes the body of a request.
func (f Flavour) params(req agent.Request) *request {
	p := &request{Model: req.Model, Messages: messages(req), Tools: tools(req.Tools),
		StreamOptions: map[string]any{"include_usage": true}, Stream: true}
	switch n := max(0, req.MaxTokens); {
	case f.MaxCompletion:
		p.MaxCompletionTokens = n
	default:
		p.MaxTokens = n
	}
	if req.Schema != nil {
		p.ResponseFormat = &format{Type: "json_schema"}
		p.ResponseFormat.Schema.Name, p.ResponseFormat.Schema.Schema = "answer", wire.Canonical(req.Schema)
	}
	if f.CacheKey {
		p.PromptCacheKey = cacheKey(req)
	}
	if !f.Router {
		p.ReasoningEffort = req.Effort
		return p
	}
	if req.Effort != "" {
		p.Reasoning = map[string]any{"effort": req.Effort}
	}
	p.Usage = map[string]any{"include": true}
	if strings.HasPrefix(req.Model, "anthropic/") { // the only models there that cache nothing unless told
		p.CacheControl = map[string]any{"type": "ephemeral"}
	}
	return p
}

// cacheKey is the same for all requests of a session and differs between
// sessions, without naming either.
func cacheKey(req agent.Request) string {
	h := sha256.New()
	h.Write([]byte(req.System))
	if len(req.Messages) > 0 {
		h.Write([]byte("\x00" + req.Messages[0].Text()))
	}
	return "topo-" + hex.EncodeToString(h.Sum(nil)[:12])
}

// tools keeps the schemas as they are: their bytes are part of the prefix that is
// cached.
func tools(specs []agent.ToolSpec) (out []tool) {
	for _, s := range specs {
		def := function{Name: toolName(s.Name), Description: s.Description}
		if json.Valid(s.Schema) {
			def.Parameters = wire.Canonical(s.Schema)
		}
		out = append(out, tool{Type: "function", Function: def})
	}
	return out
}

// messages turns a transcript into the API's, where each result is a message of
// its own.
func messages(req agent.Request) []message {
	out := []message{}
	if req.System != "" {
		out = append(out, message{Role: "system", Content: &req.System})
	}
	for _, m := range req.Messages {
		if m.Role == agent.Assistant {
			if a, ok := assistant(m); ok {
				out = append(out, a)
			}
			continue
		}
		for _, b := range m.Blocks {
			if b.Result != nil {
				text := result(*b.Result)
				out = append(out, message{Role: "tool", Content: &text, ToolCallID: b.Result.ID})
			}
		}
		if text := m.Text(); text != "" {
			out = append(out, message{Role: "user", Content: &text})
		}
	}
	return out
}

// result is the text of a result. The API has no flag for one that failed.
func result(r agent.CallResult) string {
	if r.IsError {
		return "Error: " + r.Content
	}
	return r.Content
}

func assistant(m agent.Message) (a message, ok bool) {
	a.Role = "assistant"
	if text := m.Text(); text != "" {
		a.Content, ok = &text, true
	}
	for _, c := range m.Calls() {
		t := toolCall{Type: "function", ID: c.ID}
		t.Function.Name, t.Function.Arguments = toolName(c.Name), string(wire.Canonical(c.Input))
		a.ToolCalls = append(a.ToolCalls, t)
		ok = true
	}
	for _, b := range m.Blocks {
		if b.Kind == agent.BlockThinking && strings.HasPrefix(b.Signature, "[") && json.Valid([]byte(b.Signature)) {
			a.Details = json.RawMessage(b.Signature)
		}
	}
	return a, ok
}

// toolName is a name that the API takes; see the package anthropic.
func toolName(name string) string {
	name = wire.Name(name)
	if name == "" {
		return "_"
	}
	return name[:min(len(name), 64)]
}
