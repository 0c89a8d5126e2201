package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/internal/fault"
)

// TestRunsAtOnce runs several sessions in one host at a time.
func TestRunsAtOnce(t *testing.T) {
	needGit(t)
	tree := demoTree(t)
	h := open(t, optionsOf(t, tree))
	var wg sync.WaitGroup
	for n := range 4 {
		wg.Go(func() {
			input := fmt.Sprintf(`{"path":"f%d.txt","content":"x"}`, n)
			res, err := h.Run(t.Context(), Task{Prompt: "go", Rights: Rights{Preset: Yes}, Model: Model{Client: scripted("write", input), Name: "m"}}, &watcher{})
			if err != nil || res.Outcome != agent.OutcomeDone {
				t.Errorf("run %d: %+v, %v", n, res, err)
			}
		})
	}
	wg.Wait()
	list, err := h.Sessions()
	if err != nil || len(list) != 4 {
		t.Errorf("%d sessions, %v", len(list), err)
	}
	for n := range 4 {
		if _, err := os.Lstat(filepath.Join(tree, fmt.Sprintf("f%d.txt", n))); err != nil {
			t.Error(err)
		}
	}
}

// TestNothingLeftOfARunThatWasNone: a task that cannot begin leaves no session.
func TestNothingLeftOfARunThatWasNone(t *testing.T) {
	h := open(t, optionsOf(t, demoTree(t)))
	for name, c := range map[string]struct {
		task Task
		want error
	}{
		"no provider":      {Task{Prompt: "go"}, ErrNoProvider},
		"unknown provider": {Task{Prompt: "go", Model: Model{Provider: "nobody"}}, nil},
		"unknown sandbox":  {Task{Prompt: "go", Model: Model{Client: scripted()}, Sandbox: "thick"}, nil},
	} {
		_, err := h.Run(t.Context(), c.task, &watcher{})
		if fault.KindOf(err) != fault.Usage || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if list, err := h.Sessions(); err != nil || len(list) != 0 {
		t.Errorf("sessions %v, %v", list, err)
	}
}

// TestUndoAndAccept takes changes back in part, meets a conflict, and keeps what
// was accepted.
func TestUndoAndAccept(t *testing.T) {
	needGit(t)
	tree := demoTree(t)
	h := open(t, optionsOf(t, tree))
	name := filepath.Join(tree, "x.txt")
	id := run(t, h, rightsOf(t, Yes), scripted("write", writeX, "write", `{"path":"y.txt","content":"y\n"}`), &watcher{}).Session
	if diff, err := h.Diff(t.Context(), Changes{Session: id, Step: 1}); err != nil || diff == "" {
		t.Errorf("diff %q, %v", diff, err)
	}
	if err := os.WriteFile(name, []byte("mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	undo, err := h.PlanUndo(t.Context(), Changes{Session: id}, true, false)
	if err != nil {
		t.Fatal(err)
	}
	var conflict *ConflictError
	if err := undo.Apply(t.Context()); !errors.As(err, &conflict) || len(conflict.Conflicts) != 1 {
		t.Errorf("a file that was changed since: %v", err)
	}
	if undo, err = h.PlanUndo(t.Context(), Changes{Session: id}, false, false); err != nil {
		t.Fatal(err)
	}
	if err := undo.Apply(t.Context()); err != nil || len(undo.Restore) != 1 || undo.Restore[0].Path != "y.txt" {
		t.Errorf("%+v, %v", undo.Restore, err)
	}
	steps, err := h.Accept(t.Context(), id, 0)
	if err != nil || len(steps) != 1 || steps[0] != 1 {
		t.Errorf("accepted %v, %v", steps, err)
	}
	if _, err := h.Diff(t.Context(), Changes{Session: id}); !errors.Is(err, ErrNoChanges) {
		t.Errorf("nothing is left to show: %v", err)
	}
}
