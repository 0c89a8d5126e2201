package codebase

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/index/fresh"
	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/algo"
	"github.com/topo-dev/topo/index/graph/query"
)

type queryInput struct {
	Ask    string `json:"ask,omitempty" jsonschema:"A ready-made question" tool:"enum=callers|callees|importers|imports|subtypes|supertypes|cycles|hotspots|most_used|most_complex|stats"`
	Of     string `json:"of,omitempty" jsonschema:"What callers, callees, importers, imports, subtypes and supertypes are asked of: a name, path:name, path:line or a path"`
	Cypher string `json:"cypher,omitempty" jsonschema:"Instead of ask: a read-only query in a subset of openCypher" tool:"max=100000"`
	Limit  int    `json:"limit,omitempty" jsonschema:"How many rows" tool:"min=1,max=300,default=50"`
}

func (b *base) queryTool() agent.Tool { return define(b, "query_graph", b.query) }

// question is one of the ready-made ones.
type question struct {
	name    string
	of      bool // needs a place
	kind    graph.EdgeKind
	reverse bool
	answer  func(context.Context, *fresh.Snapshot, int, *text) error
	next    string
}

// questions lists the ready-made questions.
func questions() []question {
	const (
		users  = "symbol shows one with its source; analyze_impact shows the blast radius"
		deeper = "trace_dependencies follows the edges further"
	)
	return []question{
		{name: "callees", of: true, kind: graph.EdgeCalls, next: deeper},
		{name: "callers", of: true, kind: graph.EdgeCalls, reverse: true, next: users},
		{name: "cycles", answer: askCycles, next: "a cycle is broken at its least used edge: query_graph callers or importers show the users"},
		{name: "hotspots", answer: askHotspots, next: "get_findings shows what the detectors say of such a file"},
		{name: "importers", of: true, kind: graph.EdgeImports, reverse: true, next: users},
		{name: "imports", of: true, kind: graph.EdgeImports, next: deeper},
		{name: "most_complex", answer: askCypher(`MATCH (f) WHERE f.cognitive > 0 RETURN f, f.cognitive, f.cyclomatic, f.lines ORDER BY f.cognitive DESC`), next: users},
		{name: "most_used", answer: askCypher(`MATCH (f:Type|Function|Method|Var) WHERE f.fanin > 0 RETURN f, f.fanin ORDER BY f.fanin DESC`), next: users},
		{name: "stats", answer: askStats, next: "outline shows the folders; query_graph most_used shows what everything stands on"},
		{name: "subtypes", of: true, kind: graph.EdgeInherits, reverse: true, next: users},
		{name: "supertypes", of: true, kind: graph.EdgeInherits, next: users},
	}
}

func (b *base) query(ctx context.Context, v *fresh.Snapshot, in queryInput, t *text) error {
	limit := orDefault(in.Limit, 50)
	if (in.Ask == "") == (in.Cypher == "") {
		return errors.New("give either ask, one of the ready-made questions, or cypher, a query")
	}
	if in.Cypher != "" {
		if err := cypher(ctx, v, in.Cypher, limit, t); err != nil {
			return err
		}
		t.hint("symbol shows one of the places with its edges")
		return nil
	}
	all := questions()
	q := all[slices.IndexFunc(all, func(q question) bool { return q.name == in.Ask })] // the schema knows no other
	t.hint("%s", q.next)
	if q.answer != nil {
		return q.answer(ctx, v, limit, t)
	}
	if in.Of == "" {
		return fmt.Errorf("of is missing: say whose %s, such as Server.Close or net/server.go", in.Ask)
	}
	return q.neighbours(ctx, v, in.Of, limit, t)
}

// neighbours lists what is one edge away.
func (q question) neighbours(ctx context.Context, v *fresh.Snapshot, of string, limit int, t *text) error {
	p, err := v.Find(of)
	if err != nil {
		return err
	}
	from := p.IDs()
	if q.kind == graph.EdgeCalls || q.kind == graph.EdgeImports {
		if from, err = v.Starts(p, q.kind, q.reverse); err != nil {
			return err
		}
	}
	found, more, err := algo.Walk(ctx, v.Graph, from, algo.WalkOptions{Kinds: []graph.EdgeKind{q.kind}, Reverse: q.reverse, Limit: limit})
	if err != nil {
		return err
	}
	t.several(p)
	if len(found) == 0 {
		t.line("No %s of %s are known.", q.name, visible(of))
		t.hint("dynamic uses are not seen: grep for the name as well")
		return nil
	}
	t.line("%s of %s: %d, the surest first", q.name, visible(of), len(found))
	sites, err := q.sites(ctx, v, from, found)
	if err != nil {
		return err
	}
	for i, r := range found {
		t.line("  %s%s", describeRef(r.Ref), confidenceSuffix(r.Confidence))
		t.sites(sites[i])
	}
	if more {
		t.hint("there are more: raise limit, or ask of a narrower place")
	}
	return nil
}

func askCycles(ctx context.Context, v *fresh.Snapshot, limit int, t *text) error {
	cycles, err := algo.Cycles(ctx, v.Graph, []graph.EdgeKind{graph.EdgeImports})
	if err != nil {
		return err
	}
	t.line("%s of imports", plural(len(cycles), "cycle"))
	for _, c := range cycles[:min(len(cycles), limit)] {
		var names []string
		for _, r := range c.Example {
			names = append(names, visible(r.Name))
		}
		t.line("  %s: %s → %s", plural(c.Size, "file"), strings.Join(names, " → "), names[0])
	}
	return nil
}

func askHotspots(ctx context.Context, v *fresh.Snapshot, limit int, t *text) error {
	spots, err := Hotspots(ctx, v, limit)
	if err != nil {
		return err
	}
	if len(spots) == 0 {
		t.line("No file with functions has a history in the index.")
		return nil
	}
	t.line("Files that change often and are hard to change:")
	for _, h := range spots {
		t.line("  %s  %s, cognitive complexity %d in %s; worst %s", visible(h.Path), plural(h.Churn, "commit"), h.Complexity,
			plural(h.Functions, "function"), describeRef(h.Worst))
	}
	return nil
}

// Hotspots ranks the files of a view by churn × complexity.
func Hotspots(ctx context.Context, v *fresh.Snapshot, limit int) ([]algo.Hotspot, error) {
	churn, err := v.Churn()
	if err != nil {
		return nil, err
	}
	return algo.Hotspots(ctx, v.Graph, churn, limit)
}

func askStats(ctx context.Context, v *fresh.Snapshot, _ int, t *text) error {
	nodes, unknown := map[string]int{}, 0
	for id := range v.Graph.NumNodes() {
		if id%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		n, err := v.Graph.Node(id)
		if err != nil {
			return err
		}
		nodes[n.Kind.String()]++
		unknown += n.Unknown
	}
	languages := map[string]int{}
	for _, f := range v.Files {
		languages[f.Language]++
	}
	t.line("%s, %s, %s", plural(len(v.Files), "file"), plural(v.Graph.NumNodes(), "node"), plural(v.Graph.NumEdges(), "edge"))
	t.line("nodes: %s", counted(nodes))
	t.line("files by language: %s", counted(languages))
	t.line("calls whose target is not known: %d", unknown)
	return nil
}

// counted lists counts, the highest first.
func counted(m map[string]int) string {
	names := make([]string, 0, len(m))
	for n := range m {
		names = append(names, n)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(m[b], m[a]), cmp.Compare(a, b)) })
	for i, n := range names {
		shown := n
		if n == "" {
			shown = "other"
		}
		names[i] = fmt.Sprintf("%s %d", shown, m[n])
	}
	return strings.Join(names, ", ")
}

// askCypher is a ready-made question that is a query.
func askCypher(src string) func(context.Context, *fresh.Snapshot, int, *text) error {
	return func(ctx context.Context, v *fresh.Snapshot, limit int, t *text) error {
		return cypher(ctx, v, fmt.Sprintf("%s LIMIT %d", src, limit), limit, t)
	}
}

// queryTimeout bounds a query: a model does not wait longer for a row.
const queryTimeout = 5 * time.Second

func cypher(ctx context.Context, v *fresh.Snapshot, src string, limit int, t *text) error {
	q, err := query.Compile(src)
	if err != nil {
		return fmt.Errorf("%w; the subset is MATCH with labels (File, Module, Type, Function, Method, Var, External), relationships (CONTAINS, IMPORTS, CALLS, INHERITS, REFERENCES, TESTS, COCHANGES) and properties, WHERE, RETURN, ORDER BY, SKIP and LIMIT", err)
	}
	res, err := q.Run(ctx, v.Graph, query.Options{Timeout: queryTimeout, Rows: limit})
	if err != nil {
		return err
	}
	t.line("%s", strings.Join(res.Columns, " | "))
	for _, row := range res.Rows {
		cells := make([]string, len(row))
		for i, value := range row {
			cells[i] = cellOf(value)
		}
		t.line("%s", strings.Join(cells, " | "))
	}
	if len(res.Rows) == 0 {
		t.line("(no row)")
		t.hint("names are exact and cover the whole: try WHERE f.name CONTAINS '…'")
	}
	if res.Truncated != "" {
		t.line("[… cut short by the limit of %s]", res.Truncated)
	}
	return nil
}

// cellOf is a value of a row as text.
func cellOf(value any) string {
	switch v := value.(type) {
	case graph.Ref:
		return describeRef(v)
	case query.Path:
		var parts []string
		for _, n := range v.Nodes {
			parts = append(parts, describeRef(n))
		}
		return strings.Join(parts, " → ")
	case string:
		return visible(v)
	}
	b, err := json.Marshal(value)
	if err != nil {
		return "?"
	}
	return visible(string(b))
}
