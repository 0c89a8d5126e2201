package graph

import (
	"bytes"
	"fmt"
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestGoMetricsAgree compares every function of parts of the standard library
// with gocyclo and gocognit, recursion through other functions included.
func TestGoMetricsAgree(t *testing.T) {
	root := filepath.Join(build.Default.GOROOT, "src")
	compared, raised := 0, 0
	for _, dir := range []string{"go/types", "encoding/json", "text/template"} {
		m := memory{}
		full := filepath.Join(root, dir)
		entries, err := os.ReadDir(full)
		if err != nil {
			t.Skipf("the sources of Go are not installed: %v", err)
		}
		for _, e := range entries {
			if !e.Type().IsRegular() || !strings.HasSuffix(e.Name(), ".go") {
				continue
			}
			src, err := os.ReadFile(filepath.Join(full, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Contains(src, []byte(":ignore")) {
				m[e.Name()] = src
			}
		}
		m["go.mod"] = fmt.Appendf(nil, "module %s\n", dir)
		cyclo := oracle(t, "gocyclo", "github.com/fzipp/gocyclo/cmd/gocyclo@v0.6.0", full)
		cognit := oracle(t, "gocognit", "github.com/uudashr/gocognit/cmd/gocognit@v1.3.0", "-test", full)
		_, g := built(t, filepath.Join(t.TempDir(), "x.idx"), m.input())
		for id := range g.NumNodes() {
			n, err := g.Node(id)
			if err != nil {
				t.Fatal(err)
			}
			if n.Kind != NodeFunction && n.Kind != NodeMethod || strings.Contains(n.Name, ".func") {
				continue
			}
			at := fmt.Sprintf("%s:%d", filepath.Join(full, n.Path), n.Line)
			want, ok := cyclo[at]
			if !ok {
				continue
			}
			compared++
			// Functions of 0 are not in the answer of gocognit.
			if n.Metrics.Cyclomatic != want || n.Metrics.Cognitive != cognit[at] {
				t.Errorf("%s %s: cyclomatic %d, gocyclo says %d; cognitive %d, gocognit says %d",
					at, n.Name, n.Metrics.Cyclomatic, want, n.Metrics.Cognitive, cognit[at])
			}
		}
		out, err := pairs(g)
		if err != nil {
			t.Fatal(err)
		}
		raised += out
	}
	if compared < 1000 || raised == 0 {
		t.Errorf("%d functions compared, %d calls are called back", compared, raised)
	}
}

// pairs counts the calls that are called back: the plainest recursion through
// others.
func pairs(g *Graph) (count int, err error) {
	for id := range g.NumNodes() {
		out, err := g.Out(id)
		if err != nil {
			return 0, err
		}
		in, err := g.In(id)
		if err != nil {
			return 0, err
		}
		back := map[int]bool{}
		for _, e := range in {
			back[e.Other] = e.Kind == EdgeCalls
		}
		for _, e := range out {
			if e.Kind == EdgeCalls && e.Other != id && back[e.Other] {
				count++
			}
		}
	}
	return count, nil
}

// oracle runs a tool that prints "number package function path:line:column".
func oracle(t *testing.T, tool, module string, args ...string) map[string]int {
	t.Helper()
	if _, err := exec.LookPath(tool); err != nil {
		t.Skipf("%s is not installed: go install %s", tool, module)
	}
	b, err := exec.Command(tool, args...).Output()
	if err != nil {
		t.Fatalf("%s %v: %v", tool, args, err)
	}
	out := map[string]int{}
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		n, err := strconv.Atoi(f[0])
		if err != nil || len(f) < 4 {
			t.Fatalf("%s printed %q", tool, line)
		}
		at := f[len(f)-1]
		out[at[:strings.LastIndexByte(at, ':')]] = n
	}
	return out
}
