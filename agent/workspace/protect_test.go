package workspace

import (
	"os/exec"
	"strings"
	"testing"
)

func TestProtected(t *testing.T) {
	for _, p := range []string{".git", ".git/config", "a/.git/x", ".GIT", ".Git/x", "git~1/x", "GIT~1", ".git.", ".git. . .", ".git ", ".git::$INDEX_ALLOCATION", ".git:x/y",
		".g\u200cit", "\u200d.git", ".gi\ufefft", ".gi\u202et", ".\u206agit/x", ".topo-cache", "a/.TOPO-CACHE/b", ".topo-cache."} {
		if Protected(p) == "" {
			t.Errorf("%q is not protected", p)
		}
	}
	for _, p := range []string{"", ".", "git", "a.git", ".gitignore", ".gitattributes", ".gitmodules", ".github/workflows/x.yml", "..git", ".git2", "git~2", ".topo-cached", ".topoignore", "a/b/c", "dot.git/x", ".gi/t"} {
		if why := Protected(p); why != "" {
			t.Errorf("%q is protected: %s", p, why)
		}
	}
}

// TestProtectedAgainstGit holds the spellings to git's own list: what git
// refuses as a name in a tree because some file system takes it for .git is
// protected here.
func TestProtectedAgainstGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed; install it with the system's package manager")
	}
	dir := t.TempDir()
	run := func(args ...string) error {
		cmd := exec.Command(git, append([]string{"-c", "core.protectHFS=true", "-c", "core.protectNTFS=true"}, args...)...)
		cmd.Dir, cmd.Env = dir, []string{"HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1"}
		return cmd.Run()
	}
	if err := run("init", "-q"); err != nil {
		t.Fatal(err)
	}
	const empty = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
	if err := run("hash-object", "-w", "-t", "blob", "/dev/null"); err != nil {
		t.Fatal(err)
	}
	refused := 0
	for _, name := range []string{".git", ".GIT", ".giT", "git~1", "GIT~1", ".git ", ".git.", ".git...", ".git . .", ".git::$INDEX_ALLOCATION", ".git:a", ".g\u200cit", "\u200d.git", ".git\u200e", ".gi\u202at",
		".git\u206f", "\ufeff.git", "git~2", ".gitx", "a.git", ".git\u00a0", ".gıt", "．git", ".git\t", "git"} {
		if run("update-index", "--add", "--cacheinfo", "100644,"+empty+","+name+"/x") == nil {
			continue
		}
		refused++
		if Protected(name+"/x") == "" {
			t.Errorf("git refuses %q, and it is not protected", name)
		}
	}
	if refused < 10 {
		t.Errorf("git refused only %d names: the test says little", refused)
	}
}

func TestShow(t *testing.T) {
	for path, want := range map[string]string{"a/b": "a/b", "a\nb": `"a\nb"`, "\x1b[2J": `"\x1b[2J"`, strings.Repeat("x", 200): strings.Repeat("x", 120) + "…", "a\xffb": `"a\xffb"`} {
		if got := show(path); got != want {
			t.Errorf("%q: %s", path, got)
		}
	}
}
