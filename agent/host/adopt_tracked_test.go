package host

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestTrackedSessionsAreLeft: a session that came with the repository is nobody's.
func TestTrackedSessionsAreLeft(t *testing.T) {
	tree := demoTree(t)
	root, err := filepath.EvalSymlinks(tree)
	if err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(tree, ".topo-cache", sessionsFolder)
	if err := os.MkdirAll(old, 0o755); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(old, "99990101-0000-0000.jsonl")
	log := `{"Event":"session","Version":1,"Session":"99990101-0000-0000","Root":"` + root + `","Seq":1,"Time":"2026-11-21T09:00:00Z","Provider":"anthropic","Model":"m"}` + "\n"
	if err := os.WriteFile(name, []byte(log), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-f", "."}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "x"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = tree
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("git %v: %v: %s", args, err, out)
		}
	}
	if list, err := open(t, optionsOf(t, tree)).Sessions(); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
	if _, err := os.Stat(name); err != nil {
		t.Error("the file of the repository is gone")
	}
}

// TestProjectKey: a moved tree keeps its key, another one at the same path has another.
func TestProjectKey(t *testing.T) {
	dir := t.TempDir()
	key := func(name string) string {
		t.Helper()
		k, err := ProjectKey(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	for _, name := range []string{"a", "b"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	a, b := key("a"), key("b")
	if err := os.Rename(filepath.Join(dir, "a"), filepath.Join(dir, "c")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "b"), filepath.Join(dir, "a")); err != nil {
		t.Fatal(err)
	}
	if key("c") != a || key("a") != b || a == b {
		t.Error("the key is that of the path")
	}
}
