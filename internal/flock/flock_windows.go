package flock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// Open opens the lock file, making it if need be.
func Open(name string) (*os.File, error) { return os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o644) }

// Try takes the lock without waiting; false means that another has it.
// The system gives it up when the process ends, however it ends.
func Try(f *os.File) (bool, error) {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}
