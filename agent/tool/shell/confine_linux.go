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
	abiSockets  = 9
)

// Missing says what the kernel cannot keep of the confinement; none when it can
// keep all. A program shows it before the first command runs.
func (c *Confinement) Missing() (list []string) {
	abi, err := llsys.LandlockGetABIVersion()
	if err != nil || abi < abiFiles {
		return []string{"the kernel has no Landlock, or it is turned off: commands can read and write whatever you can"}
	}
	say := func(what string) {
		list = append(list, fmt.Sprintf("the kernel's Landlock (version %d) cannot keep %s", abi, what))
	}
	if abi < abiTruncate {
		say("files from being emptied")
	}
	if !c.Network && !c.canBeAlone() {
		if abi < abiTCP {
			say("commands from the network")
		} else {
			say("commands from sending datagrams, and no network of their own can be made for them")
		}
	}
	if abi < abiScope {
		say("commands from sending signals to other programs")
	}
	if abi < abiSockets {
		say("commands from the sockets of other programs, such as Docker's")
	}
	return list
}

// isolateNetwork gives the command an empty network namespace. A user who is not
// root needs a user namespace for that, which keeps the user's ID, and one
// capability to turn on the loopback device.
func isolateNetwork(attr *syscall.SysProcAttr) {
	attr.Cloneflags |= syscall.CLONE_NEWNET
	if uid, gid := os.Geteuid(), os.Getegid(); uid != 0 {
		attr.Cloneflags |= syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}}
		attr.AmbientCaps = []uintptr{unix.CAP_NET_ADMIN}
	}
}

// canBeAlone tries it, once: systems and containers forbid it in many ways.
func (c *Confinement) canBeAlone() bool {
	c.once.Do(func() {
		argv, err := c.argv("/", true, nil)
		if err != nil {
			return
		}
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Env = []string{}
		cmd.SysProcAttr = &syscall.SysProcAttr{}
		isolateNetwork(cmd.SysProcAttr)
		c.separable = cmd.Run() == nil
	})
	return c.separable
}

// loopback turns on the device of the network that this process is alone in.
func loopback() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("turn on the loopback device: %w", err)
	}
	defer unix.Close(fd)
	req, err := unix.NewIfreq("lo")
	if err == nil {
		req.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
		err = unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, req)
	}
	if err != nil {
		return fmt.Errorf("turn on the loopback device: %w", err)
	}
	// The capability was for this alone.
	return unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
}

func confine(s spec) error {
	if s.Alone {
		runtime.LockOSThread()
		if err := loopback(); err != nil {
			return err
		}
	}
	rules := []landlock.Rule{
		landlock.RODirs(existing(s.Read, true)...).IgnoreIfMissing(),
		landlock.ROFiles(existing(s.Read, false)...).IgnoreIfMissing(),
		landlock.RWDirs(existing(s.Write, true)...).WithRefer().IgnoreIfMissing(),
		landlock.RWFiles(existing(s.Write, false)...).IgnoreIfMissing(),
		landlock.RWFiles("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty").IgnoreIfMissing().WithIoctlDev(),
	}
	cfg := landlock.V9.BestEffort()
	if s.Network || s.Alone {
		if err := cfg.RestrictScoped(); err != nil {
			return err
		}
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
