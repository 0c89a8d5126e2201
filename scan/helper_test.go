package scan

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
)

// needGit skips a test on a machine without git.
func needGit(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is missing: apt-get install git, or brew install git")
	}
}

// slow reports whether the long tests are wanted.
func slow() bool { return os.Getenv("TOPO_SLOW") == "1" }

// testEnv keeps the settings of the user who runs the tests out of them.
func testEnv(home string) []string {
	return append(gitEnv(os.Environ()), "HOME="+home, "XDG_CONFIG_HOME="+filepath.Join(home, "xdg"),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+filepath.Join(home, "gitconfig"),
		"GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=ann@example.org", "GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL=ann@example.org",
		"GIT_AUTHOR_DATE=1700000000 +0000", "GIT_COMMITTER_DATE=1700000000 +0000", "GIT_ALLOW_PROTOCOL=file")
}

func testGetenv(home string) func(string) string {
	return func(key string) string {
		env := testEnv(home)
		for i := len(env) - 1; i >= 0; i-- {
			if v, ok := strings.CutPrefix(env[i], key+"="); ok {
				return v
			}
		}
		return ""
	}
}

// git runs git in dir and returns what it printed.
func git(t testing.TB, home, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = testEnv(home)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %q in %s: %v\n%s", args, dir, err, errs.String())
	}
	return string(out)
}

// write makes a file with its folders.
func write(t testing.TB, dir, name, content string) {
	t.Helper()
	p := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

func run(t testing.TB, o Options) *Result {
	t.Helper()
	if o.Getenv == nil {
		o.Getenv = testGetenv(filepath.Join(o.Root, "no-home"))
	}
	res, err := Run(context.Background(), o)
	if err != nil {
		t.Fatalf("scan of %s: %v", o.Root, err)
	}
	return res
}

func paths(res *Result) []string {
	list := make([]string, len(res.Files))
	for i, f := range res.Files {
		list[i] = f.Path
	}
	return list
}

// gitLines runs git and splits what it printed at the NULs.
func gitLines(t testing.TB, home, dir string, args ...string) []string {
	t.Helper()
	return strings.Split(strings.TrimSuffix(git(t, home, dir, args...), "\x00"), "\x00")
}

// sealed ends data with the checksum of the stat cache.
func sealed(data []byte) []byte {
	return binary.LittleEndian.AppendUint64(bytes.Clone(data), xxhash.Sum64(data))
}
