package embed

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Error says what failed at a service. Its text holds no key.
type Error struct {
	Service string // with its address, "Ollama at http://localhost:11434"
	Op      string // what was requested, "embed with nomic-embed-text"
	Status  int    // of HTTP; 0 when there was no answer
	Reason  string
	Hint    string // what to do, empty when unknown
	Tries   int    // how many requests were made

	retry bool // the same request may succeed later
	after time.Duration
	err   error // of a context or the network
}

func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s: ", e.Service, e.Op)
	if e.Status != 0 {
		fmt.Fprintf(&b, "status %d: ", e.Status)
	}
	b.WriteString(e.Reason)
	if e.Tries > 1 {
		fmt.Fprintf(&b, " (tried %d times)", e.Tries)
	}
	if e.Hint != "" {
		b.WriteString("; " + e.Hint)
	}
	return b.String()
}

// Unwrap is the error of the context when that ended the call. The network's
// own errors are told but not unwrapped: they may hold what was sent.
func (e *Error) Unwrap() error {
	for _, end := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(e.err, end) {
			return end
		}
	}
	return nil
}

// maxReason bounds what a service's own words add to an error, in bytes.
const maxReason = 300

// scrub shortens a service's words and takes the secrets out of them.
func scrub(text string, secrets ...string) string {
	for _, s := range secrets {
		if s != "" {
			text = strings.ReplaceAll(text, s, "[key]")
		}
	}
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	if len(text) > maxReason {
		text = strings.ToValidUTF8(text[:maxReason], "") + "…"
	}
	return text
}
