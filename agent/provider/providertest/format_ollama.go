package providertest

import (
	"encoding/json"
	"strings"

	"github.com/topo-dev/topo/agent"
)

// ollamaFormat speaks Ollama's chat: one JSON value a line, tool calls whole.
type ollamaFormat struct{ model string }

func (*ollamaFormat) contentType() string { return "application/x-ndjson" }

func line(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // the maps of this package marshal
	}
	return string(b) + "\n"
}

func (f *ollamaFormat) message(m object) string {
	m["role"] = "assistant"
	if _, ok := m["content"]; !ok {
		m["content"] = ""
	}
	return line(object{"model": f.model, "created_at": "2026-11-21T00:00:00Z", "message": m, "done": false})
}

func (*ollamaFormat) begin(agent.Usage) string { return "" }

func (f *ollamaFormat) text(pieces []string) (out []string) {
	for _, p := range pieces {
		out = append(out, f.message(object{"content": p}))
	}
	return out
}

func (f *ollamaFormat) thinking(t Thinking) (out []string) {
	for _, p := range t.Pieces {
		out = append(out, f.message(object{"thinking": p}))
	}
	return out
}

func (*ollamaFormat) redacted(string) []string { return nil }

// calls sends each call whole, which is all this format can do. A call whose
// fragments make no JSON is sent as a string.
func (f *ollamaFormat) calls(calls []Call) (out []string) {
	for _, c := range calls {
		whole := strings.Join(c.Input, "")
		var args any = object{}
		if json.Valid([]byte(whole)) {
			args = json.RawMessage(whole)
		} else if whole != "" {
			args = whole
		}
		call := object{"function": object{"name": c.Name, "arguments": args}}
		if c.ID != "" {
			call["id"] = c.ID
		}
		out = append(out, f.message(object{"tool_calls": []any{call}}))
	}
	return out
}

func (*ollamaFormat) ping() string { return "\n" }

func (*ollamaFormat) unknown() string {
	return line(object{"weather": object{"sky": []any{"blue", nil, 3}}})
}

func (f *ollamaFormat) inline(x Fault) string {
	_, _, msg := f.describe(x)
	return line(object{"error": msg})
}

func (f *ollamaFormat) fault(x Fault) (int, string) {
	status, _, msg := f.describe(x)
	return status, line(object{"error": msg})
}

func (*ollamaFormat) describe(x Fault) (int, string, string) {
	switch x.Kind {
	case agent.ErrRateLimit:
		return x.as(429, "", "too many requests")
	case agent.ErrOverloaded:
		return x.as(503, "", "server busy, please try again. maximum pending requests exceeded")
	case agent.ErrAuth:
		return x.as(401, "", "unauthorized")
	case agent.ErrSpend:
		return x.as(429, "", "you've reached your usage limit, upgrade or add credits")
	case agent.ErrContext:
		return x.as(400, "", "the input length exceeds the context length")
	case agent.ErrRequest:
		return x.as(400, "", "registry.ollama.ai/library/nil does not support tools")
	}
	return x.as(500, "", "model runner has unexpectedly stopped")
}

func (f *ollamaFormat) finish(why agent.StopReason, u agent.Usage) string {
	reason := map[agent.StopReason]string{
		agent.StopEnd: "stop", agent.StopCalls: "stop", agent.StopMaxTokens: "length",
	}[why]
	if reason == "" {
		reason = string(why)
	}
	return line(object{"model": f.model, "message": object{"role": "assistant", "content": ""}, "done": true, "done_reason": reason,
		"prompt_eval_count": u.Input + u.CacheRead + u.CacheWrite, "eval_count": u.Output, "total_duration": 1})
}
