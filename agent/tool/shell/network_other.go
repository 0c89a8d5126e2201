//go:build unix && !linux

package shell

import "syscall"

// isolateNetwork does nothing: only Linux gives a process a network of its own.
func isolateNetwork(*syscall.SysProcAttr) {}
