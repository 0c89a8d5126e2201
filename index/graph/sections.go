package graph

import (
	"context"
	"encoding/binary"
	"math"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/topo-dev/topo/chunk"
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
	t := nameTable{of: make([]uint32, len(b.nodes)), number: make(map[string]uint32, len(b.nodes))}
	fans, recursive := b.fans(out, in), b.recursive(out)
	scope, scopeAt := "", uint32(0) // of the last one: neighbours share it
	for id := range b.nodes {
		r := b.record(id)
		if recursive[id] && b.nodes[id].fact >= 0 {
			r.metrics.Cognitive++
		}
		nodes = le.AppendUint32(nodes, r.file)
		nodes = le.AppendUint32(nodes, t.add(id, &r, text))
		if r.scope != scope {
			scope, scopeAt = r.scope, text.put(r.scope)
		}
		nodes = le.AppendUint32(nodes, scopeAt)
		nodes = le.AppendUint32(nodes, r.line)
		nodes = le.AppendUint32(nodes, r.end)
		nodes = le.AppendUint16(nodes, uint16(min(r.metrics.Cyclomatic, math.MaxUint16)))
		nodes = le.AppendUint16(nodes, uint16(min(r.metrics.Cognitive, math.MaxUint16)))
		nodes = append(nodes, byte(min(r.metrics.Nesting, 255)), byte(min(r.metrics.Params, 255)))
		nodes = le.AppendUint16(nodes, uint16(min(b.nodes[id].unknown, math.MaxUint16)))
		fanIn, fanOut := fans.of(id, &b.nodes[id])
		nodes = le.AppendUint32(nodes, fanIn)
		nodes = le.AppendUint32(nodes, fanOut)
		nodes = le.AppendUint32(nodes, uint32(max(0, r.metrics.Lines)))
		nodes = append(nodes, byte(r.kind), 0, 0, 0)
	}
	return nodes, t.encode(text)
}

// record is what GNOD says of a node beside its edges.
type record struct {
	kind        NodeKind
	file        uint32
	name, scope string
	line, end   uint32
	metrics     chunk.Metrics
}

func (b *builder) record(id int) record {
	d := &b.nodes[id]
	r := record{kind: d.kind, file: d.file, name: d.name}
	if d.kind == NodeFile {
		r.name = b.files[d.file].Path
	} else if d.chunk >= 0 {
		f := &b.files[d.file]
		k := &f.chunks[d.chunk]
		r.name, r.scope, r.line, r.end = k.Name, k.Scope, uint32(k.StartLine), uint32(k.EndLine)
		if d.fact >= 0 && d.kind != NodeVar {
			r.metrics = f.facts.Funcs[d.fact].Metrics
		}
	}
	return r
}

// lastPart is [LastPart] of the qualified name, which is most often the bare one.
func (r *record) lastPart() string {
	if r.scope == "" {
		return LastPart(r.kind, r.name)
	}
	if r.name != "" && !strings.ContainsAny(r.name, ".:") {
		return r.name
	}
	return LastPart(r.kind, r.scope+"."+r.name)
}

// nameTable gathers nodes by name.
type nameTable struct {
	number map[string]uint32 // of each name, in the order of first use
	count  []uint32          // of nodes, by number
	text   []uint32          // offset of the name in GSTR, by number; 0 when it is not there yet
	of     []uint32          // number of each node's name
}

// add enters a node and returns the offset of its bare name, none for a file.
func (t *nameTable) add(id int, r *record, text *stringTable) uint32 {
	last := r.lastPart()
	n, ok := t.number[last]
	if !ok {
		n = uint32(len(t.count))
		t.number[last] = n
		t.count, t.text = append(t.count, 0), append(t.text, 0)
	}
	t.count[n]++
	t.of[id] = n
	switch {
	case r.kind == NodeFile:
		return 0
	case r.name != last:
		return text.put(r.name)
	case t.text[n] == 0:
		t.text[n] = text.put(last)
	}
	return t.text[n]
}

// encode codes GNAM.
func (t *nameTable) encode(text *stringTable) []byte {
	keys := sortedKeys(t.number)
	out := make([]byte, 0, 4+8*(len(keys)+1)+4*len(t.of))
	out = le.AppendUint32(out, uint32(len(keys)))
	at, next := uint32(0), make([]uint32, len(keys)) // where the next node of each name goes
	for _, k := range keys {
		n := t.number[k]
		if t.text[n] == 0 {
			t.text[n] = text.put(k)
		}
		out = le.AppendUint32(le.AppendUint32(out, t.text[n]), at)
		next[n] = at
		at += t.count[n]
	}
	out = le.AppendUint32(le.AppendUint32(out, 0), at)
	lists := make([]byte, 4*len(t.of))
	for id, n := range t.of {
		le.PutUint32(lists[4*next[n]:], uint32(id))
		next[n]++
	}
	return append(out, lists...)
}
