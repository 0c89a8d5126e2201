package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// cCalls asks gcc, which writes the calls that it compiles, those in macros
// too. Sources that do not compile here are not compared.
func cCalls(ctx context.Context, root, src string, flags []string, temp string) (*oracleAnswer, error) {
	sources, err := filepath.Glob(filepath.Join(root, src, "*.c"))
	if err != nil || len(sources) == 0 {
		return nil, fmt.Errorf("%s: no *.c in %s (%w)", root, src, err)
	}
	g := &gccGraph{root: root, said: &oracleAnswer{}, at: map[string]callSite{}, generated: map[string]bool{}}
	for i, c := range sources {
		rel, _ := filepath.Rel(root, c)
		out := filepath.Join(temp, strconv.Itoa(i))
		args := append([]string{"-S", "-O0", "-w", "-fcallgraph-info", "-o", out + ".s"}, flags...)
		cmd := exec.CommandContext(ctx, "gcc", append(args, filepath.ToSlash(rel))...)
		cmd.Dir = root
		if err := cmd.Run(); err != nil {
			continue // it needs what is not here
		}
		text, err := os.ReadFile(out + ".ci")
		if err != nil {
			return nil, fmt.Errorf("gcc wrote no call graph: %w; it takes gcc 10 or newer", err)
		}
		g.said.Files = append(g.said.Files, filepath.ToSlash(rel))
		g.read(string(text))
	}
	g.join()
	return g.said, nil
}

// gccGraph joins the call graphs of several sources.
type gccGraph struct {
	root  string
	said  *oracleAnswer
	at    map[string]callSite // definitions by title
	edges []gccEdge

	generated map[string]bool // files whose #line directives name another file
}

type gccEdge struct{ to, label string }

var (
	gccNode  = regexp.MustCompile(`^node: \{ title: "([^"]+)" label: "([^"\\]+)\\n([^":]+):(\d+):\d+[^"]*"( shape : ellipse)?`)
	gccCalls = regexp.MustCompile(`^edge: \{ sourcename: "[^"]+" targetname: "([^"]+)" label: "([^"]+)"`)
	gccPlace = regexp.MustCompile(`^([^:]+):(\d+):\d+$`)
)

// read reads one graph. A node of the shape of an ellipse is only declared.
func (g *gccGraph) read(text string) {
	for line := range strings.Lines(text) {
		if m := gccNode.FindStringSubmatch(line); m != nil && m[5] == "" {
			n, _ := strconv.Atoi(m[4])
			g.at[m[1]] = callSite{toPath: filepath.ToSlash(filepath.Clean(m[3])), toLine: n, toName: m[2]}
		} else if m := gccCalls.FindStringSubmatch(line); m != nil {
			g.edges = append(g.edges, gccEdge{m[1], m[2]})
		}
	}
}

// join makes calls of the edges whose targets are defined in a source that was
// read.
func (g *gccGraph) join() {
	for _, d := range g.at {
		if g.hasLineDirectives(d.toPath) {
			continue
		}
		g.said.Functions = append(g.said.Functions, callSite{path: d.toPath, line: d.toLine, toName: d.toName})
	}
	for _, e := range g.edges {
		m := gccPlace.FindStringSubmatch(e.label)
		d, ok := g.at[e.to]
		if m == nil || !ok {
			continue
		}
		d.path, d.resolved = filepath.ToSlash(filepath.Clean(m[1])), true
		d.line, _ = strconv.Atoi(m[2])
		g.said.Calls = append(g.said.Calls, d)
	}
}

// hasLineDirectives reports whether a file says, by #line, that its lines are another
// file's: then gcc does not say where its calls are.
func (g *gccGraph) hasLineDirectives(path string) bool {
	yes, ok := g.generated[path]
	if !ok {
		text, _ := os.ReadFile(filepath.Join(g.root, path))
		yes = strings.Contains(string(text), "\n#line ")
		g.generated[path] = yes
	}
	return yes
}
