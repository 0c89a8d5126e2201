//go:build unix

package shell

import (
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// attributes give the command a process group, to end all of it,
// and when it shall be alone a network of its own.
func attributes(lonely bool) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true}
	if lonely {
		isolateNetwork(attr)
	}
	return attr
}

// endGroup asks the group to end, or kills it. That there is none any more is
// the usual case and no error.
func endGroup(pid int, kill bool) {
	sig := unix.SIGTERM
	if kill {
		sig = unix.SIGKILL
	}
	_ = unix.Kill(-pid, sig)
}

// stateText says how the shell ended.
func stateText(s *os.ProcessState) string {
	if ws, ok := s.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return fmt.Sprintf("ended by signal %d, %s", int(ws.Signal()), ws.Signal())
	}
	if code := s.ExitCode(); code > 128 && code < 128+65 {
		return fmt.Sprintf("exit code %d: signal %d, %s", code, code-128, syscall.Signal(code-128))
	}
	return fmt.Sprintf("exit code %d", s.ExitCode())
}
