package graph

import (
	"context"
	"math"

	"github.com/topo-dev/topo/index/graph/measure"
)

// Seed is the seed of the communities and the betweenness in the index.
const Seed = 1

// figures are what is computed over the whole graph.
type figures struct {
	rank, between []float32
	division      *measure.Division
}

func (b *builder) figures(ctx context.Context, out *rows) (f figures, err error) {
	f.rank = nodeRank(out)
	if f.between, err = betweenness(ctx, out); err != nil {
		return f, err
	}
	paths := make([]string, len(b.files))
	for i := range b.files {
		paths[i] = b.files[i].Path
	}
	var links []measure.Link
	for id := range b.nodes {
		x := b.nodes[id].file
		for _, e := range out.row(id) {
			y := b.nodes[e.to()].file
			if w := LinkWeight(e.kind(), tiers[e.tier()]); w > 0 && x != noFile && y != noFile && x != y {
				links = append(links, measure.Link{A: int32(x), B: int32(y), Weight: w})
			}
		}
	}
	f.division = measure.Divide(paths, measure.NewLinks(len(paths), links), Seed)
	return f, nil
}

// LinkWeight is how strongly an edge ties the files of its two nodes together:
// its confidence, 0 for edges that say nothing of it. A match by name alone
// ties nothing: it names several places, and at most one is meant.
func LinkWeight(k EdgeKind, c Confidence) int64 {
	if !depends(k) || c <= NameOnly {
		return 0
	}
	return int64(c)
}

// betweenness is over the same edges as the links between files.
func betweenness(ctx context.Context, out *rows) ([]float32, error) {
	n := len(out.off) - 1
	a := &measure.Arcs{Start: make([]int, n+1), To: make([]int32, 0, len(out.list))}
	seen := make([]uint32, n) // 1 + the node that last led to it
	for id := range n {
		for _, e := range out.row(id) {
			if to := e.to(); LinkWeight(e.kind(), tiers[e.tier()]) > 0 && to != uint32(id) && seen[to] != uint32(id)+1 {
				seen[to] = uint32(id) + 1
				a.To = append(a.To, int32(to))
			}
		}
		a.Start[id+1] = len(a.To)
	}
	all, err := measure.Betweenness(ctx, a, Seed)
	short := make([]float32, len(all))
	for i, v := range all {
		short[i] = float32(v)
	}
	return short, err
}

// encode codes the figures as doc.go says under GRNK.
func (f *figures) encode(text *stringTable) []byte {
	b := make([]byte, 0, 8*len(f.rank)+4*len(f.division.Of)+4*len(f.division.Groups)+4)
	for _, list := range [][]float32{f.rank, f.between} {
		for _, v := range list {
			b = le.AppendUint32(b, math.Float32bits(v))
		}
	}
	for _, g := range f.division.Of {
		b = le.AppendUint32(b, uint32(g))
	}
	for _, g := range f.division.Groups {
		b = le.AppendUint32(b, text.put(g.Label))
	}
	return b
}

// NumCommunities is the number of communities of files; they are numbered from
// 0, the largest first.
func (g *Graph) NumCommunities() int {
	return int(g.ranks.Len()-8*uint64(g.n)-4*uint64(g.x.NumFiles())) / 4
}

// CommunityLabel is the label of a community.
func (g *Graph) CommunityLabel(id int) (string, error) {
	if id < 0 || id >= g.NumCommunities() {
		return "", g.ranks.Corrupt("no community %d of %d", id, g.NumCommunities())
	}
	b, err := g.ranks.Span(8*uint64(g.n)+4*uint64(g.x.NumFiles()+id), 4)
	if err != nil {
		return "", err
	}
	s, err := g.str(le.Uint32(b))
	return string(s), err
}

// figuresOf reads the figures of a node into n.
func (g *Graph) figuresOf(n *Node, file uint32) error {
	for i, to := range []*float32{&n.PageRank, &n.Between} {
		b, err := g.ranks.Span(4*uint64(i*g.n+n.ID), 4)
		if err != nil {
			return err
		}
		*to = math.Float32frombits(le.Uint32(b))
	}
	n.Community = -1
	if file == noFile {
		return nil
	}
	b, err := g.ranks.Span(8*uint64(g.n)+4*uint64(file), 4)
	if err != nil {
		return err
	}
	n.Community = int32(le.Uint32(b))
	return nil
}

// nodeRank is the PageRank of all nodes over calls, references, imports and
// inheritance, each edge weighed by its confidence.
func nodeRank(out *rows) []float32 {
	const rounds = 30 // the ranking of nodes no longer changes well before
	n := len(out.off) - 1
	off, to, weight := make([]uint32, n+1), make([]uint32, 0, len(out.list)), make([]float64, 0, len(out.list))
	sum := make([]float64, n)
	for i := range n {
		for _, e := range out.row(i) {
			if depends(e.kind()) {
				w := float64(tiers[e.tier()]) / 100
				to, weight = append(to, e.to()), append(weight, w)
				sum[i] += w
			}
		}
		off[i+1] = uint32(len(to))
	}
	rank, next := make([]float64, n), make([]float64, n)
	for i := range rank {
		rank[i] = 1 / float64(n)
	}
	for range rounds {
		clear(next)
		dangling := 0.0
		for i := range n {
			if sum[i] == 0 {
				dangling += rank[i]
				continue
			}
			share := rank[i] / sum[i]
			for k := off[i]; k < off[i+1]; k++ {
				next[to[k]] += share * weight[k]
			}
		}
		base := ((1 - damping) + damping*dangling) / float64(n)
		for i := range next {
			next[i] = base + damping*next[i]
		}
		rank, next = next, rank
	}
	ranks := make([]float32, n)
	for i, r := range rank {
		ranks[i] = float32(r)
	}
	return ranks
}
