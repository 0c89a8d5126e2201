package wire

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/retry"
	"github.com/topo-dev/topo/internal/backoff"
)

// Fault is what a server says went wrong.
type Fault struct {
	Status  int      // of HTTP, or a number in the manner of one that came inside a stream; 0 for none
	Inside  bool     // it came inside a stream that began well
	Types   []string // type, code and the like, the most telling first
	Message string
	Header  http.Header
}

// kinds of errors by the names that servers give them. Names that say no more
// than "bad request" are left out; they are judged by status and message.
var kinds = map[string]agent.ErrorKind{
	"rate_limit_error":           agent.ErrRateLimit,
	"rate_limit_exceeded":        agent.ErrRateLimit,
	"too_many_requests":          agent.ErrRateLimit,
	"overloaded_error":           agent.ErrOverloaded,
	"overloaded":                 agent.ErrOverloaded,
	"server_overloaded":          agent.ErrOverloaded,
	"slow_down":                  agent.ErrOverloaded,
	"unavailable_error":          agent.ErrOverloaded, // llama.cpp while it loads a model
	"api_error":                  agent.ErrServer,
	"server_error":               agent.ErrServer,
	"internal_error":             agent.ErrServer,
	"internal_server_error":      agent.ErrServer,
	"timeout_error":              agent.ErrServer,
	"authentication_error":       agent.ErrAuth,
	"permission_error":           agent.ErrAuth,
	"invalid_api_key":            agent.ErrAuth,
	"billing_error":              agent.ErrSpend,
	"insufficient_quota":         agent.ErrSpend,
	"billing_hard_limit_reached": agent.ErrSpend,
	"billing_not_active":         agent.ErrSpend,
	"context_length_exceeded":    agent.ErrContext,
	"exceed_context_size_error":  agent.ErrContext,
	"request_too_large":          agent.ErrContext,
}

// byStatus are kinds of errors by HTTP status, where there is no telling name.
var byStatus = map[int]agent.ErrorKind{
	401: agent.ErrAuth,
	402: agent.ErrSpend,
	403: agent.ErrAuth,
	408: agent.ErrServer,
	409: agent.ErrServer,
	413: agent.ErrContext,
	425: agent.ErrServer,
	429: agent.ErrRateLimit,
	503: agent.ErrOverloaded,
	529: agent.ErrOverloaded,
}

// Words of messages, in lower case, that say what a bad request is about.
var (
	contextWords = []string{
		"prompt is too long", "context length", "context window", "context size", "context limit", "input is too long",
		"maximum context", "input length", "too many tokens",
	}
	spendWords = []string{"credit", "usage limit", "spend", "billing", "insufficient balance", "quota", "budget"}
	pacedWords = []string{"per minute", "per second", "per day", "rate limit"}
)

// kind classifies the fault.
func (f Fault) kind(after time.Duration) agent.ErrorKind {
	msg := strings.ToLower(f.Message)
	for _, t := range f.Types {
		k, ok := kinds[strings.ToLower(t)]
		vague := k == agent.ErrServer && !f.Inside && byStatus[f.Status] != "" // the status says more
		if ok && !vague && (k != agent.ErrRateLimit || !f.capped(msg, after)) {
			return k
		}
	}
	switch k, ok := byStatus[f.Status]; {
	case f.capped(msg, after):
		return agent.ErrSpend
	case ok:
		return k
	case f.Status >= 500:
		return agent.ErrServer
	case containsAny(msg, contextWords):
		return agent.ErrContext
	case containsAny(msg, []string{"credit balance", "usage limits"}):
		return agent.ErrSpend
	case f.Inside && f.Status == 0 && !f.request():
		return agent.ErrServer
	}
	return agent.ErrRequest
}

// capped reports whether a refusal for too much use is about money rather than
// pace: it names money, and no time after which to come back.
func (f Fault) capped(msg string, after time.Duration) bool {
	limited := f.Status == http.StatusTooManyRequests
	for _, t := range f.Types {
		limited = limited || kinds[strings.ToLower(t)] == agent.ErrRateLimit
	}
	return limited && after == 0 && containsAny(msg, spendWords) && !containsAny(msg, pacedWords)
}

// request reports whether the server puts the blame on the request.
func (f Fault) request() bool {
	for _, t := range f.Types {
		if t = strings.ToLower(t); strings.Contains(t, "invalid") || strings.Contains(t, "not_found") || strings.Contains(t, "bad_request") {
			return true
		}
	}
	return false
}

func containsAny(s string, words []string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// Error makes an error of a fault, with the server's advice about trying again.
func (c *Client) Error(f Fault) error {
	after := backoff.After(f.Header, time.Now())
	msg := Clean(f.Message, c.Key)
	if msg == "" {
		msg = "the server says no more than " + strings.TrimSpace(strconv.Itoa(f.Status)+" "+http.StatusText(f.Status))
	}
	pe := &agent.ProviderError{Provider: c.Name, Kind: f.kind(after), Status: f.Status, Message: msg, After: after}
	if f.Inside {
		pe.Status = 0
	}
	if again, ok := retry.Advice(f.Header); ok {
		if again {
			return retry.Always(pe)
		}
		return retry.Never(pe)
	}
	return pe
}

// ReadFault reads the JSON in which a server reports an error, in any of the
// shapes seen: {"error":{"type","code","message"}}, {"error":"text"},
// {"message":"text"} and {"detail":"text"}. Other text is taken as it is. Ok is
// false when the value is a JSON object without an error.
func ReadFault(body []byte) (f Fault, ok bool) {
	var shape struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  json.RawMessage `json:"detail"`
		Type    string          `json:"type"`
	}
	if json.Unmarshal(body, &shape) != nil {
		return Fault{Message: string(body)}, true
	}
	if len(shape.Error) > 0 && string(shape.Error) != "null" {
		return readError(shape.Error), true
	}
	f.Message, ok = shape.Message, shape.Message != ""
	if len(shape.Detail) > 0 && !ok {
		f.Message, ok = strings.Trim(string(shape.Detail), `"`), true
	}
	if shape.Type != "" {
		f.Types = []string{shape.Type}
	}
	return f, ok
}

func readError(raw json.RawMessage) (f Fault) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return Fault{Message: text}
	}
	var e struct {
		Type    any `json:"type"`
		Code    any `json:"code"`
		Message any `json:"message"`
	}
	if json.Unmarshal(raw, &e) != nil {
		return Fault{Message: string(raw)}
	}
	f.Message, _ = e.Message.(string)
	if f.Message == "" {
		f.Message = string(raw)
	}
	for _, v := range []any{e.Code, e.Type} {
		switch v := v.(type) {
		case string:
			f.Types = append(f.Types, v)
			if n, err := strconv.Atoi(v); err == nil && f.Status == 0 {
				f.Status = n
			}
		case float64:
			f.Status = int(v)
		}
	}
	return f
}
