package scan

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topo-dev/topo/stream"
)

// revRepo has two commits, files of every kind and a tracked file that an
// ignore file matches.
func revRepo(t testing.TB) (home, dir string) {
	needGit(t)
	home, dir = t.TempDir(), t.TempDir()
	git(t, home, dir, "init", "-q", "-b", "main")
	write(t, dir, "old.go", "package old\n")
	write(t, dir, "sub/x.go", "package x\n")
	git(t, home, dir, "add", ".")
	git(t, home, dir, "commit", "-qm", "one")
	write(t, dir, ".gitignore", "*.log\n")
	write(t, dir, "kept.log", "tracked")
	write(t, dir, "bin", "\x00\x01")
	write(t, dir, "big", strings.Repeat("x", 5000))
	write(t, dir, "new\nline \xff", "odd name")
	write(t, dir, "sub/.topoignore", "*.tmp\n")
	write(t, dir, "sub/y.tmp", "left out")
	write(t, dir, "sub/y.go", "package x\n")
	if err := os.Symlink("sub/x.go", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	git(t, home, dir, "rm", "-q", "old.go")
	git(t, home, dir, "add", "-f", ".")
	git(t, home, dir, "update-index", "--add", "--cacheinfo", "160000,1111111111111111111111111111111111111111,module")
	git(t, home, dir, "commit", "-qm", "two")
	if err := os.Mkdir(filepath.Join(dir, "module"), 0o777); err != nil {
		t.Fatal(err)
	}
	return home, dir
}

// TestRevEqualsTree scans a commit and its checkout: the same records.
func TestRevEqualsTree(t *testing.T) {
	_, dir := revRepo(t)
	o := Options{Root: dir, MaxFileSize: 4000}
	tree := run(t, o)
	for _, rev := range []string{"HEAD", "main", "HEAD^0"} {
		o.Rev = rev
		at := run(t, o)
		if !slices.EqualFunc(at.Files, tree.Files, sameFile) {
			t.Errorf("at %s:\n%+v\nin the tree:\n%+v", rev, at.Files, tree.Files)
		}
		if len(at.Rev) != 40 || len(at.Problems) != 2 || len(tree.Problems) != 2 {
			t.Errorf("rev %q, problems %v and %v", at.Rev, at.Problems, tree.Problems)
		}
	}
	o.Rev = "HEAD~1"
	if got := paths(run(t, o)); !slices.Equal(got, []string{"old.go", "sub/x.go"}) {
		t.Errorf("at HEAD~1: %q", got)
	}
	o.Root, o.Rev = filepath.Join(dir, "sub"), "HEAD"
	if got := paths(run(t, o)); !slices.Equal(got, []string{".topoignore", "x.go", "y.go"}) {
		t.Errorf("sub at HEAD: %q", got)
	}
	o = Options{Root: dir, Rev: "HEAD", Paths: []string{"sub"}, Include: []string{"*.go"}, Exclude: []string{"x.*"}}
	if got := paths(run(t, o)); !slices.Equal(got, []string{"sub/y.go"}) {
		t.Errorf("filtered: %q", got)
	}
}

func TestRevInBareClone(t *testing.T) {
	home, dir := revRepo(t)
	bare := filepath.Join(t.TempDir(), "bare.git")
	git(t, home, dir, "clone", "-q", "--bare", dir, bare)
	want := run(t, Options{Root: dir, Rev: "main"})
	got := run(t, Options{Root: bare, Rev: "main"})
	if !slices.EqualFunc(got.Files, want.Files, sameFile) {
		t.Errorf("bare: %q, want %q", paths(got), paths(want))
	}
	_, err := Run(context.Background(), Options{Root: bare})
	if !errors.Is(err, ErrBareRoot) {
		t.Errorf("without a revision: %v", err)
	}
	if h, err := History(context.Background(), bare, "", 0); err != nil || len(h) != 2 {
		t.Errorf("history of a bare clone: %v, %v", h, err)
	}
}

// TestRevInPartialClone makes a clone without blobs whose origin would serve
// them: they are counted as missing and not fetched.
func TestRevInPartialClone(t *testing.T) {
	home, dir := revRepo(t)
	git(t, home, dir, "config", "uploadpack.allowFilter", "true")
	git(t, home, dir, "config", "uploadpack.allowAnySHA1InWant", "true")
	clone := filepath.Join(t.TempDir(), "partial")
	git(t, home, dir, "clone", "-q", "--no-checkout", "--filter=blob:none", "file://"+dir, clone)
	res := run(t, Options{Root: clone, Rev: "HEAD"})
	missing := 0
	for _, f := range res.Files {
		if f.Skipped == stream.SkipMissing {
			missing++
		}
	}
	if missing != len(res.Files)-1 || missing < 8 || len(res.Problems) != missing {
		t.Errorf("%d of %d files missing, problems %v", missing, len(res.Files), res.Problems)
	}
	objects := git(t, home, clone, "count-objects", "-v")
	src, err := OpenSource(context.Background(), clone, "HEAD", 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := src.ReadFile("sub/x.go", nil); !errors.Is(err, ErrMissing) {
		t.Errorf("reading a missing blob: %v", err)
	}
	if err := src.Close(); err != nil {
		t.Error(err)
	}
	if h, err := History(context.Background(), clone, "", 0); err != nil || len(h) != 2 || len(h[1].Files) != 2 {
		t.Errorf("history: %v, %v", h, err)
	}
	if now := git(t, home, clone, "count-objects", "-v"); now != objects {
		t.Errorf("objects were fetched:\n%s\n%s", objects, now)
	}
}

func TestRevErrors(t *testing.T) {
	_, dir := revRepo(t)
	outside := t.TempDir()
	write(t, dir, "untracked/x", "x")
	for _, c := range []struct {
		o    Options
		want error
	}{
		{Options{Root: dir, Rev: "nope"}, ErrUnknownRev},
		{Options{Root: dir, Rev: "--all"}, ErrUnknownRev},
		{Options{Root: dir, Rev: "HEAD:sub"}, ErrUnknownRev},
		{Options{Root: dir, Rev: "a\x00b"}, ErrUnknownRev},
		{Options{Root: outside, Rev: "HEAD"}, ErrNotRepo},
		{Options{Root: dir, Rev: "HEAD", Paths: []string{"nope"}}, ErrNoPath},
		{Options{Root: filepath.Join(dir, "untracked"), Rev: "HEAD"}, ErrNoRoot},
	} {
		_, err := Run(context.Background(), c.o)
		var e *Error
		if !errors.Is(err, c.want) || !errors.As(err, &e) || !e.Usage() || e.Advice == "" {
			t.Errorf("%+v: %v, want %v", c.o, err, c.want)
		}
		if c.want != ErrNoPath {
			if _, err := OpenSource(context.Background(), c.o.Root, c.o.Rev, 0); !errors.Is(err, c.want) {
				t.Errorf("source of %+v: %v, want %v", c.o, err, c.want)
			}
		}
	}
}

func TestNoGit(t *testing.T) {
	_, dir := revRepo(t)
	t.Setenv("PATH", t.TempDir())
	if res := run(t, Options{Root: dir}); len(res.Files) < 8 {
		t.Errorf("the working tree needs no git: %q", paths(res))
	}
	if r, err := Identify(dir); err != nil || len(r.Head) != 40 {
		t.Errorf("identify needs no git: %+v, %v", r, err)
	}
	_, err := Run(context.Background(), Options{Root: dir, Rev: "HEAD"})
	var e *Error
	if !errors.Is(err, ErrNoGit) || !errors.As(err, &e) || e.Usage() {
		t.Errorf("a revision without git: %v", err)
	}
	if _, err := History(context.Background(), dir, "", 0); !errors.Is(err, ErrNoGit) {
		t.Errorf("history without git: %v", err)
	}
}

// TestGitRunsNothing gives a repository whose settings would run a program in
// every way known, and an attribute that names one.
func TestGitRunsNothing(t *testing.T) {
	home, dir := revRepo(t)
	mark := filepath.Join(t.TempDir(), "ran")
	script := filepath.Join(dir, "evil.sh")
	write(t, dir, "evil.sh", "#!/bin/sh\ntouch "+mark+"\n")
	if err := os.Chmod(script, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"core.fsmonitor", "diff.external", "core.pager", "gpg.program", "diff.x.textconv", "diff.x.command",
		"core.sshCommand", "filter.x.smudge", "core.alternateRefsCommand", "credential.helper", "core.editor", "core.askpass"} {
		git(t, home, dir, "config", key, script)
	}
	git(t, home, dir, "config", "log.showSignature", "true")
	write(t, dir, ".gitattributes", "* diff=x filter=x\n")
	for _, hook := range []string{"post-index-change", "reference-transaction", "post-checkout"} {
		write(t, dir, ".git/hooks/"+hook, "#!/bin/sh\ntouch "+mark+"\n")
		_ = os.Chmod(filepath.Join(dir, ".git/hooks", hook), 0o777)
	}
	run(t, Options{Root: dir})
	run(t, Options{Root: dir, Rev: "HEAD"})
	if _, err := History(context.Background(), dir, "", 0); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("a program of the repository was run")
	}
}

func FuzzTree(f *testing.F) {
	f.Add([]byte("100644 blob 1111111111111111111111111111111111111111      12\ta/b\x00160000 commit 1 -\tm\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := parseTree(data)
		if err == nil && len(list) != strings.Count(string(data), "\x00") {
			t.Errorf("%d entries", len(list))
		}
		_, _ = parseStaged(data)
	})
}
