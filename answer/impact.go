package answer

import (
	"context"
	"fmt"
	"slices"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/algo"
)

// ImpactOptions bound an impact. Of the limits 0 is the default and less than 0
// no limit.
type ImpactOptions struct {
	Depth   int // most edges in a row; 0 for 3
	Limit   int // most affected nodes that are looked for; 0 for 2000
	PerTier int // most symbols listed of each tier; 0 for all
}

// Impact is what a change may affect.
type Impact struct {
	Head
	Symbols []SymbolRecord // by Tier: the targets, direct, indirect and transitive users, tests, files that change together
	Impact  ImpactSummary
	More    map[string]int `json:",omitempty"` // symbols that are not listed, by tier
	Diff    *DiffSummary   `json:",omitempty"` // of the impact of a diff
	Tail
}

// DiffSummary says what was compared.
type DiffSummary struct {
	Range  string // as it was asked for
	Staged bool   // what is staged, not the working tree
	Files  int    // that differ
	Stale  int    // of those the index shows another state than the one after the changes
}

// The tiers of an impact.
const (
	tierTarget   = "target"
	tierDirect   = "direct"
	tierTest     = "test"
	tierTogether = "together" // what history says, not the code
)

// affectedTiers are the tiers of what is affected in the order they are shown in.
func affectedTiers() []string { return []string{tierDirect, "indirect", "transitive", tierTest} }

// impactKinds are the kinds of edges in a drawing of an impact.
func impactKinds() []graph.EdgeKind {
	return []graph.EdgeKind{graph.EdgeImports, graph.EdgeCalls, graph.EdgeInherits, graph.EdgeReferences, graph.EdgeTests}
}

// Impact tells what a change of a place may affect.
func (s *Session) Impact(ctx context.Context, place string, o ImpactOptions) (*Impact, error) {
	p, err := s.Find(place)
	if err != nil {
		return nil, err
	}
	a := &Impact{Head: s.head("impact-answer", "impact "+place), Tail: s.tail()}
	im, err := a.affected(ctx, s, o, p.IDs(), nil)
	if err != nil {
		return nil, err
	}
	a.several(p, "impact")
	a.hints(s, o, im)
	s.noteStale(ctx, &a.Tail, a.Symbols, nil)
	a.trim(o.PerTier)
	return a, nil
}

// affected adds to the answer what a change of the nodes affects. near are nodes
// that are known to use something that the graph does not hold.
func (a *Impact) affected(ctx context.Context, s *Session, o ImpactOptions, ids []int, near []graph.RemovedUse) (*algo.Impact, error) {
	limit := orDefault(o.Limit, 2000)
	if limit == 0 {
		limit = s.Graph.NumNodes() + 1
	}
	im, err := algo.ImpactOf(ctx, s.Graph, ids, algo.ImpactOptions{Depth: o.Depth, Limit: limit, IsTest: s.IsTest, Near: nearOf(near)})
	if err != nil {
		return nil, err
	}
	marks := map[int]bool{}
	for _, r := range im.Targets {
		rec := symbolOf(r)
		rec.Tier = tierTarget
		a.Symbols = append(a.Symbols, rec)
		marks[r.ID] = true
	}
	all, tier := tiersOf(im)
	recs, err := s.reached(all, impactKinds(), true)
	if err != nil {
		return nil, err
	}
	for i := range recs {
		recs[i].Tier = tier[i]
		recs[i].Test = slices.ContainsFunc(im.Tests, func(t algo.Test) bool { return t.ID == all[i].ID })
	}
	s.explainNear(recs, all, near)
	a.Symbols = append(a.Symbols, recs...)
	if err := a.together(s, im); err != nil {
		return nil, err
	}
	a.Impact = ImpactSummary{im.Total, len(im.Files), len(im.Tests), im.Level, rounded(im.Unresolved)}
	if im.Truncated {
		a.cut("results")
	}
	a.draw = s.drawing(append(slices.Clone(ids), idsOf(all)...), impactKinds(), marks)
	return im, s.unresolvedUses(ctx, a, im)
}

// nearOf are the uses of what was removed for a walk.
func nearOf(uses []graph.RemovedUse) (near []algo.Near) {
	for _, u := range uses {
		near = append(near, algo.Near{ID: u.From, Confidence: u.Confidence})
	}
	return near
}

// explainNear says of the users of what was removed why they are there, and
// where they name it.
func (s *Session) explainNear(recs []SymbolRecord, all []algo.Reached, near []graph.RemovedUse) {
	for _, u := range near {
		i := slices.IndexFunc(all, func(r algo.Reached) bool { return r.ID == u.From && r.Via == algo.NoNode })
		if i >= 0 {
			recs[i].Reason = "names what was taken out"
			recs[i].Sites, recs[i].MoreSites = s.lines(u.Sites)
		}
	}
}

// together adds the files that often change when those of the targets do.
func (a *Impact) together(s *Session, im *algo.Impact) error {
	for _, r := range im.Together {
		both, all, err := s.Graph.Together(r.Via, r.ID)
		if err != nil {
			return err
		}
		via, err := s.Graph.Node(r.Via)
		if err != nil {
			return err
		}
		rec := symbolOf(r.Ref)
		rec.Distance, rec.Confidence, rec.Tier, rec.Via = r.Distance, r.Confidence, tierTogether, via.Path
		rec.Reason = fmt.Sprintf("in %d of the %d commits that changed %s", both, all, via.Path)
		a.Symbols = append(a.Symbols, rec)
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
			add(r, affectedTiers()[i])
		}
	}
	for _, t := range im.Tests {
		add(t.Reached, tierTest)
	}
	return all, tier
}

func (a *Impact) hints(s *Session, o ImpactOptions, im *algo.Impact) {
	if im.Truncated {
		a.hint(fmt.Sprintf("only the nearest %d are listed; raise {limit}, or lower {depth}", orDefault(o.Limit, 2000)))
	}
	if im.Level == algo.LevelUnknown && im.Unresolved > 0 {
		a.hint(fmt.Sprintf("%.0f %% of the calls around have no sure target: search for the name as well, as in: {ask}", 100*im.Unresolved), Ask{Question: "search"})
	}
	for _, c := range s.TestCommands(im.Tests) {
		a.hint("run the tests: " + c)
	}
	if len(im.Direct) > 0 {
		a.next("symbol", placeOf(im.Direct[0].Ref))
	}
}

// trim leaves the first symbols of each tier, so many at most, and counts the
// others.
func (a *Impact) trim(most int) {
	if most > 0 {
		count := map[string]int{}
		a.Symbols = slices.DeleteFunc(a.Symbols, func(r SymbolRecord) bool {
			count[r.Tier]++
			return count[r.Tier] > most
		})
		for tier, n := range count {
			if n > most {
				if a.More == nil {
					a.More = map[string]int{}
				}
				a.More[tier] = n - most
				a.cut("results")
			}
		}
	}
	a.TotalSymbols = len(a.Symbols)
	if a.Symbols == nil {
		a.Symbols = []SymbolRecord{}
	}
}

// Records are the symbols.
func (a *Impact) Records() []any { return anys(a.Symbols) }
