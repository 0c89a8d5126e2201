package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/agent/mcp"
	"github.com/topo-dev/topo/agent/tool/codebase"
	"github.com/topo-dev/topo/answer"
	"github.com/topo-dev/topo/detect/rules"
	"github.com/topo-dev/topo/index/fresh"
)

// The impact of a diff is one value: what the library returns, the command prints
// as JSON, and the server sends as structured content. The diffs are generated,
// and of each something is known without topo.
func TestImpactParity(t *testing.T) {
	seeds := 66
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := generate(t, uint64(seed))
			checkParity(t, r)
		})
	}
}

// madeRepo is a generated repository with changes that are not committed.
type madeRepo struct {
	dir     string
	before  string // folder of an index of the state before the changes
	staged  bool
	expect  []expectation
	changes []string // what was done, for messages
}

// expectation is a symbol that an answer must, or must not, have.
type expectation struct {
	tier, symbol, change, from string
	not                        bool
}

// dialect writes functions in one language.
type dialect struct {
	ext, head string
	function  func(name, calls, from string) string
	imports   func(name, from string) string
}

func dialects() []dialect {
	return []dialect{
		{"go", "package p\n", func(name, calls, _ string) string {
			return fmt.Sprintf("\n// %s works.\nfunc %s(n int) int {\n\tif n > 1 {\n\t\treturn n\n\t}\n\treturn %s\n}\n", name, name, goCall(calls))
		}, func(string, string) string { return "" }},
		{"py", "", func(name, calls, _ string) string {
			return fmt.Sprintf("\n\ndef %s(n):\n    if n > 1:\n        return n\n    return %s\n", name, pyCall(calls))
		}, func(name, from string) string { return fmt.Sprintf("from %s import %s\n", from, name) }},
		{"ts", "", func(name, calls, _ string) string {
			return fmt.Sprintf("\nexport function %s(n: number): number {\n  if (n > 1) {\n    return n;\n  }\n  return %s;\n}\n", name, pyCall(calls))
		}, func(name, from string) string { return fmt.Sprintf("import { %s } from './%s';\n", name, from) }},
	}
}

func goCall(name string) string {
	if name == "" {
		return "n + 1"
	}
	return name + "(n - 1)"
}

func pyCall(name string) string { return goCall(name) }

// program is a chain of functions over files: each calls the next, the last calls
// none. File k holds two of them, the second of which is a neighbour that nobody
// calls.
type program struct {
	d     dialect
	names []string // of the chain
	files []string // stem of the file of each
}

func (p *program) write(t *testing.T, dir string) {
	for i, stem := range p.files {
		text := p.d.head
		calls := ""
		if i+1 < len(p.names) {
			calls = p.names[i+1]
			text += p.d.imports(calls, p.files[i+1])
		}
		text += p.d.function(p.names[i], calls, "") + p.d.function("neighbour"+p.names[i], "", "")
		put(t, filepath.Join(dir, stem+"."+p.d.ext), text)
	}
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func gitIn(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@x", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@x",
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v %s", args, err, out)
	}
}

// generate makes a repository of all dialects and changes one to three places of
// it.
func generate(t *testing.T, seed uint64) *madeRepo {
	rnd := rand.New(rand.NewPCG(seed, 7))
	r := &madeRepo{dir: t.TempDir(), before: t.TempDir()}
	put(t, filepath.Join(r.dir, "go.mod"), "module example.com/p\n\ngo 1.26\n")
	put(t, filepath.Join(r.dir, "run.sh"), "echo\n")
	var programs []*program
	for _, d := range dialects() {
		p := &program{d: d}
		for i := range 4 {
			p.names = append(p.names, fmt.Sprintf("%sStep%c", d.ext, 'A'+i))
			p.files = append(p.files, fmt.Sprintf("%s_%c", d.ext, 'a'+i))
		}
		p.write(t, r.dir)
		programs = append(programs, p)
	}
	gitIn(t, r.dir, "init", "-q")
	gitIn(t, r.dir, "add", "-A")
	gitIn(t, r.dir, "commit", "-q", "-m", "one")
	r.index(t, r.before)
	order := rnd.Perm(len(programs))
	for k := range 1 + rnd.IntN(len(programs)) {
		p := programs[order[k]]
		edits := treeEdits()
		edit := edits[(int(seed)+k)%len(edits)]
		r.changes = append(r.changes, p.d.ext+" "+edit.name)
		edit.do(t, r, p, 1+rnd.IntN(2))
	}
	if r.staged = rnd.IntN(3) == 0; r.staged {
		gitIn(t, r.dir, "add", "-A")
	}
	return r
}

// treeEdit is one way to change the file of the function at a position of the chain,
// which has a caller before it and a callee after it.
type treeEdit struct {
	name string
	do   func(t *testing.T, r *madeRepo, p *program, at int)
}

func (r *madeRepo) file(p *program, at int) string {
	return filepath.Join(r.dir, p.files[at]+"."+p.d.ext)
}

func (r *madeRepo) replace(t *testing.T, name, old, now string) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil || !strings.Contains(string(b), old) {
		t.Fatalf("%s: no %q in %s, %v", name, old, b, err)
	}
	put(t, name, strings.Replace(string(b), old, now, 1))
}

func (r *madeRepo) want(e ...expectation) { r.expect = append(r.expect, e...) }

// blameless says that the neighbours of the file changed nothing.
func (r *madeRepo) blameless(p *program, at int) {
	r.want(expectation{symbol: "neighbour" + p.names[at], tier: "target", not: true})
}

func treeEdits() []treeEdit {
	caller := func(p *program, at int) expectation { return expectation{tier: "direct", symbol: p.names[at-1]} }
	return []treeEdit{
		{"edits a body", func(t *testing.T, r *madeRepo, p *program, at int) {
			r.replace(t, r.file(p, at), "n > 1", "n > 2")
			r.want(expectation{tier: "target", symbol: p.names[at], change: "modified"}, caller(p, at))
			r.blameless(p, at)
		}},
		{"takes a function out", func(t *testing.T, r *madeRepo, p *program, at int) {
			r.replace(t, r.file(p, at), p.d.function(p.names[at], p.names[at+1], ""), "")
			r.want(expectation{tier: "target", symbol: p.names[at], change: "removed"}, caller(p, at))
			r.blameless(p, at)
		}},
		{"renames the file", func(t *testing.T, r *madeRepo, p *program, at int) {
			now := p.files[at] + "_new." + p.d.ext
			gitIn(t, r.dir, "mv", p.files[at]+"."+p.d.ext, now)
			r.want(expectation{tier: "target", symbol: now, change: "renamed", from: p.files[at] + "." + p.d.ext})
			if p.d.ext != "go" { // whose files are imported with their folder
				r.want(caller(p, at))
			}
		}},
		{"moves a function", func(t *testing.T, r *madeRepo, p *program, at int) {
			text := p.d.function(p.names[at], p.names[at+1], "")
			r.replace(t, r.file(p, at), text, "")
			put(t, filepath.Join(r.dir, p.d.ext+"_moved."+p.d.ext), p.d.head+p.d.imports(p.names[at+1], p.files[at+1])+text)
			gitIn(t, r.dir, "add", "-N", p.d.ext+"_moved."+p.d.ext)
			r.want(expectation{tier: "target", symbol: p.names[at], change: "moved", from: p.files[at] + "." + p.d.ext}, caller(p, at))
			r.blameless(p, at)
		}},
		{"adds a function", func(t *testing.T, r *madeRepo, p *program, at int) {
			put(t, filepath.Join(r.dir, p.d.ext+"_added."+p.d.ext), p.d.head+p.d.function("added"+p.names[at], "", ""))
			r.want(expectation{tier: "target", symbol: "added" + p.names[at], change: "added"}, expectation{tier: "direct", symbol: p.names[at-1], not: true})
		}},
		{"takes the file out", func(t *testing.T, r *madeRepo, p *program, at int) {
			if err := os.Remove(r.file(p, at)); err != nil {
				t.Fatal(err)
			}
			r.want(expectation{tier: "target", symbol: p.names[at], change: "removed"}, caller(p, at))
		}},
		{"changes a mode", func(t *testing.T, r *madeRepo, p *program, at int) {
			if err := os.Chmod(r.file(p, at), 0o755); err != nil {
				t.Fatal(err)
			}
			r.want(expectation{tier: "target", symbol: p.files[at] + "." + p.d.ext, change: "mode"}, expectation{tier: "target", symbol: p.names[at], not: true})
		}},
	}
}

// index makes the index of the tree as it is.
func (r *madeRepo) index(t *testing.T, cache string) {
	t.Helper()
	if _, errs, err := runIn(t, "index", "--deep", "-q", "--root", r.dir, "--cache-dir", cache); err != nil {
		t.Fatal(err, errs)
	}
}

// checkParity compares the answers from an index of the state before the changes,
// from one of the state after, and after a commit of the changes.
func checkParity(t *testing.T, r *madeRepo) {
	after := t.TempDir()
	r.index(t, after)
	diff := answer.Diff{Range: "HEAD", Staged: r.staged}
	r.checkIndex(t, diff, r.before)
	want := r.checkIndex(t, diff, after)
	if !r.staged {
		r.checkServer(t, diff.Range, after, want)
	}
	gitIn(t, r.dir, "add", "-A")
	gitIn(t, r.dir, "commit", "-q", "-m", "two")
	r.index(t, after)
	diff = answer.Diff{Range: "HEAD~1..HEAD"}
	r.checkServer(t, diff.Range, after, r.checkIndex(t, diff, after))
}

// checkIndex compares the library with the command, and both with what is
// expected.
func (r *madeRepo) checkIndex(t *testing.T, d answer.Diff, cache string) map[string]any {
	want := libraryImpact(t, r, d, cache)
	args := []string{"impact", "--diff=" + d.Range, "--format", "json", "--root", r.dir, "--cache-dir", cache}
	if d.Staged {
		args = append(args, "--staged")
	}
	out, errs, err := runIn(t, args...)
	if err != nil {
		t.Fatal(err, errs)
	}
	command := decoded(t, []byte(out))
	delete(command, "Root") // it was given
	if !reflect.DeepEqual(want, command) {
		t.Errorf("%v: the command differs\nlibrary %v\ncommand %v", r.changes, want, command)
	}
	for _, e := range r.expect {
		if e.found(want) == e.not {
			t.Errorf("%v, %+v, index before: %t: expected %+v in\n%s", r.changes, d, cache == r.before, e, out)
		}
	}
	return want
}

func (r *madeRepo) checkServer(t *testing.T, diff, cache string, want map[string]any) {
	if got := serverImpact(t, r, diff, cache); !reflect.DeepEqual(want, got) {
		t.Errorf("%v: the server differs\nlibrary %v\nserver  %v", r.changes, want, got)
	}
}

// found reports whether an answer has the symbol that is expected.
func (e expectation) found(a map[string]any) bool {
	return slices.ContainsFunc(a["Symbols"].([]any), func(v any) bool {
		s := v.(map[string]any)
		text := func(key string) string { v, _ := s[key].(string); return v }
		return text("Symbol") == e.symbol && text("Tier") == e.tier && (e.change == "" || text("Change") == e.change) && (e.from == "" || text("From") == e.from)
	})
}

func decoded(t *testing.T, b []byte) (v map[string]any) {
	t.Helper()
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	return v
}

// runIn runs a command of topo in this process.
func runIn(t *testing.T, args ...string) (out, errs string, err error) {
	var stdout, stderr bytes.Buffer
	f := &factory{in: strings.NewReader(""), out: &stdout, err: &stderr, lookupEnv: func(string) (string, bool) { return "", false }}
	cmd := newRoot(f)
	cmd.SetArgs(args)
	err = cmd.ExecuteContext(t.Context())
	return stdout.String(), stderr.String(), err
}

func libraryImpact(t *testing.T, r *madeRepo, d answer.Diff, cache string) map[string]any {
	repo, err := topo.Open(t.Context(), r.dir, topo.Options{Exact: true, CacheDir: cache})
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	a, err := repo.Diff(t.Context(), d, answer.ImpactOptions{})
	if err != nil {
		t.Fatal(err)
	}
	a.Root = "" // it was given
	b, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	return decoded(t, b)
}

func serverImpact(t *testing.T, r *madeRepo, diff, cache string) map[string]any {
	p, err := fresh.At(t.Context(), r.dir, cache)
	if err != nil {
		t.Fatal(err)
	}
	k := fresh.NewServer(fresh.Options{Place: p, Patience: time.Hour})
	defer k.Close()
	s := mcp.NewServer(mcp.ServerOptions{Tools: codebase.Tools(codebase.Options{Source: k, Detectors: rules.All()})})
	session := connected(t, s)
	res, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "analyze_impact", Arguments: map[string]any{"diff": diff, "limit": 200}})
	if err != nil || res.IsError {
		t.Fatal(err, res)
	}
	got := res.StructuredContent.(map[string]any)
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools.Tools {
		if tool.Name == "analyze_impact" {
			validate(t, tool.OutputSchema, got)
		}
	}
	return got
}

// validate checks a value by the schema that a client got.
func validate(t *testing.T, schema any, v any) {
	t.Helper()
	raw, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(raw, &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err == nil {
		err = resolved.Validate(v)
	}
	if err != nil {
		t.Errorf("the answer is not valid by its schema: %v\n%s", err, raw)
	}
}

// connected is a client that talks to the server over pipes.
func connected(t *testing.T, s *mcp.Server) *sdk.ClientSession {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	in, clientOut, _ := os.Pipe()
	clientIn, out, _ := os.Pipe()
	done := make(chan struct{})
	go func() { defer close(done); _ = s.Serve(ctx, in, out) }()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).Connect(ctx, &sdk.IOTransport{Reader: clientIn, Writer: clientOut}, nil)
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		session.Close()
		cancel()
		<-done
		for _, f := range []*os.File{in, out, clientIn, clientOut} {
			f.Close()
		}
	})
	return session
}
