package algo

import (
	"context"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/measure"
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

// FindCommunities divides the files by the Louvain method ([measure.Divide]).
// Files are linked by the imports, calls, references and inheritance between
// what they define ([graph.LinkWeight]). The largest comes first. The same seed
// over the same graph gives the same division; [graph.Seed] gives the one that
// the index holds.
func FindCommunities(ctx context.Context, s graph.Store, seed uint64) (*Communities, error) {
	f, err := filesOf(ctx, s)
	if err != nil {
		return nil, err
	}
	links, err := f.links(ctx, s)
	if err != nil {
		return nil, err
	}
	d := measure.Divide(f.paths, links, seed)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c := &Communities{Of: make([]int32, len(f.of)), Modularity: d.Modularity}
	for id, file := range f.of {
		if c.Of[id] = -1; file >= 0 {
			c.Of[id] = d.Of[file]
		}
	}
	for id, g := range d.Groups {
		found := Community{ID: id, Label: g.Label, Size: len(g.Files), Inside: int(g.Inside), Outside: int(g.Outside)}
		for _, file := range g.Files {
			found.Files = append(found.Files, f.refs[file])
		}
		c.List = append(c.List, found)
	}
	return c, nil
}

// files are the files of a graph, in the order of their first nodes.
type files struct {
	of    []int32 // by node: its file, -1 for none
	paths []string
	refs  []graph.Ref // of the files' own nodes
}

func filesOf(ctx context.Context, s graph.Store) (*files, error) {
	n := s.NumNodes()
	f := &files{of: make([]int32, n)}
	byPath := map[string]int32{}
	for id := range n {
		if id%checkEach == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
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
	return f, nil
}

// links are the links between the files.
func (f *files) links(ctx context.Context, s graph.Store) (*measure.Links, error) {
	var list []measure.Link
	for id, from := range f.of {
		if id%checkEach == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if from < 0 {
			continue
		}
		edges, err := neighbours(s, id, false)
		if err != nil {
			return nil, err
		}
		for _, e := range edges {
			if w := graph.LinkWeight(e.Kind, e.Confidence); w > 0 && f.of[e.Other] >= 0 && f.of[e.Other] != from {
				list = append(list, measure.Link{A: from, B: f.of[e.Other], Weight: w})
			}
		}
	}
	return measure.NewLinks(len(f.paths), list), nil
}
