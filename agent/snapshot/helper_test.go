package snapshot

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// tree is a working tree under test with its store next to it.
type tree struct {
	*testing.T
	root  string
	store *Store
}

// newTree makes a tree of the given files, committed to a repository of the
// user's when git is set.
func newTree(t *testing.T, git bool, files map[string]string) *tree {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed (apt-get install git)")
	}
	tr := &tree{T: t, root: filepath.Join(t.TempDir(), "work")}
	if err := os.Mkdir(tr.root, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		tr.write(name, text)
	}
	if git {
		tr.git("init", "-q")
		tr.git("add", "-A")
		tr.git("commit", "-qm", "start")
	}
	tr.open(Options{})
	return tr
}

func (t *tree) open(o Options) {
	t.Helper()
	o.Root, o.Dir = t.root, filepath.Join(t.root, ".cache", "snapshots")
	s, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.store = s
}

func (t *tree) git(args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@t"}, args...)...)
	cmd.Dir = t.root
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func (t *tree) path(name string) string { return filepath.Join(t.root, filepath.FromSlash(name)) }

func (t *tree) write(name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(t.path(name)), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(t.path(name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func (t *tree) read(name string) string {
	t.Helper()
	b, err := os.ReadFile(t.path(name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func (t *tree) remove(name string) {
	t.Helper()
	if err := os.RemoveAll(t.path(name)); err != nil {
		t.Fatal(err)
	}
}

// snap takes a snapshot and fails when something was left out.
func (t *tree) snap() string {
	t.Helper()
	id, skipped, err := t.store.Snapshot(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if len(skipped) > 0 {
		t.Fatalf("skipped %q", skipped)
	}
	return id
}

// step runs change between two snapshots.
func (t *tree) step(change func()) Span {
	t.Helper()
	before := t.snap()
	change()
	return Span{before, t.snap()}
}

// plan makes a plan and fails on conflicts.
func (t *tree) plan(spans ...Span) Plan {
	t.Helper()
	p, err := t.store.Plan(t.Context(), spans, false)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Conflicts) > 0 {
		t.Fatalf("conflicts %v", p.Conflicts)
	}
	return p
}

func (t *tree) undo(spans ...Span) {
	t.Helper()
	if err := t.store.Apply(t.Context(), t.plan(spans...)); err != nil {
		t.Fatal(err)
	}
}

// state is every file, link and mode below dir as text, without the folders
// that hold nothing and without the store.
func (t *tree) state(dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d != nil && d.Name() == ".cache" {
				return fs.SkipDir
			}
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		if d.Type()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(name)
			all[rel] = "link " + target
			return err
		}
		b, err := os.ReadFile(name)
		sum := sha256.Sum256(b)
		all[rel] = info.Mode().String() + " " + hex.EncodeToString(sum[:6])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
