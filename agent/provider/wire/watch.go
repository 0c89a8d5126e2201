package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// errBytes means that a server sent more than the limit.
var errBytes = errors.New("the answer is too long")

// expired is why a watchdog ended a request.
type expired struct {
	total bool
	after time.Duration
}

func (e *expired) Error() string {
	if e.total {
		return fmt.Sprintf("the answer was not complete after %s", e.after)
	}
	return fmt.Sprintf("nothing came from the server for %s", e.after)
}

// watchdog ends a request that is silent or takes too long. Only the time spent
// waiting for the server counts as silence, not what the reader does between two
// reads.
type watchdog struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	idle   *time.Timer
	total  *time.Timer
	every  time.Duration
}

// watch begins to wait for the head of the answer.
func watch(parent context.Context, l Limits) *watchdog {
	ctx, cancel := context.WithCancelCause(parent)
	w := &watchdog{ctx: ctx, cancel: cancel, every: l.Idle}
	w.idle = time.AfterFunc(l.Idle, func() { cancel(&expired{after: l.Idle}) })
	w.total = time.AfterFunc(l.Total, func() { cancel(&expired{total: true, after: l.Total}) })
	return w
}

// stop ends the request if it is still under way.
func (w *watchdog) stop() {
	w.idle.Stop()
	w.total.Stop()
	w.cancel(context.Canceled)
}

// body watches the reads of an answer and bounds them. Any byte is a sign of
// life, also of a ping or a comment that means nothing.
func (w *watchdog) body(r io.Reader, limit int64) io.Reader {
	w.idle.Stop()
	return &watchedBody{w, r, limit}
}

type watchedBody struct {
	w    *watchdog
	r    io.Reader
	left int64
}

func (b *watchedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errBytes
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	b.w.idle.Reset(b.w.every)
	n, err := b.r.Read(p)
	b.w.idle.Stop()
	b.left -= int64(n)
	return n, err
}
