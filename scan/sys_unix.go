//go:build unix

package scan

import (
	"os"
	"syscall"
)

// nonblock keeps the opening of a pipe from waiting for its other end.
const nonblock = syscall.O_NONBLOCK

// sameDevice reports whether two directories are on one file system; git does
// not look for a repository across that border.
func sameDevice(a, b string) bool {
	sa, errA := os.Stat(a)
	sb, errB := os.Stat(b)
	if errA != nil || errB != nil {
		return false
	}
	ta, okA := sa.Sys().(*syscall.Stat_t)
	tb, okB := sb.Sys().(*syscall.Stat_t)
	return !okA || !okB || ta.Dev == tb.Dev
}
