package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/algo"
	"github.com/topo-dev/topo/index/graph/ask"
)

type impactOptions struct {
	graphOptions
	Place string
	Depth int
}

// impactLimit is how many affected symbols an impact lists unless told
// otherwise.
const impactLimit = 2000

// impactSummary is the blast radius in the footer. One in JSON:
//
//	{"Symbols":12,"Files":4,"Tests":2,"Level":"medium","Unresolved":0.1}
type impactSummary struct {
	Symbols    int     // affected, tests included
	Files      int     // that hold them
	Tests      int     // among them
	Level      string  // none, low, medium, high, or unknown when too much around is not resolved
	Unresolved float64 // share of the calls around whose target is unknown or found by name only, 0 to 1
}

func newGraphImpact(f *factory, runF func(context.Context, *impactOptions) error) *cobra.Command {
	opts := &impactOptions{graphOptions: graphOptions{f: f}}
	cmd := &cobra.Command{
		Use:   "impact X",
		Short: "Show what a change of a place may affect, and which tests cover it",
		Long: `Show what uses X, and what uses that: direct (one edge away), indirect (two) and
transitive, along calls, uses, inheritance and imports, with the files and the
tests among it. Files that history shows to change along stand apart as a hint and
are not counted. The level says how far a change reaches: none, low, medium or
high; unknown when too many calls around could not be resolved for a small answer
to mean anything.`,
		Example: "  topo graph impact Server.Close --depth 2\n  topo graph impact net/server.go:88 --format json",
		Args:    onePlace,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Place = args[0]
			if err := opts.check(); err != nil {
				return err
			}
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return opts.answering(cmd.Context(), opts.ask)
		},
	}
	addImpactFlags(cmd, opts)
	return cmd
}

func addImpactFlags(cmd *cobra.Command, opts *impactOptions) {
	cmd.Flags().IntVar(&opts.Depth, "depth", 3, "follow this many edges in a row")
	addGraphFlags(cmd, &opts.graphOptions, drawFormats, impactLimit)
}

func (o *impactOptions) check() error {
	if o.Depth < 1 {
		return usagef("--depth %d: must be 1 or more", o.Depth)
	}
	return nil
}

func (o *impactOptions) ask(ctx context.Context, s *graphSession) (*answer, error) {
	p, err := s.find(o.Place)
	if err != nil {
		return nil, err
	}
	a := &answer{query: "impact " + o.Place}
	im, err := o.impact(ctx, s, a, p.IDs())
	if err != nil {
		return nil, err
	}
	a.human = func(t *graphText) { t.impact(a, false) }
	a.hint(p.Narrow("topo graph impact")...)
	o.hints(s, a, im)
	return a, nil
}

// impactKinds are the kinds of edges in a drawing of an impact.
var impactKinds = []graph.EdgeKind{graph.EdgeImports, graph.EdgeCalls, graph.EdgeInherits, graph.EdgeReferences, graph.EdgeTests}

// impact adds to the answer what a change of the nodes affects.
func (o *impactOptions) impact(ctx context.Context, s *graphSession, a *answer, ids []int) (*algo.Impact, error) {
	limit := o.Limit
	if limit == 0 {
		limit = s.g.NumNodes() + 1
	}
	im, err := algo.ImpactOf(ctx, s.g, ids, algo.ImpactOptions{Depth: o.Depth, Limit: limit, IsTest: s.ask.IsTest})
	if err != nil {
		return nil, err
	}
	marks := map[int]bool{}
	for _, r := range im.Targets {
		rec := symbolOf(r)
		rec.Tier = "target"
		a.symbols = append(a.symbols, rec)
		marks[r.ID] = true
	}
	tests := map[int]bool{}
	for _, t := range im.Tests {
		tests[t.ID] = true
	}
	all, tier := tiersOf(im)
	recs, err := s.reached(all, impactKinds, true)
	if err != nil {
		return nil, err
	}
	for i := range recs {
		recs[i].Tier, recs[i].Test = tier[i], tests[all[i].ID]
	}
	a.symbols = append(a.symbols, recs...)
	if err := s.together(a, im); err != nil {
		return nil, err
	}
	drawn := append(slices.Clone(ids), idsOf(all)...)
	a.impact = &impactSummary{im.Total, len(im.Files), len(im.Tests), im.Level, rounded(im.Unresolved)}
	if im.Truncated {
		a.truncated = "results"
	}
	a.draw = s.drawing(drawn, impactKinds, marks)
	return im, s.unresolvedUses(ctx, a, im)
}

// together adds the files that often change when those of the targets do.
func (s *graphSession) together(a *answer, im *algo.Impact) error {
	for _, r := range im.Together {
		both, all, err := s.g.Together(r.Via, r.ID)
		if err != nil {
			return err
		}
		via, err := s.g.Node(r.Via)
		if err != nil {
			return err
		}
		rec := symbolOf(r.Ref)
		rec.Distance, rec.Confidence, rec.Tier, rec.Via = r.Distance, r.Confidence, tierTogether, via.Path
		rec.Reason = fmt.Sprintf("in %d of the %d commits that changed %s", both, all, via.Path)
		a.symbols = append(a.symbols, rec)
	}
	return nil
}

// tiersOf lists what is affected, each once, with the tier of each.
func tiersOf(im *algo.Impact) (all []algo.Reached, tier []string) {
	seen := map[int]bool{}
	add := func(r algo.Reached, name string) {
		if !seen[r.ID] {
			seen[r.ID] = true
			all, tier = append(all, r), append(tier, name)
		}
	}
	for i, list := range [][]algo.Reached{im.Direct, im.Indirect, im.Transitive} {
		for _, r := range list {
			add(r, tiersOfImpact[i])
		}
	}
	for _, t := range im.Tests {
		add(t.Reached, tiersOfImpact[3])
	}
	return all, tier
}

func (o *impactOptions) hints(s *graphSession, a *answer, im *algo.Impact) {
	if im.Truncated {
		a.hint(fmt.Sprintf("only the nearest %d are listed; raise --limit, or lower --depth", o.Limit))
	}
	if im.Level == algo.LevelUnknown && im.Unresolved > 0 {
		a.hint(fmt.Sprintf("%.0f %% of the calls around have no sure target: search for the name as well, as in: topo quick", 100*im.Unresolved))
	}
	for _, c := range s.ask.TestCommands(im.Tests) {
		a.hint("run the tests: " + c)
	}
	if len(im.Direct) > 0 {
		a.hint("next: topo graph symbol " + ask.Quote(ask.PlaceOf(im.Direct[0].Ref)))
	}
}

// tiersOfImpact are the tiers in the order they are shown in.
var tiersOfImpact = []string{"direct", "indirect", "transitive", "test"}

// tierTogether is beside them: what history says, not the code.
const tierTogether = "together"

// impact shows the targets, then each tier by file, then the blast radius.
func (t *graphText) impact(a *answer, changed bool) {
	title := "target"
	if changed {
		title = "changed"
	}
	t.tier(title, ofTier(a.symbols, "target"))
	for _, name := range tiersOfImpact {
		t.tier(name, ofTier(a.symbols, name))
	}
	t.tier("often changed together, a hint from history", ofTier(a.symbols, tierTogether))
	if a.impact == nil {
		return
	}
	color := map[string]string{"none": green, "low": green, "medium": yellow, "high": red, "unknown": yellow}[a.impact.Level]
	t.line("%s %s in %s, %s; level %s", t.paint(bold, "blast radius:"), plural(a.impact.Symbols, "symbol"),
		plural(a.impact.Files, "file"), plural(a.impact.Tests, "test"), t.paint(color, a.impact.Level))
}

func ofTier(list []symbolRecord, tier string) (out []symbolRecord) {
	for _, r := range list {
		if r.Tier == tier {
			out = append(out, r)
		}
	}
	return out
}

// tier shows records under the files they stand in, the nearest file first.
func (t *graphText) tier(title string, list []symbolRecord) {
	if len(list) == 0 {
		return
	}
	t.line("%s", t.paint(bold, title))
	first := map[string]int{}
	for i, r := range list {
		if _, ok := first[r.Path]; !ok {
			first[r.Path] = i
		}
	}
	slices.SortStableFunc(list, func(a, b symbolRecord) int { return cmp.Compare(first[a.Path], first[b.Path]) })
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].Path == list[0].Path {
			n++
		}
		path := list[0].Path
		if path == "" {
			path = "outside of files"
		}
		t.line("  %s", t.paint(cyan, visible(path)))
		var rows [][]cell
		for _, r := range list[:n] {
			confidence := cell{}
			if r.Distance > 0 {
				confidence = sure(r.Confidence)
			}
			note := strings.TrimSpace(r.Change + " " + r.Reason)
			if r.From != "" {
				note += " from " + r.From
			}
			if r.Test {
				note += " (test)"
			}
			line := cell{"", "", true}
			if r.Line > 0 {
				line = figure(r.Line)
			}
			rows = append(rows, []cell{line, confidence, {r.Kind, dim, false}, {r.Symbol, bold, false}, {note, dim, false}})
		}
		t.table("    ", rows)
		list = list[n:]
	}
}
