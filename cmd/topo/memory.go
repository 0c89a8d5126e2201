package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
)

// How much memory a command may use, in bytes, before garbage is collected at
// all. Most commands end before they get there: collecting on the way cost a
// query a tenth of its time and a refresh of a large index a fifth.
const (
	quietHeap   = 24 << 20
	quietUpdate = 192 << 20 // while an index is built
)

// collectAfter sets the garbage collector for a process that lives for one
// command: off until limit is reached, as usual from then on, so that a large
// tree is not collected over and over at the limit. GOGC and GOMEMLIMIT win.
func collectAfter(limit int64) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(limit)
	type sentinel struct{ _ [16]byte }
	runtime.SetFinalizer(&sentinel{}, func(*sentinel) { // the first collection
		debug.SetMemoryLimit(math.MaxInt64)
		debug.SetGCPercent(100)
	})
}
