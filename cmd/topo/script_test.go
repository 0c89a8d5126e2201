package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected outputs")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"topo": func() { os.Exit(mainCode()) }})
}

// TestScripts runs whole commands and compares every byte they print.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "../../testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			env.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
			env.Setenv("HOME", env.WorkDir)
			source, err := filepath.Abs("../..")
			if err != nil {
				return err
			}
			env.Setenv("SOURCE", source)
			return startServers(env)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"mkrepo": mkrepo, "code": code, "jsonline": jsonLine, "damage": damage, "serve": serve,
		},
	})
}

// mkrepo DIR makes the folder a git repository with one commit of all that is
// in it. Names, dates and origin are fixed, and with them the commit's id and
// the fingerprint. Run again it commits the changes.
func mkrepo(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: mkrepo dir")
	}
	dir := ts.MkAbs(args[0])
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
			"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE=2024-01-02T03:04:05Z",
			"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_COMMITTER_DATE=2024-01-02T03:04:05Z")
		if out, err := cmd.CombinedOutput(); err != nil {
			ts.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, ".git")); err != nil {
		git("init", "-q", "-b", "main")
		git("remote", "add", "origin", "https://example.com/demo.git")
	}
	git("add", "-A")
	git("commit", "-q", "--allow-empty", "-m", "Change things")
}

// code N CMD... runs a command that must end with exit code N.
func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N command [args]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if err != nil {
		exit, ok := err.(*exec.ExitError)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
	// The contract of every failure: one line, from topo.
	if stderr := ts.ReadFile("stderr"); want != 0 && (!strings.HasPrefix(stderr, "topo: ") || strings.Count(stderr, "\n") != 1) {
		ts.Fatalf("a failure must print one line on standard error, got %q", stderr)
	}
}

// jsonline FILE REGEXP reports whether a line of the file matches.
func jsonLine(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: [!] jsonline file regexp")
	}
	re := regexp.MustCompile("(?m)" + args[1])
	if re.MatchString(ts.ReadFile(args[0])) == neg {
		ts.Fatalf("line %q: found %v", args[1], !neg)
	}
}

// damage FILE OFFSET changes one byte of the file.
func damage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: damage file offset")
	}
	matches, err := filepath.Glob(ts.MkAbs(args[0]))
	if err != nil || len(matches) != 1 {
		ts.Fatalf("damage: %d files match %s", len(matches), args[0])
	}
	data, err := os.ReadFile(matches[0])
	ts.Check(err)
	at, err := strconv.Atoi(args[1])
	ts.Check(err)
	data[at] ^= 0xff
	ts.Check(os.WriteFile(matches[0], data, 0o644))
}

var _ = fmt.Sprint
var _ = syscall.SIGINT
