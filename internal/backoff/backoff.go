// Package backoff says how long to wait before a request to a service is sent
// again. Whether to send it again is for those who know the service.
package backoff

import (
	"context"
	"time"
)

// Delay is the wait after attempt n, counted from 1, has failed: base, doubled
// for each further attempt, at most longest. Half of it is fixed and half is
// chance, a number in [0, 1): many clients that failed together come back
// apart, and none at once.
func Delay(n int, base, longest time.Duration, chance float64) time.Duration {
	d := base
	for i := 1; i < n && d < longest; i++ {
		d *= 2
	}
	d = min(d, longest)
	return d/2 + time.Duration(chance*float64(d/2))
}

// Sleep waits, or returns the cause for which ctx ended when it ends first.
func Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
