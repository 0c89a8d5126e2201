package retry

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/topo-dev/topo/agent"
)

// tries runs a policy over attempts that fail with errs in turn and then
// succeed. Attempts whose number is in says emit a text first. It returns what
// was emitted, as words, and the waits.
func tries(p Policy, says []int, errs ...error) (log []string, waits []time.Duration, err error) {
	p.Sleep = func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }
	if p.Rand == nil {
		p.Rand = func() float64 { return 1 }
	}
	n := 0
	_, err = p.Do(context.Background(), func(d agent.Delta) { log = append(log, string(d.Kind)) },
		func(_ context.Context, emit func(agent.Delta)) (agent.Response, error) {
			n++
			if slices.Contains(says, n) {
				emit(agent.Delta{Kind: agent.DeltaText, Text: "x"})
			}
			if n <= len(errs) {
				return agent.Response{}, errs[n-1]
			}
			return agent.Response{}, nil
		})
	return log, waits, err
}

func fault(kind agent.ErrorKind) *agent.ProviderError {
	return &agent.ProviderError{Provider: "p", Kind: kind, Message: "m"}
}

func TestWhatIsRetried(t *testing.T) {
	for _, c := range []struct {
		name string
		err  error
		want int // waits
	}{
		{"rate limit", fault(agent.ErrRateLimit), 1},
		{"overloaded", fault(agent.ErrOverloaded), 1},
		{"server", fault(agent.ErrServer), 1},
		{"network", fault(agent.ErrNetwork), 1},
		{"protocol", fault(agent.ErrProtocol), 1},
		{"auth", fault(agent.ErrAuth), 0},
		{"spend", fault(agent.ErrSpend), 0},
		{"context", fault(agent.ErrContext), 0},
		{"request", fault(agent.ErrRequest), 0},
		{"told not to", Never(fault(agent.ErrRateLimit)), 0},
		{"told to", Always(fault(agent.ErrRequest)), 1},
		{"another error", errors.New("x"), 0},
	} {
		_, waits, err := tries(Policy{}, nil, c.err)
		if len(waits) != c.want || (err == nil) != (c.want == 1) {
			t.Errorf("%s: %d waits, %v", c.name, len(waits), err)
		}
	}
}

func TestResetComesOnlyAfterOutput(t *testing.T) {
	e := fault(agent.ErrServer)
	log, _, err := tries(Policy{}, []int{2, 3}, e, e)
	want := []string{"retry", "text", "reset", "retry", "text"}
	if err != nil || !slices.Equal(log, want) {
		t.Errorf("%v, %v, want %v", log, err, want)
	}
}

func TestBackoffDoublesWithinBounds(t *testing.T) {
	e := fault(agent.ErrServer)
	errs := []error{e, e, e, e, e}
	p := Policy{Base: time.Second, Max: 6 * time.Second}
	_, most, _ := tries(p, nil, errs...)
	if want := []time.Duration{1e9, 2e9, 4e9, 6e9, 6e9}; !slices.Equal(most, want) {
		t.Errorf("at most %v, want %v", most, want)
	}
	p.Rand = func() float64 { return 0 }
	_, waits, _ := tries(p, nil, errs...)
	if want := []time.Duration{5e8, 1e9, 2e9, 3e9, 3e9}; !slices.Equal(waits, want) {
		t.Errorf("at least %v, want %v", waits, want)
	}
}

func TestServersWaitIsKeptOrRefused(t *testing.T) {
	e := fault(agent.ErrRateLimit)
	e.After = 42 * time.Second
	if _, waits, err := tries(Policy{}, nil, e); err != nil || !slices.Equal(waits, []time.Duration{e.After}) {
		t.Errorf("%v, %v", waits, err)
	}
	e.After = time.Hour
	_, waits, err := tries(Policy{}, nil, e)
	if len(waits) != 0 || err == nil || !strings.Contains(err.Error(), "wait 1h0m0s, longer than the cap of 5m0s") {
		t.Errorf("%v, %v", waits, err)
	}
	var pe *agent.ProviderError
	if !errors.As(err, &pe) || pe.After != time.Hour || pe.Kind != agent.ErrRateLimit {
		t.Errorf("%+v", pe)
	}
}

func TestGivesUp(t *testing.T) {
	e := fault(agent.ErrServer)
	_, waits, err := tries(Policy{Attempts: 3}, nil, e, e, e, e)
	if len(waits) != 2 || err == nil || !strings.Contains(err.Error(), "gave up after 3 attempts") {
		t.Errorf("%v, %v", waits, err)
	}
	if e.Message != "m" {
		t.Errorf("the attempt's error was changed: %q", e.Message)
	}
}

// The wait is real time of the clock, is announced before it, and ends with the
// context.
func TestWaitOnTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		e := fault(agent.ErrRateLimit)
		e.After = 40 * time.Second
		start := time.Now()
		var seen []time.Duration
		_, err := Policy{}.Do(ctx, func(d agent.Delta) { seen = append(seen, time.Since(start), d.Wait) },
			func(context.Context, func(agent.Delta)) (agent.Response, error) { return agent.Response{}, e })
		want := []time.Duration{0, e.After, e.After, e.After}
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Minute || !slices.Equal(seen, want) {
			t.Errorf("%v after %v, %v", err, time.Since(start), seen)
		}
	})
}

// A context that ends during an attempt wins over what the attempt says.
func TestContextWins(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	_, err := Policy{}.Do(ctx, func(agent.Delta) { t.Error("something was emitted") },
		func(context.Context, func(agent.Delta)) (agent.Response, error) {
			cancel()
			return agent.Response{}, fault(agent.ErrNetwork)
		})
	if err != context.Canceled {
		t.Error(err)
	}
}

func TestAdvice(t *testing.T) {
	for v, want := range map[string][2]bool{"": {}, "true": {true, true}, "False": {false, true}, "maybe": {}} {
		if again, ok := Advice(http.Header{"X-Should-Retry": {v}}); [2]bool{again, ok} != want {
			t.Errorf("%q: %v %v", v, again, ok)
		}
	}
}
