package graph

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"sort"

	"golang.org/x/sync/errgroup"

	"github.com/topo-dev/topo/index"
)

// Bounds of the co-changes: a commit of more files is a sweep, not a link, and
// a file keeps its strongest partners.
const (
	maxCommitFiles = 30
	maxPartners    = 10
	minJoint       = 2
)

// cochanges draws an edge both ways between files that the same commits
// touched. The confidence is that of a name: it is a habit, not a fact.
func (b *builder) cochanges() {
	joint := map[[2]uint32]int{}
	for _, c := range b.in.History {
		if len(c.Files) > maxCommitFiles {
			continue
		}
		var ids []uint32
		for _, p := range c.Files {
			if n, ok := b.tree.number[p]; ok {
				ids = append(ids, n)
			}
		}
		slices.Sort(ids)
		ids = slices.Compact(ids)
		for i, x := range ids {
			for _, y := range ids[i+1:] {
				joint[[2]uint32{x, y}]++
			}
		}
	}
	type partner struct {
		file  uint32
		count int
	}
	partners := make(map[uint32][]partner)
	for pair, n := range joint {
		if n >= minJoint {
			partners[pair[0]] = append(partners[pair[0]], partner{pair[1], n})
			partners[pair[1]] = append(partners[pair[1]], partner{pair[0], n})
		}
	}
	for file, list := range partners {
		slices.SortFunc(list, func(a, b partner) int {
			return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.file, b.file))
		})
		for _, p := range list[:min(len(list), maxPartners)] {
			x, y := b.files[file].node, b.files[p.file].node
			b.extra = append(b.extra, edge{x, y, EdgeCoChanges, tierKnown}, edge{y, x, EdgeCoChanges, tierKnown})
		}
	}
}

// sections codes the graph.
func (b *builder) sections() (index.GraphSections, error) {
	lists := make([][]edge, 0, len(b.files)+1)
	for i := range b.files {
		f := &b.files[i]
		for k := range f.edges {
			if e := &f.edges[k]; e.tier == toModule {
				e.to, e.tier = b.modules[int32(e.to)], tierResolved
			}
		}
		lists = append(lists, f.edges)
	}
	out := newRows(len(b.nodes), append(lists, b.extra)...)
	in := out.turned()
	text := newStrings()
	var forward, backward, nodes, names, ranks []byte
	var eg errgroup.Group // of parts that do not touch each other
	eg.Go(func() (err error) {
		forward, err = out.encode()
		return err
	})
	eg.Go(func() (err error) {
		backward, err = in.encode()
		return err
	})
	eg.Go(func() error {
		for _, r := range nodeRank(&out) {
			ranks = le.AppendUint32(ranks, math.Float32bits(r))
		}
		return nil
	})
	nodes, names = b.records(text, &out, &in)
	if err := eg.Wait(); err != nil {
		return nil, err
	}
	return index.GraphSections{index.GraphNodes: nodes, index.GraphStrings: text.data, index.GraphNames: names,
		index.GraphOut: forward, index.GraphIn: backward, index.GraphRanks: ranks}, nil
}

// stringTable holds each string once, in the order of their first use.
type stringTable struct {
	data []byte
	at   map[string]uint32
}

func newStrings() *stringTable {
	return &stringTable{data: []byte{0}, at: map[string]uint32{"": 0}}
}

func (t *stringTable) put(s string) uint32 {
	off, ok := t.at[s]
	if !ok {
		off = uint32(len(t.data))
		t.at[s] = off
		t.data = append(binary.AppendUvarint(t.data, uint64(len(s))), s...)
	}
	return off
}

// records codes GNOD and GNAM.
func (b *builder) records(text *stringTable, out, in *rows) (nodes, names []byte) {
	nodes = make([]byte, 0, nodeHeader+len(b.nodes)*nodeRecord)
	nodes = le.AppendUint32(nodes, uint32(len(b.nodes)))
	nodes = le.AppendUint32(nodes, uint32(len(out.list)))
	byName := map[string][]uint32{}
	for id := range b.nodes {
		d := &b.nodes[id]
		name, scope := d.name, ""
		var line, end, lines uint32
		var m [4]int
		if d.kind == NodeFile {
			name = b.files[d.file].Path
		} else if d.chunk >= 0 {
			f := &b.files[d.file]
			k := &f.chunks[d.chunk]
			name, scope, line, end = k.Name, k.Scope, uint32(k.StartLine), uint32(k.EndLine)
			if d.fact >= 0 && d.kind != NodeVar {
				x := &f.facts.Funcs[d.fact].Metrics
				m, lines = [4]int{x.Cyclomatic, x.Cognitive, x.Nesting, x.Params}, uint32(max(0, x.Lines))
			}
		}
		full := name
		if scope != "" {
			full = scope + "." + name
		}
		last := LastPart(d.kind, full)
		byName[last] = append(byName[last], uint32(id))
		if d.kind == NodeFile {
			name = ""
		}
		nodes = le.AppendUint32(nodes, d.file)
		nodes = le.AppendUint32(nodes, text.put(name))
		nodes = le.AppendUint32(nodes, text.put(scope))
		nodes = le.AppendUint32(nodes, line)
		nodes = le.AppendUint32(nodes, end)
		nodes = le.AppendUint16(nodes, uint16(min(m[0], math.MaxUint16)))
		nodes = le.AppendUint16(nodes, uint16(min(m[1], math.MaxUint16)))
		nodes = append(nodes, byte(min(m[2], 255)), byte(min(m[3], 255)))
		nodes = le.AppendUint16(nodes, uint16(min(d.unknown, math.MaxUint16)))
		nodes = le.AppendUint32(nodes, degree(in, id, d.kind))
		nodes = le.AppendUint32(nodes, degree(out, id, d.kind))
		nodes = le.AppendUint32(nodes, lines)
		nodes = append(nodes, byte(d.kind), 0, 0, 0)
	}
	keys := make([]string, 0, len(byName))
	for k := range byName {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	names = le.AppendUint32(nil, uint32(len(keys)))
	at := uint32(0)
	for _, k := range keys {
		names = le.AppendUint32(le.AppendUint32(names, text.put(k)), at)
		at += uint32(len(byName[k]))
	}
	names = le.AppendUint32(le.AppendUint32(names, 0), at)
	for _, k := range keys {
		for _, id := range byName[k] {
			names = le.AppendUint32(names, id)
		}
	}
	return nodes, names
}

// degree is the fan of a node: calls of a function, imports of a file, module
// or external package.
func degree(r *rows, id int, kind NodeKind) (n uint32) {
	want := EdgeCalls
	if kind == NodeFile || kind == NodeModule || kind == NodeExternal {
		want = EdgeImports
	}
	for _, e := range r.row(id) {
		if e.kind == want && e.to != uint32(id) {
			n++
		}
	}
	return n
}

// nodeRank is the PageRank of all nodes over calls, references, imports and
// inheritance, each edge weighed by its confidence.
func nodeRank(out *rows) []float32 {
	const rounds = 30 // the ranking of nodes no longer changes well before
	n := len(out.off) - 1
	weight := func(e *edge) float64 {
		switch e.kind {
		case EdgeCalls, EdgeReferences, EdgeImports, EdgeInherits:
			return float64(tiers[e.tier]) / 100
		}
		return 0
	}
	sum := make([]float64, n)
	for i := range out.list {
		sum[out.list[i].from] += weight(&out.list[i])
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
			row := out.row(i)
			for k := range row {
				if w := weight(&row[k]); w > 0 {
					next[row[k].to] += share * w
				}
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
