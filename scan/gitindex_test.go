package scan

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func indexRepo(t testing.TB, initArgs ...string) (home, dir string) {
	needGit(t)
	home, dir = t.TempDir(), t.TempDir()
	git(t, home, dir, append([]string{"init", "-q"}, initArgs...)...)
	for _, name := range []string{"a", "dir/b", "dir/b.c", "dir/sub/c", "new\nline", "\xff", strings.Repeat("long/", 40) + strings.Repeat("n", 200)} {
		write(t, dir, name, name)
	}
	_ = os.Symlink("a", filepath.Join(dir, "link"))
	return home, dir
}

func TestGitIndexVersions(t *testing.T) {
	for name, setup := range map[string]func(home, dir string){
		"version 2": func(home, dir string) { git(t, home, dir, "add", ".") },
		"version 3": func(home, dir string) {
			git(t, home, dir, "add", "a")
			git(t, home, dir, "add", "-N", ".")
		},
		"version 4": func(home, dir string) { git(t, home, dir, "-c", "index.version=4", "add", ".") },
		"split": func(home, dir string) {
			git(t, home, dir, "add", "a", "dir")
			git(t, home, dir, "update-index", "--split-index")
			git(t, home, dir, "add", ".")
		},
	} {
		t.Run(name, func(t *testing.T) {
			home, dir := indexRepo(t)
			setup(home, dir)
			compareIndex(t, home, dir, 20)
		})
	}
	t.Run("sha256", func(t *testing.T) {
		home, dir := indexRepo(t, "--object-format=sha256")
		git(t, home, dir, "add", ".")
		compareIndex(t, home, dir, 32)
	})
}

func compareIndex(t *testing.T, home, dir string, idSize int) {
	t.Helper()
	g, ok := discover(dir)
	if !ok {
		t.Fatal("no repository found")
	}
	list, err := g.readIndex(context.Background(), idSize)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range list {
		got = append(got, e.path)
	}
	if want := gitLines(t, home, dir, "ls-files", "-z"); !slices.Equal(got, want) {
		t.Errorf("got %q, git has %q", got, want)
	}
	want := gitLines(t, home, dir, "ls-files", "-s", "-z")
	for i, e := range list {
		if mode, _ := parseMode(want[i]); mode != e.mode {
			t.Errorf("%q: mode %o, want %o", e.path, e.mode, mode)
		}
	}
}

// TestTrackedButIgnored is what a walk with ignore rules alone gets wrong.
func TestTrackedButIgnored(t *testing.T) {
	home, dir := indexRepo(t)
	git(t, home, dir, "add", ".")
	write(t, dir, ".gitignore", "dir/\n*.c\nlink\n")
	write(t, dir, "dir/untracked", "x")
	if err := os.Remove(filepath.Join(dir, "a")); err != nil {
		t.Fatal(err)
	}
	got := paths(run(t, Options{Root: dir}))
	if want := gitAnswer(t, home, dir); !slices.Equal(got, want) || !slices.Contains(got, "dir/b.c") || !slices.Contains(got, "link") {
		t.Errorf("got %q, want %q", got, want)
	}
	if slices.Contains(got, "a") || slices.Contains(got, "dir/untracked") {
		t.Errorf("a deleted or an ignored file is listed: %q", got)
	}
	write(t, dir, ".topoignore", "*.c\n")
	if got := paths(run(t, Options{Root: dir})); slices.Contains(got, "dir/b.c") || !slices.Contains(got, "dir/b") {
		t.Errorf("with .topoignore: %q", got)
	}
}

func TestDamagedGitIndexIsAProblem(t *testing.T) {
	home, dir := indexRepo(t)
	git(t, home, dir, "add", ".")
	name := filepath.Join(dir, ".git", "index")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for n := range data {
		if _, err := parseGitIndex(data[:n], 20); err == nil && n < len(data)-20 {
			list, _ := parseGitIndex(data[:n], 20)
			if len(list) == 8 {
				continue // only the optional parts are cut
			}
			t.Fatalf("an index cut at %d of %d gives %d paths and no error", n, len(data), len(list))
		}
	}
	write(t, dir, ".git/index", string(data[:100]))
	res := run(t, Options{Root: dir})
	if len(res.Problems) != 1 || res.Problems[0].Path != ".git/index" || len(res.Files) != 8 {
		t.Errorf("problems %v, files %q", res.Problems, paths(res))
	}
}

func FuzzGitIndex(f *testing.F) {
	for _, version := range []string{"2", "4"} {
		home, dir := indexRepo(f)
		git(f, home, dir, "-c", "index.version="+version, "add", ".")
		data, err := os.ReadFile(filepath.Join(dir, ".git", "index"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, size := range []int{20, 32} {
			list, _ := parseGitIndex(data, size)
			for _, e := range list {
				if !usablePath(e.path) {
					t.Fatalf("unusable path %q", e.path)
				}
			}
		}
	})
}
