package answer

import (
	"context"
	"fmt"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/internal/fault"
)

// SymbolOptions bound what is told of a definition or file. Of the limits 0 is
// the default and less than 0 no limit.
type SymbolOptions struct {
	Limit  int // most edges of each kind and direction; 0 for 20, of a file 200
	Places int // most definitions of the name; 0 for all
	Source int // most lines of source text of each definition; 0 for none
}

// Symbol is what the graph knows of the definitions of a name.
type Symbol struct {
	Head
	Symbols []SymbolRecord // the definitions, with their Measures
	Edges   []EdgeRecord   // to and from them
	Sources []Source       `json:",omitempty"` // their text, when it was asked for
	Places  int            // how many definitions have the name
	Tail
}

// Source is the text of a definition.
type Source struct {
	Symbol  string // as a place
	Path    string
	Line    int      // of the first of Lines, 1-based
	EndLine int      // where the definition ends
	Lines   []string // in their order; not all of a long definition
	Denied  bool     `json:",omitempty"` // a rule denies to show it
}

// Symbol tells of the definitions that a place names: their figures and every
// edge to and from them.
func (s *Session) Symbol(ctx context.Context, place string, o SymbolOptions) (*Symbol, error) {
	p, err := s.Find(place)
	if err != nil {
		return nil, err
	}
	if p.Folder {
		return nil, fault.Usagef("%s: a folder has no figures of its own; callers, callees, importers, imports and impact take one", place)
	}
	a := &Symbol{Head: s.head("symbol-answer", "symbol "+place), Edges: []EdgeRecord{}, Places: len(p.Nodes), Tail: s.tail()}
	e := &edgeLister{s: s, limit: orDefault(o.Limit, 20), seen: map[edgeKey]bool{}}
	nodes := p.Nodes
	if most := orDefault(o.Places, 0); most > 0 && len(nodes) > most {
		nodes = nodes[:most]
		a.cut("places")
	}
	for i := range nodes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := e.add(&nodes[i], true); err != nil {
			return nil, err
		}
		if err := a.source(s, &nodes[i], o.Source); err != nil {
			return nil, err
		}
	}
	if a.Edges, err = e.done(ctx); err != nil {
		return nil, err
	}
	a.Symbols, a.TotalSymbols = e.symbols, len(e.symbols)
	a.draw = s.drawing(e.ids, allKinds(), allIDs(nodes))
	if e.cut {
		a.cut("edges")
		a.hint(fmt.Sprintf("only %d edges of each kind are listed; {limit} 0 gives all", e.limit))
	}
	a.several(p, "symbol")
	switch first := placeOf(nodes[0].Ref()); nodes[0].Kind {
	case graph.NodeFile, graph.NodeModule, graph.NodeExternal:
		a.next("importers", first)
	default:
		a.next("impact", first)
	}
	s.noteStale(ctx, &a.Tail, a.Symbols, a.Edges)
	return a, nil
}

// source adds the text of a definition.
func (a *Symbol) source(s *Session, n *graph.Node, most int) error {
	if most == 0 || n.Line == 0 {
		return nil
	}
	src := Source{Symbol: placeOf(n.Ref()), Path: n.Path, Line: n.Line, EndLine: n.EndLine, Lines: []string{}}
	if src.Denied = !s.readable(n.Path); !src.Denied {
		id, ok := s.Index.Lookup(n.Path)
		if !ok {
			return s.Index.Err()
		}
		content, err := s.Index.Content(id, nil)
		if err != nil {
			return err
		}
		src.Lines = linesOf(s.masked(content), n.Line, n.EndLine, orDefault(most, 0))
	}
	a.Sources = append(a.Sources, src)
	return nil
}

// allKinds are the kinds of edges in their order.
func allKinds() []graph.EdgeKind {
	var all []graph.EdgeKind
	for k := graph.EdgeContains; k <= graph.EdgeCoChanges; k++ {
		all = append(all, k)
	}
	return all
}

// Records are the symbols and their edges.
func (a *Symbol) Records() []any { return append(anys(a.Symbols), anys(a.Edges)...) }
