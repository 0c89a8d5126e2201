package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// inspector is the command of the protocol's own client for tests, a program of
// other people in another language.
func inspector(t *testing.T) string {
	t.Helper()
	if p := os.Getenv("TOPO_MCP_INSPECTOR"); p != "" {
		return p
	}
	p, err := exec.LookPath("mcp-inspector")
	if err != nil {
		t.Skip("mcp-inspector is not here; install it with: npm install -g @modelcontextprotocol/inspector@2.12.0, or name it in TOPO_MCP_INSPECTOR")
	}
	return p
}

// inspected is a small tree, and this test binary under the name of topo.
func inspected(t *testing.T) (root, topo string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	topo = filepath.Join(bin, "topo")
	if err := os.Symlink(self, topo); err != nil { // testscript's main runs what it is called
		t.Skip("no symbolic links here")
	}
	root = t.TempDir()
	err = os.WriteFile(filepath.Join(root, "a.go"), []byte("package a\n\nfunc Load() {}\n\nfunc Use() { Load() }\n"), 0o644)
	if err != nil {
		t.Fatal(err)
	}
	return root, topo
}

var inspections = []struct {
	name string
	args []string
	want []string
}{
	{"tools", []string{"--method", "tools/list"}, []string{`"name": "analyze_impact"`, `"name": "search"`, `"readOnlyHint": true`, `"inputSchema"`}},
	{"call", []string{"--method", "tools/call", "--tool-name", "query_graph", "--tool-arg", "ask=callers", "of=Load"}, []string{"function  Use   a.go:5"}},
	{"wrong call", []string{"--method", "tools/call", "--tool-name", "query_graph", "--tool-arg", "ask=callers"}, []string{"of is missing", `"isError": true`}},
	{"resources", []string{"--method", "resources/list"}, []string{"topo://overview", "topo://findings", "topo://hotspots"}},
	{"resource", []string{"--method", "resources/read", "--uri", "topo://outline/a.go"}, []string{"func Load()"}},
	{"templates", []string{"--method", "resources/templates/list"}, []string{"topo://outline/{+path}"}},
	{"prompts", []string{"--method", "prompts/list"}, []string{"explore", "find_fix", "review_change"}},
	{"prompt", []string{"--method", "prompts/get", "--prompt-name", "review_change", "--prompt-args", "since=main"}, []string{"Review what changed since main"}},
}

func inspect(t *testing.T, server []string, args []string, want ...string) {
	t.Helper()
	cmd := exec.Command(inspector(t), append(append([]string{"--cli"}, server...), args...)...)
	out, _ := cmd.CombinedOutput() // it fails where a tool does; what it says is judged
	for _, w := range want {
		if !strings.Contains(string(out), w) {
			t.Errorf("%q is not in what the inspector says:\n%s", w, out)
		}
	}
}

func TestInspectorOnStdio(t *testing.T) {
	inspector(t)
	root, topo := inspected(t)
	for _, c := range inspections {
		t.Run(c.name, func(t *testing.T) {
			inspect(t, []string{topo, "mcp", "--wait", "--root", root}, c.args, c.want...)
		})
	}
}

func TestInspectorOverHTTP(t *testing.T) {
	inspector(t)
	root, topo := inspected(t)
	cmd := exec.Command(topo, "mcp", "--wait", "--root", root, "--http=127.0.0.1:0")
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Signal(os.Interrupt); cmd.Wait() })
	var url, token string
	for in := bufio.NewScanner(said); token == "" && in.Scan(); {
		if u, ok := strings.CutPrefix(in.Text(), "topo: serving at "); ok {
			url = u
		}
		if k, ok := strings.CutPrefix(in.Text(), "topo: token: "); ok {
			token = k
		}
	}
	server := []string{url, "--transport", "http"}
	for _, c := range inspections[:2] {
		t.Run(c.name, func(t *testing.T) {
			inspect(t, append(server, "--header", "Authorization: Bearer "+token), c.args, c.want...)
		})
	}
	t.Run("without the token", func(t *testing.T) {
		inspect(t, server, inspections[0].args, "auth_required")
	})
}
