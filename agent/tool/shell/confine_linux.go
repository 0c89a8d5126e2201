package shell

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"github.com/landlock-lsm/go-landlock/landlock"
	llsys "github.com/landlock-lsm/go-landlock/landlock/syscall"
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
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return fmt.Errorf("run the command: %w", err)
	}
	return fmt.Errorf("run %s: %w", path, syscall.Exec(path, argv, os.Environ()))
}
