package embed

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/topo-dev/topo/internal/backoff"
)

// Retry is how a call is repeated after failures that may pass. The zero value
// of each field is its default.
type Retry struct {
	Tries int           // 4
	First time.Duration // pause before the second try, 500 ms; doubled after each
	Max   time.Duration // longest pause, also when the service asks for a longer one; 20 s
	// Sleep waits; the default is a timer that ends with ctx.
	Sleep func(ctx context.Context, d time.Duration) error
	// Jitter is a number from 0 to 1; the default is random.
	Jitter func() float64
}

func (r Retry) filled() Retry {
	if r.Tries == 0 {
		r.Tries = 4
	}
	if r.First == 0 {
		r.First = 500 * time.Millisecond
	}
	if r.Max == 0 {
		r.Max = 20 * time.Second
	}
	if r.Sleep == nil {
		r.Sleep = backoff.Sleep
	}
	if r.Jitter == nil {
		r.Jitter = rand.Float64
	}
	return r
}

// pause is how long to wait after the given number of tries. What the service
// requested is the minimum, up to Max.
func (r Retry) pause(tries int, after time.Duration) time.Duration {
	return min(max(backoff.Delay(tries, r.First, r.Max, r.Jitter()), after), r.Max)
}

// do calls fn until it succeeds, fails for good, or ctx ends.
func (r Retry) do(ctx context.Context, fn func(ctx context.Context) error) error {
	r = r.filled()
	for tries := 1; ; tries++ {
		err := fn(ctx)
		var e *Error
		if err == nil || !errors.As(err, &e) {
			return err
		}
		e.Tries = tries
		if cause := context.Cause(ctx); cause != nil {
			e.err = cause
			return err
		}
		if !e.retry || tries >= r.Tries {
			return err
		}
		if err := r.Sleep(ctx, r.pause(tries, e.after)); err != nil {
			e.err = err
			return e
		}
	}
}

// passing reports whether a status says that the same request may succeed later.
func passing(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests, http.StatusInternalServerError,
		http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout, 529:
		return true
	}
	return false
}
