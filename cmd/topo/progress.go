package main

import (
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"
)

// bar shows how far a stage is; nothing when standard error is no terminal.
type bar struct {
	shown *progressbar.ProgressBar
	most  atomic.Int64
}

// progress starts a bar. total is -1 when it is not known.
func (f *factory) progress(what string, total int) *bar {
	b := &bar{}
	if f.errTTY && !f.quiet {
		b.shown = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(f.err),
			progressbar.OptionSetDescription(what),
			progressbar.OptionShowCount(),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionThrottle(progressThrottle),
			progressbar.OptionEnableColorCodes(f.colored(true)),
		)
	}
	return b
}

// done tells how many are done. It may be called from many goroutines, and
// then in any order.
func (b *bar) done(n int) {
	if b.shown == nil {
		return
	}
	for {
		old := b.most.Load()
		if int64(n) <= old {
			return
		}
		if b.most.CompareAndSwap(old, int64(n)) {
			_ = b.shown.Set(n)
			return
		}
	}
}

// of is done when the total is known only now.
func (b *bar) of(n, total int) {
	if b.shown == nil {
		return
	}
	if b.shown.GetMax() != total {
		b.shown.ChangeMax(total)
	}
	b.done(n)
}

// finish removes the bar.
func (b *bar) finish() {
	if b.shown != nil {
		_ = b.shown.Finish()
	}
}

// progressThrottle is the least time between two drawings of a bar.
const progressThrottle = 100 * time.Millisecond
