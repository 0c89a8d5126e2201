package main

import (
	"context"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/cha"
	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/topo-dev/topo/index/graph"
)

// pair is one call edge between two functions of a repository.
type pair struct{ from, to int }

// truth holds the calls of a repository as the compiler sees them.
type truth struct {
	known  map[int]bool  // nodes that it has a function for
	static map[pair]site // calls whose callee the source names
	all    map[pair]bool // those and what variable type analysis adds
	may    map[pair]bool // those and what class hierarchy analysis adds
}

type site struct {
	pos  string
	call string
}

// place is where a function is declared.
type place struct {
	file string
	line int
}

// goTruth loads the packages of root and maps their calls to nodes of g.
func goTruth(ctx context.Context, root string, g *graph.Graph) (*truth, error) {
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, err
	}
	initial, err := loadPackages(ctx, root)
	if err != nil {
		return nil, err
	}
	prog, _ := ssautil.Packages(initial, ssa.InstantiateGenerics)
	prog.Build()
	nodes, err := places(g)
	if err != nil {
		return nil, err
	}
	t := &truth{known: map[int]bool{}, static: map[pair]site{}, all: map[pair]bool{}, may: map[pair]bool{}}
	m := &mapper{root: root, fset: prog.Fset, nodes: nodes, of: map[*ssa.Function]int{}}
	funcs := ssautil.AllFunctions(prog)
	for f := range funcs {
		if from := m.node(f); from >= 0 {
			t.known[from] = true
			m.addStaticCalls(t, f, from)
		}
	}
	may := cha.CallGraph(prog)
	m.graph(t.may, may)
	m.graph(t.all, vta.CallGraph(funcs, may))
	return t, nil
}

// loadPackages loads the packages of root with their tests. The first of the
// errors in their sources goes to standard error.
func loadPackages(ctx context.Context, root string) ([]*packages.Package, error) {
	cfg := &packages.Config{Context: ctx, Mode: packages.LoadSyntax | packages.NeedModule, Dir: root, Tests: true,
		Env: append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")}
	initial, err := packages.Load(cfg, "./...")
	if err != nil {
		return nil, err
	}
	var bad []packages.Error
	for _, p := range initial {
		bad = append(bad, p.Errors...)
	}
	if len(bad) > 0 {
		fmt.Fprintf(os.Stderr, "%s: %d errors while loading, first of them:\n  %v\n", root, len(bad), bad[0])
	}
	return initial, nil
}

// addStaticCalls adds the calls of f whose callee the source names.
func (m *mapper) addStaticCalls(t *truth, f *ssa.Function, from int) {
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			call, ok := i.(ssa.CallInstruction)
			if !ok {
				continue
			}
			callee := call.Common().StaticCallee()
			if callee == nil || callee.Parent() != nil { // a literal is a part of the function around it
				continue
			}
			if to := m.node(callee); to >= 0 {
				p := pair{from, to}
				t.static[p] = site{m.fset.Position(call.Pos()).String(), callee.String()}
				t.all[p], t.may[p] = true, true
			}
		}
	}
}

// mapper finds the nodes of functions.
type mapper struct {
	root  string
	fset  *token.FileSet
	nodes map[place]int
	of    map[*ssa.Function]int
}

// graph adds the calls of a call graph to a set.
func (m *mapper) graph(calls map[pair]bool, cg *callgraph.Graph) {
	for f, n := range cg.Nodes {
		if from := m.node(f); f != nil && from >= 0 {
			m.edges(calls, from, n, 0)
		}
	}
}

// edges follows synthetic wrappers to what they call.
func (m *mapper) edges(calls map[pair]bool, from int, n *callgraph.Node, depth int) {
	for _, e := range n.Out {
		if to := m.node(e.Callee.Func); to >= 0 {
			calls[pair{from, to}] = true
		} else if depth < 3 && e.Callee.Func.Synthetic != "" {
			m.edges(calls, from, e.Callee, depth+1)
		}
	}
}

// node is the node of the declared function that f is, or is inside of; −1
// when it is none of the repository's.
func (m *mapper) node(f *ssa.Function) int {
	if f == nil {
		return -1
	}
	if id, ok := m.of[f]; ok {
		return id
	}
	id := -1
	g := f
	for g.Parent() != nil {
		g = g.Parent()
	}
	if o := g.Origin(); o != nil {
		g = o
	}
	if g.Synthetic == "" || g.Origin() != nil || strings.HasPrefix(g.Synthetic, "instance") {
		if pos := m.fset.Position(g.Pos()); pos.IsValid() {
			if rel, err := filepath.Rel(m.root, pos.Filename); err == nil {
				if n, ok := m.nodes[place{filepath.ToSlash(rel), pos.Line}]; ok {
					id = n
				}
			}
		}
	}
	m.of[f] = id
	return id
}

// places maps the lines of functions and methods to their nodes.
func places(g *graph.Graph) (map[place]int, error) {
	out := map[place]int{}
	for id := range g.NumNodes() {
		n, err := g.Node(id)
		if err != nil {
			return nil, err
		}
		if n.Kind == graph.NodeFunction || n.Kind == graph.NodeMethod {
			out[place{n.Path, n.Line}] = id
		}
	}
	return out, nil
}

// score is what was measured of one repository.
type score struct {
	name          string
	functions     int
	edges, right  map[graph.Confidence]int
	static, found int
	may           int // edges of the dispatched tier that class hierarchy analysis has
}

// compare measures the calls of g against the truth. examples wrong and missed
// edges are written to standard error.
func compare(name string, g *graph.Graph, t *truth, examples int) (*score, error) {
	s := &score{name: name, functions: len(t.known), edges: map[graph.Confidence]int{}, right: map[graph.Confidence]int{}}
	ours := map[pair]bool{}
	wrong, missed := &examplePrinter{left: examples}, &examplePrinter{left: examples}
	for id := range g.NumNodes() {
		if !t.known[id] {
			continue
		}
		out, err := g.Out(id)
		if err != nil {
			return nil, err
		}
		for _, e := range out {
			if e.Kind != graph.EdgeCalls || !t.known[e.Other] {
				continue
			}
			p := pair{id, e.Other}
			ours[p] = true
			s.edges[e.Confidence]++
			if e.Confidence == graph.Dispatched && t.may[p] {
				s.may++
			}
			if t.all[p] {
				s.right[e.Confidence]++
			} else if e.Confidence >= graph.KnownType || e.Confidence == graph.Dispatched && !t.may[p] {
				a, _ := g.Node(id)
				b, _ := g.Node(e.Other)
				wrong.printf("wrong %d: %s:%d %s -> %s:%d %s\n", e.Confidence, a.Path, a.Line, a.Name, b.Path, b.Line, b.Name)
			}
		}
	}
	for p, at := range t.static {
		s.static++
		if ours[p] {
			s.found++
			continue
		}
		a, _ := g.Node(p.from)
		missed.printf("missed: %s -> %s at %s\n", a.Name, at.call, at.pos)
	}
	return s, nil
}
