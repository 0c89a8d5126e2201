package scan

import (
	"bytes"
	"context"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func history(t *testing.T, dir, rev string, max int) []Commit {
	t.Helper()
	h, err := History(context.Background(), dir, rev, max)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func subjects(h []Commit) (list []string) {
	for _, c := range h {
		list = append(list, c.Subject)
	}
	return list
}

func TestHistory(t *testing.T) {
	needGit(t)
	home, dir := t.TempDir(), t.TempDir()
	if h := history(t, dir, "", 0); h != nil {
		t.Errorf("outside git: %v", h)
	}
	git(t, home, dir, "init", "-q", "-b", "main")
	if h := history(t, dir, "", 0); h != nil {
		t.Errorf("without commits: %v", h)
	}
	commit := func(msg string, files ...string) {
		for _, f := range files {
			write(t, dir, f, msg)
		}
		git(t, home, dir, "add", ".")
		git(t, home, dir, "commit", "-qm", msg)
	}
	commit("one\n\nbody \x01 of\n\none\n", "a", "d/b")
	git(t, home, dir, "checkout", "-q", "-b", "side")
	commit("side", "d/new\nline", "\n")
	git(t, home, dir, "checkout", "-q", "main")
	commit("two", "d/\xff", "e")
	git(t, home, dir, "merge", "-q", "--no-ff", "-m", "merge", "side")
	git(t, home, dir, "commit", "-q", "--allow-empty", "-m", "empty")

	h := history(t, dir, "", 0)
	if got := subjects(h); len(got) != 5 || got[0] != "empty" || got[1] != "merge" || got[4] != "one" {
		t.Fatalf("subjects %q", got)
	}
	byName := map[string]Commit{}
	for _, c := range h {
		byName[c.Subject] = c
		if c.Author != "Ann" || c.Time != 1700000000 || !isID(c.ID) {
			t.Errorf("%+v", c)
		}
	}
	for name, files := range map[string][]string{"empty": nil, "merge": nil, "one": {"a", "d/b"}, "side": {"\n", "d/new\nline"}, "two": {"d/\xff", "e"}} {
		if !slices.Equal(byName[name].Files, files) {
			t.Errorf("%s: files %q, want %q", name, byName[name].Files, files)
		}
	}
	if got := byName["one"].Body; got != "body \x01 of\n\none" {
		t.Errorf("body %q", got)
	}
	if got := subjects(history(t, dir, "", 2)); !slices.Equal(got, []string{"empty", "merge"}) {
		t.Errorf("two commits: %q", got)
	}
	if got := subjects(history(t, dir, "side", 0)); !slices.Equal(got, []string{"side", "one"}) {
		t.Errorf("at a revision something newer is seen: %q", got)
	}
	for _, c := range history(t, filepath.Join(dir, "d"), "", 0) {
		for _, f := range c.Files {
			if strings.Contains(f, "/") || f == "a" || f == "e" {
				t.Errorf("below d: %q", f)
			}
		}
	}
}

func TestHistoryOfShallowClone(t *testing.T) {
	home, dir := revRepo(t)
	clone := filepath.Join(t.TempDir(), "shallow")
	git(t, home, dir, "clone", "-q", "--depth=1", "file://"+dir, clone)
	h := history(t, clone, "", 0)
	if len(h) != 1 || h[0].Files != nil {
		t.Errorf("the oldest commit of a shallow clone claims to have written every file: %+v", h)
	}
}

func TestHistoryIgnoresReplacements(t *testing.T) {
	home, dir := revRepo(t)
	before := history(t, dir, "", 0)
	git(t, home, dir, "replace", "--graft", "HEAD")
	if after := history(t, dir, "", 0); !reflect.DeepEqual(after, before) {
		t.Errorf("a local replacement changes history: %+v", after)
	}
}

func FuzzLog(f *testing.F) {
	id := strings.Repeat("a", 40)
	f.Add([]byte("\x00" + id + "\x0017\x00Ann\x00subject\x00body\n\x00\x00\na\x00b\nc\x00\x00" + id + "\x0017\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		commits, err := parseLog(bytes.NewReader(data), nil)
		if err != nil {
			return
		}
		for _, c := range commits {
			for _, file := range c.Files {
				if len(file) > 64<<10 {
					t.Errorf("a path of %d bytes", len(file))
				}
			}
			if len(c.Body) > 3*MaxBody {
				t.Errorf("a body of %d bytes", len(c.Body))
			}
		}
	})
}
