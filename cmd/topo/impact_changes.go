package main

import (
	"context"
	"crypto/sha256"
	"path"
	"slices"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/ask"
	"github.com/topo-dev/topo/scan"
	"github.com/topo-dev/topo/scan/lang"
)

// changes are the definitions that a diff changed.
type changes struct {
	s        *graphSession
	r        scan.Range
	old, new *scan.Source // the two states
	close    []*scan.Source
	symbols  []symbolRecord
	ids      []int    // of those that the graph holds
	stale    int      // files of which the index shows another state than the one after
	lost     []string // names of definitions taken out that the index does not know
}

// The ways a definition or file may change.
const (
	changeModified = "modified"
	changeAdded    = "added"
	changeRemoved  = "removed"
	changeMoved    = "moved"   // a definition, to another file
	changeRenamed  = "renamed" // a file
)

func (c *changes) Close() {
	for _, src := range c.close {
		src.Close()
	}
}

// changes finds the definitions around the lines that changed.
func (s *graphSession) changes(ctx context.Context, r scan.Range, files []scan.FileDiff) (*changes, error) {
	c := &changes{s: s, r: r}
	if len(files) == 0 {
		return c, nil
	}
	err := c.open(ctx)
	for i := 0; i < len(files) && err == nil; i++ {
		if err = ctx.Err(); err == nil {
			err = c.file(ctx, files[i])
		}
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	c.pairMoved()
	slices.Sort(c.ids)
	c.ids = slices.Compact(c.ids)
	return c, nil
}

// open opens the two states.
func (c *changes) open(ctx context.Context) (err error) {
	if c.old, err = scan.OpenSource(ctx, c.s.t.root, c.r.From, 0); err != nil {
		return scanError(err)
	}
	c.close = append(c.close, c.old)
	switch {
	case c.r.Staged:
		c.new, err = scan.OpenStaged(ctx, c.s.t.root, 0)
	case c.r.To != "":
		c.new, err = scan.OpenSource(ctx, c.s.t.root, c.r.To, 0)
	default:
		c.new, err = c.s.t.source(ctx)
		return err
	}
	if err != nil {
		return scanError(err)
	}
	c.close = append(c.close, c.new)
	return nil
}

// pairMoved makes one change of a definition that was taken out of one file
// and put into another, where its name leaves no doubt.
func (c *changes) pairMoved() {
	type key struct{ name, kind, change string }
	count, at := map[key]int{}, map[key]int{}
	for i, r := range c.symbols {
		k := key{r.Symbol, r.Kind, r.Change}
		count[k]++
		at[k] = i
	}
	gone := map[int]bool{}
	for i := range c.symbols {
		r := &c.symbols[i]
		added, removed := key{r.Symbol, r.Kind, changeAdded}, key{r.Symbol, r.Kind, changeRemoved}
		if r.Change != changeAdded || r.Kind == graph.NodeFile.String() || count[added] != 1 || count[removed] != 1 {
			continue
		}
		gone[at[removed]] = true
		r.Change, r.From = changeMoved, c.symbols[at[removed]].Path
		c.lost = slices.DeleteFunc(c.lost, func(name string) bool { return name == r.Symbol })
	}
	i := -1
	c.symbols = slices.DeleteFunc(c.symbols, func(symbolRecord) bool { i++; return gone[i] })
}

// side is a file before or after: what it defines, by where.
type side struct {
	nodes   []graph.Node // the first is the file itself
	spans   []graph.Node // the same, each with the doc comment before it
	indexed bool         // they are nodes of the graph
}

// has reports whether a definition of that name is there.
func (d *side) has(name string) bool {
	return slices.ContainsFunc(d.nodes[1:], func(n graph.Node) bool { return n.Name == name })
}

// known is a file as the index shows it; nil when it does not have it.
func (c *changes) known(path string) (*side, error) {
	id, ok := c.s.x.Lookup(path)
	if !ok {
		return nil, nil
	}
	nodes, err := c.s.ask.FileNodes(id)
	if err != nil {
		return nil, err
	}
	spans, err := c.s.ask.WithDocs(id, nodes)
	return &side{nodes, spans, true}, err
}

// file adds the definitions that changed in one file.
func (c *changes) file(ctx context.Context, f scan.FileDiff) error {
	known, err := c.known(f.Path)
	if err != nil {
		return err
	}
	after, err := c.after(ctx, f, known)
	if err != nil {
		return err
	}
	before := &side{nodes: make([]graph.Node, 1), spans: make([]graph.Node, 1)}
	oldPath := f.Path
	if f.From != "" {
		oldPath = f.From
		if known == nil { // the index shows the state before
			if known, err = c.known(oldPath); err != nil {
				return err
			}
		}
		c.renamed(f, known)
	}
	if !f.Added {
		content, err := c.old.ReadFile(oldPath, nil)
		if err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
		before = parsed(ctx, oldPath, content)
	}
	c.compare(f, before, after, known)
	return nil
}

// renamed adds a file that has another path than before. Whoever imports it by
// its path is affected; a Go file is imported by its folder.
func (c *changes) renamed(f scan.FileDiff, known *side) {
	c.symbols = append(c.symbols, symbolRecord{Symbol: f.Path, Kind: graph.NodeFile.String(), Path: f.Path,
		Tier: "target", Change: changeRenamed, From: f.From})
	if known != nil && (known.nodes[0].Language != "go" || path.Dir(f.Path) != path.Dir(f.From)) {
		c.ids = append(c.ids, known.nodes[0].ID)
	}
}

// compare adds the definitions of a file that the changed lines touch.
func (c *changes) compare(f scan.FileDiff, before, after, known *side) {
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
	if whole && len(c.symbols) == listed && f.From == "" { // beside definitions it is blank lines, mostly
		c.symbols = append(c.symbols, symbolRecord{Symbol: f.Path, Kind: graph.NodeFile.String(), Path: f.Path,
			Reason: "outside of any definition", Tier: "target", Change: fileChange(f)})
	}
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

// after is the file in the state after: as the index shows it, when it shows the
// same content.
func (c *changes) after(ctx context.Context, f scan.FileDiff, known *side) (*side, error) {
	empty := &side{nodes: make([]graph.Node, 1), spans: make([]graph.Node, 1)}
	if f.Deleted {
		if known != nil {
			c.stale++
		}
		return empty, nil
	}
	content, err := c.new.ReadFile(f.Path, nil)
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
func parsed(ctx context.Context, name string, content []byte) *side {
	d := &side{nodes: []graph.Node{{Kind: graph.NodeFile, Name: name, Path: name}}}
	d.spans = slices.Clone(d.nodes)
	for _, ch := range chunk.Parse(ctx, lang.Detect(name, content), name, content).Chunks {
		n := graph.Node{Name: ch.Qualified(), Path: name, Line: ch.StartLine, EndLine: ch.EndLine}
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
		if ch.DocLine > 0 {
			n.Line = min(n.Line, ch.DocLine)
		}
		d.spans = append(d.spans, n)
	}
	return d
}

// touched are the innermost definitions around the lines of the ranges, their
// doc comments being part of them, by
// their positions; at 0 stands the file, for lines outside of any.
func touched(d *side, ranges []scan.LineRange) func(func(int, *graph.Node) bool) {
	last := 0
	for _, n := range d.nodes[1:] {
		last = max(last, n.EndLine)
	}
	hit := make([]bool, len(d.nodes))
	for _, r := range ranges {
		if r.End < r.Start { // something was taken out between two lines
			if i := ask.Innermost(d.spans, r.End); i > 0 && d.nodes[i].EndLine >= r.Start {
				hit[i] = true
			}
			continue
		}
		for line := r.Start; line <= min(r.End, last); line++ {
			hit[ask.Innermost(d.spans, line)] = true
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
