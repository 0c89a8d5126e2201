package detect

import (
	"bytes"
	"context"
	"strings"
	"sync"

	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/algo"
	"github.com/topo-dev/topo/stream"
)

// Code is a code base as detectors see it. It is safe for concurrent use.
type Code struct {
	Files     []*File     // sorted by path
	Functions []*Function // in the order of their files and lines

	x      *index.Index
	g      *graph.Graph
	byPath map[string]*File
	byNode map[int]*Function

	tested sync.Map // node id → bool, what Tested found
}

// File is one file whose content is used.
type File struct {
	Path      string
	Language  string
	Role      stream.Role
	Size      int64 // bytes
	Commits   int   // that changed it, as far as the index knows the history
	Functions []*Function
	Types     []*Type

	id, node int
}

// Ordinary reports whether the file is code that people write and ship: neither
// a test nor generated.
func (f *File) Ordinary() bool { return f.Role == stream.RoleImpl }

// Function is a function or method.
type Function struct {
	graph.Node
	File *File
	Used int // places that call or mention it, tests included
}

// Method reports whether it belongs to a type.
func (f *Function) Method() bool { return f.Kind == graph.NodeMethod }

// BareName is the name without what holds it.
func (f *Function) BareName() string { return graph.LastPart(f.Kind, f.Name) }

// Type is a type with the methods that its files define.
type Type struct {
	graph.Node
	File *File
}

// NewCode reads what detectors need from an index.
func NewCode(ctx context.Context, x *index.Index, g *graph.Graph) (*Code, error) {
	c := &Code{x: x, g: g, byPath: map[string]*File{}, byNode: map[int]*Function{}}
	if err := c.readFiles(); err != nil {
		return nil, err
	}
	for id := range g.NumNodes() {
		if id%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		n, err := g.Node(id)
		if err != nil {
			return nil, err
		}
		if err := c.addNode(n); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *Code) readFiles() error {
	var commits []uint32
	for id := range c.x.NumFiles() {
		f, err := c.x.File(id)
		if err != nil {
			return err
		}
		if f.Skipped != "" {
			continue
		}
		if commits, err = c.x.FileCommits(id, commits); err != nil {
			return err
		}
		file := &File{Path: f.Path, Language: f.Language, Role: f.Role, Size: f.Size, Commits: len(commits), id: id}
		c.Files = append(c.Files, file)
		c.byPath[f.Path] = file
	}
	return nil
}

func (c *Code) addNode(n graph.Node) error {
	f := c.byPath[n.Path]
	if f == nil {
		return nil
	}
	switch n.Kind {
	case graph.NodeFile:
		f.node = n.ID
	case graph.NodeType:
		f.Types = append(f.Types, &Type{Node: n, File: f})
	case graph.NodeFunction, graph.NodeMethod:
		fn := &Function{Node: n, File: f}
		in, err := c.g.In(n.ID)
		if err != nil {
			return err
		}
		for _, e := range in {
			if e.Kind != graph.EdgeContains && e.Other != n.ID {
				fn.Used++
			}
		}
		f.Functions = append(f.Functions, fn)
		c.Functions = append(c.Functions, fn)
		c.byNode[n.ID] = fn
	}
	return nil
}

// Content is the text of a file.
func (c *Code) Content(f *File) ([]byte, error) { return c.x.Content(f.id, nil) }

// Source is the text of the lines of a definition.
func (c *Code) Source(f *File, line, endLine int) ([]byte, error) {
	content, err := c.Content(f)
	if err != nil {
		return nil, err
	}
	lines := bytes.SplitAfter(content, []byte("\n"))
	first, last := max(line-1, 0), min(endLine, len(lines))
	if first >= last {
		return nil, nil
	}
	return bytes.Join(lines[first:last], nil), nil
}

// Documented is the line at which a function begins, its doc comment included.
func (c *Code) Documented(f *Function) (int, error) {
	chunks, err := c.x.Chunks(f.File.id)
	for _, ch := range chunks {
		if ch.StartLine == f.Line && ch.Qualified() == f.Name && ch.DocLine > 0 && ch.DocLine < f.Line {
			return ch.DocLine, err
		}
	}
	return f.Line, err
}

// Imports are the imports of a file as they are written, in source order.
func (c *Code) Imports(f *File) ([]Import, error) {
	refs, err := c.x.Imports(f.id)
	out := make([]Import, len(refs))
	for i, r := range refs {
		out[i] = Import{r.Path, r.Line}
	}
	return out, err
}

// Import is one import as it is written.
type Import struct {
	Path string
	Line int // 1-based
}

// Cycle is a set of files that import each other in a circle.
type Cycle struct {
	Files []*File // all of them, sorted by path
	Path  []*File // a shortest way round; the first follows the last
}

// ImportCycles finds the circles of imports between files of the repository,
// among the imports that keep accepts.
func (c *Code) ImportCycles(ctx context.Context, keep func(from, to *File) bool) ([]Cycle, error) {
	cycles, err := algo.Cycles(ctx, &imports{c.g, c, keep}, []graph.EdgeKind{graph.EdgeImports})
	var out []Cycle
	for _, found := range cycles {
		if cycle := (Cycle{c.filesOf(found.Nodes), c.filesOf(found.Example)}); len(cycle.Path) > 1 {
			out = append(out, cycle)
		}
	}
	return out, err
}

func (c *Code) filesOf(refs []graph.Ref) (files []*File) {
	for _, r := range refs {
		if f := c.byPath[r.Path]; f != nil {
			files = append(files, f)
		}
	}
	return files
}

// imports is the graph with some of the imports only.
type imports struct {
	graph.Store
	c    *Code
	keep func(from, to *File) bool
}

// Out leaves out what is not kept.
func (s *imports) Out(id int) ([]graph.Edge, error) {
	n, err := s.Store.Node(id)
	if err != nil || n.Kind != graph.NodeFile {
		return nil, err
	}
	from := s.c.byPath[n.Path]
	edges, err := s.Store.Out(id)
	var out []graph.Edge
	for _, e := range edges {
		if e.Kind != graph.EdgeImports || from == nil {
			continue
		}
		n, err := s.Store.Node(e.Other)
		if err != nil {
			return nil, err
		}
		if to := s.c.byPath[n.Path]; n.Kind == graph.NodeFile && to != nil && s.keep(from, to) {
			out = append(out, e)
		}
	}
	return out, err
}

// Tested reports whether a test reaches the function in at most three calls.
func (c *Code) Tested(ctx context.Context, f *Function) (bool, error) {
	if known, ok := c.tested.Load(f.ID); ok {
		return known.(bool), nil
	}
	isTest := func(p string) bool { t := c.byPath[p]; return t != nil && t.Role == stream.RoleTest }
	const enough = 400 // users of a function that is used by more are very likely among those
	tests, err := algo.TestsOf(ctx, c.g, []int{f.ID}, algo.ImpactOptions{Depth: 3, Limit: enough, IsTest: isTest})
	if err == nil {
		c.tested.Store(f.ID, len(tests) > 0)
	}
	return len(tests) > 0, err
}

// Callers counts the functions outside of tests that call f for sure.
func (c *Code) Callers(f *Function) (n int, err error) {
	edges, err := c.g.In(f.ID)
	for _, e := range edges {
		by := c.byNode[e.Other]
		if e.Kind == graph.EdgeCalls && e.Confidence >= graph.KnownType && by != nil && by.File.Role != stream.RoleTest && by != f {
			n++
		}
	}
	return n, err
}

// Owner is the name of the type that a method belongs to, "" for a function.
func (f *Function) Owner() string {
	if !f.Method() {
		return ""
	}
	return strings.TrimSuffix(strings.TrimSuffix(f.Name, f.BareName()), ".")
}
