package query

import (
	"fmt"
	"math"
	"reflect"

	"github.com/topo-dev/topo/index/graph"
)

// Result is the answer to a query. One in JSON:
//
//	{"Columns":["f.name","calls"],"Rows":[["main",3],["run",null]],"Steps":120}
//
// A value is null, true or false, a whole number (int64), another number
// (float64), a string, a list, a node (graph.Ref), a relationship (Edge) or a
// path (Path).
type Result struct {
	Columns   []string
	Rows      [][]any
	Truncated string `json:",omitempty"` // the limit that cut the rows short: rows, time, steps or memory
	Steps     int64  // nodes and edges looked at
}

// Edge is a relationship in results. One in JSON:
//
//	{"From":3,"To":9,"Kind":"calls","Confidence":0.9,"Reason":"known receiver type"}
type Edge struct {
	From, To   int // ids of nodes
	Kind       string
	Confidence float64 // 0 to 1
	Reason     string
}

// Path is a path in results: Edges[i] lies between Nodes[i] and Nodes[i+1].
type Path struct {
	Nodes []graph.Ref
	Edges []Edge
}

// export turns an inner value into one of results.
func (r *run) export(v any) (any, error) {
	switch v := v.(type) {
	case nodeRef:
		n, err := r.load(int(v))
		return n.Ref(), err
	case Rel:
		return v.export(), nil
	case trail:
		p := Path{Nodes: make([]graph.Ref, len(v.nodes)), Edges: make([]Edge, len(v.rels))}
		for i, id := range v.nodes {
			n, err := r.load(id)
			if err != nil {
				return nil, err
			}
			p.Nodes[i] = n.Ref()
		}
		for i, rel := range v.rels {
			p.Edges[i] = rel.export()
		}
		return p, nil
	case []any:
		list := make([]any, len(v))
		for i, e := range v {
			var err error
			if list[i], err = r.export(e); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	return v, nil
}

func (r Rel) export() Edge {
	return Edge{From: r.From, To: r.To, Kind: r.Kind.String(), Confidence: float64(r.Confidence) / 100, Reason: r.Kind.Reason(r.Confidence)}
}

// bindParams brings the parameters into the executor's types and checks that
// every one the query names is there.
func (r *run) bindParams(given map[string]any) error {
	r.params = map[string]any{}
	for name, v := range given {
		p, err := parameter(v, 0)
		if err != nil {
			return fmt.Errorf("parameter $%s: %w", name, err)
		}
		r.params[name] = p
	}
	var missing error
	need := func(x *expr) {
		if _, ok := r.params[x.name]; x.op == opParam && !ok && missing == nil {
			missing = r.fail(x, "no value given for the parameter $%s", x.name)
		}
	}
	r.query.stmt.eachExpression(func(x *expr) { x.all(need) })
	for _, x := range []*expr{r.query.stmt.skip, r.query.stmt.limit} {
		if x != nil {
			x.all(need)
		}
	}
	return missing
}

// all calls f with x and every expression within it, patterns included.
func (x *expr) all(f func(*expr)) {
	f(x)
	for _, a := range x.args {
		a.all(f)
	}
	if x.pattern != nil {
		for _, w := range x.pattern.where {
			w.all(f)
		}
	}
}

// maxNesting bounds lists within lists of a parameter.
const maxNesting = 8

func parameter(v any, depth int) (any, error) {
	value := reflect.ValueOf(v)
	switch {
	case v == nil:
		return nil, nil
	case value.CanInt():
		return value.Int(), nil
	case value.CanUint() && value.Uint() <= math.MaxInt64:
		return int64(value.Uint()), nil
	case value.CanFloat() && !math.IsNaN(value.Float()) && !math.IsInf(value.Float(), 0):
		return value.Float(), nil
	case value.Kind() == reflect.String:
		return value.String(), nil
	case value.Kind() == reflect.Bool:
		return value.Bool(), nil
	case value.Kind() == reflect.Slice && depth < maxNesting:
		list := make([]any, value.Len())
		for i := range list {
			var err error
			if list[i], err = parameter(value.Index(i).Interface(), depth+1); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	return nil, fmt.Errorf("%T is no value of a query: give null, true, false, a number, a string or a list of those", v)
}
