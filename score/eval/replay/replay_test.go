package replay

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topo-dev/topo/internal/fault"
	"github.com/topo-dev/topo/score/eval"
)

// repo is a git repository under test.
type repo struct {
	*testing.T
	root    string
	commits int
}

func newRepo(t *testing.T, root string) *repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed (apt-get install git)")
	}
	r := &repo{T: t, root: root}
	if err := os.MkdirAll(root, 0o777); err != nil {
		t.Fatal(err)
	}
	r.git("init", "-q")
	return r
}

func (r *repo) git(args ...string) string {
	r.Helper()
	cmd := exec.Command("git", append([]string{"-C", r.root, "-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, fmt.Sprintf("GIT_COMMITTER_DATE=%d +0000", 1700000000+r.commits))
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.Fatalf("git %v: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit writes files, commits them and returns the commit's ID.
func (r *repo) commit(message string, files map[string]string) string {
	r.Helper()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(r.root, name), []byte(text), 0o666); err != nil {
			r.Fatal(err)
		}
	}
	r.commits++ // each a second later
	r.git("add", "-A")
	r.git("commit", "-qm", message)
	return r.git("rev-parse", "HEAD")
}

const (
	pool  = "package a\n\n// Drain closes idle connections.\nfunc Drain() { close() }\n\nfunc Fill() {}\n"
	cache = "package a\n\n// Evict drops old entries.\nfunc Evict() {}\n"
)

// history makes commits that change pool.go, then add a file.
func history(t *testing.T, root string) (r *repo, first, fix string) {
	r = newRepo(t, root)
	first = r.commit("Begin", map[string]string{"pool.go": pool, "cache.go": cache, "pool_test.go": "package a\n", "README.md": "Drain connections.\n"})
	fix = r.commit("Drain idle connections on close", map[string]string{"pool.go": strings.Replace(pool, "close()", "closeAll()", 1)})
	r.commit("Add a log of drained connections", map[string]string{"log.go": "package a\n\nfunc LogDrainedConnections() {}\n", "cache.go": cache + "\nfunc Evicted() {}\n"})
	return r, first, fix
}

func TestRun(t *testing.T) {
	r, first, fix := history(t, t.TempDir())
	k := &Runner{Root: r.root, Dir: filepath.Join(t.TempDir(), "indexes"), Options: Options{Preset: "deep", Functions: true, Against: "rrf"}}
	var steps []int
	k.Progress = func(done, total int) { steps = append(steps, done, total) }
	got, err := k.Run(context.Background(), []eval.Case{
		{ID: "late", BaseCommit: "HEAD", Query: "log drained connections", Gold: []string{"log.go"}},
		{ID: "x-" + fix[:10], BaseCommit: first, Query: "drain idle connections", Gold: []string{"pool.go"}},
		{ID: "early", BaseCommit: first, Query: "log drained connections", Gold: []string{"log.go"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"late [1] false", "x-" + fix[:10] + " [1] false", "early [] true"} {
		if s := fmt.Sprint(got[i].Case.ID, " ", got[i].Ranks, " ", got[i].Unmatched); s != want {
			t.Errorf("case %d: %s, want %s", i, s, want)
		}
	}
	if f := got[1].Functions; f == nil || !slices.Equal(f.Case.Gold, []string{"pool.go:Drain:4"}) || !slices.Equal(f.Ranks, []int{1}) {
		t.Errorf("functions: %+v, want Drain first", f)
	}
	if a := got[1].Against; a == nil || len(a.Ranks) != 1 {
		t.Errorf("by the other fusion: %+v", a)
	}
	if want := []int{0, 3, 1, 3, 2, 3, 3, 3, -1, 3}; !slices.Equal(steps, want) {
		t.Errorf("progress %v, want %v", steps, want)
	}
}

func TestEachVisitsByTime(t *testing.T) {
	r, first, fix := history(t, t.TempDir())
	k := &Runner{Root: r.root, Dir: t.TempDir(), Options: Options{DropAbsent: true}}
	var visited []string
	err := k.Each(context.Background(), []eval.Case{
		{ID: "head", BaseCommit: "HEAD", Query: "q", Gold: []string{"log.go", "absent.go"}},
		{ID: "first", BaseCommit: first, Query: "q", Gold: []string{"log.go", "cache.go", "README.md"}},
		{ID: "fix", BaseCommit: fix, Query: "q", Gold: []string{"README.md"}},
	}, func(i int, tree *Tree) error {
		visited = append(visited, fmt.Sprintf("%d %s %v %v %v %v %v", tree.Order, tree.Case.ID, tree.Case.Gold, tree.Matched(), tree.Ranks("pool_test.go"), tree.Ranks("pool.go"), tree.Ranks("log.go")))
		commits, err := tree.Following(context.Background(), 9)
		if want := 2 - tree.Order; err != nil || len(commits) != want {
			t.Errorf("%s: %d commits follow, %v, want %d", tree.Case.ID, len(commits), err, want)
		}
		return nil
	})
	want := []string{"0 first [cache.go] true false true false", "1 fix [] false false true false", "2 head [log.go] true false true true"}
	if err != nil || !slices.Equal(visited, want) {
		t.Errorf("%q, %v, want %q", visited, err, want)
	}
}

func TestRunFindsRepositories(t *testing.T) {
	repos := t.TempDir()
	for _, name := range []string{"x+plus", "x/slash", "bare", "mirror/repo"} {
		newRepo(t, filepath.Join(repos, filepath.FromSlash(name))).commit("Begin", map[string]string{"a.go": "package a\n"})
	}
	k := &Runner{Root: "root", Options: Options{Repos: repos}}
	for repo, want := range map[string]string{"": "root", "x/plus": "x+plus", "x/slash": "x/slash", "x/bare": "bare", "x/mirror": "mirror/repo"} {
		if want != "root" {
			want = filepath.Join(repos, filepath.FromSlash(want))
		}
		if got, err := k.find(eval.Case{Repo: repo}); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", repo, got, err, want)
		}
	}
	if _, err := k.find(eval.Case{Repo: "x/none"}); fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), "x+none") {
		t.Errorf("a repository that is not there: %v", err)
	}
}

func TestRunRefusesUnknownCommits(t *testing.T) {
	r, _, _ := history(t, t.TempDir())
	k := &Runner{Root: r.root, Dir: t.TempDir()}
	_, err := k.Run(context.Background(), []eval.Case{{ID: "odd", BaseCommit: "nowhere", Query: "q", Gold: []string{"a"}}})
	if fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), "case odd") {
		t.Errorf("%v", err)
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	r, first, _ := history(t, t.TempDir())
	ctx, cancel := context.WithCancel(context.Background())
	k := &Runner{Root: r.root, Dir: t.TempDir(), Options: Options{Preset: "deep"}}
	n := 0
	err := k.Each(ctx, []eval.Case{{BaseCommit: first, Query: "drain", Gold: []string{"pool.go"}}, {BaseCommit: "HEAD", Query: "drain", Gold: []string{"pool.go"}}},
		func(int, *Tree) error { n++; cancel(); return nil })
	if n != 1 || err == nil {
		t.Errorf("%d cases are visited, %v", n, err)
	}
}

func TestCases(t *testing.T) {
	r, _, fix := history(t, t.TempDir())
	cases, err := Cases(context.Background(), r.root, 5)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range cases {
		got = append(got, fmt.Sprint(c.BaseCommit, c.Gold))
	}
	if len(got) != 2 || got[1] != fix+"^[pool.go]" {
		t.Errorf("%q: the first commit has no tree before it", got)
	}
	empty := newRepo(t, t.TempDir())
	empty.commit("Write the manual in full", map[string]string{"README.md": "x\n"})
	if _, err := Cases(context.Background(), empty.root, 5); fault.KindOf(err) != fault.Usage {
		t.Errorf("a history without source code: %v", err)
	}
}

func TestIsSourcePath(t *testing.T) {
	for path, want := range map[string]bool{"a.go": true, "a_test.go": false, "src/test/java/A.java": false, "README.md": false, "a.css": false, "index.html": false, "a.json": false, "lib/b.py": true} {
		if IsSourcePath(path) != want {
			t.Errorf("%s: %v", path, !want)
		}
	}
}
