package codebase

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/index/fresh"
	"github.com/topo-dev/topo/index/graph"
)

type symbolInput struct {
	Name   string `json:"name" jsonschema:"A name (Close, Server.Close), path:name, path:line or a path" tool:"min=1,max=1000"`
	Source bool   `json:"source,omitempty" jsonschema:"Show the source text too"`
}

// How much of a symbol is shown.
const (
	symbolPlaces = 6   // places of one name that are shown
	symbolEdges  = 8   // edges of one kind and direction
	symbolLines  = 150 // lines of source
)

func (b *base) symbolTool() agent.Tool { return define(b, "symbol", b.symbol) }

func (b *base) symbol(ctx context.Context, v *fresh.Snapshot, in symbolInput, t *text) error {
	p, err := v.Find(in.Name)
	if err != nil {
		return err
	}
	for i := range p.Nodes[:min(len(p.Nodes), symbolPlaces)] {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := showSymbol(v, &p.Nodes[i], in.Source, t); err != nil {
			return err
		}
	}
	if rest := p.Nodes[min(len(p.Nodes), symbolPlaces):]; len(rest) > 0 {
		t.line("%s of this name:", plural(len(rest), "more definition"))
		for i := range rest[:min(len(rest), 20)] {
			t.line("  %s", describeRef(rest[i].Ref()))
		}
	}
	t.several(p)
	first := p.Nodes[0].Ref()
	t.hint("analyze_impact of %s shows what a change may break and which tests cover it", place(first))
	if !in.Source && first.Line > 0 {
		t.hint("symbol with source true, or read, shows the code")
	}
	return nil
}

func showSymbol(v *fresh.Snapshot, n *graph.Node, source bool, t *text) error {
	t.line("%s %s  %s", n.Kind, visible(n.Name), at(n.Ref(), true))
	if s := metrics(n); s != "" {
		t.line("  %s", s)
	}
	if source && n.Line > 0 {
		if err := showSource(v, n, t); err != nil {
			return err
		}
	}
	for _, reverse := range []bool{true, false} {
		if err := showEdges(v, n, reverse, t); err != nil {
			return err
		}
	}
	return nil
}

// metrics are the measures of a node that say something.
func metrics(n *graph.Node) string {
	var parts []string
	add := func(format string, v int) {
		if v > 0 {
			parts = append(parts, fmt.Sprintf(format, v))
		}
	}
	many := func(noun string, v int) {
		if v > 0 {
			parts = append(parts, plural(v, noun))
		}
	}
	many("line", n.Metrics.Lines)
	add("cyclomatic %d", n.Metrics.Cyclomatic)
	add("cognitive %d", n.Metrics.Cognitive)
	add("nesting %d", n.Metrics.Nesting)
	many("parameter", n.Metrics.Params)
	add("fan-in %d", n.FanIn)
	add("fan-out %d", n.FanOut)
	many("unresolved call", n.Unknown)
	return strings.Join(parts, ", ")
}

func showSource(v *fresh.Snapshot, n *graph.Node, t *text) error {
	if !t.shows(n.Path) {
		return nil
	}
	id, ok := v.Index.Lookup(n.Path)
	if !ok {
		return v.Index.Err()
	}
	content, err := v.Index.Content(id, nil)
	if err != nil {
		return err
	}
	lines := bytes.Split(content, []byte("\n"))
	last := min(n.EndLine, len(lines), n.Line+symbolLines-1)
	for i := n.Line; i <= last; i++ {
		t.line("%6d  %s", i, strings.TrimSuffix(strings.ToValidUTF8(string(lines[i-1]), "\uFFFD"), "\r"))
	}
	if last < n.EndLine {
		t.line("        [… to line %d]", n.EndLine)
	}
	return nil
}

// edgeTitles say what an edge of a kind is to the node it starts and ends at.
var edgeTitles = []struct {
	kind          graph.EdgeKind
	out, in       string
	listContained bool
}{
	{graph.EdgeContains, "contains", "in", true},
	{graph.EdgeImports, "imports", "imported by", false},
	{graph.EdgeCalls, "calls", "called by", false},
	{graph.EdgeInherits, "inherits", "inherited by", false},
	{graph.EdgeReferences, "refers to", "referred to by", false},
	{graph.EdgeTests, "tests", "tested by", false},
	{graph.EdgeCoChanges, "changes with", "changes with", false},
}

// showEdges lists the surest edges of each kind in one direction.
func showEdges(v *fresh.Snapshot, n *graph.Node, reverse bool, t *text) error {
	edges, err := v.Graph.Out(n.ID)
	if reverse {
		edges, err = v.Graph.In(n.ID)
	}
	if err != nil {
		return err
	}
	for _, title := range edgeTitles {
		if reverse && title.kind == graph.EdgeContains || !reverse && title.kind == graph.EdgeCoChanges {
			continue // the place says it already; co-changes go both ways
		}
		var of []graph.Edge
		for _, e := range edges {
			if e.Kind == title.kind {
				of = append(of, e)
			}
		}
		if len(of) == 0 {
			continue
		}
		slices.SortStableFunc(of, func(a, b graph.Edge) int { return cmp.Compare(b.Confidence, a.Confidence) })
		word := title.out
		if reverse {
			word = title.in
		}
		t.line("  %s (%d):", word, len(of))
		for _, e := range of[:min(len(of), symbolEdges)] {
			other, err := v.Graph.Node(e.Other)
			if err != nil {
				return err
			}
			t.line("    %s%s", describeRef(other.Ref()), confidenceSuffix(float64(e.Confidence)/100))
		}
	}
	return nil
}
