package host

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/replay"
)

// script is a model that makes the calls of one step after the other and is done.
type script struct {
	steps [][]agent.Call
	at    int
}

func (*script) Name() string { return "script" }

func (s *script) Stream(context.Context, agent.Request, func(agent.Delta)) (agent.Response, error) {
	msg := agent.Message{Role: agent.Assistant}
	if s.at == len(s.steps) {
		msg.Blocks = []agent.Block{{Kind: agent.BlockText, Text: "done"}}
		return agent.Response{Message: msg, Stop: agent.StopEnd}, nil
	}
	for i, c := range s.steps[s.at] {
		c.ID = fmt.Sprint("c", s.at, "-", i)
		msg.Blocks = append(msg.Blocks, agent.Block{Kind: agent.BlockCall, Call: &c})
	}
	s.at++
	return agent.Response{Message: msg, Stop: agent.StopCalls, Usage: agent.Usage{Input: 10, Output: 10}}, nil
}

// scripted is a script with one call in each step: name and input, name and input.
func scripted(nameAndInput ...string) *script {
	s := &script{}
	for i := 0; i < len(nameAndInput); i += 2 {
		s.steps = append(s.steps, []agent.Call{{Name: nameAndInput[i], Input: json.RawMessage(nameAndInput[i+1])}})
	}
	return s
}

const writeX = `{"path":"x.txt","content":"new\n"}`

// watcher is a face that keeps the events and gives one answer to all questions.
type watcher struct {
	events []agent.Event
	answer agent.Answer
}

func (w *watcher) Emit(e agent.Event) error { w.events = append(w.events, e); return nil }

func (w *watcher) Ask(context.Context, agent.Question) (agent.Answer, error) { return w.answer, nil }

// denied are the calls that were denied.
func (w *watcher) denied() (names []string) {
	for _, e := range w.events {
		if e.Event == agent.EventPermission && e.Verdict == agent.Deny {
			names = append(names, e.Call.Name)
		}
	}
	return names
}

// demoTree is a copy of a small repository.
func demoTree(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tree")
	if err := os.CopyFS(dir, replay.DemoFiles()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// optionsOf are options with folders of the test's own.
func optionsOf(t testing.TB, tree string) Options {
	t.Helper()
	home := t.TempDir()
	return Options{Root: tree, Environ: os.Environ(),
		Folders: Folders{Config: filepath.Join(home, "config"), State: filepath.Join(home, "state"), Cache: filepath.Join(home, "cache")}}
}

func open(t testing.TB, o Options) *Host {
	t.Helper()
	h, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func rightsOf(t testing.TB, p Preset, allow ...string) Rights {
	t.Helper()
	r, err := NewRights(p, allow, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// run runs the script in a new session, which must come to its end.
func run(t testing.TB, h *Host, r Rights, s *script, w *watcher) Result {
	t.Helper()
	res, err := h.Run(t.Context(), Task{Prompt: "go", Rights: r, Model: Model{Client: s, Name: "m"}}, w)
	if err != nil || res.Outcome != agent.OutcomeDone {
		t.Fatalf("%+v, %v", res, err)
	}
	return res
}

// filesBelow are the contents of every file below dir, by path.
func filesBelow(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			raw, err := os.ReadFile(path)
			out[path] = string(raw)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func needGit(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is missing: apt-get install git")
	}
}
