package graph

import (
	"context"
	"encoding/binary"
	"math"
	"sort"

	"golang.org/x/sync/errgroup"

	"github.com/topo-dev/topo/index"
)

// sections codes the graph.
func (b *builder) sections(ctx context.Context) (index.GraphSections, error) {
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
	var forward, backward, nodes, names []byte
	var eg errgroup.Group // of parts that do not touch each other
	eg.Go(func() (err error) {
		forward, err = out.encode()
		return err
	})
	eg.Go(func() (err error) {
		backward, err = in.encode()
		return err
	})
	var figures figures
	eg.Go(func() (err error) {
		figures, err = b.figures(ctx, &out)
		return err
	})
	nodes, names = b.records(text, &out, &in)
	if err := eg.Wait(); err != nil {
		return nil, err
	}
	ranks := figures.encode(text)
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
	fans, recursive := b.fans(out, in), b.recursive(out)
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
				if recursive[id] {
					m[1]++
				}
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
		fanIn, fanOut := fans.of(id, d)
		nodes = le.AppendUint32(nodes, fanIn)
		nodes = le.AppendUint32(nodes, fanOut)
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
