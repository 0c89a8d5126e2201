package answer

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/draw"
	"github.com/topo-dev/topo/index/graph/query"
	"github.com/topo-dev/topo/internal/english"
	"github.com/topo-dev/topo/internal/fault"
)

// RowRecord is one row of a query's answer; its keys are the columns, in their
// order. One in JSON:
//
//	{"Record":"row","Row":{"f.name":"main","calls":3}}
type RowRecord struct{ Row Object }

// QueryOptions bound a query.
type QueryOptions struct {
	Params  map[string]any // values of $names
	Timeout time.Duration  // 0 for the default of package query
	Rows    int            // most rows; 0 for the default of package query
}

// Defaults of [QueryOptions].
const (
	DefaultQueryTimeout = query.DefaultTimeout
	DefaultQueryRows    = query.DefaultRows
)

// CheckQuery reports what is wrong with a query, as [Session.Query] would.
func CheckQuery(src string) error {
	_, err := query.Compile(src)
	return fault.Of(fault.Usage, err)
}

// Query is the answer to a query.
type Query struct {
	Head
	Columns []string
	Rows    []RowRecord
	Tail
}

// Query answers a query in a subset of openCypher.
func (s *Session) Query(ctx context.Context, src string, o QueryOptions) (*Query, error) {
	q, err := query.Compile(src)
	if err != nil {
		return nil, fault.Of(fault.Usage, err)
	}
	res, err := q.Run(ctx, s.Graph, query.Options{Params: o.Params, Timeout: o.Timeout, Rows: o.Rows})
	var limit *query.LimitError
	var eval *query.EvalError
	switch {
	case errors.As(err, &limit), errors.As(err, &eval), err != nil && ctx.Err() == nil && strings.HasPrefix(err.Error(), "parameter "):
		return nil, fault.Of(fault.Usage, err)
	case err != nil:
		return nil, err
	}
	a := &Query{Head: s.head("query-answer", src), Columns: res.Columns, Rows: []RowRecord{}, Tail: s.tail()}
	a.Truncated = res.Truncated
	for _, row := range res.Rows {
		var rec RowRecord
		for i, c := range res.Columns {
			rec.Row.Add(c, row[i])
		}
		a.Rows = append(a.Rows, rec)
	}
	a.draw = func(context.Context) (*draw.Graph, error) { return a.drawing() }
	switch {
	case res.Truncated != "":
		a.hint("there may be more rows: add ORDER BY and LIMIT, or raise {rows} and {timeout}")
	case len(res.Rows) == 0:
		a.hint("no row; names are exact and cover the whole: try WHERE f.name CONTAINS '…'")
	}
	if p := a.firstPlace(); p != "" {
		a.next("symbol", p)
	} else {
		a.hint("next: {ask} shows the kinds of nodes and edges there are", Ask{Question: "stats"})
	}
	return a, nil
}

// firstPlace is the first node in the answer.
func (a *Query) firstPlace() (place string) {
	a.eachValue(func(v any) {
		if r, ok := v.(graph.Ref); ok && place == "" {
			place = placeOf(r)
		}
	})
	return place
}

// eachValue visits every value, those within lists and paths included.
func (a *Query) eachValue(visit func(any)) {
	var each func(any)
	each = func(v any) {
		visit(v)
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				each(e)
			}
		case query.Path:
			for _, n := range v.Nodes {
				each(n)
			}
			for _, e := range v.Edges {
				each(e)
			}
		}
	}
	for _, rec := range a.Rows {
		for _, f := range rec.Row {
			each(f.Value)
		}
	}
}

// drawing draws the nodes and relationships in the answer.
func (a *Query) drawing() (*draw.Graph, error) {
	g := &draw.Graph{}
	nodes, edges := map[int]bool{}, map[draw.Edge]bool{}
	a.eachValue(func(v any) {
		switch v := v.(type) {
		case graph.Ref:
			if !nodes[v.ID] {
				nodes[v.ID] = true
				g.Nodes = append(g.Nodes, v)
			}
		case query.Edge:
			e := draw.Edge{From: v.From, To: v.To, Confidence: graph.Confidence(v.Confidence*100 + 0.5)}
			for _, k := range allKinds() {
				if k.String() == v.Kind {
					e.Kind = k
				}
			}
			if !edges[e] {
				edges[e] = true
				g.Edges = append(g.Edges, e)
			}
		}
	})
	if len(g.Nodes) == 0 && len(a.Rows) > 0 {
		return nil, fault.Usagef("the answer has no node to draw; return nodes, as in: MATCH (a)-[r:CALLS]->(b) RETURN a, r, b")
	}
	return g, nil
}

// Records are the rows.
func (a *Query) Records() []any { return anys(a.Rows) }

// Text shows the answer as a table.
func (a *Query) Text(w io.Writer, o TextOptions) {
	t := newText(w, o)
	first := make([]cell, len(a.Columns))
	for i, c := range a.Columns {
		first[i] = cell{c, bold, len(a.Rows) > 0 && number(a.Rows[0].Row[i].Value)}
	}
	table := [][]cell{first}
	for _, rec := range a.Rows {
		cells := make([]cell, len(rec.Row))
		for i, f := range rec.Row {
			cells[i] = cell{valueText(f.Value), "", number(f.Value)}
		}
		table = append(table, cells)
	}
	t.table("", table)
	t.line("%s", t.paint(dim, english.Count(len(a.Rows), "row")))
}
