package draw

import (
	"fmt"
	"io"
	"strings"

	"github.com/topo-dev/topo/index/graph"
)

// Mermaid writes the graph as a flowchart. Edges that are not sure are dotted;
// a guess by name has a question mark.
func Mermaid(w io.Writer, g *Graph) error {
	p := &printer{w: w}
	p.line("flowchart LR")
	for _, n := range g.Nodes {
		name, place := label(n)
		text := quoteMermaid(name)
		if place != "" {
			text += "<br/>" + quoteMermaid(place)
		}
		open, end := bracketsOf(n.Kind)
		p.line("  n%d%s\"%s\"%s", n.ID, open, text, end)
	}
	for _, e := range g.visible() {
		arrow, mark := "-->", ""
		if e.Confidence < graph.KnownType {
			arrow = "-.->"
		}
		if e.Confidence <= graph.NameOnly {
			mark = "?"
		}
		p.line("  n%d %s|\"%s%s\"| n%d", e.From, arrow, e.Kind, mark, e.To)
	}
	for _, n := range g.Nodes {
		if g.Marks[n.ID] {
			p.line("  style n%d stroke-width:4px", n.ID)
		}
	}
	return p.err
}

// special are the signs that mean something in a label: Mermaid has no escape
// within quotes, renders HTML, Markdown and formulas, turns "http:" into a link
// and reads %%{ }%% as a directive wherever it is.
const special = "\"#<>&`%;\\{}[]()|*_~$@'="

// quoteMermaid writes special signs as entities.
func quoteMermaid(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(special, r) {
			fmt.Fprintf(&b, "#%d;", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func bracketsOf(kind string) (open, end string) {
	switch kind {
	case graph.NodeFile.String(), graph.NodeModule.String():
		return "[", "]"
	case graph.NodeType.String():
		return "[[", "]]"
	case graph.NodeExternal.String():
		return "{{", "}}"
	}
	return "(", ")"
}
