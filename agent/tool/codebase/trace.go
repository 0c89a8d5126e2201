package codebase

import (
	"context"
	"strings"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/index/fresh"
	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/algo"
)

type traceInput struct {
	From      string `json:"from" jsonschema:"Where to start: a name, path:name, path:line or a path" tool:"min=1,max=1000"`
	To        string `json:"to,omitempty" jsonschema:"Find a shortest way to this place instead of listing what is reached"`
	Direction string `json:"direction,omitempty" jsonschema:"uses follows what from depends on, used_by what depends on it" tool:"enum=uses|used_by,default=uses"`
	Kind      string `json:"kind,omitempty" jsonschema:"Which edges to follow; all takes calls, imports, inheritance and references" tool:"enum=calls|imports|inherits|references|all,default=calls"`
	Depth     int    `json:"depth,omitempty" jsonschema:"How many edges in a row" tool:"min=1,max=10,default=3"`
	Limit     int    `json:"limit,omitempty" jsonschema:"How many places to list" tool:"min=1,max=300,default=80"`
}

// traceKinds are the edges that a trace may follow.
var traceKinds = map[string][]graph.EdgeKind{
	"calls":      {graph.EdgeCalls},
	"imports":    {graph.EdgeImports},
	"inherits":   {graph.EdgeInherits},
	"references": {graph.EdgeReferences},
	"all":        {graph.EdgeImports, graph.EdgeCalls, graph.EdgeInherits, graph.EdgeReferences},
}

func (b *base) traceTool() agent.Tool { return define(b, "trace_dependencies", b.trace) }

func (b *base) trace(ctx context.Context, v *fresh.Snapshot, in traceInput, t *text) error {
	if in.Kind == "" {
		in.Kind = "calls"
	}
	if in.To != "" {
		return traceWay(ctx, v, in, t)
	}
	p, err := v.Find(in.From)
	if err != nil {
		return err
	}
	reverse := in.Direction == "used_by"
	from := p.IDs()
	if kind := traceKinds[in.Kind][0]; in.Kind == "calls" || in.Kind == "imports" {
		from, err = v.Starts(p, kind, reverse)
	} else {
		from, err = v.Within(from)
	}
	if err != nil {
		return err
	}
	depth, limit := orDefault(in.Depth, 3), orDefault(in.Limit, 80)
	found, more, err := algo.Walk(ctx, v.Graph, from, algo.WalkOptions{Kinds: traceKinds[in.Kind], Reverse: reverse, Depth: depth, Limit: limit})
	if err != nil {
		return err
	}
	title := "What " + visible(in.From) + " uses"
	if reverse {
		title = "What uses " + visible(in.From)
	}
	t.line("%s, along %s, up to %s away:", title, in.Kind, plural(depth, "edge"))
	tree(found, t)
	if reverse && (in.Kind == "calls" || in.Kind == "all") {
		if err := possibleCalls(ctx, v, p.IDs(), found, t); err != nil {
			return err
		}
	}
	t.several(p)
	traceHints(in, found, more, t)
	return nil
}

func traceHints(in traceInput, found []algo.Reached, more bool, t *text) {
	switch {
	case len(found) == 0:
		t.line("  nothing")
		t.hint("kind all follows imports, inheritance and references too; direction turns the question round")
		t.hint("a dynamic call is not seen: grep for the name as well")
	case more:
		t.hint("there is more: raise limit, lower depth, or start at a narrower place")
	default:
		t.hint("symbol shows one of these with its source, such as %s", place(found[0].Ref))
	}
}

// tree writes what was found under what it was found through.
func tree(found []algo.Reached, t *text) {
	below := map[int][]int{}
	at := map[int]bool{}
	for _, r := range found {
		at[r.ID] = true
	}
	var top []int
	for i, r := range found {
		if at[r.Via] {
			below[r.Via] = append(below[r.Via], i)
		} else {
			top = append(top, i)
		}
	}
	var show func(list []int)
	show = func(list []int) {
		for _, i := range list {
			r := found[i]
			t.line("%s%s%s", strings.Repeat("  ", r.Distance), describeRef(r.Ref), confidenceSuffix(r.Confidence))
			show(below[r.ID])
		}
	}
	show(top)
}

// traceWay shows a shortest way between two places.
func traceWay(ctx context.Context, v *fresh.Snapshot, in traceInput, t *text) error {
	from, err := v.Find(in.From)
	if err != nil {
		return err
	}
	to, err := v.Find(in.To)
	if err != nil {
		return err
	}
	kinds := append([]graph.EdgeKind{graph.EdgeContains}, traceKinds[in.Kind]...)
	starts, ends := from.IDs(), to.IDs()
	if in.Direction == "used_by" {
		starts, ends = ends, starts
	}
	way, err := algo.Shortest(ctx, v.Graph, starts, ends, kinds, false)
	if err != nil {
		return err
	}
	if way == nil {
		t.line("No way along %s.", in.Kind)
		t.hint("kind all looks wider; direction used_by looks the other way round")
		return nil
	}
	t.line("A shortest way, %s:", plural(len(way.Edges), "edge"))
	for i, r := range way.Nodes {
		if i == 0 {
			t.line("  %s", describeRef(r))
			continue
		}
		e := way.Edges[i-1]
		t.line("  %s → %s%s", e.Kind, describeRef(r), confidenceSuffix(e.Confidence))
	}
	t.hint("symbol shows one of these with its source, such as %s", place(way.Nodes[len(way.Nodes)/2]))
	return nil
}
