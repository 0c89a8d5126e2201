// Package retry is the one machine that sends a request to a model again.
//
// What always holds:
//
//   - Only an error that says it may pass is retried: an [agent.ProviderError]
//     whose kind is retryable, or what the server marked by [Always].
//   - A wait that the server asks for is kept to the full, and announced before
//     it begins. One longer than the cap ends the request with an error that
//     says how long the server wants to be left alone: waiting less would only
//     be refused again.
//   - What was passed on of a failed attempt is taken back by a reset before
//     anything else is passed on.
//   - A cancelled context ends the wait at once.
package retry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/internal/backoff"
)

// Defaults of [Policy].
const (
	DefaultAttempts = 8                // with the delays below one to two minutes in all, the length of a usual rate window
	DefaultBase     = time.Second      // the wait before the second attempt, at most
	DefaultMax      = 30 * time.Second // the longest wait of our own choice
	DefaultAfterCap = 5 * time.Minute  // the longest wait a server can ask for
)

// Policy says how often and how long. Its zero value is the defaults.
type Policy struct {
	Attempts int           // how often a request is sent in all; 1 never retries
	Base     time.Duration // doubled for each attempt
	Max      time.Duration // of a wait that no server requested
	AfterCap time.Duration // of a wait that a server requested

	// Sleep waits, or returns the context's error when it is done first. Nil is
	// the clock.
	Sleep func(ctx context.Context, d time.Duration) error
	// Rand returns a number in [0, 1), the jitter. Nil is math/rand.
	Rand func() float64
}

// Attempt sends a request once and passes on what it gets.
type Attempt func(ctx context.Context, emit func(agent.Delta)) (agent.Response, error)

// Do makes attempts until one succeeds, fails for good, or there were enough.
// The error is the last attempt's, or the context's when it is done.
func (p Policy) Do(ctx context.Context, emit func(agent.Delta), attempt Attempt) (agent.Response, error) {
	p = p.filled()
	for n := 1; ; n++ {
		began := false
		res, err := attempt(ctx, func(d agent.Delta) {
			began = true
			emit(d)
		})
		if err == nil {
			return res, nil
		}
		if ctx.Err() != nil {
			return agent.Response{}, ctx.Err()
		}
		wait, reason, again := p.next(n, err)
		if !again {
			return agent.Response{}, p.final(n, err)
		}
		if began {
			emit(agent.Delta{Kind: agent.DeltaReset, Reason: reason})
		}
		emit(agent.Delta{Kind: agent.DeltaRetry, Attempt: n + 1, Wait: wait, Reason: reason})
		if err := p.Sleep(ctx, wait); err != nil {
			return agent.Response{}, cmp.Or(ctx.Err(), err)
		}
	}
}

// next says how long to wait after attempt n failed, and whether to try again.
func (p Policy) next(n int, err error) (wait time.Duration, reason string, again bool) {
	var pe *agent.ProviderError
	if !errors.As(err, &pe) || n >= p.Attempts {
		return 0, "", false
	}
	again = pe.Retryable()
	if a := (*advice)(nil); errors.As(err, &a) {
		again = a.again
	}
	wait = pe.After
	if wait <= 0 {
		wait = backoff.Delay(n, p.Base, p.Max, p.Rand())
	}
	return wait, pe.Error(), again && wait <= max(p.AfterCap, p.Max)
}

// final is the error a caller gets: without the marks of this package, and with
// what the waits came to.
func (p Policy) final(n int, err error) error {
	var pe *agent.ProviderError
	if !errors.As(err, &pe) {
		return err
	}
	switch out := *pe; {
	case pe.After > max(p.AfterCap, p.Max):
		out.Message += fmt.Sprintf("; the server asks to wait %s, longer than the cap of %s", pe.After.Round(time.Second), p.AfterCap)
		return &out
	case n > 1:
		out.Message += fmt.Sprintf("; gave up after %d attempts", n)
		return &out
	}
	return pe
}

func (p Policy) filled() Policy {
	if p.Attempts <= 0 {
		p.Attempts = DefaultAttempts
	}
	if p.Base <= 0 {
		p.Base = DefaultBase
	}
	if p.Max <= 0 {
		p.Max = DefaultMax
	}
	if p.AfterCap <= 0 {
		p.AfterCap = DefaultAfterCap
	}
	if p.Sleep == nil {
		p.Sleep = backoff.Sleep
	}
	if p.Rand == nil {
		p.Rand = rand.Float64
	}
	return p
}

// advice is what a server said about trying again, whatever the kind of error.
type advice struct {
	err   error
	again bool
}

func (a *advice) Error() string { return a.err.Error() }
func (a *advice) Unwrap() error { return a.err }

// Never marks an error as one not to retry.
func Never(err error) error { return &advice{err, false} }

// Always marks an error as one to retry.
func Always(err error) error { return &advice{err, true} }

// Advice reads x-should-retry, by which a server overrides what its status
// would mean. Ok is false when it says nothing.
func Advice(h http.Header) (again, ok bool) {
	switch strings.ToLower(h.Get("X-Should-Retry")) {
	case "true":
		return true, true
	case "false":
		return false, true
	}
	return false, false
}
