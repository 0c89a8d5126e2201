package snapshot

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestSameTreeSameIdentity(t *testing.T) {
	tr := newTree(t, true, map[string]string{"a.go": "package a\n", "d/b.go": "package d\n"})
	first := tr.snap()
	if again := tr.snap(); again != first {
		t.Fatalf("the unchanged tree went from %s to %s", first, again)
	}
	tr.write("a.go", "package b\n") // same size, same second
	if tr.snap() == first {
		t.Fatal("a change was missed")
	}
	tr.write("a.go", "package a\n")
	if back := tr.snap(); back != first {
		t.Fatalf("the old tree has a new identity %s", back)
	}
}

// TestUserRepositoryUntouched: every byte below .git, and what git says of the
// tree, is the same after snapshots and an undo.
func TestUserRepositoryUntouched(t *testing.T) {
	tr := newTree(t, true, map[string]string{"a": "1\n", "b": "2\n", "c": "3\n"})
	tr.write("a", "staged\n")
	tr.git("add", "a")
	tr.write("b", "stashed\n")
	tr.git("stash", "push", "-q", "b")
	tr.write("b", "work\n")
	tr.git("status") // lets git refresh its own index once
	git := tr.state(tr.path(".git"))
	status := tr.git("status", "--porcelain=v2", "--branch", "--show-stash")

	span := tr.step(func() { tr.write("a", "agent\n"); tr.write("new/file", "x"); tr.remove("c") })
	tr.undo(span)

	if now := tr.state(tr.path(".git")); !maps.Equal(git, now) {
		t.Errorf("below .git:\n%v\nwas\n%v", now, git)
	}
	if now := tr.git("status", "--porcelain=v2", "--branch", "--show-stash"); now != status {
		t.Errorf("git status:\n%swas\n%s", now, status)
	}
}

func TestUndo(t *testing.T) {
	files := map[string]string{"plain": "1\n", "dir/one": "1", "dir/two": "2", "crlf": "a\r\nb\r\n", "empty": "", "bin": "\x00\xff"}
	for name, change := range map[string]func(*tree){
		"edit":           func(t *tree) { t.write("plain", "2\n") },
		"add":            func(t *tree) { t.write("new/deep/file", "x") },
		"delete":         func(t *tree) { t.remove("plain") },
		"delete folder":  func(t *tree) { t.remove("dir") },
		"folder to file": func(t *tree) { t.remove("dir"); t.write("dir", "file") },
		"file to folder": func(t *tree) { t.remove("plain"); t.write("plain/inside", "x") },
		"file to link":   func(t *tree) { t.remove("plain"); t.link("dir/one", "plain") },
		"folder to link": func(t *tree) { t.remove("dir"); t.link("/etc", "dir") },
		"link out":       func(t *tree) { t.link("../../outside", "out") },
		"mode":           func(t *tree) { t.chmod("plain", 0o755) },
		"line ends":      func(t *tree) { t.write("crlf", "a\nb\n") },
		"binary":         func(t *tree) { t.write("bin", "\x00\xfe\x00") },
		"fill empty":     func(t *tree) { t.write("empty", "now") },
		"attributes":     func(t *tree) { t.write(".gitattributes", "* text=auto eol=crlf\n"); t.write("plain", "3\n") },
		"ignore file":    func(t *tree) { t.write(".gitignore", "plain\n"); t.write("plain", "3\n") },
		"strange names": func(t *tree) {
			t.write("a\nb", "1")
			t.write("\"q\" \\ü", "2")
			t.write(":(top)x", "3")
			t.write("-n", "4")
		},
		"swap two":        func(t *tree) { t.write("dir/one", "2"); t.write("dir/two", "1") },
		"nothing changed": func(*tree) {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr := newTree(t, true, files)
			start := tr.state(tr.root)
			span := tr.step(func() { change(tr) })
			changed := tr.state(tr.root)
			p := tr.plan(span)
			if err := tr.store.Apply(t.Context(), p); err != nil {
				t.Fatal(err)
			}
			if now := tr.state(tr.root); !maps.Equal(now, start) {
				t.Fatalf("after undo:\n%v\nwant\n%v", now, start)
			}
			if id := tr.snap(); id != span.Before || p.Then != span.Before {
				t.Fatalf("undo gave %s and announced %s, want %s", id, p.Then, span.Before)
			}
			tr.undo(Span{p.Now, p.Then}) // undo the undo
			if now := tr.state(tr.root); !maps.Equal(now, changed) {
				t.Fatalf("after redo:\n%v\nwant\n%v", now, changed)
			}
		})
	}
}

func TestConflicts(t *testing.T) {
	tr := newTree(t, true, map[string]string{"a": "1\n", "b": "1\n", "c": "1\n"})
	first := tr.step(func() { tr.write("a", "2\n"); tr.write("b", "2\n") })
	tr.write("a", "mine\n") // between the steps
	second := tr.step(func() { tr.write("a", "3\n"); tr.write("c", "2\n") })
	tr.write("c", "mine too\n") // after them
	p, err := tr.store.Plan(t.Context(), []Span{first, second}, false)
	if err != nil {
		t.Fatal(err)
	}
	want := []Conflict{{"a", "changed between the steps"}, {"c", "changed since"}}
	if !slices.Equal(p.Conflicts, want) {
		t.Fatalf("conflicts %v, want %v", p.Conflicts, want)
	}
	if len(p.Restore) != 1 || p.Restore[0].Path != "b" || p.Restore[0].Added != 1 || p.Restore[0].Deleted != 1 {
		t.Fatalf("restore %+v, want b alone with one line each way", p.Restore)
	}
	// The last step alone has one conflict; its other file can be had back.
	p, err = tr.store.Plan(t.Context(), []Span{second}, false, "a")
	if err != nil || len(p.Conflicts) != 0 {
		t.Fatalf("plan of one file: %v, %v", p.Conflicts, err)
	}
	if err := tr.store.Apply(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if got := tr.read("a"); got != "mine\n" {
		t.Fatalf("a is %q, want the text from before the second step", got)
	}
	if got := tr.read("c"); got != "mine too\n" {
		t.Fatalf("c is %q: a file that was not asked for changed", got)
	}
	p, err = tr.store.Plan(t.Context(), []Span{first, second}, true)
	if err != nil || len(p.Conflicts) != 0 {
		t.Fatalf("forced: %v, %v", p.Conflicts, err)
	}
	if err := tr.store.Apply(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if got := tr.read("a") + tr.read("b") + tr.read("c"); got != "1\n1\n1\n" {
		t.Fatalf("forced undo gave %q", got)
	}
}

func TestApplyRefusesAChangedTree(t *testing.T) {
	tr := newTree(t, false, map[string]string{"a": "1", "b": "1"})
	span := tr.step(func() { tr.write("a", "2") })
	p := tr.plan(span)
	tr.write("b", "meanwhile")
	if err := tr.store.Apply(t.Context(), p); !errors.Is(err, ErrChanged) {
		t.Fatalf("got %v, want ErrChanged", err)
	}
	if tr.read("a") != "2" {
		t.Fatal("something was restored")
	}
}

// TestNothingRuns: a repository that configures filters, hooks and monitors
// gets none of them run, and contents come back exactly.
func TestNothingRuns(t *testing.T) {
	tr := newTree(t, true, map[string]string{"a.txt": "one\r\ntwo\n$Id$\n", ".gitattributes": "*.txt filter=evil ident text eol=lf\n"})
	mark := filepath.Join(t.TempDir(), "ran")
	run := "touch " + mark + "; cat"
	for _, key := range []string{"filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "core.fsmonitor", "diff.external", "core.pager", "core.sshCommand"} {
		tr.git("config", key, run)
	}
	hook := tr.path(".git/hooks/post-index-change")
	if err := os.WriteFile(hook, []byte("#!/bin/sh\ntouch "+mark+"\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	tr.write(".gitattributes", "*.txt filter=evil ident text eol=lf working-tree-encoding=UTF-16\n")
	_ = os.Remove(mark) // the setting up above is the user's own git
	tr.open(Options{})
	span := tr.step(func() { tr.write("a.txt", "three\r\n$Id$\n") })
	if _, err := tr.store.Diff(t.Context(), span.Before, span.After); err != nil {
		t.Fatal(err)
	}
	tr.undo(span)
	if got := tr.read("a.txt"); got != "one\r\ntwo\n$Id$\n" {
		t.Errorf("came back as %q", got)
	}
	if _, err := os.Lstat(mark); err == nil {
		t.Error("a program that the repository configured was run")
	}
}

func TestIgnored(t *testing.T) {
	tr := newTree(t, true, map[string]string{".gitignore": "out/\nkept.log\n", "a": "1"})
	tr.write("kept.log", "tracked though ignored\n")
	tr.git("add", "-f", "kept.log")
	tr.write(".git/info/exclude", "private\n")
	tr.open(Options{Exclude: []string{"*.swp"}})
	before := tr.snap()
	tr.write("out/big.o", "built")
	tr.write("private", "p")
	tr.write("x.swp", "s")
	if after := tr.snap(); after != before {
		t.Errorf("ignored files are part of the snapshot: %s", tr.diff(before, after))
	}
	span := tr.step(func() { tr.write("kept.log", "changed\n") })
	tr.undo(span)
	if got := tr.read("kept.log"); got != "tracked though ignored\n" {
		t.Errorf("a tracked file that is ignored too came back as %q", got)
	}
}

func TestSkipped(t *testing.T) {
	tr := newTree(t, true, map[string]string{"tracked.bin": strings.Repeat("x", 3000)})
	tr.open(Options{MaxUntracked: 2000})
	tr.write("data.bin", strings.Repeat("y", 3000))
	tr.write("sub/.GIT/config", "x")
	tr.write("inner/file", "x")
	cmdTree := &tree{T: t, root: tr.path("inner")}
	cmdTree.git("init", "-q")
	_, skipped, err := tr.store.Snapshot(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"data.bin (untracked and over 0 MB)", "inner/ (a repository of its own)", "sub/.GIT/config (its name)"}
	if !slices.Equal(skipped, want) {
		t.Fatalf("skipped %q, want %q", skipped, want)
	}
}

// TestGrownFile: a file that grew over the limit is not overwritten unasked.
func TestFolderWithIgnoredFiles(t *testing.T) {
	tr := newTree(t, false, map[string]string{".gitignore": "*.o\n", "thing": "1"})
	span := tr.step(func() { tr.remove("thing"); tr.write("thing/x.o", "built") })
	p, err := tr.store.Plan(t.Context(), []Span{span}, false)
	if err != nil || len(p.Conflicts) != 1 || len(p.Restore) != 0 {
		t.Fatalf("plan %+v, %v; want one conflict, as thing/x.o would be lost", p, err)
	}
}

func TestGrownFile(t *testing.T) {
	tr := newTree(t, false, map[string]string{"log": "small"})
	tr.open(Options{MaxUntracked: 100})
	before := tr.snap()
	tr.write("log", strings.Repeat("z", 200))
	after, _, err := tr.store.Snapshot(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	p, err := tr.store.Plan(t.Context(), []Span{{before, after}}, false)
	if err != nil || len(p.Conflicts) != 1 || len(p.Restore) != 0 {
		t.Fatalf("plan %+v, %v; want one conflict", p, err)
	}
}

func TestLeftoversOfAKilledProcess(t *testing.T) {
	tr := newTree(t, false, map[string]string{"a": "1"})
	for _, name := range []string{"index.lock", "plan.index.lock"} {
		if err := os.WriteFile(filepath.Join(tr.store.dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	span := tr.step(func() { tr.write("a", "2") })
	tr.undo(span)
	// A store whose making was cut short has no HEAD.
	if err := os.Remove(filepath.Join(tr.store.dir, "HEAD")); err != nil {
		t.Fatal(err)
	}
	tr.open(Options{})
	tr.undo(tr.step(func() { tr.write("a", "3") }))
	if tr.read("a") != "1" {
		t.Fatal("not restored")
	}
}

func TestHostileIdentities(t *testing.T) {
	tr := newTree(t, false, map[string]string{"a": "1"})
	ok := tr.snap()
	for _, id := range []string{"", "HEAD", "--output=x", strings.Repeat("g", 40), ok + "\n", strings.Repeat("0", 40)} {
		if _, err := tr.store.Changes(t.Context(), id, ok); err == nil {
			t.Errorf("Changes took %q", id)
		}
		if _, err := tr.store.Diff(t.Context(), ok, id); err == nil {
			t.Errorf("Diff took %q", id)
		}
		if _, err := tr.store.Plan(t.Context(), []Span{{id, ok}}, true); err == nil {
			t.Errorf("Plan took %q", id)
		}
	}
}

func TestDiff(t *testing.T) {
	tr := newTree(t, false, map[string]string{"a.txt": "1\n2\n3\n", "old.txt": "same\ntext\nhere\n"})
	span := tr.step(func() {
		tr.write("a.txt", "1\ntwo\n3\n")
		tr.remove("old.txt")
		tr.write("new.txt", "same\ntext\nhere\n")
	})
	diff := tr.diff(span.Before, span.After)
	for _, want := range []string{"-2\n+two\n", "rename from old.txt\nrename to new.txt\n"} {
		if !strings.Contains(diff, want) {
			t.Errorf("the diff lacks %q:\n%s", want, diff)
		}
	}
	one, err := tr.store.Diff(t.Context(), span.Before, span.After, "a.txt")
	if err != nil || strings.Contains(one, "new.txt") {
		t.Errorf("a diff of a.txt alone: %v\n%s", err, one)
	}
}

func TestParallelUse(t *testing.T) {
	tr := newTree(t, false, map[string]string{"a": "1"})
	want := tr.snap()
	done := make(chan error)
	for range 4 {
		go func() {
			s, err := Open(t.Context(), Options{Root: tr.root, Dir: tr.store.dir})
			if err == nil {
				var id string
				if id, _, err = s.Snapshot(t.Context(), ""); err == nil && id != want {
					err = errors.New("another identity: " + id)
				}
			}
			done <- err
		}()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func (t *tree) diff(from, to string) string {
	t.Helper()
	out, err := t.store.Diff(t.Context(), from, to)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (t *tree) link(target, name string) {
	t.Helper()
	if err := os.Symlink(target, t.path(name)); err != nil {
		t.Fatal(err)
	}
}

func (t *tree) chmod(name string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(t.path(name), mode); err != nil {
		t.Fatal(err)
	}
}

// TestAnotherWriter: what is remembered of the last snapshot does not outlive a
// snapshot that another process has taken in between.
func TestAnotherWriter(t *testing.T) {
	tr := newTree(t, false, map[string]string{"a": "1"})
	take := func(s *Store) string {
		id, _, err := s.Snapshot(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	one := take(tr.store)
	if again := take(tr.store); again != one {
		t.Errorf("the same tree is %s and %s", one, again)
	}
	other, err := Open(t.Context(), Options{Root: tr.root, Dir: tr.store.dir})
	if err != nil {
		t.Fatal(err)
	}
	tr.write("a", "22")
	two := take(other)
	if got := take(tr.store); got != two || got == one {
		t.Errorf("after another's snapshot %s: %s", two, got)
	}
}

// TestSnapshotsSurvivePacking: every snapshot has a reference that git knows, and
// is still there when the store is packed and pruned.
func TestSnapshotsSurvivePacking(t *testing.T) {
	tr := newTree(t, true, map[string]string{"a": "1"})
	first := tr.step(func() { tr.write("a", "2"); tr.write("d/b", "1") })
	git := func(args ...string) string {
		out, err := tr.store.git(t.Context(), "", args...)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	for _, id := range []string{first.Before, first.After} {
		if got := strings.TrimSpace(git("rev-parse", "--verify", "refs/trees/"+id)); got != id {
			t.Errorf("refs/trees/%s is %s", id, got)
		}
	}
	git("gc", "--quiet", "--prune=now")
	second := tr.step(func() { tr.write("a", "2\n") })
	third := tr.step(func() { tr.write("a", "2") })
	if third.After != first.After {
		t.Errorf("the tree of %s is %s after packing", first.After, third.After)
	}
	git("fsck", "--strict")
	tr.undo(first, second, third)
	if got := tr.read("a"); got != "1" {
		t.Errorf("a is %q", got)
	}
}
