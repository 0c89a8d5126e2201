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

func TestParseRange(t *testing.T) {
	for in, want := range map[string]Range{
		"main":       {From: "main"},
		"main..":     {From: "main", To: "HEAD"},
		"..topic":    {To: "topic"},
		"a..b":       {From: "a", To: "b"},
		"a...b":      {From: "a", To: "b", Fork: true},
		"main...":    {From: "main", To: "HEAD", Fork: true},
		"HEAD~2..v1": {From: "HEAD~2", To: "v1"},
	} {
		if got := ParseRange(in); got != want {
			t.Errorf("%s: %+v, want %+v", in, got, want)
		}
	}
	for in, want := range map[string]string{"..b": "HEAD..b", "a...b": "a...b", "a..": "a..HEAD", "a": "a", "": "HEAD"} {
		if got := ParseRange(in).String(); got != want {
			t.Errorf("%s is written %s, want %s", in, got, want)
		}
	}
}

// history is a repository with main: one, two; topic from one: three.
func forked(t *testing.T) (home, dir string) {
	needGit(t)
	home, dir = t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(home, "gitconfig"))
	git(t, home, dir, "init", "-q", "-b", "main")
	write := func(name, text, commit string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		git(t, home, dir, "add", "-A")
		git(t, home, dir, "commit", "-q", "-m", commit)
	}
	write("a.txt", "1\n2\n3\n", "one")
	git(t, home, dir, "branch", "topic")
	write("a.txt", "1\n2\nthree\n", "two")
	git(t, home, dir, "checkout", "-q", "topic")
	write("b.txt", "b\n", "three")
	git(t, home, dir, "checkout", "-q", "main")
	return home, dir
}

func TestDiffOfRanges(t *testing.T) {
	_, dir := forked(t)
	a := FileDiff{Path: "a.txt", Old: []LineRange{{3, 3}}, New: []LineRange{{3, 3}}}
	added := FileDiff{Path: "b.txt", Added: true, Old: []LineRange{{1, 0}}, New: []LineRange{{1, 1}}}
	for spec, want := range map[string][]FileDiff{
		"main..topic":  {a, added},
		"main...topic": {added},
		"topic...main": {a},
		"main~1..main": {a},
		"main~1":       {a},
		"main..main":   nil,
	} {
		got, err := Diff(context.Background(), dir, ParseRange(spec))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v; want %+v", spec, got, err, want)
		}
	}
	for _, spec := range []string{"main..nope", "nope..main", "nope...main", "--all..main"} {
		if _, err := Diff(context.Background(), dir, ParseRange(spec)); !errors.Is(err, ErrUnknownRev) {
			t.Errorf("%s: %v", spec, err)
		}
	}
}

func TestUnrelatedHistories(t *testing.T) {
	home, dir := forked(t)
	git(t, home, dir, "checkout", "-q", "--orphan", "other")
	git(t, home, dir, "commit", "-q", "-m", "alone")
	if _, err := Diff(context.Background(), dir, ParseRange("main...other")); !errors.Is(err, ErrUnknownRev) || !strings.Contains(err.Error(), "no commit in common") {
		t.Errorf("%v", err)
	}
}

func TestStaged(t *testing.T) {
	home, dir := forked(t)
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("staged\n2\nthree\n")
	git(t, home, dir, "add", "a.txt")
	write("staged\n2\nworking\n")
	if err := os.WriteFile(filepath.Join(dir, "new.txt"), []byte("n\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := Diff(context.Background(), dir, Range{Staged: true})
	if want := []FileDiff{{Path: "a.txt", Old: []LineRange{{1, 1}}, New: []LineRange{{1, 1}}}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	src, err := OpenStaged(context.Background(), dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	if text, err := src.ReadFile("a.txt", nil); err != nil || string(text) != "staged\n2\nthree\n" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := src.ReadFile("new.txt", nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not staged: %v", err)
	}
	if _, err := OpenStaged(context.Background(), t.TempDir(), 0); !errors.Is(err, ErrNotRepo) {
		t.Errorf("outside git: %v", err)
	}
}

func TestRenames(t *testing.T) {
	home, dir := forked(t)
	if err := os.WriteFile(filepath.Join(dir, "long.txt"), []byte(strings.Repeat("line\n", 40)), 0o644); err != nil {
		t.Fatal(err)
	}
	git(t, home, dir, "add", "-A")
	git(t, home, dir, "commit", "-q", "-m", "long")
	git(t, home, dir, "mv", "a.txt", "exact \"q\".txt")
	git(t, home, dir, "mv", "long.txt", "changed.txt")
	if err := os.WriteFile(filepath.Join(dir, "changed.txt"), []byte("first\n"+strings.Repeat("line\n", 40)), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := Diff(context.Background(), dir, Range{})
	want := []FileDiff{
		{Path: "changed.txt", From: "long.txt", Old: []LineRange{{1, 0}}, New: []LineRange{{1, 1}}},
		{Path: "exact \"q\".txt", From: "a.txt"},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
	}
}

func TestStagedBlob(t *testing.T) {
	id := strings.Repeat("a", 40)
	if b, ok := stagedBlob("100644 " + id + " 0\tx\ty"); !ok || b.path != "x\ty" || b.mode != modeRegular|0o644 {
		t.Errorf("%+v, %v", b, ok)
	}
	for _, bad := range []string{"", "100644 " + id + " 1\tx", "100644 short 0\tx", "x " + id + " 0\tx", "100644 " + id + " 0"} {
		if _, ok := stagedBlob(bad); ok {
			t.Errorf("%q was taken", bad)
		}
	}
}
