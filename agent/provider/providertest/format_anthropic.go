package providertest

import (
	"encoding/json"

	"github.com/topo-dev/topo/agent"
)

// anthropicFormat speaks the Messages API.
type anthropicFormat struct {
	model string
	next  int // index of the next content block
}

type object = map[string]any

func (*anthropicFormat) contentType() string { return "text/event-stream; charset=utf-8" }

// sse is a server-sent event with a JSON value.
func sse(event string, data any) string {
	b, err := json.Marshal(data)
	if err != nil {
		panic(err) // the maps of this package marshal
	}
	if event != "" {
		event = "event: " + event + "\n"
	}
	return event + "data: " + string(b) + "\n\n"
}

func (f *anthropicFormat) begin(u agent.Usage) string {
	return sse("message_start", object{"type": "message_start", "message": object{
		"id": "msg_1", "type": "message", "role": "assistant", "model": f.model, "content": []any{},
		"stop_reason": nil, "stop_sequence": nil,
		"usage": object{"input_tokens": u.Input, "cache_read_input_tokens": u.CacheRead, "cache_creation_input_tokens": u.CacheWrite, "output_tokens": 1},
	}})
}

func (f *anthropicFormat) open(block object) (int, string) {
	i := f.next
	f.next++
	return i, sse("content_block_start", object{"type": "content_block_start", "index": i, "content_block": block})
}

func delta(i int, d object) string {
	return sse("content_block_delta", object{"type": "content_block_delta", "index": i, "delta": d})
}

func shut(i int) string {
	return sse("content_block_stop", object{"type": "content_block_stop", "index": i})
}

func (f *anthropicFormat) text(pieces []string) []string {
	i, start := f.open(object{"type": "text", "text": ""})
	out := []string{start}
	for _, p := range pieces {
		out = append(out, delta(i, object{"type": "text_delta", "text": p}))
	}
	return append(out, shut(i))
}

func (f *anthropicFormat) thinking(t Thinking) []string {
	i, start := f.open(object{"type": "thinking", "thinking": "", "signature": ""})
	out := []string{start}
	for _, p := range t.Pieces {
		out = append(out, delta(i, object{"type": "thinking_delta", "thinking": p}))
	}
	if t.Signature != "" {
		out = append(out, delta(i, object{"type": "signature_delta", "signature": t.Signature}))
	}
	return append(out, shut(i))
}

func (f *anthropicFormat) redacted(data string) []string {
	i, start := f.open(object{"type": "redacted_thinking", "data": data})
	return []string{start, shut(i)}
}

func (f *anthropicFormat) calls(calls []Call) (out []string) {
	index := make([]int, len(calls))
	longest := 0
	for n, c := range calls {
		i, start := f.open(object{"type": "tool_use", "id": c.ID, "name": c.Name, "input": object{}})
		index[n], out = i, append(out, start)
		longest = max(longest, len(c.Input))
	}
	for k := range longest {
		for n, c := range calls {
			if k < len(c.Input) {
				out = append(out, delta(index[n], object{"type": "input_json_delta", "partial_json": c.Input[k]}))
			}
		}
	}
	for _, i := range index {
		out = append(out, shut(i))
	}
	return out
}

func (*anthropicFormat) ping() string { return sse("ping", object{"type": "ping"}) }

func (*anthropicFormat) unknown() string {
	return sse("weather_report", object{"type": "weather_report", "sky": []any{"blue", nil, 3}})
}

func (f *anthropicFormat) inline(x Fault) string {
	_, typ, msg := f.describe(x)
	return sse("error", object{"type": "error", "error": object{"type": typ, "message": msg}})
}

func (f *anthropicFormat) fault(x Fault) (int, string) {
	status, typ, msg := f.describe(x)
	b, _ := json.Marshal(object{"type": "error", "error": object{"type": typ, "message": msg}, "request_id": "req_1"})
	return status, string(b)
}

func (*anthropicFormat) describe(x Fault) (int, string, string) {
	switch x.Kind {
	case agent.ErrRateLimit:
		return x.as(429, "rate_limit_error", "This request would exceed the rate limit of your organization.")
	case agent.ErrOverloaded:
		return x.as(529, "overloaded_error", "Overloaded")
	case agent.ErrAuth:
		return x.as(401, "authentication_error", "invalid x-api-key")
	case agent.ErrSpend:
		return x.as(429, "rate_limit_error", "You have reached your specified API usage limits.")
	case agent.ErrContext:
		return x.as(400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum")
	case agent.ErrRequest:
		return x.as(400, "invalid_request_error", "messages: at least one message is required")
	}
	return x.as(500, "api_error", "Internal server error")
}

// as fills in what the fault leaves open.
func (x Fault) as(status int, typ, msg string) (int, string, string) {
	if x.Status != 0 {
		status = x.Status
	}
	if x.Type != "" {
		typ = x.Type
	}
	if x.Message != "" {
		msg = x.Message
	}
	return status, typ, msg
}

func (f *anthropicFormat) finish(why agent.StopReason, u agent.Usage) string {
	reason := map[agent.StopReason]string{
		agent.StopEnd: "end_turn", agent.StopCalls: "tool_use", agent.StopMaxTokens: "max_tokens",
		agent.StopPause: "pause_turn", agent.StopRefusal: "refusal", agent.StopContext: "model_context_window_exceeded",
	}[why]
	if reason == "" {
		reason = string(why)
	}
	return sse("message_delta", object{"type": "message_delta", "delta": object{"stop_reason": reason, "stop_sequence": nil},
		"usage": object{"output_tokens": u.Output}}) + sse("message_stop", object{"type": "message_stop"})
}
