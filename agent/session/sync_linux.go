package session

import (
	"os"

	"golang.org/x/sys/unix"
)

// datasync brings what was written to the disk. The times of the file may be
// lost, its length is not.
func datasync(f *os.File) error {
	for {
		if err := unix.Fdatasync(int(f.Fd())); err != unix.EINTR {
			return err
		}
	}
}
