// Package shell holds the tool bash: it runs a command in the root of the tree.
//
// What always holds:
//
//   - A command ends with its call: its process group is killed when the shell
//     ends, at the time limit and on a cancelled context, and so is, where the
//     system lets us find it, what left the group.
//   - A command sees an environment made from a list of harmless names,
//     without the keys of the user, and an empty standard input.
//   - Memory is bounded however much is printed.
//   - Each call is a shell of its own: no directory, variable or function is kept.
//   - With a confinement, what the kernel cannot enforce is said in the answer,
//     never passed over.
package shell

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/tool"
)

// Bounds of a run.
const (
	DefaultTimeout = 2 * time.Minute
	MaxTimeout     = 10 * time.Minute
	grace          = 500 * time.Millisecond // between asking processes to end and killing them
	drain          = 250 * time.Millisecond // for output that is on its way when the shell ends
)

// Options says where and how commands run.
type Options struct {
	Dir   string   // where commands run; absolute
	Shell string   // path of bash, or of another shell that takes -c
	Env   []string // of the commands, as made by [Env]

	// Confine keeps commands to the tree with the means of the kernel; nil runs
	// them with the rights of the user.
	Confine *Confinement
}

//go:embed bash.md
var description string

type input struct {
	Command string `json:"command" jsonschema:"what the shell runs" tool:"min=1,max=32768"`
	Timeout int    `json:"timeout,omitempty" jsonschema:"seconds until it is ended" tool:"min=1,max=600,default=120"`
}

// Tool returns the tool.
func Tool(o Options) agent.Tool {
	text := strings.TrimSpace(description)
	if o.Confine != nil {
		text += "\n\n" + o.Confine.describe()
	}
	r := runner{o}
	return tool.New(tool.Definition{Name: "bash", Description: text, Destructive: true, OpenWorld: o.Confine == nil || o.Confine.Network},
		access, r.run)
}

func access(in input) ([]agent.Access, error) {
	if strings.ContainsRune(in.Command, 0) {
		return nil, errors.New("the command holds a NUL byte")
	}
	if strings.TrimSpace(in.Command) == "" {
		return nil, errors.New("the command is empty")
	}
	return []agent.Access{{Op: agent.OpExec, Command: in.Command}}, nil
}

type runner struct{ Options }

func (r runner) run(ctx context.Context, in input) (agent.Output, error) {
	if _, err := access(in); err != nil {
		return agent.Output{}, err
	}
	limit := DefaultTimeout
	if in.Timeout > 0 {
		limit = min(time.Duration(in.Timeout)*time.Second, MaxTimeout)
	}
	lonely := r.Confine != nil && !r.Confine.Network && r.Confine.canBeAlone()
	argv, err := r.argv(in.Command, lonely)
	if err != nil {
		return agent.Output{}, err
	}
	mark := newMark()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = r.Dir, append(append([]string(nil), r.Env...), mark)
	cmd.SysProcAttr = attributes(lonely)
	started := time.Now()
	end, err := waitOrKill(ctx, cmd, limit, mark)
	if err != nil {
		return agent.Output{}, err
	}
	return end.output(time.Since(started), limit)
}

// argv is the command line of a shell that reads no start-up file, within the
// confinement when there is one.
func (r runner) argv(command string, lonely bool) ([]string, error) {
	argv := []string{r.Shell}
	if base := r.Shell[strings.LastIndexByte(r.Shell, '/')+1:]; base == "bash" {
		argv = append(argv, "--noprofile", "--norc")
	}
	argv = append(argv, "-c", command)
	if r.Confine == nil {
		return argv, nil
	}
	return r.Confine.argv(r.Dir, lonely, argv)
}

// ending is how a run ended.
type ending struct {
	out      *window
	state    *os.ProcessState
	timedOut bool
	stopped  error // of the context
	left     int   // processes that were killed after the shell had ended
}

// waitOrKill runs the command until it ends or is ended.
func waitOrKill(ctx context.Context, cmd *exec.Cmd, limit time.Duration, mark string) (*ending, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("run the command: %w", err)
	}
	defer r.Close()
	cmd.Stdout, cmd.Stderr = w, w
	err = cmd.Start()
	w.Close()
	if err != nil {
		return nil, fmt.Errorf("run the command: %w", err)
	}
	e := &ending{out: &window{}}
	copied, exited := make(chan struct{}), make(chan struct{})
	go func() { e.out.readFrom(r); close(copied) }()
	go func() { _ = cmd.Wait(); close(exited) }() // the state says how it ended
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-exited:
	case <-timer.C:
		e.timedOut = true
	case <-ctx.Done():
		e.stopped = ctx.Err()
	}
	if e.timedOut || e.stopped != nil {
		endGroup(cmd.Process.Pid, false)
		select {
		case <-exited:
		case <-time.After(grace):
		}
	}
	endGroup(cmd.Process.Pid, true)
	<-exited
	e.left = endMarked(mark)
	e.state = cmd.ProcessState
	_ = r.SetReadDeadline(time.Now().Add(drain)) // what still holds the pipe is not waited for
	<-copied
	return e, nil
}

// output says what the command printed and how it ended.
func (e *ending) output(took, limit time.Duration) (agent.Output, error) {
	if e.stopped != nil {
		return agent.Output{}, fmt.Errorf("the command was stopped after %s: %w", took.Round(time.Second), e.stopped)
	}
	text := readableOutput(e.out.String())
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	out := agent.Output{IsError: !e.state.Success() || e.timedOut}
	switch {
	case e.timedOut:
		text += fmt.Sprintf("[timed out after %s and was ended]\n", limit)
		out.Hints = append(out.Hints, "Give a longer timeout (at most 600 seconds), or run a smaller part.")
	case e.state.Success() && text == "":
		text = "[no output, exit code 0]\n"
	case !e.state.Success():
		text += "[" + stateText(e.state) + "]\n"
	}
	if e.left > 0 {
		text += fmt.Sprintf("[%d background processes were ended with the call]\n", e.left)
	}
	out.Text = text
	return out, nil
}
