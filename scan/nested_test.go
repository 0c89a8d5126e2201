package scan

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/topo-dev/topo/stream"
)

// plainRevRepo is revRepo without what git does not know or list.
func plainRevRepo(t *testing.T) (home, dir string) {
	home, dir = revRepo(t)
	write(t, dir, "sub/.topoignore", "")
	if err := os.Remove(filepath.Join(dir, "module")); err != nil {
		t.Fatal(err)
	}
	return home, dir
}

// TestSubmodulesAndNested compares with git on a submodule, a repository inside
// the repository, a folder with an empty .git, and a linked worktree.
func TestSubmodulesAndNested(t *testing.T) {
	home, dir := plainRevRepo(t)
	lib := t.TempDir()
	git(t, home, lib, "init", "-q")
	write(t, lib, "lib.go", "package lib\n")
	git(t, home, lib, "add", ".")
	git(t, home, lib, "commit", "-qm", "lib")
	git(t, home, dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib, "deps/lib")
	write(t, dir, "nested/x", "x")
	git(t, home, filepath.Join(dir, "nested"), "init", "-q")
	write(t, dir, "plain/.git/x", "no repository")
	write(t, dir, "plain/y", "y")
	write(t, dir, "plain/sub/.git", "gitdir: nowhere\n")
	write(t, dir, "plain/sub/z", "z")

	res := run(t, Options{Root: dir})
	if want := gitAnswer(t, home, dir); !slices.Equal(paths(res), want) {
		t.Errorf("got %q, want %q", paths(res), want)
	}
	submodules := 0
	for _, f := range res.Files {
		if f.Skipped == stream.SkipSubmodule {
			submodules++
		}
	}
	if submodules != 2 { // deps/lib, nested
		t.Errorf("%d submodules in %+v", submodules, res.Files)
	}
	// The submodule is a root of its own.
	if got := paths(run(t, Options{Root: filepath.Join(dir, "deps/lib")})); !slices.Equal(got, []string{"lib.go"}) {
		t.Errorf("submodule as root: %q", got)
	}
}

func TestLinkedWorktree(t *testing.T) {
	home, dir := revRepo(t)
	work := filepath.Join(t.TempDir(), "work")
	git(t, home, dir, "worktree", "add", "-q", "-b", "other", work, "HEAD~1")
	write(t, dir, ".git/info/exclude", "*.x\n")
	write(t, work, "a.x", "ignored by the common exclude file")
	write(t, work, "b", "b")
	if got, want := paths(run(t, Options{Root: work})), gitAnswer(t, home, work); !slices.Equal(got, want) || len(got) != 3 {
		t.Errorf("got %q, want %q", got, want)
	}
	r, err := Identify(work)
	main, merr := Identify(dir)
	if err != nil || merr != nil || r.CommonDir != main.GitDir || r.GitDir == main.GitDir || r.Head == main.Head || len(r.Head) != 40 {
		t.Errorf("%+v, %v, main %+v, %v", r, err, main, merr)
	}
	if h := history(t, work, "", 0); len(h) != 1 {
		t.Errorf("history of the worktree: %+v", h)
	}
}

// TestIgnoredRoot asks for a folder that its repository ignores: an empty
// answer would look as if it were empty.
func TestIgnoredRoot(t *testing.T) {
	home, dir := plainRevRepo(t)
	write(t, dir, ".gitignore", "/build/\n*.log\n")
	write(t, dir, "build/x.go", "package x\n")
	write(t, dir, "build/.gitignore", "*.o\n")
	write(t, dir, "build/y.o", "y")
	if got := paths(run(t, Options{Root: filepath.Join(dir, "build")})); !slices.Equal(got, []string{".gitignore", "x.go"}) {
		t.Errorf("got %q", got)
	}
	if got, want := paths(run(t, Options{Root: dir})), gitAnswer(t, home, dir); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
