package codebase

import (
	"context"
	"errors"
	"slices"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/index/fresh"
	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/algo"
	"github.com/topo-dev/topo/index/graph/ask"
	"github.com/topo-dev/topo/scan"
)

type impactInput struct {
	Of    string `json:"of,omitempty" jsonschema:"What would change: a name, path:name, path:line or a path"`
	Diff  string `json:"diff,omitempty" jsonschema:"Instead of of: everything that changed between this commit (such as HEAD) and the working tree"`
	Depth int    `json:"depth,omitempty" jsonschema:"How many edges in a row" tool:"min=1,max=10,default=3"`
	Limit int    `json:"limit,omitempty" jsonschema:"How many places to list in each tier" tool:"min=1,max=200,default=30"`
}

func (b *base) impactTool() agent.Tool { return define(b, "analyze_impact", b.impact) }

func (b *base) impact(ctx context.Context, v *fresh.Snapshot, in impactInput, t *text) error {
	var ids []int
	switch {
	case (in.Of == "") == (in.Diff == ""):
		return errors.New("say what changes: either of, a place, or diff, a commit such as HEAD")
	case in.Of != "":
		p, err := v.Find(in.Of)
		if err != nil {
			return err
		}
		ids = p.IDs()
		t.several(p)
	default:
		var err error
		if ids, err = changed(ctx, v, in.Diff, t); err != nil || len(ids) == 0 {
			return err
		}
	}
	im, err := algo.ImpactOf(ctx, v.Graph, ids, algo.ImpactOptions{Depth: orDefault(in.Depth, 3), IsTest: v.IsTest})
	if err != nil {
		return err
	}
	showImpact(v, im, orDefault(in.Limit, 30), t)
	return possibleCalls(ctx, v, ids, im.Direct, t)
}

// changed are the definitions that enclose the lines changed since a commit, in
// their doc comments too. The
// index shows the working tree: the new lines are lines of it.
func changed(ctx context.Context, v *fresh.Snapshot, rev string, t *text) ([]int, error) {
	files, err := scan.Diff(ctx, v.Place.Root, scan.Range{From: rev})
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		t.line("Nothing changed since %s.", visible(rev))
		t.hint("compare with an older commit, such as HEAD~1")
		return nil, nil
	}
	var ids []int
	for _, f := range files {
		id, ok := v.Index.Lookup(f.Path)
		if !ok {
			t.line("changed: file %s  (gone: grep for what still uses it)", visible(f.Path))
			continue
		}
		nodes, err := v.FileNodes(id)
		if err != nil {
			return nil, err
		}
		spans, err := v.WithDocs(id, nodes)
		if err != nil {
			return nil, err
		}
		hit := touched(spans, f.New)
		ids = append(ids, hit...)
		for _, n := range nodes {
			if slices.Contains(hit, n.ID) {
				t.line("changed: %s", describeRef(n.Ref()))
			}
		}
	}
	return ids, nil
}

// touched are the innermost definitions around the lines, or the file alone
// when no definition is.
func touched(nodes []graph.Node, ranges []scan.LineRange) (ids []int) {
	last := 0
	for _, n := range nodes[1:] {
		last = max(last, n.EndLine)
	}
	hit := map[int]bool{}
	for _, r := range ranges {
		for line := r.Start; line <= min(max(r.End, r.Start), last); line++ {
			hit[ask.Innermost(nodes, line)] = true
		}
	}
	for i := range nodes[1:] {
		if hit[i+1] {
			ids = append(ids, nodes[i+1].ID)
		}
	}
	if len(ids) == 0 {
		ids = []int{nodes[0].ID}
	}
	return ids
}

// impactTiers name the tiers by how far they are.
var impactTiers = []string{"Depth 1 (direct)", "Depth 2 (indirect)", "Depth 3 and more (transitive)"}

func showImpact(v *fresh.Snapshot, im *algo.Impact, limit int, t *text) {
	for i, tier := range [][]algo.Reached{im.Direct, im.Indirect, im.Transitive} {
		if len(tier) == 0 {
			continue
		}
		t.line("%s: %s", impactTiers[i], plural(len(tier), "place"))
		for _, r := range tier[:min(len(tier), limit)] {
			t.line("  %s%s", describeRef(r.Ref), confidenceSuffix(r.Confidence))
		}
		if rest := len(tier) - limit; rest > 0 {
			t.line("  and %d more", rest)
		}
	}
	if len(im.Tests) > 0 {
		t.line("Tests that cover it: %d", len(im.Tests))
		for _, r := range im.Tests[:min(len(im.Tests), limit)] {
			t.line("  %s", describeRef(r.Ref))
		}
	}
	at := ""
	if im.Truncated {
		at = "at least "
	}
	t.line("Total blast radius: %s%s across %s, %s; level %s", at, plural(im.Total, "place"), plural(len(im.Files), "file"), plural(len(im.Tests), "test"), im.Level)
	impactHints(v, im, t)
}

func impactHints(v *fresh.Snapshot, im *algo.Impact, t *text) {
	for _, c := range v.TestCommands(im.Tests) {
		t.hint("run the tests: %s", c)
	}
	if im.Level == algo.LevelUnknown {
		t.hint("%.0f %% of the calls around have no sure target: grep for the name as well", 100*im.Unresolved)
	}
	if len(im.Tests) == 0 && im.Total > 0 {
		t.hint("no test covers it: write one before you change it")
	}
	if len(im.Direct) > 0 {
		t.hint("functions that many use are risky to change: symbol of %s shows one that is affected", place(im.Direct[0].Ref))
	}
}
