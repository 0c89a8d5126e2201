package query

import (
	"slices"

	"github.com/topo-dev/topo/index/graph"
)

// nodeProps are the properties of a node. What does not apply is null.
var nodeProps = map[string]func(*graph.Node) any{
	"name":        func(n *graph.Node) any { return n.Name },
	"short":       func(n *graph.Node) any { return graph.LastPart(n.Kind, n.Name) },
	"path":        func(n *graph.Node) any { return text(n.Path) },
	"language":    func(n *graph.Node) any { return text(n.Language) },
	"kind":        func(n *graph.Node) any { return n.Kind.String() },
	"line":        func(n *graph.Node) any { return positive(n.Line) },
	"endLine":     func(n *graph.Node) any { return positive(n.EndLine) },
	"cyclomatic":  func(n *graph.Node) any { return metric(n, n.Metrics.Cyclomatic) },
	"cognitive":   func(n *graph.Node) any { return metric(n, n.Metrics.Cognitive) },
	"nesting":     func(n *graph.Node) any { return metric(n, n.Metrics.Nesting) },
	"params":      func(n *graph.Node) any { return metric(n, n.Metrics.Params) },
	"lines":       func(n *graph.Node) any { return metric(n, n.Metrics.Lines) },
	"pagerank":    func(n *graph.Node) any { return float64(n.PageRank) },
	"betweenness": func(n *graph.Node) any { return float64(n.Between) },
	"community":   func(n *graph.Node) any { return natural(int(n.Community)) },
	"fanin":       func(n *graph.Node) any { return int64(n.FanIn) },
	"fanout":      func(n *graph.Node) any { return int64(n.FanOut) },
	"unknown":     func(n *graph.Node) any { return int64(n.Unknown) },
}

// relProps are the properties of a relationship.
var relProps = map[string]func(Rel) any{
	"kind":       func(r Rel) any { return r.Kind.String() },
	"confidence": func(r Rel) any { return float64(r.Confidence) / 100 },
	"reason":     func(r Rel) any { return r.Kind.Reason(r.Confidence) },
}

func text(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func positive(n int) any {
	if n <= 0 {
		return nil
	}
	return int64(n)
}

// natural is a number that counts from 0.
func natural(n int) any {
	if n < 0 {
		return nil
	}
	return int64(n)
}

// metric is a measure of functions and methods; others have it only when the
// store measured them.
func metric(n *graph.Node, v int) any {
	if v == 0 && n.Kind != graph.NodeFunction && n.Kind != graph.NodeMethod {
		return nil
	}
	return int64(v)
}

// propertyNames lists the properties for messages.
func propertyNames[T any](m map[string]T) []string {
	var names []string
	for n := range m {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}
