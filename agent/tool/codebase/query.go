package codebase

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/answer"
	"github.com/topo-dev/topo/index/graph/query"
)

type queryInput struct {
	Ask    string `json:"ask,omitempty" jsonschema:"A ready-made question" tool:"enum=callers|callees|importers|imports|subtypes|supertypes|cycles|hotspots|most_used|most_complex|stats"`
	Of     string `json:"of,omitempty" jsonschema:"What callers, callees, importers, imports, subtypes and supertypes are asked of: a name, path:name, path:line or a path"`
	Cypher string `json:"cypher,omitempty" jsonschema:"Instead of ask: a read-only query in a subset of openCypher" tool:"max=100000"`
	Limit  int    `json:"limit,omitempty" jsonschema:"How many rows" tool:"min=1,max=300,default=50"`
}

func (b *base) queryTool() agent.Tool {
	return defineAnswer(b, "query_graph", []answer.Answer{&answer.Walk{}, &answer.Query{}, &answer.Cycles{}, &answer.Hotspots{}, &answer.Stats{}}, queryGraph)
}

// whole is a ready-made question about the whole graph.
type whole struct {
	name   string
	answer func(context.Context, *answer.Session, int) (answer.Answer, error)
}

// wholes are the questions that need no place; [answer.Relations] lists those
// that do.
func wholes() []whole {
	return []whole{
		{"cycles", func(ctx context.Context, s *answer.Session, limit int) (answer.Answer, error) {
			return s.Cycles(ctx, answer.CyclesOptions{Limit: limit})
		}},
		{"hotspots", func(ctx context.Context, s *answer.Session, limit int) (answer.Answer, error) {
			return s.Hotspots(ctx, limit)
		}},
		{"most_complex", ready(`MATCH (f) WHERE f.cognitive > 0 RETURN f, f.cognitive, f.cyclomatic, f.lines ORDER BY f.cognitive DESC`)},
		{"most_used", ready(`MATCH (f:Type|Function|Method|Var) WHERE f.fanin > 0 RETURN f, f.fanin ORDER BY f.fanin DESC`)},
		{"stats", func(ctx context.Context, s *answer.Session, _ int) (answer.Answer, error) { return s.Stats(ctx) }},
	}
}

// ready is a ready-made question that is a query.
func ready(src string) func(context.Context, *answer.Session, int) (answer.Answer, error) {
	return func(ctx context.Context, s *answer.Session, limit int) (answer.Answer, error) {
		return cypher(ctx, s, fmt.Sprintf("%s LIMIT %d", src, limit), limit)
	}
}

func queryGraph(ctx context.Context, s *answer.Session, in queryInput) (r reply, err error) {
	limit, all := orDefault(in.Limit, 50), wholes()
	at := slices.IndexFunc(all, func(q whole) bool { return q.name == in.Ask })
	switch {
	case (in.Ask == "") == (in.Cypher == ""):
		return r, errors.New("give either ask, one of the ready-made questions, or cypher, a query")
	case in.Cypher != "":
		r.Answer, err = cypher(ctx, s, in.Cypher, limit)
		return r, err
	case at >= 0:
		r.Answer, err = all[at].answer(ctx, s, limit)
		return r, err
	case in.Of == "":
		return r, fmt.Errorf("of is missing: say whose %s, such as Server.Close or net/server.go", in.Ask)
	}
	relation, err := answer.RelationOf(in.Ask)
	if err != nil {
		return r, err
	}
	r.Answer, err = s.Walk(ctx, in.Of, relation, answer.WalkOptions{Limit: limit})
	return r, err
}

// queryTimeout bounds a query: a model does not wait longer for a row.
const queryTimeout = 5 * time.Second

func cypher(ctx context.Context, s *answer.Session, src string, limit int) (answer.Answer, error) {
	if _, err := query.Compile(src); err != nil {
		return nil, fmt.Errorf("%w; the subset is MATCH with labels (File, Module, Type, Function, Method, Var, External), relationships (CONTAINS, IMPORTS, CALLS, INHERITS, REFERENCES, TESTS, COCHANGES) and properties, WHERE, RETURN, ORDER BY, SKIP and LIMIT", err)
	}
	return s.Query(ctx, src, answer.QueryOptions{Timeout: queryTimeout, Rows: limit})
}
