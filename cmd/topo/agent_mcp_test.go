package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topo-dev/topo/agent"
	. "github.com/topo-dev/topo/agent/provider/providertest"
)

// configureServers writes the user's configuration of servers: topo itself, one
// that never answers and one that is not there.
func configureServers(t *testing.T, home, root string) {
	t.Helper()
	self, err := exec.LookPath("topo")
	if err != nil {
		t.Fatal(err)
	}
	type server map[string]any
	raw, err := json.Marshal(map[string]any{"mcpServers": map[string]server{
		"self":   {"command": self, "args": []string{"mcp", "--wait", "--write", "--root", root}, "tools": []string{"outline", "write"}, "start": 60},
		"silent": {"command": "sleep", "args": []string{"97533"}, "start": 0.1},
		"gone":   {"command": filepath.Join(root, "none")},
	}})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(home, ".config", "topo")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "mcp.json"), raw, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestToolsOfServers: a model uses the tools of a configured server as far as
// the permissions go, and servers that are not there are said and left out.
func TestToolsOfServers(t *testing.T) {
	need(t, "git", "sleep")
	const rule = "mcp_self_outline"
	for name, c := range map[string]struct {
		args  []string
		code  int
		want  []string
		write bool // new.txt is there afterwards
	}{
		"nobody to ask": {nil, exitRefused, []string{"mcp_self_outline error", "mcp_self_write error"}, false},
		"denied":        {[]string{"--yes", "--deny", rule}, exitOK, []string{"mcp_self_outline error", "mcp_self_write ok"}, true},
		"read only":     {[]string{"--read-only", "--allow", rule}, exitOK, []string{"mcp_self_outline error", "mcp_self_write error"}, false},
		"one allowed":   {[]string{"--allow", rule}, exitRefused, []string{"mcp_self_outline ok", "mcp_self_write error"}, false},
		"all allowed":   {[]string{"--allow", "mcp_self_*"}, exitOK, []string{"mcp_self_outline ok", "mcp_self_write ok"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			srv := New(
				Turn{Use("c1", "mcp_self_outline", `{"path":"login.sh"}`)},
				Turn{Use("c2", "mcp_self_write", `{"path":"new.txt","content":"x"}`)},
				Turn{Text("done")},
			)
			defer srv.Close()
			dir := demoRepo(t)
			configureServers(t, filepath.Join(filepath.Dir(dir), "home"), dir)
			args := append([]string{"--provider", "anthropic", "--base-url", srv.URL, "look"}, c.args...)
			r := runTopo(t, context.Background(), dir, map[string]string{"ANTHROPIC_API_KEY": secretKey}, nil, args...)
			if r.code != c.code {
				t.Errorf("exit code %d, want %d: %s", r.code, c.code, r.notes)
			}
			if got := r.results(); !slices.Equal(got, c.want) {
				t.Errorf("results %v, want %v", got, c.want)
			}
			if _, err := os.Stat(filepath.Join(dir, "new.txt")); (err == nil) != c.write {
				t.Errorf("new.txt: %v", err)
			}
			var said []string
			for _, e := range r.of(agent.EventNote) {
				said = append(said, e.Text)
			}
			all := strings.Join(said, "\n")
			if !strings.Contains(all, "mcp server silent: it was not ready within 100ms") || !strings.Contains(all, "mcp server gone: cannot connect") {
				t.Errorf("notes:\n%s", all)
			}
			if procs := processes(t, "sleep\x0097533"); len(procs) > 0 {
				t.Errorf("left behind: %v", procs)
			}
		})
	}
}
