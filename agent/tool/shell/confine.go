package shell

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
)

// Confinement keeps commands from files and addresses with the means of the
// kernel. It is put on by a program of ours that then becomes the shell, because
// a process cannot take it off again.
type Confinement struct {
	Helper  []string // command line of the program that calls [ExecConfined] with the rest of its arguments
	Read    []string // absolute paths that may be read and run, besides those of the system
	Write   []string // absolute paths that may be written, besides the tree
	Network bool     // addresses may be reached

	once      sync.Once
	separable bool // commands can have a network of their own
}

// spec is what the helper receives.
type spec struct {
	Read, Write []string
	Network     bool     // addresses may be reached
	Alone       bool     // the helper has a network of its own, with nobody in it
	Argv        []string // the command; none only tries the confinement
}

func (c *Confinement) describe() string {
	net := "The network cannot be reached; servers on this machine can, when the same call starts them."
	if c.Network {
		net = ""
	}
	return strings.TrimSpace("Commands are confined: they write only below the root and in temporary directories, and read only those, the system and the tool chains. " + net)
}

// argv is the command line of the helper.
func (c *Confinement) argv(dir string, alone bool, argv []string) ([]string, error) {
	if len(c.Helper) == 0 {
		return nil, errors.New("commands are to be confined, and no helper is configured")
	}
	raw, err := json.Marshal(spec{Read: append(systemPaths(), c.Read...), Write: append([]string{dir}, c.Write...), Network: c.Network, Alone: alone, Argv: argv})
	if err != nil {
		return nil, fmt.Errorf("confine the command: %w", err)
	}
	return append(append([]string(nil), c.Helper...), string(raw)), nil
}

// systemPaths are what programs need to run: themselves, their libraries, the
// settings and devices that hold nothing of the user.
func systemPaths() []string {
	return []string{"/bin", "/etc", "/lib", "/lib32", "/lib64", "/nix", "/opt", "/proc", "/run/systemd/resolve",
		"/sbin", "/sys/devices/system/cpu", "/sys/fs/cgroup", "/usr", "/var/lib/dpkg"}
}

// ExecConfined puts the confinement on this process and becomes the command. It
// returns when that fails, and without an error when there is no command: then
// it was only to be tried. Call it from a program started for nothing else.
func ExecConfined(raw string) error {
	var s spec
	if err := json.Unmarshal([]byte(raw), &s); err != nil {
		return fmt.Errorf("the confinement is not understood: %w", err)
	}
	if err := confine(s); err != nil {
		return fmt.Errorf("confine the command: %w", err)
	}
	if len(s.Argv) == 0 {
		return nil
	}
	return become(s.Argv)
}
