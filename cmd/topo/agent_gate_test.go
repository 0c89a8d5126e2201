package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	. "github.com/topo-dev/topo/agent/provider/providertest"
)

// TestRulesSurviveResume: what the flags of the first run allowed and denied
// holds when the session goes on without them, and when it is forked.
func TestRulesSurviveResume(t *testing.T) {
	need(t, "git", "bash")
	test := func(id string) Turn { return Turn{Use(id, "bash", `{"command":"sh test.sh"}`)} }
	write := Turn{Use("w", "write", `{"path":"x","content":"y"}`)}
	srv := New(test("a"), test("b"), write, Turn{Text("done")}, test("c"), Turn{Text("done")})
	defer srv.Close()
	dir := demoRepo(t)
	env := map[string]string{"ANTHROPIC_API_KEY": secretKey}
	args := []string{"--provider", "anthropic", "--base-url", srv.URL}
	r := runTopo(t, context.Background(), dir, env, nil, append(args, "--allow", "bash(sh test.sh)", "--deny", "write(x)", "--max-steps", "1", "go")...)
	if r.code != exitLimit {
		t.Fatalf("exit code %d: %s", r.code, r.notes)
	}
	r = runTopo(t, context.Background(), dir, env, nil, append(args, "--resume", "last", "--yes")...)
	// The command ran, and found the tests failing; the write was denied.
	if got := r.results(); r.code != exitOK || !slices.Equal(got, []string{"bash error", "bash error", "write error"}) {
		t.Errorf("exit code %d, results %v: %s", r.code, got, r.notes)
	}
	if _, err := os.Stat(filepath.Join(dir, "x")); err == nil {
		t.Error("a denial did not survive")
	}
	f, out, errOut := fake(map[string]string{"ANTHROPIC_API_KEY": secretKey, "HOME": filepath.Join(filepath.Dir(dir), "home")})
	if code := run(context.Background(), f, append([]string{"agent", "fork", "--root", dir, "last", "again"}, args...)); code != exitOK {
		t.Errorf("the fork asks again: exit code %d: %s%s", code, out, errOut)
	}
}

// TestReadOnlySurvivesResume: a session that was begun to read only goes on so.
func TestReadOnlySurvivesResume(t *testing.T) {
	srv := New(Turn{Use("a", "ls", `{}`)}, Turn{Use("w", "write", `{"path":"x","content":"y"}`)}, Turn{Text("done")})
	defer srv.Close()
	dir := demoRepo(t)
	env := map[string]string{"ANTHROPIC_API_KEY": secretKey}
	args := []string{"--provider", "anthropic", "--base-url", srv.URL}
	runTopo(t, context.Background(), dir, env, nil, append(args, "--read-only", "--max-steps", "1", "go")...)
	if r := runTopo(t, context.Background(), dir, env, nil, append(args, "--resume", "last", "--yes")...); r.code != exitUsage {
		t.Errorf("--yes on a session that only reads: exit code %d", r.code)
	}
	r := runTopo(t, context.Background(), dir, env, nil, append(args, "--resume", "last")...)
	if got := r.results(); r.code != exitOK || !slices.Equal(got, []string{"ls ok", "write error"}) {
		t.Errorf("exit code %d, results %v: %s", r.code, got, r.notes)
	}
}
