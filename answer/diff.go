package answer

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/topo-dev/topo/index/graph/algo"
	"github.com/topo-dev/topo/internal/english"
	"github.com/topo-dev/topo/internal/fault"
	"github.com/topo-dev/topo/internal/shellquote"
	"github.com/topo-dev/topo/scan"
)

// Diff says which changes an impact is of.
type Diff struct {
	Range  string // A: what changed since commit A; A..B: between two; A...B: what B has since it forked off A. Empty is HEAD
	Staged bool   // what is staged is compared with the commit, not the working tree
}

// maxRemoved bounds the removed definitions whose users are looked for by name:
// each takes a few milliseconds.
const maxRemoved = 200

// ImpactOfDiff tells which definitions and files a diff changed, and what that
// may affect. The lines come from git, the graph from the index, which may show
// the state before or after the changes. Errors of git are a [scan.Error].
func (s *Session) ImpactOfDiff(ctx context.Context, d Diff, o ImpactOptions) (*Impact, error) {
	d.Range = cmp.Or(d.Range, "HEAD")
	r := scan.ParseRange(d.Range)
	if d.Staged && r.To != "" {
		return nil, fault.Usagef("%s: what is staged is compared with one commit, not with two", d.Range)
	}
	r.Staged = d.Staged
	r, err := r.Resolve(ctx, s.tree())
	if err != nil {
		return nil, err
	}
	files, err := scan.Diff(ctx, s.tree(), r)
	if err != nil {
		return nil, err
	}
	c, err := s.changes(ctx, r, files)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	a := &Impact{Head: s.head("impact-answer", "impact --diff "+d.Range), Diff: &DiffSummary{d.Range, d.Staged, len(files), c.stale}, Tail: s.tail()}
	if d.Staged {
		a.Query = "impact --staged " + d.Range
	}
	return a, a.ofChanges(ctx, s, o, c)
}

// ofChanges fills in the answer.
func (a *Impact) ofChanges(ctx context.Context, s *Session, o ImpactOptions, c *changes) error {
	near, err := s.Graph.UsesOfRemoved(ctx, c.removed[:min(len(c.removed), maxRemoved)], defaultSites)
	if err != nil {
		return err
	}
	near = slices.DeleteFunc(near, c.isTarget)
	im := &algo.Impact{Level: algo.LevelNone}
	if len(c.ids)+len(near) > 0 {
		if im, err = a.affected(ctx, s, o, c.ids, near); err != nil {
			return err
		}
	} else {
		a.Impact = ImpactSummary{Level: im.Level}
		a.draw = s.drawing(nil, impactKinds(), nil)
	}
	a.Symbols = append(c.symbols, a.Symbols[len(im.Targets):]...)
	if small := a.Impact.Level == algo.LevelNone || a.Impact.Level == algo.LevelLow; small && len(c.lost)+c.outside > 0 {
		a.Impact.Level = algo.LevelUnknown
	}
	a.diffHints(s, o, im, c)
	a.trim(o.PerTier)
	return nil
}

func (a *Impact) diffHints(s *Session, o ImpactOptions, im *algo.Impact, c *changes) {
	if a.Diff.Files == 0 {
		if a.Diff.Staged {
			a.hint("nothing is staged; what is not: {ask}", Ask{Question: "diff"})
		} else {
			a.hint("nothing changed; compare with an older commit, as in: {ask} HEAD~1", Ask{Question: "diff"})
		}
		return
	}
	if len(c.lost) > 0 {
		a.hint(c.lost[0]+" was taken out and the index does not know it any more; find what still uses it: {ask}", Ask{Question: "search", Places: c.lost[:1]})
	}
	if c.stale > 0 {
		a.staleHint(s, c)
	}
	if len(c.symbols) == 0 {
		a.hint("no definition changed")
	}
	a.hints(s, o, im)
}

// staleHint says how to ask an index that shows the state after the changes.
func (a *Impact) staleHint(s *Session, c *changes) {
	state := "the index shows another state of " + english.Count(c.stale, "changed file")
	switch {
	case c.r.Staged:
		a.hint(state + " than what is staged")
	case c.r.To != "" && s.Rev == "":
		at := scan.ParseRange(a.Diff.Range).To
		a.hint(fmt.Sprintf("%s; to ask that of %s: {ask}, then {ask}", state, shellquote.Quote(at)),
			Ask{Question: "index", Options: []string{"rev=" + at}}, Ask{Question: "diff", Places: []string{a.Diff.Range}, Options: []string{"rev=" + at}})
	default:
		a.hint(state+"; bring it up to date: {ask}", Ask{Question: "index"})
	}
}

// tree is the folder of the tree, never empty.
func (s *Session) tree() string { return cmp.Or(s.Tree, ".") }
