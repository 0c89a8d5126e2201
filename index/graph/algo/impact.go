package algo

import (
	"cmp"
	"context"
	"slices"

	"github.com/topo-dev/topo/index/graph"
)

// The levels of an impact.
const (
	LevelNone    = "none"    // nothing found, and the calls around are understood
	LevelLow     = "low"     // up to lowNodes nodes in up to lowFiles files
	LevelMedium  = "medium"  // up to mediumNodes nodes
	LevelHigh    = "high"    // more
	LevelUnknown = "unknown" // little found, but too many calls around are not understood
)

const (
	lowNodes    = 5
	lowFiles    = 2
	mediumNodes = 25
	// poorConfidence is the share of calls without a sure target from which a small
	// result says nothing. At a half, a caller is as likely missed as found.
	poorConfidence = 0.5
)

// Impact says what a change of some nodes may affect. In JSON:
//
//	{"Targets":[…],"Direct":[…],"Indirect":[…],"Transitive":[…],"Files":[…],"Tests":[…],"Total":12,"Level":"medium","Unresolved":0.1}
type Impact struct {
	Targets    []graph.Ref  // what was asked for
	Direct     []Reached    // uses a target: distance 1
	Indirect   []Reached    // distance 2
	Transitive []Reached    // distance 3 and more
	Files      []FileImpact // that hold any of those, most affected first
	Tests      []Test       // that cover a target or something affected
	Together   []Reached    // files that often change when the targets' files do and that nothing above leads to: a hint, not counted
	Total      int          // blast radius: nodes affected, tests included
	Level      string       // none, low, medium, high or unknown
	Unresolved float64      // share of the calls around the targets whose target is unknown or found by name only, 0 to 1
	Truncated  bool         `json:",omitempty"` // more is affected than the limit allowed to list
}

// FileImpact is one affected file. One in JSON:
//
//	{"Path":"net/server.go","Nodes":3,"Distance":1,"Confidence":0.9}
type FileImpact struct {
	Path       string
	Nodes      int     // affected ones in it
	Distance   int     // of the nearest
	Confidence float64 // of the surest
}

// ImpactOptions bound an impact.
type ImpactOptions struct {
	Depth  int               // longest distance; 0 or less for 3
	Limit  int               // most nodes listed; 0 or less for 10,000
	IsTest func(string) bool // whether a path is a test file; nil when only the graph's own tests edges tell
	Near   []Near            // nodes that use something that changed and that the graph does not hold
}

// using are the kinds of edges a change runs back along.
var using = []graph.EdgeKind{graph.EdgeCalls, graph.EdgeReferences, graph.EdgeInherits, graph.EdgeImports}

// ImpactOf walks back from the nodes, and what they contain, to what uses them.
func ImpactOf(ctx context.Context, s graph.Store, targets []int, o ImpactOptions) (*Impact, error) {
	if o.Depth <= 0 {
		o.Depth = 3
	}
	if o.Limit <= 0 {
		o.Limit = 10_000
	}
	targets = slices.Compact(slices.Sorted(slices.Values(targets)))
	whole, err := contained(ctx, s, targets)
	if err != nil {
		return nil, err
	}
	starts, err := withModules(s, whole)
	if err != nil {
		return nil, err
	}
	im := &Impact{}
	if im.Targets, err = refs(s, targets); err != nil {
		return nil, err
	}
	found, more, err := Walk(ctx, s, starts, WalkOptions{Kinds: using, Reverse: true, Depth: o.Depth, Limit: o.Limit, Near: o.Near})
	if err != nil {
		return nil, err
	}
	im.Truncated = more
	for _, r := range found {
		switch r.Distance {
		case 1:
			im.Direct = append(im.Direct, r)
		case 2:
			im.Indirect = append(im.Indirect, r)
		default:
			im.Transitive = append(im.Transitive, r)
		}
	}
	if im.Tests, err = testsAmong(s, whole, found, o.IsTest); err != nil {
		return nil, err
	}
	im.count(found)
	if im.Together, err = together(s, whole, im.Files); err != nil {
		return nil, err
	}
	im.Unresolved, err = unresolved(ctx, s, whole)
	im.Level = level(im.Total, len(im.Files), im.Unresolved)
	return im, err
}

// contained adds to the nodes all they contain: the methods of a type, what a
// file defines.
func contained(ctx context.Context, s graph.Store, ids []int) ([]int, error) {
	seen := map[int]bool{}
	queue := slices.Clone(ids)
	for _, id := range ids {
		seen[id] = true
	}
	for at := 0; at < len(queue); at++ {
		if at%checkEach == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		edges, err := neighbours(s, queue[at], false)
		if err != nil {
			return nil, err
		}
		for _, e := range edges {
			if e.Kind == graph.EdgeContains && !seen[e.Other] {
				seen[e.Other] = true
				queue = append(queue, e.Other)
			}
		}
	}
	slices.Sort(queue)
	return queue, nil
}

// withModules adds the modules that hold a file among the nodes: in languages
// that import packages, that is how the file is imported.
func withModules(s graph.Store, ids []int) ([]int, error) {
	all := slices.Clone(ids)
	for _, id := range ids {
		n, err := node(s, id)
		if err != nil {
			return nil, err
		}
		if n.Kind != graph.NodeFile {
			continue
		}
		edges, err := neighbours(s, id, true)
		if err != nil {
			return nil, err
		}
		for _, e := range edges {
			if e.Kind == graph.EdgeContains {
				all = append(all, e.Other)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// count sums up nodes and files. A test that only a tests edge leads to counts
// once, too.
func (im *Impact) count(found []Reached) {
	files := map[string]*FileImpact{}
	seen := map[int]bool{}
	add := func(r Reached) {
		if seen[r.ID] {
			return
		}
		seen[r.ID] = true
		if r.Path == "" {
			return
		}
		f := files[r.Path]
		if f == nil {
			f = &FileImpact{Path: r.Path, Distance: r.Distance}
			files[r.Path] = f
		}
		f.Nodes++
		f.Distance = min(f.Distance, r.Distance)
		f.Confidence = max(f.Confidence, r.Confidence)
	}
	for _, r := range found {
		add(r)
	}
	for _, t := range im.Tests {
		add(t.Reached)
	}
	im.Total = len(seen)
	for _, f := range files {
		im.Files = append(im.Files, *f)
	}
	slices.SortFunc(im.Files, func(a, b FileImpact) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(b.Nodes, a.Nodes), cmp.Compare(a.Path, b.Path))
	})
}

func level(nodes, files int, unresolved float64) string {
	switch {
	case nodes > mediumNodes:
		return LevelHigh
	case nodes > lowNodes || files > lowFiles:
		return LevelMedium
	case unresolved >= poorConfidence:
		return LevelUnknown
	case nodes == 0:
		return LevelNone
	}
	return LevelLow
}

// unresolved is the share of calls whose target is unknown or found by name
// only, in the files of the nodes and in those that import them.
func unresolved(ctx context.Context, s graph.Store, ids []int) (float64, error) {
	around, err := filesAround(s, ids)
	if err != nil {
		return 0, err
	}
	inside, err := contained(ctx, s, around)
	if err != nil {
		return 0, err
	}
	calls, unsure := 0, 0
	for _, id := range inside {
		n, err := node(s, id)
		if err != nil {
			return 0, err
		}
		calls += n.Unknown
		unsure += n.Unknown
		edges, err := neighbours(s, id, false)
		if err != nil {
			return 0, err
		}
		for _, e := range edges {
			if e.Kind != graph.EdgeCalls {
				continue
			}
			if calls++; e.Confidence <= graph.NameOnly {
				unsure++
			}
		}
	}
	if calls == 0 {
		return 0, nil
	}
	return float64(unsure) / float64(calls), nil
}
