//go:build !unix

package shell

import (
	"fmt"
	"os"
	"syscall"
)

// There are no process groups here: the shell alone is killed.
func attributes(bool) *syscall.SysProcAttr { return nil }

func endGroup(pid int, kill bool) {
	if p, err := os.FindProcess(pid); err == nil && kill {
		_ = p.Kill()
	}
}

func stateText(s *os.ProcessState) string { return fmt.Sprintf("exit code %d", s.ExitCode()) }
