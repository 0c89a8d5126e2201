//go:build unix

package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/topo-dev/topo/agent"
)

// The environment of a process that plays a session and is killed in it.
const (
	chaosDir = "TOPO_CHAOS_DIR" // of the session; its presence makes the process play
	chaosAt  = "TOPO_CHAOS_AT"  // the event at which it is killed; 0 is never
	chaosHow = "TOPO_CHAOS_HOW" // before or after the event is stored, or torn
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(chaosDir); dir != "" {
		if err := play(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	flag.Parse()
	os.Exit(m.Run())
}

// killer is a sink that kills the process at an event.
type killer struct {
	log *Log
	at  int64
	how string
}

func (k killer) Emit(e agent.Event) error {
	hit := e.Seq == k.at && k.at > 0
	switch {
	case hit && k.how == "before":
		die()
	case hit && k.how == "torn":
		line, _ := json.Marshal(e)
		k.log.f.Write(line[:len(line)/2])
		die()
	}
	if err := k.log.Emit(e); err != nil {
		return err
	}
	if hit {
		die()
	}
	return nil
}

func die() {
	syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {} // the signal comes
}

// effect is a tool that leaves a line in a file each time it runs.
type effect struct{ dir string }

func (effect) Spec() agent.ToolSpec {
	return agent.ToolSpec{Name: "effect", Schema: json.RawMessage(`{"type":"object"}`)}
}

func (effect) Access(in json.RawMessage) ([]agent.Access, error) {
	return []agent.Access{{Op: agent.OpExec, Command: string(in)}}, nil
}

func (t effect) Run(_ context.Context, in json.RawMessage) (agent.Output, error) {
	f, err := os.OpenFile(filepath.Join(t.dir, "effects"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return agent.Output{}, err
	}
	_, err = fmt.Fprintf(f, "%s\n", in)
	return agent.Output{Text: "done " + string(in)}, errors.Join(err, f.Close())
}

// model answers by the transcript alone: it wants each of four effects once,
// two of them in one message, and repeats what is reported as interrupted.
type model struct{}

func (model) Name() string { return "model" }

func (model) Stream(_ context.Context, req agent.Request, _ func(agent.Delta)) (agent.Response, error) {
	if err := agent.ValidTranscript(req.Messages); err != nil {
		return agent.Response{}, err
	}
	inputs, done := map[string]string{}, map[string]bool{}
	n := 0
	for _, m := range req.Messages {
		for _, c := range m.Calls() {
			inputs[c.ID] = string(c.Input)
			n++
		}
		for _, b := range m.Blocks {
			if b.Result != nil && !b.Result.IsError {
				done[inputs[b.Result.ID]] = true
			}
		}
	}
	msg := agent.Message{Role: agent.Assistant}
	for _, group := range [][]int{{1}, {2, 3}, {4}} {
		for _, e := range group {
			in := fmt.Sprintf(`{"effect":%d}`, e)
			if !done[in] {
				n++
				msg.Blocks = append(msg.Blocks, agent.Block{Kind: agent.BlockCall, Call: &agent.Call{ID: fmt.Sprint("c", n), Name: "effect", Input: json.RawMessage(in)}})
			}
		}
		if len(msg.Blocks) > 0 {
			return agent.Response{Message: msg, Stop: agent.StopCalls}, nil
		}
	}
	msg.Blocks = []agent.Block{{Kind: agent.BlockText, Text: "all done"}}
	return agent.Response{Message: msg, Stop: agent.StopEnd}, nil
}

type allowAll struct{}

func (allowAll) Decide(agent.ToolSpec, agent.Call, []agent.Access) agent.Decision {
	return agent.Decision{Verdict: agent.Allow, Rule: "all"}
}
func (allowAll) Remember(agent.ToolSpec, []agent.Access) []string { return nil }

// play begins the session in dir, or goes on with it.
func play(dir string) error {
	s := Open(filepath.Join(dir, "sessions"))
	at, _ := strconv.ParseInt(os.Getenv(chaosAt), 10, 64)
	state, turn := &agent.State{}, agent.Turn{Session: agent.Event{Session: "x"}}
	log, err := s.Create("x")
	if err != nil {
		log, state, err = s.Resume("x")
	}
	if err != nil {
		return err
	}
	if len(state.Messages) == 0 {
		turn.Prompt = "do all four"
	}
	cfg := agent.Config{Provider: model{}, Gate: allowAll{}, Tools: []agent.Tool{effect{dir}}, Sink: killer{log, at, os.Getenv(chaosHow)}}
	end, err := agent.Run(context.Background(), cfg, state, turn)
	if err != nil {
		return err
	}
	if end.Outcome != agent.OutcomeDone {
		return fmt.Errorf("%+v", end)
	}
	return log.Close()
}

// run starts a process that plays the session.
func run(t *testing.T, dir string, at int, how string) error {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), chaosDir+"="+dir, chaosAt+"="+strconv.Itoa(at), chaosHow+"="+how)
	var out bytes.Buffer
	cmd.Stderr = &out
	err := cmd.Run()
	if out.Len() > 0 {
		t.Errorf("killed at %d %s: %s", at, how, &out)
	}
	return err
}

// TestChaos kills the process with SIGKILL at every boundary of an event, and
// twice in a row, and goes on with the session in another process: the
// transcript is valid, every effect has happened, and none twice but those
// whose interruption the log tells.
func TestChaos(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a hundred processes")
	}
	dir := t.TempDir()
	if err := run(t, dir, 0, ""); err != nil {
		t.Fatal(err)
	}
	whole, err := Open(filepath.Join(dir, "sessions")).Events("x")
	if err != nil {
		t.Fatal(err)
	}
	for _, how := range []string{"before", "torn", "after"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			for at := 1; at <= len(whole); at++ {
				dir := t.TempDir()
				var exit *exec.ExitError
				if err := run(t, dir, at, how); !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
					t.Fatalf("%s event %d: not killed: %v", how, at, err)
				}
				if s := Open(filepath.Join(dir, "sessions")); at == 1 && how != "after" {
					// Nothing was stored: there is a log without an event.
					if i := s.Info("x"); i.State() != "damaged" {
						t.Errorf("a log without events is %q", i.State())
					}
					continue
				}
				if at%3 == 0 { // and once more, a little later
					_ = run(t, dir, at+4, how)
				}
				if err := run(t, dir, 0, ""); err != nil {
					t.Errorf("%s event %d: the second run: %v", how, at, err)
				}
				checkChaos(t, dir, fmt.Sprintf("killed %s event %d (%s)", how, at, whole[at-1].Event))
			}
		})
	}
}

func checkChaos(t *testing.T, dir, what string) {
	t.Helper()
	var state agent.State
	told := map[string]int{}
	err := Open(filepath.Join(dir, "sessions")).Read("x", func(e agent.Event) error {
		if e.Event == agent.EventRecovered {
			told[string(e.Call.Input)]++
		}
		return state.Apply(e)
	})
	if err == nil {
		err = agent.ValidTranscript(state.Messages)
	}
	if err != nil || state.Outcome != agent.OutcomeDone {
		t.Errorf("%s: outcome %q, %v", what, state.Outcome, err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "effects"))
	if err != nil {
		t.Fatal(err)
	}
	ran := map[string]int{}
	for _, line := range strings.Fields(string(raw)) {
		ran[line]++
	}
	for e := 1; e <= 4; e++ {
		in := fmt.Sprintf(`{"effect":%d}`, e)
		if ran[in] < 1 || ran[in] > 1+told[in] {
			t.Errorf("%s: effect %d happened %d times, interrupted %d times", what, e, ran[in], told[in])
		}
	}
}

// BenchmarkStep is what the loop, the log and two tools add to a step besides
// the model.
func BenchmarkStep(b *testing.B) {
	log, err := Open(filepath.Join(b.TempDir(), "s")).Create("x")
	if err != nil {
		b.Fatal(err)
	}
	defer log.Close()
	cfg := agent.Config{Provider: &busy{n: b.N}, Gate: allowAll{}, Tools: []agent.Tool{effect{b.TempDir()}}, Sink: log, Window: 1 << 40, Now: time.Now}
	b.ResetTimer()
	end, err := agent.Run(context.Background(), cfg, &agent.State{}, agent.Turn{Session: agent.Event{Session: "x"}, Prompt: "go"})
	if err != nil || end.Outcome != agent.OutcomeDone || end.Steps != b.N+1 {
		b.Fatalf("%+v, %v", end, err)
	}
}

// busy is a model that calls two tools in each of n steps.
type busy struct{ n, at int }

func (*busy) Name() string { return "busy" }

func (m *busy) Stream(context.Context, agent.Request, func(agent.Delta)) (agent.Response, error) {
	msg := agent.Message{Role: agent.Assistant}
	if m.at == m.n {
		msg.Blocks = []agent.Block{{Kind: agent.BlockText, Text: "done"}}
		return agent.Response{Message: msg, Stop: agent.StopEnd}, nil
	}
	m.at++
	for i := range 2 {
		id := fmt.Sprint(m.at, "-", i)
		msg.Blocks = append(msg.Blocks, agent.Block{Kind: agent.BlockCall, Call: &agent.Call{ID: id, Name: "effect", Input: json.RawMessage(`{"id":"` + id + `"}`)}})
	}
	return agent.Response{Message: msg, Stop: agent.StopCalls, Usage: agent.Usage{Input: 10, Output: 10}}, nil
}
