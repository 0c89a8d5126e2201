package host_test

import (
	"context"
	"fmt"
	"os"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/host"
)

// printer is a whole front end: it prints what a program would show, and denies
// what it would ask.
type printer struct{}

func (printer) Emit(e agent.Event) error {
	switch e.Event {
	case agent.EventCallStart:
		fmt.Println("call:", e.Call.Name)
	case agent.EventEnd:
		fmt.Println("end:", e.Outcome)
	}
	return nil
}

func (printer) Ask(context.Context, agent.Question) (agent.Answer, error) {
	return agent.Answer{}, agent.ErrNobody
}

// A front end opens a host on a tree, says what is to be done and with what
// rights, and gets every event. The provider here plays a recorded session, whose
// tools work for real, and needs no key.
func Example() {
	ctx := context.Background()
	tree, _ := os.MkdirTemp("", "example-tree-")
	state, _ := os.MkdirTemp("", "example-state-")
	defer os.RemoveAll(tree)
	defer os.RemoveAll(state)
	prompt, err := host.WriteDemo(tree)
	if err != nil {
		fmt.Println(err)
		return
	}
	h, err := host.Open(ctx, host.Options{Root: tree, Folders: host.Folders{State: state}, Environ: os.Environ()})
	if err != nil {
		fmt.Println(err)
		return
	}
	rights, _ := host.NewRights(host.Default, []string{"write(login.sh)", "bash(sh test.sh)"}, nil)
	result, err := h.Run(ctx, host.Task{Prompt: prompt, Model: host.Model{Provider: host.Replay}, Rights: rights}, printer{})
	fmt.Println(result.Outcome, err)
	// Unordered output:
	// call: bash
	// call: read
	// call: grep
	// call: edit
	// call: bash
	// end: done
	// done <nil>
}
