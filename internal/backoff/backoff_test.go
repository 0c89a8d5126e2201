package backoff

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"
)

func TestDelay(t *testing.T) {
	for i, want := range []time.Duration{500, 1000, 2000, 3000, 3000} {
		want *= time.Millisecond
		if got := Delay(i+1, time.Second, 6*time.Second, 0); got != want {
			t.Errorf("attempt %d waits at least %v, want %v", i+1, got, want)
		}
	}
	for n := range 200 { // no overflow however many attempts
		if d := Delay(n, time.Second, 30*time.Second, 0.99); d <= 0 || d > 30*time.Second {
			t.Fatalf("attempt %d waits %v", n, d)
		}
	}
	if d := Delay(3, time.Minute, time.Second, 0); d != 500*time.Millisecond {
		t.Errorf("a base over the longest wait gives %v", d)
	}
}

func TestSleepEndsWithItsContext(t *testing.T) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	if err := Sleep(ctx, time.Hour); err != cause {
		t.Errorf("got %v, want the cause", err)
	}
	if err := Sleep(t.Context(), 0); err != nil {
		t.Error(err)
	}
}

func TestAfter(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		want time.Duration
		kv   []string
	}{
		{0, nil},
		{7 * time.Second, []string{"Retry-After", "7"}},
		{1500 * time.Millisecond, []string{"Retry-After", " 1.5 "}},
		{250 * time.Millisecond, []string{"Retry-After", "7", "Retry-After-Ms", "250"}},
		{30 * time.Second, []string{"Retry-After", "Sat, 21 Nov 2026 12:00:30 GMT"}},
		{20 * time.Second, []string{"Retry-After", "Sat, 21 Nov 2026 12:00:30 GMT", "Date", "Sat, 21 Nov 2026 12:00:10 GMT"}},
		{0, []string{"Retry-After", "Sat, 21 Nov 2026 11:00:00 GMT"}},
		{0, []string{"Retry-After", "-3"}},
		{0, []string{"Retry-After", "NaN"}},
		{0, []string{"Retry-After", "soon"}},
		{longest, []string{"Retry-After", "1e300"}},
		{longest, []string{"Retry-After", "Inf"}},
		{longest, []string{"Retry-After", "Fri, 31 Dec 9999 23:59:59 GMT"}},
	} {
		h := http.Header{}
		for i := 0; i < len(c.kv); i += 2 {
			h.Set(c.kv[i], c.kv[i+1])
		}
		if got := After(h, now); got != c.want {
			t.Errorf("%v: %v, want %v", c.kv, got, c.want)
		}
	}
}
