package answer

import (
	"context"
	"crypto/sha256"
	"path"
	"slices"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/scan"
)

// changes are the definitions and files that a diff changed.
type changes struct {
	outside  int // files that changed outside of any definition
	s        *Session
	r        scan.Range
	old, new *scan.Source // the two states
	symbols  []SymbolRecord
	ids      []int        // of those that the graph holds
	removed  []graph.Node // definitions that are not where they were, and not in the graph either
	stale    int          // files of which the index shows another state than the one after
	lost     []string     // names of definitions taken out that the index does not know
}

// The ways a definition or file may change.
const (
	changeModified = "modified"
	changeAdded    = "added"
	changeRemoved  = "removed"
	changeMoved    = "moved"   // a definition, to another file
	changeRenamed  = "renamed" // a file
	changeMode     = "mode"    // a file may be run now, or no more; its content is the same
)

func (c *changes) Close() {
	for _, src := range []*scan.Source{c.old, c.new} {
		if src != nil {
			src.Close()
		}
	}
}

// changes finds the definitions around the lines that changed.
func (s *Session) changes(ctx context.Context, r scan.Range, files []scan.FileDiff) (*changes, error) {
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
	if c.old, err = scan.OpenSource(ctx, c.s.tree(), c.r.From, 0); err != nil {
		return err
	}
	if c.r.Staged {
		c.new, err = scan.OpenStaged(ctx, c.s.tree(), 0)
	} else {
		c.new, err = scan.OpenSource(ctx, c.s.tree(), c.r.To, 0)
	}
	return err
}

// isTarget reports whether a use of something removed is in what changed itself.
func (c *changes) isTarget(u graph.RemovedUse) bool { return slices.Contains(c.ids, u.From) }

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
	c.symbols = slices.DeleteFunc(c.symbols, func(SymbolRecord) bool { i++; return gone[i] })
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
	before, oldPath := emptySide(), f.Path
	if f.From != "" {
		oldPath = f.From
		if known == nil { // the index shows the state before
			if known, err = c.known(oldPath); err != nil {
				return err
			}
		}
	}
	if !f.Added {
		content, err := c.old.ReadFile(oldPath, nil)
		if err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
		before = parsed(ctx, oldPath, content)
	}
	c.wholeFile(f, before, known)
	c.compare(f, before, after, known)
	return nil
}

// wholeFile adds what changed of a file as such: its path, its mode, or that it
// is gone. Whoever imports it by its path is affected; a Go file is imported by
// its folder.
func (c *changes) wholeFile(f scan.FileDiff, before, known *side) {
	byFolder := before.nodes[0].Language == "go"
	switch {
	case f.From != "":
		c.symbols = append(c.symbols, fileRecord(f, changeRenamed))
		if byFolder && path.Dir(f.Path) == path.Dir(f.From) {
			return
		}
		if known == nil || known.nodes[0].Path == f.Path { // the index shows the state after
			c.removed = append(c.removed, before.nodes[1:]...)
		}
	case f.Deleted && !byFolder:
	case f.Mode && len(f.Old)+len(f.New) == 0:
		c.symbols = append(c.symbols, fileRecord(f, changeMode))
		return
	default:
		return
	}
	if known != nil {
		c.ids = append(c.ids, known.nodes[0].ID)
	}
}

func fileRecord(f scan.FileDiff, change string) SymbolRecord {
	return SymbolRecord{Symbol: f.Path, Kind: graph.NodeFile.String(), Path: f.Path, Tier: tierTarget, Change: change, From: f.From}
}

// compare adds the definitions of a file that the changed lines touch.
func (c *changes) compare(f scan.FileDiff, before, after, known *side) {
	whole, listed := len(f.Old)+len(f.New) == 0, len(c.symbols)
	for at, n := range after.touched(f.New) {
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
	for at, n := range before.touched(f.Old) {
		if at == 0 {
			whole = true
		} else if !after.has(n.Name) {
			c.add(n, before, known, changeRemoved)
		}
	}
	if whole && len(c.symbols) == listed && f.From == "" && !(f.Mode && len(f.New) == 0) { // beside definitions it is blank lines, mostly
		rec := fileRecord(f, fileChange(f))
		rec.Reason = "outside of any definition"
		c.outside++
		c.symbols = append(c.symbols, rec)
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
	if f.Deleted {
		if known != nil {
			c.stale++
		}
		return emptySide(), nil
	}
	content, err := c.new.ReadFile(f.Path, nil)
	if err != nil {
		return emptySide(), ctx.Err() // too large, a link, or gone since
	}
	if known != nil {
		id, _ := c.s.Index.Lookup(f.Path)
		have, err := c.s.Index.File(id)
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

// add adds a definition that changed, with the nodes of the graph that it is.
func (c *changes) add(n *graph.Node, from, known *side, change string) {
	rec := symbolOf(n.Ref())
	rec.Tier, rec.Change = tierTarget, change
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
		c.removed = append(c.removed, *n)
	}
}
