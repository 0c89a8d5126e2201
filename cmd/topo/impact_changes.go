package main

import (
	"context"
	"crypto/sha256"
	"slices"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/ask"
	"github.com/topo-dev/topo/scan"
	"github.com/topo-dev/topo/scan/lang"
)

// changes are the definitions that a diff changed.
type changes struct {
	s       *graphSession
	old     *scan.Source // the tree at the revision
	symbols []symbolRecord
	ids     []int    // of those that the graph holds
	stale   int      // files of which the index shows another state than the working tree's
	lost    []string // names of definitions taken out that the index does not know
}

// The ways a definition may change.
const (
	changeModified = "modified"
	changeAdded    = "added"
	changeRemoved  = "removed"
)

func (c *changes) Close() {
	if c.old != nil {
		c.old.Close()
	}
}

// changes finds the definitions around the lines that changed.
func (s *graphSession) changes(ctx context.Context, rev string, files []scan.FileDiff) (*changes, error) {
	c := &changes{s: s}
	if len(files) == 0 {
		return c, nil
	}
	var err error
	if c.old, err = scan.OpenSource(ctx, s.t.root, rev, 0); err != nil {
		return nil, scanError(err)
	}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			c.Close()
			return nil, err
		}
		if err := c.file(ctx, f); err != nil {
			c.Close()
			return nil, err
		}
	}
	slices.Sort(c.ids)
	c.ids = slices.Compact(c.ids)
	return c, nil
}

// side is a file before or after: what it defines, by where.
type side struct {
	nodes   []graph.Node // the first is the file itself
	indexed bool         // they are nodes of the graph
}

// has reports whether a definition of that name is there.
func (d *side) has(name string) bool {
	return slices.ContainsFunc(d.nodes[1:], func(n graph.Node) bool { return n.Name == name })
}

// file adds the definitions that changed in one file.
func (c *changes) file(ctx context.Context, f scan.FileDiff) error {
	var known *side // as the index shows the file
	if id, ok := c.s.x.Lookup(f.Path); ok {
		nodes, err := c.s.ask.FileNodes(id)
		if err != nil {
			return err
		}
		known = &side{nodes, true}
	}
	after, err := c.after(ctx, f, known)
	if err != nil {
		return err
	}
	before := &side{nodes: make([]graph.Node, 1)}
	if !f.Added {
		content, err := c.old.ReadFile(f.Path, nil)
		if err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
		before = parsed(ctx, f.Path, content)
	}
	whole, listed := false, len(c.symbols)
	for at, n := range touched(after, f.New) {
		change := changeModified
		switch {
		case at == 0:
			whole = true
			continue
		case !before.has(n.Name):
			change = changeAdded
		}
		c.add(n, after, known, change)
	}
	for at, n := range touched(before, f.Old) {
		if at == 0 {
			whole = true
		} else if !after.has(n.Name) {
			c.add(n, before, known, changeRemoved)
		}
	}
	if whole && len(c.symbols) == listed { // beside definitions it is blank lines, mostly
		c.symbols = append(c.symbols, symbolRecord{Symbol: f.Path, Kind: graph.NodeFile.String(), Path: f.Path,
			Reason: "outside of any definition", Tier: "target", Change: fileChange(f)})
	}
	return nil
}

func fileChange(f scan.FileDiff) string {
	switch {
	case f.Added:
		return changeAdded
	case f.Deleted:
		return changeRemoved
	}
	return changeModified
}

// after is the file in the working tree: as the index shows it, when it shows
// the same content.
func (c *changes) after(ctx context.Context, f scan.FileDiff, known *side) (*side, error) {
	empty := &side{nodes: make([]graph.Node, 1)}
	if f.Deleted {
		if known != nil {
			c.stale++
		}
		return empty, nil
	}
	src, err := c.s.t.source(ctx)
	if err != nil {
		return nil, err
	}
	content, err := src.ReadFile(f.Path, nil)
	if err != nil {
		return empty, ctx.Err() // too large, a link, or gone since
	}
	if known != nil {
		id, _ := c.s.x.Lookup(f.Path)
		have, err := c.s.x.File(id)
		if err != nil {
			return nil, err
		}
		if have.Sha256 == sha256.Sum256(content) {
			return known, nil
		}
	}
	d := parsed(ctx, f.Path, content)
	if known != nil || len(d.nodes) > 1 {
		c.stale++
	}
	return d, nil
}

// parsed finds the definitions of a content that the index does not show.
func parsed(ctx context.Context, path string, content []byte) *side {
	d := &side{nodes: []graph.Node{{Kind: graph.NodeFile, Name: path, Path: path}}}
	for _, ch := range chunk.Parse(ctx, lang.Detect(path, content), path, content).Chunks {
		n := graph.Node{Name: ch.Qualified(), Path: path, Line: ch.StartLine, EndLine: ch.EndLine}
		switch ch.Kind {
		case chunk.Function:
			n.Kind = graph.NodeFunction
		case chunk.Method:
			n.Kind = graph.NodeMethod
		case chunk.Type:
			n.Kind = graph.NodeType
		case chunk.Const, chunk.Var:
			n.Kind = graph.NodeVar
		default:
			continue
		}
		d.nodes = append(d.nodes, n)
	}
	return d
}

// touched are the innermost definitions around the lines of the ranges, by
// their positions; at 0 stands the file, for lines outside of any.
func touched(d *side, ranges []scan.LineRange) func(func(int, *graph.Node) bool) {
	last := 0
	for _, n := range d.nodes[1:] {
		last = max(last, n.EndLine)
	}
	hit := make([]bool, len(d.nodes))
	for _, r := range ranges {
		if r.End < r.Start { // something was taken out between two lines
			if i := ask.Innermost(d.nodes, r.End); i > 0 && d.nodes[i].EndLine >= r.Start {
				hit[i] = true
			}
			continue
		}
		for line := r.Start; line <= min(r.End, last); line++ {
			hit[ask.Innermost(d.nodes, line)] = true
		}
		hit[0] = hit[0] || r.End > last
	}
	return func(yield func(int, *graph.Node) bool) {
		for i, h := range hit {
			if h && !yield(i, &d.nodes[i]) {
				return
			}
		}
	}
}

// add adds a definition that changed, with the nodes of the graph that stand
// for it.
func (c *changes) add(n *graph.Node, from, known *side, change string) {
	rec := symbolOf(n.Ref())
	rec.Tier, rec.Change = "target", change
	c.symbols = append(c.symbols, rec)
	if from.indexed {
		c.ids = append(c.ids, n.ID)
		return
	}
	found := false
	if known != nil {
		for _, k := range known.nodes[1:] {
			if k.Name == n.Name {
				c.ids = append(c.ids, k.ID)
				found = true
			}
		}
	}
	if !found && change == changeRemoved {
		c.lost = append(c.lost, n.Name)
	}
}
