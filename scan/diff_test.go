package scan

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	needGit(t)
	home, dir := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(home, "gitconfig"))
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Diff(context.Background(), dir, Range{From: "HEAD"}); !errors.Is(err, ErrNotRepo) {
		t.Errorf("outside git: %v", err)
	}
	git(t, home, dir, "init", "-q", "-b", "main")
	if err := os.Mkdir(filepath.Join(dir, "sub dir"), 0o755); err != nil {
		t.Fatal(err)
	}
	write("a.txt", "1\n2\n3\n4\n5\n")
	write("gone.txt", "-- a\n++ b\n")
	write("sub dir/tab\t.txt", "x\n")
	write("same.txt", "x\n")
	write("bin", "a\x00b")
	git(t, home, dir, "add", "-A")
	git(t, home, dir, "commit", "-q", "-m", "one")
	if d, err := Diff(context.Background(), dir, Range{From: "HEAD"}); err != nil || len(d) != 0 {
		t.Errorf("nothing changed: %v, %v", d, err)
	}
	write("a.txt", "1\ntwo\n3\n5\nsix\n")
	write("bin", "a\x00c")
	write("sub dir/tab\t.txt", "y\n")
	write("new.txt", "n\n")
	write(".gitignore", "ignored\n")
	write("ignored", "n\n")
	git(t, home, dir, "rm", "-q", "gone.txt")
	want := []FileDiff{
		{Path: "a.txt", Old: []LineRange{{2, 2}, {4, 4}, {6, 5}}, New: []LineRange{{2, 2}, {4, 3}, {5, 5}}},
		{Path: "bin"},
		{Path: "gone.txt", Deleted: true, Old: []LineRange{{1, 2}}, New: []LineRange{{1, 0}}},
		{Path: "sub dir/tab\t.txt", Old: []LineRange{{1, 1}}, New: []LineRange{{1, 1}}},
		{Path: ".gitignore", Added: true, New: []LineRange{allLines}},
		{Path: "new.txt", Added: true, New: []LineRange{allLines}},
	}
	got, err := Diff(context.Background(), dir, Range{From: "HEAD"})
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
	}
	got, err = Diff(context.Background(), filepath.Join(dir, "sub dir"), Range{From: "main"})
	if want := []FileDiff{{Path: "tab\t.txt", Old: []LineRange{{1, 1}}, New: []LineRange{{1, 1}}}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("below the root: %+v, %v", got, err)
	}
	if _, err := Diff(context.Background(), dir, Range{From: "nope"}); !errors.Is(err, ErrUnknownRev) {
		t.Errorf("unknown revision: %v", err)
	}
}

// A repository must not be able to make git run a program.
func TestDiffRunsNothing(t *testing.T) {
	needGit(t)
	home, dir := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(home, "gitconfig"))
	ran := filepath.Join(home, "ran")
	git(t, home, dir, "init", "-q", "-b", "main")
	file := filepath.Join(dir, "a.txt")
	for _, text := range []string{"1\n", "2\n"} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if text == "1\n" {
			git(t, home, dir, "add", "-A")
			git(t, home, dir, "commit", "-q", "-m", "one")
		}
	}
	program := "touch " + ran + "; cat"
	for _, kv := range [][2]string{{"filter.x=y.clean", program}, {"filter.x=y.process", program}, {"filter.x=y.required", "true"},
		{"diff.x.command", program}, {"diff.x.textconv", program}, {"diff.external", program}, {"core.fsmonitor", program}, {"diff.noprefix", "true"}} {
		git(t, home, dir, "config", kv[0], kv[1])
	}
	if err := os.MkdirAll(filepath.Join(dir, ".git/info"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".git/info/attributes"), []byte("* filter=x=y diff=x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := Diff(context.Background(), dir, Range{From: "HEAD"})
	if want := []FileDiff{{Path: "a.txt", Old: []LineRange{{1, 1}}, New: []LineRange{{1, 1}}}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("the repository made git run a program")
	}
}

// What has no changed lines differs as well.
func TestDiffWithoutLines(t *testing.T) {
	needGit(t)
	home, dir := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(home, "gitconfig"))
	git(t, home, dir, "init", "-q", "-b", "main")
	for _, name := range []string{"run.sh", "empty", "from\tto", "both.sh"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Repeat(name+"\n", len(name)%5)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git(t, home, dir, "add", "-A")
	git(t, home, dir, "commit", "-q", "-m", "one")
	git(t, home, dir, "update-index", "--chmod=+x", "run.sh")
	git(t, home, dir, "rm", "-q", "empty")
	git(t, home, dir, "mv", "from\tto", "to ä")
	if err := os.WriteFile(filepath.Join(dir, "none"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "both.sh"), []byte("x\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	git(t, home, dir, "add", "none", "both.sh")
	git(t, home, dir, "update-index", "--chmod=+x", "both.sh")
	want := []FileDiff{
		{Path: "both.sh", Mode: true, Old: []LineRange{{1, 2}}, New: []LineRange{{1, 1}}},
		{Path: "empty", Deleted: true},
		{Path: "none", Added: true},
		{Path: "run.sh", Mode: true},
		{Path: "to ä", From: "from\tto"},
	}
	got, err := Diff(context.Background(), dir, Range{From: "HEAD", Staged: true})
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
	}
}

func TestParseDiff(t *testing.T) {
	for _, c := range []struct{ in, err string }{
		{"@@ -1 +1 @@\n-a\n+b\n", "not a hunk"},
		{"--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n-a\n", "cut short"},
		{"--- a/x\n+++ b/x\n@@ -x +1 @@\n", "not a hunk"},
		{"--- a/x\n+++ b/x\n@@ -1,-5 +1 @@\n", "not a hunk"},
		{"--- /dev/null\n+++ /dev/null\n", "without a path"},
		{":100644 100755 1 2 R90\ta\t\n", "without a path"},
		{":100644 100755\ta\n", "not a file"},
	} {
		if _, err := parseDiff(strings.NewReader(c.in)); err == nil || !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q: %v", c.in, err)
		}
	}
	got, err := parseDiff(strings.NewReader("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1 @@ f\n--- a/y\n-+++ b/y\n+z\n"))
	if want := []FileDiff{{Path: "x", Old: []LineRange{{1, 2}}, New: []LineRange{{1, 1}}}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
}

func FuzzParseDiff(f *testing.F) {
	f.Add("--- a/x\n+++ b/x\n@@ -1,2 +1 @@ f\n-a\n-b\n+z\n")
	f.Add(":100644 100755 1 2 R90\t\"a b\"\tc\n--- \"a/a b\"\n+++ b/c\n@@ -1 +0,0 @@\n-a\n")
	f.Add("--- \"a/\\303\\244\"\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n")
	f.Fuzz(func(t *testing.T, in string) {
		files, _ := parseDiff(strings.NewReader(in))
		for _, d := range files {
			if d.Path == "" || len(d.Old) != len(d.New) {
				t.Errorf("%+v", d)
			}
			for _, r := range append(d.Old, d.New...) {
				if r.End < r.Start-1 {
					t.Errorf("%+v", r)
				}
			}
		}
	})
}
