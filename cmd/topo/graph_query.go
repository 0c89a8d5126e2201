package main

import (
	"context"
	"encoding/json"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/answer"
)

// maxQuery bounds the text of a query in bytes.
const maxQuery = 1 << 20

func graphQuery(f *factory) *cobra.Command {
	o := &graphOptions{f: f}
	var q answer.QueryOptions
	var params []string
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
			if q.Timeout <= 0 {
				return usagef("--timeout %s: must be more than 0, as in 5s", q.Timeout)
			}
			if q.Rows < 1 {
				return usagef("--rows %d: must be 1 or more", q.Rows)
			}
			text, err := readQuery(cmd.Context(), f, args[0])
			if err != nil {
				return err
			}
			if q.Params, err = queryParams(params); err != nil {
				return err
			}
			return o.answer(cmd.Context(), nil, func(ctx context.Context, s *answer.Session, _ []string) (answer.Answer, error) {
				return s.Query(ctx, text, q)
			})
		},
	}
	cmd.Flags().DurationVar(&q.Timeout, "timeout", answer.DefaultQueryTimeout, "longest time to run")
	cmd.Flags().IntVar(&q.Rows, "rows", answer.DefaultQueryRows, "most rows to give")
	cmd.Flags().StringArrayVar(&params, "param", nil, "value of a $name of the query, as name=value in JSON, or else a string; may be repeated")
	addGraphFlags(cmd, o, drawFormats, 0)
	return cmd
}

// readQuery is the text of a query, checked before the index is opened.
func readQuery(ctx context.Context, f *factory, text string) (string, error) {
	if text == "-" {
		b, err := io.ReadAll(io.LimitReader(f.stdin(ctx), maxQuery+1))
		if err != nil {
			return "", err
		}
		text = string(b)
	}
	if len(text) > maxQuery {
		return "", usagef("query: longer than %d bytes; shorten it", maxQuery)
	}
	if err := answer.CheckQuery(text); err != nil {
		return "", usageError{err}
	}
	return text, nil
}

// queryParams are the values of --param.
func queryParams(list []string) (map[string]any, error) {
	out := map[string]any{}
	for _, p := range list {
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
