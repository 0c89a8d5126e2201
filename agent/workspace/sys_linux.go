package workspace

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// nonblock keeps an open from waiting for the other end of a pipe.
const nonblock = syscall.O_NONBLOCK

// identity is the device of a file and how many names it has.
func identity(st fs.FileInfo) (dev, links uint64) {
	if s, ok := st.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Dev), uint64(s.Nlink)
	}
	return 0, 1
}

// virtualFS are the file systems whose files are made up by the kernel: reading
// one can reveal secrets of the machine, writing one can change it.
var virtualFS = map[int64]bool{
	unix.PROC_SUPER_MAGIC: true, unix.SYSFS_MAGIC: true, unix.DEBUGFS_MAGIC: true,
	unix.TRACEFS_MAGIC: true, unix.SECURITYFS_MAGIC: true, unix.CGROUP_SUPER_MAGIC: true,
	unix.CGROUP2_SUPER_MAGIC: true, unix.BPF_FS_MAGIC: true, unix.DEVPTS_SUPER_MAGIC: true,
	unix.SELINUX_MAGIC: true, unix.EFIVARFS_MAGIC: true, unix.NSFS_MAGIC: true,
}

// isVirtualFS reports whether the open file is on such a file system. It is true
// when the file system is not known.
func isVirtualFS(f *os.File) bool {
	raw, err := f.SyscallConn()
	if err != nil {
		return true
	}
	var st unix.Statfs_t
	failed := raw.Control(func(fd uintptr) { err = unix.Fstatfs(int(fd), &st) })
	return failed != nil || err != nil || virtualFS[int64(st.Type)]
}
