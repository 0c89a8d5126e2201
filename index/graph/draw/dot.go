package draw

import (
	"io"
	"strings"

	"github.com/topo-dev/topo/index/graph"
)

// shapes of nodes in DOT, in the order of graph.NodeKind.
var shapes = [...]string{"folder", "tab", "box3d", "ellipse", "ellipse", "note", "octagon"}

// DOT writes the graph in Graphviz's language. Unsure edges are dashed, guesses
// by name dotted.
func DOT(w io.Writer, g *Graph) error {
	p := &printer{w: w}
	p.line("digraph topo {")
	p.line("  rankdir=LR;")
	p.line("  node [fontname=\"sans-serif\"];")
	for _, n := range g.Nodes {
		name, place := label(n)
		text := quoteDOT(name)
		if place != "" {
			text += `\n` + quoteDOT(place)
		}
		extra := ""
		if g.Marks[n.ID] {
			extra = ", style=bold"
		}
		p.line("  n%d [label=\"%s\", shape=%s%s];", n.ID, text, shapeOf(n.Kind), extra)
	}
	for _, e := range g.visible() {
		p.line("  n%d -> n%d [label=\"%s\", style=%s];", e.From, e.To, e.Kind, styleOf(e.Confidence))
	}
	p.line("}")
	return p.err
}

// quoteDOT escapes for a double-quoted string. A backslash is doubled, since
// Graphviz would read \N or \G as the name of the node or the graph.
func quoteDOT(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s)
}

func shapeOf(kind string) string {
	for k := graph.NodeFile; k <= graph.NodeExternal; k++ {
		if k.String() == kind {
			return shapes[k]
		}
	}
	return "ellipse"
}

func styleOf(c graph.Confidence) string {
	switch {
	case c >= graph.KnownType:
		return "solid"
	case c > graph.NameOnly:
		return "dashed"
	}
	return "dotted"
}
