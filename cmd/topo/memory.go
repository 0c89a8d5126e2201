package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
)

// quietHeap is how much memory a command may use, in bytes, before garbage is
// collected at all. Most commands end before they get there; collecting on the
// way cost a refresh of a large index a fifth of its processor time.
const quietHeap = 192 << 20

// tuneMemory sets the garbage collector for a process that lives for one
// command: off until quietHeap is reached, as usual from then on, so that a
// large tree is not collected over and over at the limit. GOGC and GOMEMLIMIT
// win.
func tuneMemory() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(quietHeap)
	type sentinel struct{ _ [16]byte }
	runtime.SetFinalizer(&sentinel{}, func(*sentinel) { // the first collection
		debug.SetMemoryLimit(math.MaxInt64)
		debug.SetGCPercent(100)
	})
}
