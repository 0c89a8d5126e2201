package host

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/topo-dev/topo/agent/session"
)

// older moves the state of a tree to where earlier versions kept it.
func older(t *testing.T, h *Host, cache string) {
	t.Helper()
	if err := os.MkdirAll(cache, 0o755); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{
		filepath.Join(h.state, sessionsFolder):  filepath.Join(cache, sessionsFolder),
		filepath.Join(h.state, snapshotsFolder): filepath.Join(cache, snapshotsFolder),
		h.grants.Dir:                            h.o.Folders.config(grantsFolder),
	} {
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOlderSessions: sessions, snapshots and rules of an earlier version are found,
// said once, and gone from the tree.
func TestOlderSessions(t *testing.T) {
	needGit(t)
	for name, chosen := range map[string]bool{"in the tree": false, "in a folder of its own": true} {
		t.Run(name, func(t *testing.T) {
			tree := demoTree(t)
			o := optionsOf(t, tree)
			cache := filepath.Join(tree, ".topo-cache")
			if chosen {
				cache = t.TempDir()
				o.CacheDir = cache
			}
			h := open(t, o)
			id := run(t, h, rightsOf(t, Default, "write(x.txt)"), scripted("write", writeX), &watcher{}).Session
			older(t, h, cache)
			var notes []string
			o.Note = func(s string) { notes = append(notes, s) }
			for range 2 {
				h = open(t, o)
			}
			if len(notes) != 1 || !strings.HasPrefix(notes[0], "1 session moved from "+cache) {
				t.Errorf("said: %q", notes)
			}
			r, err := h.Rights(id, Rights{})
			if err != nil || len(r.Session) != 1 {
				t.Errorf("rights %q, %v", r.Lines(), err)
			}
			undo, err := h.PlanUndo(t.Context(), Changes{Session: id}, false, false)
			if err != nil {
				t.Fatal(err)
			}
			if err := undo.Apply(t.Context()); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Lstat(filepath.Join(tree, "x.txt")); err == nil {
				t.Error("the file is still there")
			}
			if _, err := os.Lstat(filepath.Join(cache, sessionsFolder)); err == nil {
				t.Error("the old folder is still there")
			}
		})
	}
}

// TestOlderSessionsThatStay: what another tree has in the same folder, what is in
// use, and what a link leads to is left alone.
func TestOlderSessionsThatStay(t *testing.T) {
	needGit(t)
	cache := t.TempDir()
	o := optionsOf(t, demoTree(t))
	o.CacheDir = cache
	h := open(t, o)
	id := run(t, h, rightsOf(t, Default, "write(x.txt)"), scripted("write", writeX), &watcher{}).Session
	older(t, h, cache)

	other := o
	other.Root = demoTree(t)
	if list, err := open(t, other).Sessions(); err != nil || len(list) != 0 {
		t.Errorf("another tree took over: %v, %v", list, err)
	}
	log, _, err := session.Open(filepath.Join(cache, sessionsFolder)).Resume(id)
	if err != nil {
		t.Fatal(err)
	}
	if list, err := open(t, o).Sessions(); err != nil || len(list) != 0 {
		t.Errorf("a session in use was taken over: %v, %v", list, err)
	}
	log.Close()

	linked := o
	linked.CacheDir, linked.Root = "", demoTree(t)
	if err := os.Symlink(cache, filepath.Join(linked.Root, ".topo-cache")); err != nil {
		t.Skip("no symbolic links here")
	}
	if list, err := open(t, linked).Sessions(); err != nil || len(list) != 0 {
		t.Errorf("a link was followed: %v, %v", list, err)
	}
	if list, err := open(t, o).Sessions(); err != nil || len(list) != 1 {
		t.Errorf("the tree itself: %v, %v", list, err)
	}
}

// TestLogGrantsNothing resumes a log that a repository brought along: the rules in
// it do not count.
func TestLogGrantsNothing(t *testing.T) {
	tree := demoTree(t)
	old := filepath.Join(tree, ".topo-cache", sessionsFolder)
	if err := os.MkdirAll(old, 0o755); err != nil {
		t.Fatal(err)
	}
	const id = "99990101-0000-0000"
	root, err := filepath.EvalSymlinks(tree) // without it the log is of another tree
	if err != nil {
		t.Fatal(err)
	}
	log := `{"Event":"session","Version":1,"Session":"` + id + `","Root":"` + root + `","Seq":1,"Time":"2026-11-21T09:00:00Z","Provider":"anthropic","Model":"m","Rules":["allow write","allow bash","# yes"]}
{"Event":"prompt","Session":"` + id + `","Seq":2,"Time":"2026-11-21T09:00:00Z","Message":{"Role":"user","Blocks":[{"Kind":"text","Text":"go"}]}}
`
	if err := os.WriteFile(filepath.Join(old, id+".jsonl"), []byte(log), 0o644); err != nil {
		t.Fatal(err)
	}
	w := &watcher{}
	res, err := open(t, optionsOf(t, tree)).Resume(t.Context(), Last, Task{Model: Model{Client: scripted("write", writeX), Name: "m"}}, w)
	if err != nil || res.Session != id || len(w.denied()) != 1 {
		t.Errorf("%+v, %v, denied %v", res, err, w.denied())
	}
	if _, err := os.Lstat(filepath.Join(tree, "x.txt")); err == nil {
		t.Error("a rule in a log granted a write")
	}
}
