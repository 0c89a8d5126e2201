package scan

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestOracleRealRepos compares with git on checkouts of real repositories, as
// they are and with files added that their ignore files are about.
// TOPO_ORACLE_REPOS lists the checkouts, separated like PATH; good ones are
// redis/redis, gin-gonic/gin and pallets/flask.
func TestOracleRealRepos(t *testing.T) {
	needGit(t)
	list := filepath.SplitList(os.Getenv("TOPO_ORACLE_REPOS"))
	if len(list) == 0 {
		t.Skip("set TOPO_ORACLE_REPOS to checkouts of real repositories: git clone https://github.com/redis/redis …")
	}
	for _, dir := range list {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			clone := filepath.Join(t.TempDir(), "clone")
			git(t, t.TempDir(), ".", "clone", "-q", "--no-hardlinks", "--depth=1", "file://"+dir, clone)
			compareReal(t, clone)
			for _, f := range paths(run(t, Options{Root: clone})) {
				for _, ext := range []string{".o", ".pyc", ".log", ".swp", "~", ".test", ".so", ".orig", ".d"} {
					_ = os.WriteFile(filepath.Join(clone, f+ext), nil, 0o666)
				}
			}
			for _, name := range []string{"build/x.c", "dist/y", "node_modules/z/package.json", ".venv/lib/a.py", "src/redis-server", ".idea/w.xml", "coverage.out"} {
				write(t, clone, name, "x")
			}
			compareReal(t, clone)
		})
	}
}

func compareReal(t *testing.T, dir string) {
	t.Helper()
	home := filepath.Join(dir, "no-home")
	want := gitAnswer(t, home, dir)
	got := paths(run(t, Options{Root: dir, Getenv: testGetenv(home)}))
	if !slices.Equal(got, want) {
		t.Errorf("scan lacks %q\nscan has   %q", minus(want, got), minus(got, want))
	}
	at := run(t, Options{Root: dir, Rev: "HEAD", Getenv: testGetenv(home)})
	tracked := gitLines(t, home, dir, "ls-tree", "-r", "-z", "--name-only", "HEAD")
	if !slices.Equal(paths(at), tracked) {
		t.Errorf("at HEAD: scan lacks %q, has %q", minus(tracked, paths(at)), minus(paths(at), tracked))
	}
	t.Logf("%d files in the working tree, %d at HEAD", len(got), len(tracked))
}
