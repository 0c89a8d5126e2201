package chunk

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// goMeasured is one function of a tree with this package's metrics of it.
type goMeasured struct {
	at     string // path:line
	pkg    string // directory and package name
	name   string
	method bool
	Metrics
	calls  []string // plain names that it calls
	itself bool
}

// TestGoMetricsAgree compares every function of real trees with gocyclo and
// gocognit. TOPO_GO_TREE names another tree.
func TestGoMetricsAgree(t *testing.T) {
	dirs := []string{os.Getenv("TOPO_GO_TREE")}
	if dirs[0] == "" {
		dirs = []string{filepath.Join(goRoot(t), "net", "http"), filepath.Join(goRoot(t), "go", "types"), filepath.Join(goRoot(t), "encoding")}
	}
	for _, dir := range dirs {
		all := measureGo(t, dir)
		cyclo := oracleNumbers(t, "gocyclo", "github.com/fzipp/gocyclo/cmd/gocyclo@v0.6.0", dir)
		cognit := oracleNumbers(t, "gocognit", "github.com/uudashr/gocognit/cmd/gocognit@v1.3.0", "-test", dir)
		cycles := mutual(all)
		bad := 0
		for _, f := range all {
			want := cognit[f.at] // functions of 0 are not in its answer
			if cycles[f.at] && !f.itself {
				want-- // recursion through others: not known from one file
			}
			if c, ok := cyclo[f.at]; (ok && c != f.Cyclomatic) || want != f.Cognitive {
				if bad++; bad < 10 {
					t.Errorf("%s %s: cyclomatic %d, gocyclo says %d; cognitive %d, gocognit says %d", f.at, f.name, f.Cyclomatic, c, f.Cognitive, want)
				}
			}
		}
		t.Logf("%s: %d functions, %d in mutual recursion, %d differ", filepath.Base(dir), len(all), len(cycles), bad)
	}
}

func (f goMeasured) file() string { return f.at[:strings.LastIndexByte(f.at, ':')] }

func measureGo(t *testing.T, dir string) []goMeasured {
	var out []goMeasured
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "testdata" || d.Name() == "vendor") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(p, ".go") {
			return nil
		}
		src, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		if bytes.Contains(src, []byte("//gocognit:ignore")) || bytes.Contains(src, []byte("//gocyclo:ignore")) {
			return nil
		}
		r, f := ParseFacts(context.Background(), "go", p, src)
		for _, u := range f.Funcs {
			out = append(out, goMeasuredOf(p, r, f, u))
		}
		return nil
	})
	if err != nil || len(out) == 0 {
		t.Fatalf("%s: no functions: %v", dir, err)
	}
	return out
}

func goMeasuredOf(p string, r Result, f Facts, u FuncFact) goMeasured {
	c := r.Chunks[u.Chunk]
	m := goMeasured{at: fmt.Sprintf("%s:%d", p, c.StartLine), pkg: filepath.Dir(p) + " " + f.Package,
		name: c.Name, method: c.Kind == Method, Metrics: u.Metrics}
	inside := map[string]bool{}
	for _, l := range u.Locals {
		inside[l.Name] = true
	}
	for _, p := range u.Params {
		inside[p.Name] = true
	}
	for _, k := range f.Calls {
		if k.Chunk == u.Chunk && !strings.ContainsAny(k.Chain, ".()[]{}?") && !inside[k.Chain] {
			m.calls = append(m.calls, k.Chain)
			m.itself = m.itself || (!m.method && k.Chain == m.name)
		}
		m.itself = m.itself || (k.Chunk == u.Chunk && m.method && k.Chain == u.Recv+"."+m.name)
	}
	return m
}

// mutual are the functions from which calls by plain name lead back to them
// through others of their package.
func mutual(all []goMeasured) map[string]bool {
	byName := map[string]int{}
	for i, f := range all {
		if !f.method {
			byName[f.pkg+" "+f.name] = i
			byName[f.file()+" "+f.name] = i
		}
	}
	out := map[string]bool{}
	for i, f := range all {
		seen, stack := map[int]bool{}, []int{i}
		for len(stack) > 0 {
			k := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, name := range all[k].calls {
				to, ok := byName[all[k].file()+" "+name] // files of other build tags may define it too
				if !ok {
					to, ok = byName[f.pkg+" "+name]
				}
				if ok && to == i && k != i {
					out[f.at] = true
				}
				if ok && !seen[to] {
					seen[to] = true
					stack = append(stack, to)
				}
			}
		}
	}
	return out
}

// oracleNumbers runs a tool that prints "number package function path:line:column".
func oracleNumbers(t *testing.T, tool, module string, args ...string) map[string]int {
	t.Helper()
	if _, err := exec.LookPath(tool); err != nil {
		t.Skipf("%s is not installed: go install %s", tool, module)
	}
	b, err := exec.Command(tool, args...).Output()
	if err != nil {
		t.Fatalf("%s %v: %v", tool, args, err)
	}
	out := map[string]int{}
	for s := bufio.NewScanner(bytes.NewReader(b)); s.Scan(); {
		f := strings.Fields(s.Text())
		n, err := strconv.Atoi(f[0])
		if err != nil || len(f) < 4 {
			t.Fatalf("%s printed %q", tool, s.Text())
		}
		at := strings.Split(f[len(f)-1], ":")
		out[strings.Join(at[:len(at)-1], ":")] = n
	}
	return out
}
