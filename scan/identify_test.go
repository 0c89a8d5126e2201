package scan

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestIdentify(t *testing.T) {
	home, dir := revRepo(t)
	id := func(root string) Repo {
		t.Helper()
		r, err := Identify(root)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := id(dir)
	head := strings.TrimSpace(git(t, home, dir, "rev-parse", "HEAD"))
	if r.Head != head || r.Prefix != "" || filepath.Base(r.GitDir) != ".git" || r.CommonDir != r.GitDir || len(r.Worktree) != 16 {
		t.Errorf("%+v", r)
	}
	git(t, home, dir, "pack-refs", "--all")
	if got := id(dir); got != r {
		t.Errorf("packed references: %+v, want %+v", got, r)
	}
	git(t, home, dir, "checkout", "-q", "--detach")
	if got := id(dir).Head; got != head {
		t.Errorf("detached head: %q", got)
	}
	begin := func(r Repo) string {
		t.Helper()
		root, err := r.RootCommit(context.Background())
		if err != nil || len(root) != 40 {
			t.Fatalf("root commit %q, %v", root, err)
		}
		return r.FingerprintFor(root)
	}
	clone := filepath.Join(t.TempDir(), "clone")
	git(t, home, dir, "clone", "-q", dir, clone)
	git(t, home, dir, "remote", "add", "origin", "https://example.org/x/y.git")
	if begin(id(clone)) != begin(id(dir)) {
		t.Error("two clones of one history have two fingerprints")
	}
	if id(clone).Worktree == id(dir).Worktree {
		t.Error("two clones count as one worktree")
	}
	moved := filepath.Join(t.TempDir(), "elsewhere")
	before, fingerprint := id(clone), begin(id(clone))
	if err := os.Rename(clone, moved); err != nil {
		t.Fatal(err)
	}
	if after := id(moved); after.Worktree != before.Worktree || begin(after) != fingerprint {
		t.Errorf("moved: %+v, was %+v", after, before)
	}
	sub := id(filepath.Join(dir, "sub"))
	if sub.Prefix != "sub" || begin(sub) == begin(id(dir)) || sub.Head != head {
		t.Errorf("%+v", sub)
	}
	plain := t.TempDir()
	if got := id(plain); got.GitDir != "" || got.Head != "" || len(got.Worktree) != 16 {
		t.Errorf("outside git: %+v", got)
	}
	if _, err := Identify(filepath.Join(plain, "none")); err == nil {
		t.Error("a missing root is identified")
	}
}

const configSample = "; comment\n[core]\n\texcludesFile = ~/x # y\n\tbare\n ignoreCase=\"a;b\" \\\n  c\\tq\\\"\\\\\n[remote \"Or \\\"igin\"]url=u\n[Old.Sub]\n\tKey-1 =  a  b  \n[core]\r\n\tx = 1\r\n"

func TestConfigAgainstGit(t *testing.T) {
	needGit(t)
	dir := t.TempDir()
	write(t, dir, "c", configSample)
	var want []string
	for _, e := range gitLines(t, dir, dir, "config", "-z", "--list", "--no-includes", "-f", "c") {
		k, v, ok := strings.Cut(e, "\n")
		if !ok {
			v = "true"
		}
		want = append(want, k+"="+v)
	}
	var got []string
	for _, s := range parseConfig([]byte(configSample)) {
		got = append(got, s.key+"="+s.value)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestSettings(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	fakeRepoAt := filepath.Join(dir, "w")
	fakeRepo(t, fakeRepoAt, "[include]\n\tpath = more\n")
	write(t, fakeRepoAt, ".git/more", "[a]\n\tb = included\n[include]\n\tpath = more\n")
	write(t, home, "gitconfig", "[a]\n\tb = user\n\tc = user\n[includeIf \"gitdir:"+dir+"/\"]\n\tpath = ~/cond\n[includeIf \"gitdir:/nowhere/\"]\n\tpath = ~/not\n")
	write(t, home, "cond", "[a]\n\td = cond\n")
	write(t, home, "not", "[a]\n\td = not\n")
	g, ok := discover(fakeRepoAt)
	if !ok {
		t.Fatal("no repository")
	}
	all := g.settings(testGetenv(home))
	for key, want := range map[string]string{"a.b": "included", "a.c": "user", "a.d": "cond", "core.bare": "false"} {
		if got := lastValue(all, key); got != want {
			t.Errorf("%s = %q, want %q", key, got, want)
		}
	}
}

func FuzzConfig(f *testing.F) {
	f.Add([]byte(configSample))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, s := range parseConfig(data) {
			if !strings.Contains(s.key, ".") {
				t.Errorf("key %q", s.key)
			}
		}
	})
}
