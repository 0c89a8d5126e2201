package answer

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/ask"
	"github.com/topo-dev/topo/internal/fault"
)

// File is what the graph knows of a file.
type File struct {
	Head
	Symbols []SymbolRecord // the file, then what it defines, with their Measures
	Edges   []EdgeRecord   // to and from the file
	Tail
}

// File tells of a file: its history, what it defines, imports and is imported
// by. Of the options only Limit counts.
func (s *Session) File(ctx context.Context, place string, o SymbolOptions) (*File, error) {
	p, err := s.Find(place)
	if err != nil {
		return nil, err
	}
	p.Only(func(n *graph.Node) bool { return n.Kind == graph.NodeFile })
	n := &p.Nodes[0]
	id, ok := s.Index.Lookup(n.Path)
	if n.Kind != graph.NodeFile || len(p.Nodes) > 1 || !ok {
		return nil, fault.Usagef("%s: not a file of the index%s", place, filesMeant(p))
	}
	nodes, err := s.FileNodes(id)
	if err != nil {
		return nil, err
	}
	e := &edgeLister{s: s, limit: orDefault(o.Limit, 200), seen: map[edgeKey]bool{}}
	if err := e.add(n, false); err != nil {
		return nil, err
	}
	for i := range nodes[1:] {
		d := &nodes[1+i]
		rec := symbolOf(d.Ref())
		rec.Measures = measuresOf(d)
		e.symbols = append(e.symbols, rec)
		e.ids = append(e.ids, d.ID)
	}
	a := &File{Head: s.head("file-answer", "file "+place), Symbols: e.symbols, Edges: e.edges, Tail: s.tail()}
	if a.Edges == nil {
		a.Edges = []EdgeRecord{}
	}
	a.TotalSymbols = len(a.Symbols)
	a.draw = s.drawing(e.ids, allKinds(), allIDs(nodes[:1]))
	if e.cut {
		a.cut("edges")
		a.hint(fmt.Sprintf("only %d edges of each kind are listed; {limit} 0 gives all", e.limit))
	}
	if len(nodes) > 1 {
		a.next("symbol", placeOf(nodes[1].Ref()))
	}
	a.next("impact", n.Path)
	s.noteStale(ctx, &a.Tail, a.Symbols, a.Edges)
	return a, nil
}

// filesMeant says which files a name may mean.
func filesMeant(p *ask.Places) string {
	var paths []string
	for _, n := range p.Nodes {
		if n.Path != "" && len(paths) < ask.NearMost && (len(paths) == 0 || paths[len(paths)-1] != n.Path) {
			paths = append(paths, n.Path)
		}
	}
	if len(paths) > 0 {
		return "; did you mean " + strings.Join(paths, ", ") + "?"
	}
	return "; give the path of one, as topo scan lists it"
}

// Records are the file, its definitions and the edges.
func (a *File) Records() []any { return append(anys(a.Symbols), anys(a.Edges)...) }

// Text shows the file and what it defines.
func (a *File) Text(w io.Writer, o TextOptions) {
	t := newText(w, o)
	defined := a.Symbols[1:]
	t.symbols(a.Symbols[:1], a.Edges)
	if len(defined) == 0 {
		return
	}
	t.line("  %s", t.paint(bold, "defines"))
	rows := [][]cell{head(">line", "kind", "name", ">lines", ">cyclomatic", ">cognitive", ">fan-in", ">fan-out")}
	for i := range defined {
		r := &defined[i]
		row := []cell{figure(r.Line), {r.Kind, cyan, false}, {r.Symbol, bold, false}, {}, {}, {}, figure(r.Measures.FanIn), figure(r.Measures.FanOut)}
		if r.runs() {
			row[3], row[4], row[5] = figure(r.Measures.Lines), figure(r.Measures.Cyclomatic), figure(r.Measures.Cognitive)
		}
		rows = append(rows, row)
	}
	t.table("    ", rows)
}
