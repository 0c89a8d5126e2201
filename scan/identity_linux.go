package scan

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// fileIdentity tells a folder from all others of the machine, whatever its path: its
// inode and, because an inode is used again, the time it was made.
func fileIdentity(dir string) string {
	var st unix.Statx_t
	if err := unix.Statx(unix.AT_FDCWD, dir, 0, unix.STATX_INO|unix.STATX_BTIME, &st); err != nil {
		return dir
	}
	made := ""
	if st.Mask&unix.STATX_BTIME != 0 {
		made = fmt.Sprintf("%d.%d", st.Btime.Sec, st.Btime.Nsec)
	}
	return fmt.Sprintf("inode %d made %s", st.Ino, made)
}
