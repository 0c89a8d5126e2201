//go:build unix && !linux

package shell

import "syscall"

// alone does nothing: only Linux gives a process a network of its own.
func alone(*syscall.SysProcAttr) {}
