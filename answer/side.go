package answer

import (
	"context"
	"slices"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/ask"
	"github.com/topo-dev/topo/scan"
	"github.com/topo-dev/topo/scan/lang"
)

// side is a file before or after a change: what it defines, by where.
type side struct {
	nodes   []graph.Node // the first is the file itself
	spans   []graph.Node // the same, each with the doc comment before it
	indexed bool         // they are nodes of the graph
}

// emptySide is a file that does not exist.
func emptySide() *side { return &side{nodes: make([]graph.Node, 1), spans: make([]graph.Node, 1)} }

// has reports whether a definition of that name is there.
func (d *side) has(name string) bool {
	return slices.ContainsFunc(d.nodes[1:], func(n graph.Node) bool { return n.Name == name })
}

// known is a file as the index shows it; nil when it does not have it.
func (c *changes) known(path string) (*side, error) {
	id, ok := c.s.Index.Lookup(path)
	if !ok {
		return nil, nil
	}
	nodes, err := c.s.FileNodes(id)
	if err != nil {
		return nil, err
	}
	spans, err := c.s.WithDocs(id, nodes)
	return &side{nodes, spans, true}, err
}

// parsed finds the definitions of a content that the index does not show.
func parsed(ctx context.Context, name string, content []byte) *side {
	language := lang.Detect(name, content)
	d := &side{nodes: []graph.Node{{Kind: graph.NodeFile, Name: name, Path: name, Language: language}}}
	d.spans = slices.Clone(d.nodes)
	for _, ch := range chunk.Parse(ctx, language, name, content).Chunks {
		kind, ok := nodeKind(ch.Kind)
		if !ok {
			continue
		}
		n := graph.Node{Kind: kind, Name: ch.Qualified(), Path: name, Language: language, Line: ch.StartLine, EndLine: ch.EndLine}
		d.nodes = append(d.nodes, n)
		if ch.DocLine > 0 {
			n.Line = min(n.Line, ch.DocLine)
		}
		d.spans = append(d.spans, n)
	}
	return d
}

// nodeKind is the kind of node that a chunk becomes.
func nodeKind(k chunk.Kind) (graph.NodeKind, bool) {
	switch k {
	case chunk.Function:
		return graph.NodeFunction, true
	case chunk.Method:
		return graph.NodeMethod, true
	case chunk.Type:
		return graph.NodeType, true
	case chunk.Const, chunk.Var:
		return graph.NodeVar, true
	}
	return 0, false
}

// touched are the innermost definitions around the lines of the ranges, their
// doc comments being part of them, by their positions. Position 0 is the file,
// for lines outside of any definition.
func (d *side) touched(ranges []scan.LineRange) func(func(int, *graph.Node) bool) {
	last := 0
	for _, n := range d.nodes[1:] {
		last = max(last, n.EndLine)
	}
	hit := make([]bool, len(d.nodes))
	for _, r := range ranges {
		if r.End < r.Start { // something was taken out between two lines
			if i := ask.Innermost(d.spans, r.End); i > 0 && d.nodes[i].EndLine >= r.Start {
				hit[i] = true
			}
			continue
		}
		for line := r.Start; line <= min(r.End, last); line++ {
			hit[ask.Innermost(d.spans, line)] = true
		}
		hit[0] = hit[0] || r.End > last
	}
	return func(yield func(int, *graph.Node) bool) {
		for i, h := range hit {
			if h && !yield(i, &d.nodes[i]) {
				return
			}
		}
	}
}
