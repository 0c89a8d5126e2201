package host

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/internal/fault"
)

// TestReadingRightsChangesNothing: neither the rights that are asked for nor
// anything on the disk is other after the rights of a session were read.
func TestReadingRightsChangesNothing(t *testing.T) {
	o := optionsOf(t, demoTree(t))
	h := open(t, o)
	id := run(t, h, rightsOf(t, ReadOnly, "bash(make)"), scripted(), &watcher{}).Session
	asked := rightsOf(t, Default, "write(docs/**)")
	same := Rights{Preset: asked.Preset, Caller: slices.Clone(asked.Caller)}
	before := filesBelow(t, filepath.Dir(o.Folders.State))

	first, err := h.Rights(id, asked)
	if err != nil {
		t.Fatal(err)
	}
	if first.Preset != ReadOnly || len(first.Session) != 1 || first.Session[0].String() != "allow bash(make)" {
		t.Errorf("the rights of the session are %q", first.Lines())
	}
	if !reflect.DeepEqual(asked, same) {
		t.Errorf("what was asked for is now %+v, was %+v", asked, same)
	}
	again, err := h.Rights(id, asked)
	if err != nil || !reflect.DeepEqual(again, first) {
		t.Errorf("read again: %q, %v; want %q", again.Lines(), err, first.Lines())
	}
	other, err := h.Rights("", asked)
	if err != nil || other.Preset != Default || len(other.Session) != 0 {
		t.Errorf("rights of a new session after that: %q, %v", other.Lines(), err)
	}
	if after := filesBelow(t, filepath.Dir(o.Folders.State)); !maps.Equal(before, after) {
		t.Errorf("reading rights changed files: %v, were %v", slices.Sorted(maps.Keys(after)), slices.Sorted(maps.Keys(before)))
	}
}

// TestRightsOfEverySource reads rules of all files, and describes them.
func TestRightsOfEverySource(t *testing.T) {
	tree := demoTree(t)
	o := optionsOf(t, tree)
	for name, text := range map[string]string{
		filepath.Join(o.Folders.Config, userRules): "allow bash(make)\n",
		filepath.Join(tree, repoRules):             "deny write(vendor/**)\nallow bash\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d, err := Describe(o, rightsOf(t, Yes, "write(docs/**)"))
	want := []string{"# yes", "allow write(docs/**)", "allow bash(make)", "deny write(vendor/**)"}
	if err != nil || !slices.Equal(d.Rights, want) {
		t.Errorf("%q, %v; want %q", d.Rights, err, want)
	}
	if _, err := os.Lstat(o.Folders.State); err == nil {
		t.Error("describing made the state folder")
	}
	w := &watcher{}
	run(t, open(t, o), rightsOf(t, Default), scripted(), w)
	notes := ""
	for _, e := range w.events {
		if e.Event == agent.EventNote {
			notes += e.Text + "\n"
		}
	}
	if !strings.Contains(notes, "1 rule that allow are not heeded") {
		t.Errorf("notes: %s", notes)
	}
	if err := os.WriteFile(filepath.Join(tree, repoRules), []byte("perhaps\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, o).Rights("", Rights{}); fault.KindOf(err) != fault.Usage {
		t.Errorf("a file of rules that cannot be understood: %v", err)
	}
}

// TestGrantsOfASession: what a person grants with "always" holds when the session
// is resumed or forked, and in no other.
func TestGrantsOfASession(t *testing.T) {
	h := open(t, optionsOf(t, demoTree(t)))
	w := &watcher{answer: agent.Answer{Allow: true, Always: true}}
	id := run(t, h, rightsOf(t, Default), scripted("write", writeX), w).Session
	fork, err := h.Fork(id, 0)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{id: 1, fork: 1, "": 0} {
		r, err := h.Rights(name, rightsOf(t, Default))
		if err != nil || len(r.Granted) != want {
			t.Errorf("session %q: granted %v, %v", name, r.Granted, err)
		}
	}
	nobody := &watcher{}
	res, err := h.Resume(t.Context(), fork, Task{Prompt: "again", Model: Model{Client: scripted("write", writeX), Name: "m"}}, nobody)
	if err != nil || res.Outcome != agent.OutcomeDone || len(nobody.denied()) > 0 {
		t.Errorf("%+v, %v, denied %v", res, err, nobody.denied())
	}
}

// TestReadOnlySession: a session that was begun to read only cannot be resumed
// with more rights.
func TestReadOnlySession(t *testing.T) {
	h := open(t, optionsOf(t, demoTree(t)))
	id := run(t, h, rightsOf(t, ReadOnly), scripted(), &watcher{}).Session
	task := Task{Prompt: "go", Rights: rightsOf(t, Yes), Model: Model{Client: scripted("write", writeX), Name: "m"}}
	if _, err := h.Resume(t.Context(), id, task, &watcher{}); !errors.Is(err, ErrReadOnlySession) {
		t.Errorf("with all rights: %v", err)
	}
	task.Rights = rightsOf(t, Default, "write")
	w := &watcher{answer: agent.Answer{Allow: true}}
	if _, err := h.Resume(t.Context(), id, task, w); err != nil || !slices.Equal(w.denied(), []string{"write"}) {
		t.Errorf("%v, denied %v", err, w.denied())
	}
}

// TestStateInTheTree: where the user's folders are below the root, no right lets
// a tool write there.
func TestStateInTheTree(t *testing.T) {
	tree := demoTree(t)
	o := optionsOf(t, tree)
	o.Folders.State = filepath.Join(tree, "own", "state")
	h := open(t, o)
	w := &watcher{}
	run(t, h, rightsOf(t, Yes), scripted("write", `{"path":"own/state/projects/x","content":"y"}`), w)
	if !slices.Equal(w.denied(), []string{"write"}) {
		t.Errorf("denied %v", w.denied())
	}
}

func TestWrongRule(t *testing.T) {
	var o *OptionError
	_, err := NewRights(Default, []string{"bash("}, nil)
	if fault.KindOf(err) != fault.Usage || !errors.As(err, &o) || o.Option != "allow" {
		t.Errorf("%v", err)
	}
}
