package codebase

import (
	"cmp"
	"context"
	"fmt"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/answer"
	"github.com/topo-dev/topo/index/graph"
)

type symbolInput struct {
	Name   string `json:"name" jsonschema:"A name (Close, Server.Close), path:name, path:line or a path" tool:"min=1,max=1000"`
	Source bool   `json:"source,omitempty" jsonschema:"Show the source text too"`
}

// How much of a symbol is told.
const (
	symbolPlaces = 6   // definitions of one name
	symbolEdges  = 8   // edges of one kind and direction
	symbolLines  = 150 // lines of source
)

func (b *base) symbolTool() agent.Tool {
	return defineAnswer(b, "symbol", []answer.Answer{&answer.Symbol{}}, symbol)
}

func symbol(ctx context.Context, s *answer.Session, in symbolInput) (r reply, err error) {
	o := answer.SymbolOptions{Limit: symbolEdges, Places: symbolPlaces}
	if in.Source {
		o.Source = symbolLines
	} else {
		r.hints = []string{"symbol with source true, or read, shows the code"}
	}
	r.Answer, err = s.Symbol(ctx, in.Name, o)
	return r, err
}

type outlineInput struct {
	Path string `json:"path,omitempty" jsonschema:"A file or a folder, relative to the root; the whole repository when left out"`
}

func (b *base) outlineTool() agent.Tool {
	return defineAnswer(b, "outline", []answer.Answer{&answer.Outline{}}, outline)
}

func outline(ctx context.Context, s *answer.Session, in outlineInput) (r reply, err error) {
	if r.Answer, err = s.Outline(ctx, in.Path); err != nil {
		err = fmt.Errorf("%w; glob or ls show what there is", err)
	}
	return r, err
}

type traceInput struct {
	From      string `json:"from" jsonschema:"Where to start: a name, path:name, path:line or a path" tool:"min=1,max=1000"`
	To        string `json:"to,omitempty" jsonschema:"Find a shortest way to this place instead of listing what is reached"`
	Direction string `json:"direction,omitempty" jsonschema:"uses follows what from depends on, used_by what depends on it" tool:"enum=uses|used_by,default=uses"`
	Kind      string `json:"kind,omitempty" jsonschema:"Which edges to follow; all takes calls, imports, inheritance and references" tool:"enum=calls|imports|inherits|references|all,default=calls"`
	Depth     int    `json:"depth,omitempty" jsonschema:"How many edges in a row" tool:"min=1,max=10,default=3"`
	Limit     int    `json:"limit,omitempty" jsonschema:"How many places to list" tool:"min=1,max=300,default=80"`
}

// traceKinds are the edges that a trace may follow.
func traceKinds(name string) []string {
	if name == "all" {
		return []string{"imports", "calls", "inherits", "references"}
	}
	return []string{cmp.Or(name, "calls")}
}

func (b *base) traceTool() agent.Tool {
	return defineAnswer(b, "trace_dependencies", []answer.Answer{&answer.Walk{}, &answer.Path{}}, trace)
}

func trace(ctx context.Context, s *answer.Session, in traceInput) (r reply, err error) {
	usedBy := in.Direction == "used_by"
	if in.To != "" {
		if usedBy {
			in.From, in.To = in.To, in.From
		}
		way, err := s.Path(ctx, in.From, in.To, answer.PathOptions{Kinds: append([]string{graph.EdgeContains.String()}, traceKinds(in.Kind)...)})
		if err != nil {
			return r, err
		}
		r.Answer = way
		if len(way.Symbols) == 0 {
			r.hints = []string{"kind all looks wider; direction used_by looks the other way round"}
		}
		return r, nil
	}
	kinds, err := answer.EdgeKinds(traceKinds(in.Kind))
	if err != nil {
		return r, err
	}
	found, err := s.Walk(ctx, in.From, answer.Uses(kinds, usedBy), answer.WalkOptions{Depth: orDefault(in.Depth, 3), Limit: orDefault(in.Limit, 80), Sites: 1})
	if err != nil {
		return r, err
	}
	r.Answer = found
	if len(found.Symbols) == 0 {
		r.hints = []string{"kind all follows imports, inheritance and references too; direction turns the question round", "a dynamic call is not seen: grep for the name as well"}
	}
	return r, nil
}
