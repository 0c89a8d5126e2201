package providertest

import (
	"encoding/json"

	"github.com/topo-dev/topo/agent"
)

// openaiFormat speaks chat completions, with the extensions of OpenRouter for
// thinking.
type openaiFormat struct {
	model string
	next  int // index of the next tool call
	think int // index of the next piece of thinking
}

func (*openaiFormat) contentType() string { return "text/event-stream" }

func (f *openaiFormat) chunk(delta object, finish any) string {
	return sse("", object{"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0, "model": f.model,
		"choices": []any{object{"index": 0, "delta": delta, "finish_reason": finish}}})
}

func (f *openaiFormat) begin(agent.Usage) string {
	return f.chunk(object{"role": "assistant", "content": ""}, nil)
}

func (f *openaiFormat) text(pieces []string) (out []string) {
	for _, p := range pieces {
		out = append(out, f.chunk(object{"content": p}, nil))
	}
	return out
}

func (f *openaiFormat) detail(d object) string {
	d["index"], d["format"] = f.think, "anthropic-claude-v1"
	return f.chunk(object{"content": "", "reasoning_details": []any{d}}, nil)
}

func (f *openaiFormat) thinking(t Thinking) (out []string) {
	for _, p := range t.Pieces {
		out = append(out, f.chunk(object{"content": "", "reasoning": p, "reasoning_details": []any{
			object{"type": "reasoning.text", "text": p, "index": f.think, "format": "anthropic-claude-v1"}}}, nil))
	}
	if t.Signature != "" {
		out = append(out, f.detail(object{"type": "reasoning.text", "signature": t.Signature}))
	}
	f.think++
	return out
}

func (f *openaiFormat) redacted(data string) []string {
	defer func() { f.think++ }()
	return []string{f.detail(object{"type": "reasoning.encrypted", "data": data})}
}

func (f *openaiFormat) calls(calls []Call) (out []string) {
	first, longest := f.next, 0
	f.next += len(calls)
	for n, c := range calls {
		call := object{"index": first + n, "type": "function", "function": object{"name": c.Name, "arguments": ""}}
		if c.ID != "" {
			call["id"] = c.ID
		}
		out = append(out, f.chunk(object{"tool_calls": []any{call}}, nil))
		longest = max(longest, len(c.Input))
	}
	for k := range longest {
		for n, c := range calls {
			if k < len(c.Input) {
				out = append(out, f.chunk(object{"tool_calls": []any{object{"index": first + n, "function": object{"arguments": c.Input[k]}}}}, nil))
			}
		}
	}
	return out
}

func (*openaiFormat) ping() string { return ": OPENROUTER PROCESSING\n\n" }

func (*openaiFormat) unknown() string {
	return sse("weather_report", object{"object": "weather.report", "sky": []any{"blue", nil, 3}})
}

func (f *openaiFormat) inline(x Fault) string {
	status, typ, msg := f.describe(x)
	return sse("", object{"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": f.model,
		"error": object{"code": status, "type": typ, "message": msg}, "choices": []any{object{"index": 0, "delta": object{"content": ""}, "finish_reason": "error"}}})
}

func (f *openaiFormat) fault(x Fault) (int, string) {
	status, typ, msg := f.describe(x)
	b, _ := json.Marshal(object{"error": object{"message": msg, "type": typ, "param": nil, "code": typ}})
	return status, string(b)
}

func (*openaiFormat) describe(x Fault) (int, string, string) {
	switch x.Kind {
	case agent.ErrRateLimit:
		return x.as(429, "rate_limit_exceeded", "Rate limit reached for tokens per minute.")
	case agent.ErrOverloaded:
		return x.as(503, "server_overloaded", "The engine is currently overloaded, please try again later")
	case agent.ErrAuth:
		return x.as(401, "invalid_api_key", "Incorrect API key provided.")
	case agent.ErrSpend:
		return x.as(429, "insufficient_quota", "You exceeded your current quota, please check your plan and billing details.")
	case agent.ErrContext:
		return x.as(400, "context_length_exceeded", "This model's maximum context length is 128000 tokens.")
	case agent.ErrRequest:
		return x.as(400, "invalid_request_error", "Invalid value for messages.")
	}
	return x.as(500, "server_error", "The server had an error while processing your request")
}

func (f *openaiFormat) finish(why agent.StopReason, u agent.Usage) string {
	reason := map[agent.StopReason]string{
		agent.StopEnd: "stop", agent.StopCalls: "tool_calls", agent.StopMaxTokens: "length", agent.StopRefusal: "content_filter",
	}[why]
	if reason == "" {
		reason = string(why)
	}
	prompt := u.Input + u.CacheRead + u.CacheWrite
	return f.chunk(object{}, reason) +
		sse("", object{"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": f.model, "choices": []any{}, "usage": object{
			"prompt_tokens": prompt, "completion_tokens": u.Output, "total_tokens": prompt + u.Output,
			"prompt_tokens_details": object{"cached_tokens": u.CacheRead, "cache_write_tokens": u.CacheWrite}}}) +
		"data: [DONE]\n\n"
}
