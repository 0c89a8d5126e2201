// Package draw writes a small graph as DOT (Graphviz) or Mermaid.
//
// What always holds: names come from a repository that may be hostile, so a
// name is only ever written inside of quotes and escaped; ids are made of
// digits. The same graph is written as the same bytes.
package draw

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/topo-dev/topo/index/graph"
)

// Graph is what to draw.
type Graph struct {
	Nodes []graph.Ref
	Edges []Edge
	Marks map[int]bool // nodes to stand out, by id; may be nil
}

// Edge is an arrow. One whose ends are not among the nodes is left out.
type Edge struct {
	From, To   int
	Kind       graph.EdgeKind
	Confidence graph.Confidence
}

// maxLabel is the length of a label in characters; more is cut.
const maxLabel = 80

// Between makes the graph of some nodes and the edges of those kinds among
// them. Nodes come ascending, each once.
func Between(ctx context.Context, s graph.Store, ids []int, kinds []graph.EdgeKind) (*Graph, error) {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	g := &Graph{}
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n, err := s.Node(id)
		if err != nil {
			return nil, fmt.Errorf("node %d of the graph: %w", id, err)
		}
		g.Nodes = append(g.Nodes, n.Ref())
		out, err := s.Out(id)
		if err != nil {
			return nil, fmt.Errorf("edges of node %d of the graph: %w", id, err)
		}
		for _, e := range out {
			if _, in := slices.BinarySearch(ids, e.Other); in && slices.Contains(kinds, e.Kind) {
				g.Edges = append(g.Edges, Edge{From: id, To: e.Other, Kind: e.Kind, Confidence: e.Confidence})
			}
		}
	}
	return g, nil
}

// visible are the edges whose ends are both drawn.
func (g *Graph) visible() []Edge {
	in := map[int]bool{}
	for _, n := range g.Nodes {
		in[n.ID] = true
	}
	return slices.DeleteFunc(slices.Clone(g.Edges), func(e Edge) bool { return !in[e.From] || !in[e.To] })
}

// label is a node's name and place, free of control characters.
func label(n graph.Ref) (name, place string) {
	name = plain(n.Name)
	if n.Path != "" && n.Path != n.Name {
		place = plain(n.Path)
		if n.Line > 0 {
			place += fmt.Sprintf(":%d", n.Line)
		}
	}
	return name, place
}

// plain is s as valid UTF-8 of bounded length on one line. What cannot be seen,
// or turns the direction of writing, becomes U+FFFD.
func plain(s string) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n++; n > maxLabel {
			b.WriteRune('…')
			break
		}
		if !unicode.IsPrint(r) {
			r = utf8.RuneError
		}
		b.WriteRune(r)
	}
	return b.String()
}

// printer keeps the first error of a writer.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}
