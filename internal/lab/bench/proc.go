package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// command is one program to measure.
type command struct {
	name   string
	args   []string // program and arguments
	dir    string
	env    []string // added to the environment
	prints bool     // it must print something on stdout
}

// sample is one run of a command.
type sample struct {
	wall    time.Duration
	rss     int64 // peak resident memory, bytes
	private int64 // peak of the part that is not mapped from a file, bytes
}

// measure runs c once. Output goes to a file, as a shell would send it, not
// through this process.
func (c command) measure(ctx context.Context) (sample, error) {
	out, err := os.CreateTemp("", "topo-bench-out-")
	if err != nil {
		return sample{}, err
	}
	defer os.Remove(out.Name())
	defer out.Close()
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, c.args[0], c.args[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = c.dir, out, &limitedBuffer{&stderr}
	cmd.Env = append(os.Environ(), c.env...)
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return sample{}, fmt.Errorf("%s: %w", c.name, err)
	}
	stop, peaks := make(chan struct{}), make(chan sample)
	go watch(cmd.Process.Pid, stop, peaks)
	err = cmd.Wait()
	wall := time.Since(start)
	close(stop)
	s := <-peaks
	s.wall = wall
	if err != nil {
		return s, fmt.Errorf("%s: %w: %s", c.name, err, bytes.TrimSpace(stderr.Bytes()))
	}
	if info, err := out.Stat(); err == nil && c.prints && info.Size() == 0 {
		return s, fmt.Errorf("%s printed nothing", c.name)
	}
	// The kernel starts the peak of a new process at that of its parent, so
	// that a figure at or below ours says nothing; the samples do.
	if ru, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		if peak := ru.Maxrss << 10; peak > statusOf(os.Getpid())["VmHWM"] {
			s.rss = max(s.rss, peak)
		}
	}
	return s, nil
}

// limitedBuffer keeps the first few lines of stderr for the error message.
type limitedBuffer struct{ b *bytes.Buffer }

func (l *limitedBuffer) Write(p []byte) (int, error) {
	if room := 600 - l.b.Len(); room > 0 {
		l.b.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// watch samples the memory of a process every millisecond until stop.
func watch(pid int, stop <-chan struct{}, peaks chan<- sample) {
	var s sample
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		st := statusOf(pid)
		s.rss = max(s.rss, st["VmHWM"])
		s.private = max(s.private, st["RssAnon"])
		select {
		case <-stop:
			peaks <- s
			return
		case <-tick.C:
		}
	}
}

// statusOf reads the memory figures of /proc/PID/status, in bytes. It is empty
// where there is no such file.
func statusOf(pid int) map[string]int64 {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return nil
	}
	return parseStatus(raw)
}

func parseStatus(raw []byte) map[string]int64 {
	out := map[string]int64{}
	for _, line := range bytes.Split(raw, []byte{'\n'}) {
		f := bytes.Fields(line)
		if len(f) == 3 && string(f[2]) == "kB" {
			if n, err := strconv.ParseInt(string(f[1]), 10, 64); err == nil {
				out[string(bytes.TrimSuffix(f[0], []byte{':'}))] = n << 10
			}
		}
	}
	return out
}
