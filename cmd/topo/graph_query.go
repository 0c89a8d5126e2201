package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/ask"
	"github.com/topo-dev/topo/index/graph/draw"
	"github.com/topo-dev/topo/index/graph/query"
)

type graphQueryOptions struct {
	graphOptions
	Text    string
	Timeout time.Duration
	Rows    int
	Params  []string
}

// rowRecord is one row of a query's answer; its keys are the columns, in their
// order. One in JSON:
//
//	{"Row":{"f.name":"main","calls":3}}
type rowRecord struct{ Row orderedObject }

// maxQuery bounds the text of a query in bytes.
const maxQuery = 1 << 20

func newGraphQuery(f *factory, runF func(context.Context, *graphQueryOptions) error) *cobra.Command {
	opts := &graphQueryOptions{graphOptions: graphOptions{f: f}}
	cmd := &cobra.Command{
		Use:   "query 'MATCH …'",
		Short: "Answer a read-only query in a subset of openCypher",
		Long: `Answer a query in a subset of openCypher: MATCH with labels, properties and paths of
any length, WHERE, RETURN with aggregates, ORDER BY, SKIP and LIMIT. Labels are the
kinds of nodes (File, Module, Type, Function, Method, Var, External), relationship
types the kinds of edges (CONTAINS, IMPORTS, CALLS, INHERITS, REFERENCES, TESTS,
COCHANGES). What is outside of the subset is an error that names it. With - the
query is read from standard input.`,
		Example: `  topo graph query 'MATCH (a)-[:CALLS]->(b:Method) WHERE b.name ENDS WITH "Close" RETURN a.name, a.path'
  topo graph query 'MATCH (f:Function) RETURN f.name, f.cognitive ORDER BY f.cognitive DESC LIMIT 10'
  topo graph query 'MATCH (f:File)-[:IMPORTS]->(m) WHERE m.name = $name RETURN f.path' --param name=fmt`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 || strings.TrimSpace(args[0]) == "" {
				return usagef("%s: expected one query in quotes, or - to read it; as in: %s", cmd.CommandPath(), firstExample(cmd))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Text = args[0]
			if opts.Timeout <= 0 {
				return usagef("--timeout %s: must be more than 0, as in 5s", opts.Timeout)
			}
			if opts.Rows < 1 {
				return usagef("--rows %d: must be 1 or more", opts.Rows)
			}
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return opts.run(cmd.Context())
		},
	}
	cmd.Flags().DurationVar(&opts.Timeout, "timeout", query.DefaultTimeout, "longest time to run")
	cmd.Flags().IntVar(&opts.Rows, "rows", query.DefaultRows, "most rows to give")
	cmd.Flags().StringArrayVar(&opts.Params, "param", nil, "value of a $name of the query, as name=value in JSON, or else a string; may be repeated")
	addGraphFlags(cmd, &opts.graphOptions, drawFormats, 0)
	return cmd
}

// run reads the query and checks it before the index is opened.
func (o *graphQueryOptions) run(ctx context.Context) error {
	if o.Text == "-" {
		text, err := io.ReadAll(io.LimitReader(o.f.stdin(ctx), maxQuery+1))
		if err != nil {
			return err
		}
		o.Text = string(text)
	}
	if len(o.Text) > maxQuery {
		return usagef("query: longer than %d bytes; shorten it", maxQuery)
	}
	q, err := query.Compile(o.Text)
	if err != nil {
		return usageError{err}
	}
	params, err := o.params()
	if err != nil {
		return err
	}
	return o.answering(ctx, func(ctx context.Context, s *graphSession) (*answer, error) { return o.ask(ctx, s, q, params) })
}

// params are the values of --param.
func (o *graphQueryOptions) params() (map[string]any, error) {
	out := map[string]any{}
	for _, p := range o.Params {
		name, text, ok := strings.Cut(p, "=")
		if !ok || name == "" {
			return nil, usagef("--param %s: expected name=value", p)
		}
		var v any
		dec := json.NewDecoder(strings.NewReader(text))
		dec.UseNumber()
		if dec.Decode(&v) != nil || dec.More() {
			v = text
		}
		if n, ok := v.(json.Number); ok {
			if v, _ = n.Float64(); !strings.ContainsAny(string(n), ".eE") {
				v, _ = n.Int64()
			}
		}
		out[name] = v
	}
	return out, nil
}

func (o *graphQueryOptions) ask(ctx context.Context, s *graphSession, q *query.Query, params map[string]any) (*answer, error) {
	res, err := q.Run(ctx, s.g, query.Options{Params: params, Timeout: o.Timeout, Rows: o.Rows})
	var limit *query.LimitError
	var eval *query.EvalError
	switch {
	case errors.As(err, &limit), errors.As(err, &eval):
		return nil, usageError{err}
	case err != nil && ctx.Err() == nil && strings.HasPrefix(err.Error(), "parameter "):
		return nil, usageError{err}
	case err != nil:
		return nil, err
	}
	a := &answer{query: o.Text, list: "rows", truncated: res.Truncated}
	for _, row := range res.Rows {
		var rec rowRecord
		for i, c := range res.Columns {
			rec.Row.add(c, row[i])
		}
		a.others = append(a.others, rec)
	}
	a.human = func(t *graphText) { t.rows(res) }
	a.draw = func(context.Context) (*draw.Graph, error) { return drawingOf(res) }
	switch {
	case res.Truncated != "":
		a.hint("there may be more rows: add ORDER BY and LIMIT, or raise --rows and --timeout")
	case len(res.Rows) == 0:
		a.hint("no row; names are exact and cover the whole: try WHERE f.name CONTAINS '…'")
	}
	if p := firstPlace(res); p != "" {
		a.hint("next: topo graph symbol " + ask.Quote(p))
	} else {
		a.hint("next: topo graph stats shows the kinds of nodes and edges there are")
	}
	return a, nil
}

// firstPlace is the first node in the answer.
func firstPlace(res *query.Result) string {
	place := ""
	eachValue(res, func(v any) {
		if r, ok := v.(graph.Ref); ok && place == "" {
			place = ask.PlaceOf(r)
		}
	})
	return place
}

// eachValue visits every value, those within lists and paths included.
func eachValue(res *query.Result, visit func(any)) {
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
	for _, row := range res.Rows {
		for _, v := range row {
			each(v)
		}
	}
}

// drawingOf draws the nodes and relationships in the answer.
func drawingOf(res *query.Result) (*draw.Graph, error) {
	g := &draw.Graph{}
	nodes, edges := map[int]bool{}, map[draw.Edge]bool{}
	eachValue(res, func(v any) {
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
	if len(g.Nodes) == 0 && len(res.Rows) > 0 {
		return nil, usagef("--format: the answer has no node to draw; return nodes, as in: MATCH (a)-[r:CALLS]->(b) RETURN a, r, b")
	}
	return g, nil
}

// rows shows the answer as a table.
func (t *graphText) rows(res *query.Result) {
	table := [][]cell{make([]cell, len(res.Columns))}
	for i, c := range res.Columns {
		table[0][i] = cell{c, bold, len(res.Rows) > 0 && number(res.Rows[0][i])}
	}
	for _, row := range res.Rows {
		cells := make([]cell, len(row))
		for i, v := range row {
			cells[i] = cell{valueText(v), "", number(v)}
		}
		table = append(table, cells)
	}
	t.table("", table)
	t.line("%s", t.paint(dim, plural(len(res.Rows), "row")))
}

func number(v any) bool {
	switch v.(type) {
	case int64, float64:
		return true
	}
	return false
}

// valueText is a value for a person.
func valueText(v any) string {
	switch v := v.(type) {
	case nil:
		return "–"
	case string:
		return v
	case float64:
		return fmt.Sprintf("%.6g", v)
	case graph.Ref:
		return ask.PlaceOf(v)
	case query.Edge:
		return "[" + v.Kind + "]"
	case query.Path:
		var parts []string
		for i, n := range v.Nodes {
			if i > 0 {
				arrow := "-[" + v.Edges[i-1].Kind + "]->"
				if v.Edges[i-1].To != n.ID {
					arrow = "<-[" + v.Edges[i-1].Kind + "]-"
				}
				parts = append(parts, arrow)
			}
			parts = append(parts, ask.PlaceOf(n))
		}
		return strings.Join(parts, " ")
	case []any:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = valueText(e)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return fmt.Sprint(v)
}
