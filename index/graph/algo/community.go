package algo

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/graph/community"
	"gonum.org/v1/gonum/graph/simple"

	"github.com/topo-dev/topo/index/graph"
)

// Community is a set of files that use each other more than the rest. In JSON:
//
//	{"ID":0,"Label":"index/graph: store.go, build.go","Size":14,"Inside":220,"Outside":31,"Files":[…]}
type Community struct {
	ID      int
	Label   string // the directory most files share, and the most used ones
	Size    int    // files
	Inside  int    // edges between files of it, by confidence, 100 for a sure one
	Outside int    // edges to files of others, likewise
	Files   []graph.Ref
}

// Communities of a graph.
type Communities struct {
	Of         []int32 // by node: its file's community, -1 for nodes without file or files without a link
	List       []Community
	Modularity float64 // -0.5 to 1; above 0.3 the division means something
}

// linking are the kinds of edges that make two files belong together.
var linking = []graph.EdgeKind{graph.EdgeImports, graph.EdgeCalls, graph.EdgeInherits, graph.EdgeReferences}

// FindCommunities divides the files by the Louvain method: Blondel, Guillaume,
// Lambiotte and Lefebvre, "Fast unfolding of communities in large networks"
// (2008). Files are linked by the imports, calls, references and inheritance
// between what they define, weighed by confidence. The largest comes first. The
// same seed over the same graph gives the same division.
func FindCommunities(ctx context.Context, s graph.Store, seed uint64) (*Communities, error) {
	f, err := filesOf(ctx, s)
	if err != nil {
		return nil, err
	}
	groups, q := f.louvain(seed)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	slices.SortFunc(groups, func(a, b []int) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a[0], b[0])) })
	c := &Communities{Of: make([]int32, s.NumNodes()), Modularity: q}
	in := make([]int32, len(f.paths))
	for i := range in {
		in[i] = -1
	}
	for id, g := range groups {
		for _, file := range g {
			in[file] = int32(id)
		}
	}
	for id, file := range f.of {
		if c.Of[id] = -1; file >= 0 {
			c.Of[id] = in[file]
		}
	}
	counts := f.count(in, len(groups))
	for id, g := range groups {
		c.List = append(c.List, f.describe(id, g, counts))
	}
	distinguish(c.List)
	return c, nil
}

// fileGraph is the graph between files. The ends of a link are in ascending
// order; weights are whole numbers, so that sums do not depend on their order.
type fileGraph struct {
	of     []int32 // by node: its file, -1 for none
	paths  []string
	refs   []graph.Ref // of the files' own nodes
	weight map[[2]int32]int
	degree []int // sum of the weights of a file's links
}

func filesOf(ctx context.Context, s graph.Store) (*fileGraph, error) {
	n := s.NumNodes()
	f := &fileGraph{of: make([]int32, n), weight: map[[2]int32]int{}}
	byPath := map[string]int32{}
	for id := range n {
		nd, err := node(s, id)
		if err != nil {
			return nil, err
		}
		f.of[id] = -1
		if nd.Path == "" {
			continue
		}
		at, ok := byPath[nd.Path]
		if !ok {
			at = int32(len(f.paths))
			byPath[nd.Path] = at
			f.paths = append(f.paths, nd.Path)
			f.refs = append(f.refs, graph.Ref{ID: id, Kind: graph.NodeFile.String(), Name: nd.Path, Path: nd.Path})
		}
		if f.of[id] = at; nd.Kind == graph.NodeFile {
			f.refs[at] = nd.Ref()
		}
	}
	f.degree = make([]int, len(f.paths))
	return f, f.link(ctx, s)
}

func (f *fileGraph) link(ctx context.Context, s graph.Store) error {
	set := setOf(linking)
	for id, from := range f.of {
		if id%checkEach == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if from < 0 {
			continue
		}
		edges, err := neighbours(s, id, false)
		if err != nil {
			return err
		}
		for _, e := range edges {
			if !set.has(e.Kind) || f.of[e.Other] < 0 || f.of[e.Other] == from {
				continue
			}
			to := f.of[e.Other]
			f.weight[[2]int32{min(from, to), max(from, to)}] += int(e.Confidence)
			f.degree[from] += int(e.Confidence)
			f.degree[to] += int(e.Confidence)
		}
	}
	return nil
}

// louvain divides the files that have links; groups are ascending.
func (f *fileGraph) louvain(seed uint64) (groups [][]int, modularity float64) {
	if len(f.weight) == 0 {
		return nil, 0
	}
	g := simple.NewWeightedUndirectedGraph(0, 0)
	for link, w := range f.weight {
		if w > 0 {
			g.SetWeightedEdge(g.NewWeightedEdge(simple.Node(link[0]), simple.Node(link[1]), float64(w)))
		}
	}
	found := community.Modularize(g, 1, rand.NewPCG(seed, 0)).Communities()
	for _, c := range found {
		var ids []int
		for _, n := range c {
			ids = append(ids, int(n.ID()))
		}
		slices.Sort(ids)
		groups = append(groups, ids)
	}
	return groups, f.modularity(groups)
}

// modularity is Newman's Q of a division, from sums of whole numbers.
func (f *fileGraph) modularity(groups [][]int) float64 {
	in := make([]int, len(f.paths))
	total := 0
	q := 0.0
	for _, d := range f.degree {
		total += d
	}
	for id, g := range groups {
		for _, file := range g {
			in[file] = id
		}
	}
	inside := make([]int, len(groups))
	for link, w := range f.weight {
		if in[link[0]] == in[link[1]] {
			inside[in[link[0]]] += 2 * w
		}
	}
	for id, g := range groups {
		sum := 0
		for _, file := range g {
			sum += f.degree[file]
		}
		share := float64(sum) / float64(total)
		q += float64(inside[id])/float64(total) - share*share
	}
	return q
}
