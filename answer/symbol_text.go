package answer

import (
	"io"
	"slices"
	"strings"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/internal/english"
)

// fullPlaces is up to how many definitions of a name are shown with their edges.
const fullPlaces = 5

// Text shows each definition with its figures and edges, or lists them when many
// have the name.
func (a *Symbol) Text(w io.Writer, o TextOptions) {
	t := newText(w, o)
	if a.Places > fullPlaces {
		_, name, _ := strings.Cut(a.Query, " ")
		t.places(name, a.Places, a.Symbols)
	} else {
		t.symbols(a.Symbols, a.Edges)
	}
	for i := range a.Sources {
		t.source(&a.Sources[i])
	}
}

// symbols shows each symbol with its figures and its edges.
func (t *text) symbols(list []SymbolRecord, edges []EdgeRecord) {
	for i := range list {
		r := &list[i]
		if i > 0 {
			t.line("")
		}
		t.line("%s %s  %s", t.paint(cyan, r.Kind), t.paint(bold, Visible(r.Symbol)), Visible(r.extent()))
		if r.Measures != nil {
			t.table("  ", r.Measures.rows(r))
			if r.Measures.Community != "" {
				t.line("  belongs to %s", Visible(r.Measures.Community))
			}
			if r.Measures.LastChange != "" {
				t.line("  last change %s by %s", r.Measures.LastChange[:10], Visible(r.Measures.LastAuthor))
			}
		}
		t.edgesOf(edges, r.named())
	}
}

// passive names what an edge means to the node it ends at.
func passive(kind graph.EdgeKind) string {
	switch kind {
	case graph.EdgeContains:
		return "contained in"
	case graph.EdgeImports:
		return "imported by"
	case graph.EdgeCalls:
		return "called by"
	case graph.EdgeInherits:
		return "inherited by"
	case graph.EdgeReferences:
		return "referenced by"
	case graph.EdgeTests:
		return "tested by"
	}
	return "when these change, it often does"
}

// active names what an edge means to the node it starts at.
func active(kind graph.EdgeKind) string {
	if kind == graph.EdgeCoChanges {
		return "when it changes, these often do"
	}
	return kind.String()
}

// edgesOf shows the edges at a place, by kind.
func (t *text) edgesOf(edges []EdgeRecord, place string) {
	for _, k := range allKinds() {
		t.edges(edges, place, k, passive(k), true)
		t.edges(edges, place, k, active(k), false)
	}
}

// edges shows the edges of one kind that start at a place, or end at it.
func (t *text) edges(edges []EdgeRecord, place string, kind graph.EdgeKind, title string, reverse bool) {
	var rows [][]cell
	var under [][]string
	for _, e := range edges {
		here, there := e.From, e.To
		if reverse {
			here, there = e.To, e.From
		}
		if e.Kind != kind.String() || here != place {
			continue
		}
		row := []cell{sure(e.Confidence), {there, "", false}}
		if kind == graph.EdgeCoChanges {
			row = append(row, cell{e.Reason, dim, false})
		}
		rows, under = append(rows, row), append(under, t.sites(e.Sites, e.MoreSites))
	}
	if len(rows) == 0 {
		return
	}
	if kind == graph.EdgeCoChanges {
		slices.SortStableFunc(rows, func(a, b []cell) int { return strings.Compare(b[0].text, a[0].text) })
	}
	t.line("  %s", t.paint(bold, title))
	t.tableOver("    ", rows, under)
}

// places lists the definitions of a name that many have.
func (t *text) places(name string, n int, list []SymbolRecord) {
	t.line("%s", t.paint(bold, english.Count(n, "place")+" called "+Visible(name)))
	rows := [][]cell{head("kind", "name", "place", ">lines", ">fan-in", ">fan-out")}
	for i := range list {
		r := &list[i]
		row := []cell{{r.Kind, cyan, false}, {r.Symbol, bold, false}, {r.place(), "", false}, {}, figure(r.Measures.FanIn), figure(r.Measures.FanOut)}
		if r.runs() {
			row[3] = figure(r.Measures.Lines)
		}
		rows = append(rows, row)
	}
	t.table("", rows)
	if rest := n - len(list); rest > 0 {
		t.line("and %d more", rest)
	}
}

// source shows the text of a definition with the numbers of its lines.
func (t *text) source(s *Source) {
	t.line("%s", t.paint(bold, "source of "+Visible(s.Symbol)))
	if s.Denied {
		t.line("%s: not shown, a rule denies reading it.", Visible(s.Path))
		return
	}
	for i, line := range s.Lines {
		t.line("%6d  %s", s.Line+i, t.code(line))
	}
	if last := s.Line + len(s.Lines) - 1; last < s.EndLine {
		t.line("        [… to line %d]", s.EndLine)
	}
}

// code is a line of source with its tabs; what else steers is escaped.
func (t *text) code(line string) string {
	parts := strings.Split(line, "\t")
	for i := range parts {
		parts[i] = Visible(parts[i])
	}
	return strings.Join(parts, "\t")
}
