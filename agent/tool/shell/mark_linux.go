package shell

import (
	"bytes"
	"crypto/rand"
	"io"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// markName is the variable that distinguishes the processes of a call from all
// others: a daemon leaves its group and its session, but keeps its environment.
const markName = "TOPO_CALL"

func newMark() string { return markName + "=" + rand.Text() }

// maxEnviron bounds what is read of a process's environment: the kernel lets it
// have 2 MiB and more, and the mark is among it.
const maxEnviron = 4 << 20

// endMarked kills the processes that have the mark and returns how many. One
// that cleared its environment is not found.
func endMarked(mark string) (n int) {
	for range 5 { // one may have forked while we looked
		found := 0
		dir, err := os.Open("/proc")
		if err != nil {
			return n
		}
		names, _ := dir.Readdirnames(-1)
		dir.Close()
		for _, name := range names {
			if pid, err := strconv.Atoi(name); err == nil && pid != os.Getpid() && endIfMarked(pid, mark) {
				found++
			}
		}
		if found == 0 {
			return n
		}
		n += found
	}
	return n
}

// endIfMarked holds on to the process before it looks: the one that is
// killed is the one that was looked at.
func endIfMarked(pid int, mark string) bool {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	f, err := os.Open("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return false
	}
	defer f.Close()
	env, err := io.ReadAll(io.LimitReader(f, maxEnviron))
	if err != nil {
		return false
	}
	for kv := range bytes.SplitSeq(env, []byte{0}) {
		if string(kv) == mark {
			return unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0) == nil
		}
	}
	return false
}
