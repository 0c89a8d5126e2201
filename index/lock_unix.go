//go:build unix

package index

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// tryLock takes the lock without waiting; false means that another has it.
// The system gives it up when the process ends, however it ends.
func tryLock(f *os.File) (bool, error) {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) || errors.Is(err, unix.EINTR) {
		return false, nil
	}
	return err == nil, err
}
