package shell

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"syscall"

	"github.com/landlock-lsm/go-landlock/landlock"
	llsys "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// Versions of Landlock's interface from which the kernel can keep what we ask.
const (
	abiFiles    = 2 // 1 cannot move files between directories, which builds do
	abiTruncate = 3
	abiTCP      = 4
	abiScope    = 6
)

// Missing says what the kernel cannot keep of the confinement; none when it can
// keep all. A program shows it before the first command runs.
func (c *Confinement) Missing() (list []string) {
	abi, err := llsys.LandlockGetABIVersion()
	if err != nil || abi < abiFiles {
		return []string{"the kernel has no Landlock, or it is turned off: commands can read and write whatever you can"}
	}
	if abi < abiTruncate {
		list = append(list, fmt.Sprintf("the kernel's Landlock (version %d) cannot keep files from being emptied", abi))
	}
	if abi < abiTCP && !c.Network {
		list = append(list, fmt.Sprintf("the kernel's Landlock (version %d) cannot keep commands from the network", abi))
	}
	if abi < abiScope {
		list = append(list, fmt.Sprintf("the kernel's Landlock (version %d) cannot keep commands from sending signals to other programs", abi))
	}
	return list
}

func confine(s spec) error {
	rules := []landlock.Rule{
		landlock.RODirs(existing(s.Read, true)...).IgnoreIfMissing(),
		landlock.ROFiles(existing(s.Read, false)...).IgnoreIfMissing(),
		landlock.RWDirs(existing(s.Write, true)...).WithRefer().IgnoreIfMissing(),
		landlock.RWFiles(existing(s.Write, false)...).IgnoreIfMissing(),
		landlock.RWFiles("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty").IgnoreIfMissing().WithIoctlDev(),
	}
	cfg := landlock.V8.BestEffort()
	if s.Network {
		return cfg.RestrictPaths(rules...)
	}
	return cfg.Restrict(rules...)
}

// kept are the capabilities that builds and tests run by root make use of.
// Landlock binds root too, but not what the others allow: to read the memory of
// any process, to reach files by their number, to change the kernel.
var kept = []uintptr{
	unix.CAP_CHOWN, unix.CAP_DAC_OVERRIDE, unix.CAP_FOWNER, unix.CAP_FSETID, unix.CAP_KILL,
	unix.CAP_SETGID, unix.CAP_SETUID, unix.CAP_SETPCAP, unix.CAP_NET_BIND_SERVICE,
}

// dropCapabilities takes the others from this thread for what it executes. Who
// is not root has none to lose, and the kernel says so.
func dropCapabilities() error {
	for c := uintptr(0); c <= unix.CAP_LAST_CAP; c++ {
		if slices.Contains(kept, c) {
			continue
		}
		err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0)
		if err != nil && !errors.Is(err, unix.EPERM) && !errors.Is(err, unix.EINVAL) {
			return fmt.Errorf("drop capability %d: %w", c, err)
		}
	}
	return nil
}

// existing picks the directories, or the other files, among the paths.
func existing(paths []string, dirs bool) (list []string) {
	for _, p := range paths {
		if st, err := os.Stat(p); err == nil && st.IsDir() == dirs {
			list = append(list, p)
		}
	}
	return list
}

// become replaces this process with the command.
func become(argv []string) error {
	runtime.LockOSThread() // capabilities are those of the thread that executes
	if err := dropCapabilities(); err != nil {
		return err
	}
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return fmt.Errorf("run the command: %w", err)
	}
	return fmt.Errorf("run %s: %w", path, syscall.Exec(path, argv, os.Environ()))
}
