package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// Provider streams one assistant message. Stream calls emit for each piece as
// it arrives, from one goroutine at a time, and returns the whole message.
//
// A provider retries by itself what can be retried (see [ProviderError]) with
// backoff. Before any output was passed on it does so silently but for a
// [DeltaRetry]; afterwards it first emits [DeltaReset], and everything emitted
// for this message before is void. On error the partial message is void too.
// A cancelled context ends Stream at once with the context's error, with no
// goroutine or connection left behind.
type Provider interface {
	Name() string
	Stream(ctx context.Context, req Request, emit func(Delta)) (Response, error)
}

// Request is one request to a model. The same transcript, tools and system
// prompt give the same bytes on the wire, and the provider's cache of the
// prefix hits.
type Request struct {
	Model     string
	System    string     // the system prompt; holds no clock and no path that changes between runs
	Tools     []ToolSpec // sorted by name
	Messages  []Message
	MaxTokens int             // of output; 0 lets the provider choose
	Effort    string          // "", "low", "medium", "high": how much thinking, where there is such a setting
	Schema    json.RawMessage // JSON schema the final text must keep to; nil for free text
}

// DeltaKind is the kind of a piece of a stream.
type DeltaKind string

// Kinds of deltas.
const (
	DeltaText     DeltaKind = "text"     // Text
	DeltaThinking DeltaKind = "thinking" // Text
	DeltaCall     DeltaKind = "call"     // a tool call begins: Index, ID, Name
	DeltaInput    DeltaKind = "input"    // Text is a fragment of the JSON input of call Index
	DeltaRetry    DeltaKind = "retry"    // the request is sent again after Wait: Attempt, Reason
	DeltaReset    DeltaKind = "reset"    // forget every piece of this message so far
)

// Delta is one piece of a message being streamed.
type Delta struct {
	Kind    DeltaKind
	Text    string
	Index   int // of the tool call within the message, 0-based
	ID      string
	Name    string
	Attempt int           // retry: number of the attempt to come, 2 for the first retry
	Wait    time.Duration // retry: until it is sent
	Reason  string        // retry and reset: why, without any secret
}

// StopReason says why the model stopped.
type StopReason string

// Reasons to stop.
const (
	StopEnd       StopReason = "end"        // it is done
	StopCalls     StopReason = "calls"      // it waits for results
	StopMaxTokens StopReason = "max_tokens" // its output was cut; a cut call carries Invalid
	StopPause     StopReason = "pause"      // send the transcript again to go on
	StopRefusal   StopReason = "refusal"    // it will not
	StopContext   StopReason = "context"    // the context window is full
)

// Response is a complete assistant message.
type Response struct {
	Message Message
	Stop    StopReason
	Usage   Usage
	Model   string // as the provider named it
}

// Usage counts tokens of one message, or a sum of them.
type Usage struct {
	Input      int // uncached input
	Output     int
	CacheRead  int `json:",omitempty"`
	CacheWrite int `json:",omitempty"`
	// USD is the price of the tokens above; nil when the price of the model is
	// not known.
	USD *float64 `json:",omitempty"`
}

// Add adds v to u. A sum with an unknown part has no known price.
func (u *Usage) Add(v Usage) {
	switch {
	case *u == (Usage{}):
		u.USD = v.USD
	case u.USD == nil || v.USD == nil:
		u.USD = nil
	default:
		sum := *u.USD + *v.USD
		u.USD = &sum
	}
	u.Input += v.Input
	u.Output += v.Output
	u.CacheRead += v.CacheRead
	u.CacheWrite += v.CacheWrite
}

// Total is the number of tokens, cached ones included.
func (u Usage) Total() int { return u.Input + u.Output + u.CacheRead + u.CacheWrite }

// ErrorKind classifies a provider's error by what can be done about it.
type ErrorKind string

// Kinds of provider errors. The first five are retried by the provider.
const (
	ErrRateLimit  ErrorKind = "rate_limit"
	ErrOverloaded ErrorKind = "overloaded"
	ErrServer     ErrorKind = "server"
	ErrNetwork    ErrorKind = "network"
	ErrProtocol   ErrorKind = "protocol" // the stream ended early or made no sense
	ErrAuth       ErrorKind = "auth"     // no key, or not accepted
	ErrSpend      ErrorKind = "spend"    // a spending cap or an empty account
	ErrContext    ErrorKind = "context"  // the request is longer than the context window
	ErrRequest    ErrorKind = "request"  // the provider does not accept the request
)

// ProviderError is what a provider says went wrong, after its retries.
type ProviderError struct {
	Provider string
	Kind     ErrorKind
	Status   int           // of HTTP; 0 when the error came inside a stream or before one
	Message  string        // of the provider, without any secret, capped
	After    time.Duration // the value of retry-after; 0 without one
	Err      error
}

func (e *ProviderError) Error() string {
	s := fmt.Sprintf("%s: %s: %s", e.Provider, e.Kind, e.Message)
	if e.Status != 0 {
		s += fmt.Sprintf(" (HTTP %d)", e.Status)
	}
	return s
}

func (e *ProviderError) Unwrap() error { return e.Err }

// Retryable reports whether the same request may succeed later.
func (e *ProviderError) Retryable() bool {
	switch e.Kind {
	case ErrRateLimit, ErrOverloaded, ErrServer, ErrNetwork, ErrProtocol:
		return true
	}
	return false
}
