package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/topo-dev/topo/index/graph"
)

//go:embed oracle/calls.py
var jediScript []byte

//go:embed oracle/calls.js
var tscScript []byte

//go:embed oracle/requires.rb
var rubyScript []byte

//go:embed oracle/Calls.java
var javacScript []byte

// oracleAnswer is the output of an oracle: the target of each call that it
// resolves, and the calls that it does not.
type oracleAnswer struct {
	Files []string    // all that it looked at
	Pairs [][2]string // what each file imports
	// Functions are those that it knows, where a build leaves some out; empty
	// means all.
	Functions []callSite
	Calls     []callSite
	Unclear   []callSite // without a target
}

// callSite is [path, line, path of the target, its line, its name], or
// [path, line, name].
type callSite struct {
	path     string
	line     int
	toPath   string
	toLine   int
	toName   string
	resolved bool
}

func (c *callSite) UnmarshalJSON(b []byte) error {
	var line, toLine float64
	short := []any{&c.path, &line, &c.toName}
	long := []any{&c.path, &line, &c.toPath, &toLine, &c.toName}
	var raw []json.RawMessage
	if err := json.Unmarshal(b, &raw); err != nil {
		return err
	}
	fields := short
	if c.resolved = len(raw) == len(long); c.resolved {
		fields = long
	}
	if len(raw) != len(fields) {
		return fmt.Errorf("a call of %d fields: %s", len(raw), b)
	}
	for i, r := range raw {
		if err := json.Unmarshal(r, fields[i]); err != nil {
			return err
		}
	}
	c.line, c.toLine = int(line), int(toLine)
	return nil
}

// pythonCalls asks jedi.
func pythonCalls(ctx context.Context, root, src, name string) (*oracleAnswer, error) {
	return ask(ctx, root, "jedi", "pip install jedi", "python3", jediScript, "-", root, src, name)
}

// askJavac asks javac, of imports and calls, about the folders that the pattern
// src names.
func askJavac(ctx context.Context, root, src, temp string) (*oracleAnswer, error) {
	dirs, err := foldersLike(root, src)
	if err != nil {
		return nil, err
	}
	script := filepath.Join(temp, "Calls.java") // java does not read a pipe
	if err := os.WriteFile(script, javacScript, 0o600); err != nil {
		return nil, err
	}
	args := append([]string{script, root}, dirs...)
	return ask(ctx, root, "javac", "apt-get install default-jdk", "java", nil, args...)
}

// tsCalls asks the TypeScript compiler of the folders that the pattern src names,
// of sources of a kind, "ts" or "js".
func tsCalls(ctx context.Context, root, src, kind string) (*oracleAnswer, error) {
	dirs, err := foldersLike(root, src)
	if err != nil {
		return nil, err
	}
	args := append([]string{"-", root, "tsconfig.json", kind}, dirs...)
	return ask(ctx, root, "typescript", "npm install typescript, and NODE_PATH=<its node_modules>", "node", tscScript, args...)
}

// foldersLike are the folders below root that patterns name, with spaces between
// them. The empty pattern names the root.
func foldersLike(root, patterns string) (dirs []string, err error) {
	if strings.TrimSpace(patterns) == "" {
		return []string{root}, nil
	}
	for _, p := range strings.Fields(patterns) {
		list, err := filepath.Glob(filepath.Join(root, p))
		if err != nil || len(list) == 0 {
			return nil, fmt.Errorf("%s: no folder is like %q (%w)", root, p, err)
		}
		dirs = append(dirs, list...)
	}
	return dirs, nil
}

func ask(ctx context.Context, root, tool, install, program string, script []byte, args ...string) (*oracleAnswer, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stdin, cmd.Stderr, cmd.Dir = bytes.NewReader(script), os.Stderr, root
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w; install it with: %s", tool, err, install)
	}
	s := &oracleAnswer{}
	return s, json.Unmarshal(text, s)
}

// functionIndex holds the functions, methods and types of each file.
type functionIndex struct {
	g     *graph.Graph
	files map[string][]graph.Node
}

func newFunctionIndex(g *graph.Graph) (*functionIndex, error) {
	f := &functionIndex{g, map[string][]graph.Node{}}
	for id := range g.NumNodes() {
		n, err := g.Node(id)
		if err != nil {
			return nil, err
		}
		if n.Kind == graph.NodeFunction || n.Kind == graph.NodeMethod || n.Kind == graph.NodeType {
			f.files[n.Path] = append(f.files[n.Path], n)
		}
	}
	return f, nil
}

// enclosingFunction is the innermost function around a line, −1 for none.
func (f *functionIndex) enclosingFunction(path string, line int) int {
	best, size := -1, 0
	for _, n := range f.files[path] {
		if n.Kind != graph.NodeType && n.Line <= line && line <= n.EndLine && (best < 0 || n.EndLine-n.Line <= size) {
			best, size = n.ID, n.EndLine-n.Line
		}
	}
	return best
}

// definitionAt is the innermost definition of that name around a line, −1 for none.
func (f *functionIndex) definitionAt(path string, line int, name string) int {
	best, size := -1, 0
	for _, n := range f.files[path] {
		if n.Line <= line && line <= n.EndLine && graph.LastPart(n.Kind, n.Name) == name && (best < 0 || n.EndLine-n.Line <= size) {
			best, size = n.ID, n.EndLine-n.Line
		}
	}
	return best
}

// oracleCalls is the answer of an oracle, mapped to nodes of the graph.
type oracleCalls struct {
	covered map[string]bool         // files it looked at
	known   map[int]bool            // functions it knows, nil for all
	truth   map[pair]string         // calls, with where one is
	unclear map[int]map[string]bool // names called by a function that it does not understand
	*functionIndex
}

func newOracleCalls(s *oracleAnswer, g *graph.Graph) (*oracleCalls, error) {
	f, err := newFunctionIndex(g)
	h := &oracleCalls{covered: map[string]bool{}, truth: map[pair]string{}, unclear: map[int]map[string]bool{}, functionIndex: f}
	if err != nil {
		return nil, err
	}
	for _, p := range s.Files {
		h.covered[filepath.ToSlash(p)] = true
	}
	if len(s.Functions) > 0 {
		h.known = map[int]bool{}
		for _, c := range s.Functions {
			h.known[h.definitionAt(c.path, c.line, c.toName)] = true
		}
	}
	vague := func(from int, name string) {
		if h.unclear[from] == nil {
			h.unclear[from] = map[string]bool{}
		}
		h.unclear[from][name] = true
	}
	for _, c := range s.Calls {
		from, to := h.enclosingFunction(c.path, c.line), h.definitionAt(c.toPath, c.toLine, c.toName)
		switch {
		case from < 0: // at the top of a file
		case to < 0:
			vague(from, c.toName) // what it calls is no definition to topo
		default:
			h.truth[pair{from, to}] = fmt.Sprintf("%s:%d", c.path, c.line)
		}
	}
	for _, c := range s.Unclear {
		if from := h.enclosingFunction(c.path, c.line); from >= 0 {
			vague(from, c.toName)
		}
	}
	return h, nil
}

// isUnclear reports whether the oracle does not resolve a call that the edge
// may stand for: one of that name, or of the type when it is a constructor.
func (h *oracleCalls) isUnclear(from int, to graph.Node) bool {
	names := strings.FieldsFunc(to.Name, func(r rune) bool { return r == '.' || r == ':' })
	for _, n := range names[max(0, len(names)-2):] {
		if h.unclear[from][n] {
			return true
		}
	}
	return false
}

// compareCalls measures the calls of g against what an oracle says. Edges that
// may stand for calls that the oracle does not understand are not counted.
func compareCalls(name string, g *graph.Graph, said *oracleAnswer, examples int) (*score, error) {
	h, err := newOracleCalls(said, g)
	if err != nil {
		return nil, err
	}
	s := &score{name: name, edges: map[graph.Confidence]int{}, right: map[graph.Confidence]int{}}
	ours := map[pair]bool{}
	wrong := &examplePrinter{left: examples}
	for path, list := range h.files {
		if !h.covered[path] && h.known == nil {
			continue
		}
		for _, from := range list {
			if from.Kind == graph.NodeType || h.known != nil && !h.known[from.ID] {
				continue
			}
			s.functions++
			if err := h.countCalls(s, from, ours, wrong); err != nil {
				return nil, err
			}
		}
	}
	missed := &examplePrinter{left: examples}
	for p, at := range h.truth {
		s.static++
		if ours[p] {
			s.found++
			continue
		}
		a, _ := g.Node(p.from)
		b, _ := g.Node(p.to)
		missed.printf("%s missed: %s -> %s:%d %s at %s\n", name, a.Name, b.Path, b.Line, b.Name, at)
	}
	return s, nil
}

// countCalls counts the calls of one function and adds them to ours.
func (h *oracleCalls) countCalls(s *score, from graph.Node, ours map[pair]bool, wrong *examplePrinter) error {
	out, err := h.g.Out(from.ID)
	if err != nil {
		return err
	}
	for _, e := range out {
		if e.Kind != graph.EdgeCalls {
			continue
		}
		to, err := h.g.Node(e.Other)
		if err != nil {
			return err
		}
		ours[pair{from.ID, to.ID}] = true
		if h.known != nil && !h.known[to.ID] {
			continue
		}
		_, right := h.truth[pair{from.ID, to.ID}]
		if !right && h.isUnclear(from.ID, to) {
			continue
		}
		s.edges[e.Confidence]++
		if right {
			s.right[e.Confidence]++
		} else if e.Confidence > graph.NameOnly {
			wrong.printf("%s wrong %d: %s:%d %s -> %s:%d %s\n", s.name, e.Confidence, from.Path, from.Line, from.Name, to.Path, to.Line, to.Name)
		}
	}
	return nil
}

// examplePrinter writes a number of examples to standard error.
type examplePrinter struct{ left int }

func (p *examplePrinter) printf(format string, args ...any) {
	if p.left > 0 {
		p.left--
		fmt.Fprintf(os.Stderr, format, args...)
	}
}
