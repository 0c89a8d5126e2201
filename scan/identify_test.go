package scan

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestNormalizeURL(t *testing.T) {
	for _, group := range [][]string{
		{"example.org/a/b", "https://example.org/a/b.git", "https://user:pw@Example.org/a/b", "git@example.org:a/b.git", "ssh://git@example.org:22/a/b.git/", "git://example.org/a/b", "example.org:a/b"},
		{"example.org:8080/a", "http://example.org:8080/a.git"},
		{"/srv/a", "/srv/a.git", "file:///srv/a.git/", "/srv/a/"},
		{"../a", "../a.git"},
	} {
		for _, raw := range group {
			if strings.HasPrefix(raw, "example.org") && !strings.Contains(raw, ":a") {
				continue // the normal form itself
			}
			if got := normalizeURL(raw); got != group[0] {
				t.Errorf("%q: %q, want %q", raw, got, group[0])
			}
		}
	}
}

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
	if r.Head != head || r.Prefix != "" || filepath.Base(r.GitDir) != ".git" || r.CommonDir != r.GitDir || len(r.Fingerprint) != 32 {
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
	clone := filepath.Join(t.TempDir(), "clone")
	git(t, home, dir, "clone", "-q", dir, clone)
	if id(clone).Fingerprint == r.Fingerprint {
		t.Error("a repository without origin shares its fingerprint")
	}
	git(t, home, dir, "remote", "add", "origin", "https://example.org/x/y.git")
	git(t, home, clone, "remote", "set-url", "origin", "git@example.org:x/y")
	if id(clone).Fingerprint != id(dir).Fingerprint {
		t.Error("two clones of one origin differ")
	}
	sub := id(filepath.Join(dir, "sub"))
	if sub.Prefix != "sub" || sub.Fingerprint == id(dir).Fingerprint || sub.Head != head {
		t.Errorf("%+v", sub)
	}
	plain := t.TempDir()
	if got := id(plain); got.GitDir != "" || got.Head != "" || len(got.Fingerprint) != 32 {
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
