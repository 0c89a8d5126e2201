package graph

import (
	"context"
	"math"

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
	in := out.transpose()
	var forward, backward, nodes []byte
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
	names := <-b.names
	nodes = b.records(names, &out, &in)
	if err := eg.Wait(); err != nil {
		return nil, err
	}
	ranks := figures.encode(names.text)
	return index.GraphSections{index.GraphNodes: nodes, index.GraphStrings: names.text.data, index.GraphNames: names.coded,
		index.GraphOut: forward, index.GraphIn: backward, index.GraphRanks: ranks}, nil
}

// records codes GNOD.
func (b *builder) records(names *naming, out, in *rows) []byte {
	nodes := make([]byte, 0, nodeHeader+len(b.nodes)*nodeRecord)
	nodes = le.AppendUint32(nodes, uint32(len(b.nodes)))
	nodes = le.AppendUint32(nodes, uint32(len(out.list)))
	fans, recursive := b.fans(out, in), b.recursive(out)
	for id := range b.nodes {
		d := &b.nodes[id]
		var line, end uint32
		var m chunk.Metrics
		if d.chunk >= 0 {
			f := &b.files[d.file]
			line, end = uint32(f.chunks[d.chunk].StartLine), uint32(f.chunks[d.chunk].EndLine)
			if d.fact >= 0 && d.kind != NodeVar && d.kind != NodeType {
				if m = f.facts.Funcs[d.fact].Metrics; recursive[id] {
					m.Cognitive++
				}
			}
		}
		nodes = le.AppendUint32(nodes, d.file)
		nodes = le.AppendUint32(nodes, names.name[id])
		nodes = le.AppendUint32(nodes, names.scope[id])
		nodes = le.AppendUint32(nodes, line)
		nodes = le.AppendUint32(nodes, end)
		nodes = le.AppendUint16(nodes, uint16(min(m.Cyclomatic, math.MaxUint16)))
		nodes = le.AppendUint16(nodes, uint16(min(m.Cognitive, math.MaxUint16)))
		nodes = append(nodes, byte(min(m.Nesting, 255)), byte(min(m.Params, 255)))
		nodes = le.AppendUint16(nodes, uint16(min(d.unknown, math.MaxUint16)))
		fanIn, fanOut := fans.of(id, d)
		nodes = le.AppendUint32(nodes, fanIn)
		nodes = le.AppendUint32(nodes, fanOut)
		nodes = le.AppendUint32(nodes, uint32(max(0, m.Lines)))
		nodes = append(nodes, byte(d.kind), 0, 0, 0)
	}
	return nodes
}
