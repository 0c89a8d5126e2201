// Package graphtest makes code graphs in memory for tests.
//
// A Graph keeps the promises of graph.Store: edges come sorted by kind, then by
// the other node, each once; Named is ascending. It is safe to read from many
// goroutines once built.
package graphtest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/topo-dev/topo/index/graph"
)

// Graph is a graph.Store in memory.
type Graph struct {
	nodes   []graph.Node
	out, in [][]graph.Edge
}

// Add appends a node, gives it the next id and returns that.
func (g *Graph) Add(n graph.Node) int {
	n.ID = len(g.nodes)
	g.nodes = append(g.nodes, n)
	g.out, g.in = append(g.out, nil), append(g.in, nil)
	return n.ID
}

// Func appends a function of that name in that file.
func (g *Graph) Func(path, name string) int {
	return g.Add(graph.Node{Kind: graph.NodeFunction, Name: name, Path: path, Language: "go", Line: len(g.nodes) + 1, EndLine: len(g.nodes) + 1})
}

// File appends a file.
func (g *Graph) File(path string) int {
	return g.Add(graph.Node{Kind: graph.NodeFile, Name: path, Path: path, Language: "go"})
}

// Edit changes a node in place; the id stays.
func (g *Graph) Edit(id int, change func(*graph.Node)) {
	change(&g.nodes[id])
	g.nodes[id].ID = id
}

// Link adds an edge both ways. A second edge of one kind between two nodes
// raises the confidence of the first.
func (g *Graph) Link(kind graph.EdgeKind, from, to int, c graph.Confidence) {
	g.out[from] = insert(g.out[from], graph.Edge{Kind: kind, Other: to, Confidence: c})
	g.in[to] = insert(g.in[to], graph.Edge{Kind: kind, Other: from, Confidence: c})
}

// Call adds a resolved call.
func (g *Graph) Call(from, to int) { g.Link(graph.EdgeCalls, from, to, graph.Resolved) }

func insert(all []graph.Edge, e graph.Edge) []graph.Edge {
	at, found := slices.BinarySearchFunc(all, e, func(a, b graph.Edge) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Other, b.Other))
	})
	if found {
		all[at].Confidence = max(all[at].Confidence, e.Confidence)
		return all
	}
	return slices.Insert(all, at, e)
}

// NumNodes implements graph.Store.
func (g *Graph) NumNodes() int { return len(g.nodes) }

// Node implements graph.Store.
func (g *Graph) Node(id int) (graph.Node, error) {
	if id < 0 || id >= len(g.nodes) {
		return graph.Node{}, fmt.Errorf("node %d of %d", id, len(g.nodes))
	}
	return g.nodes[id], nil
}

// Out implements graph.Store.
func (g *Graph) Out(id int) ([]graph.Edge, error) {
	if id < 0 || id >= len(g.out) {
		return nil, fmt.Errorf("node %d of %d", id, len(g.out))
	}
	return g.out[id], nil
}

// In implements graph.Store.
func (g *Graph) In(id int) ([]graph.Edge, error) {
	if id < 0 || id >= len(g.in) {
		return nil, fmt.Errorf("node %d of %d", id, len(g.in))
	}
	return g.in[id], nil
}

// Named implements graph.Store.
func (g *Graph) Named(name string) ([]int, error) {
	var ids []int
	for id := range g.nodes {
		if n := &g.nodes[id]; n.Name == name || graph.LastPart(n.Kind, n.Name) == name {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// Random makes a graph of n nodes of all kinds and about m edges of all kinds.
// Names repeat and self-loops occur; the same r gives the same graph.
func Random(r *rand.Rand, n, m int) *Graph {
	g := &Graph{}
	tiers := []graph.Confidence{graph.Resolved, graph.KnownType, graph.Dispatched, graph.NameOnly}
	for range n {
		name := string(rune('a' + r.IntN(5)))
		if r.IntN(3) == 0 {
			name = "T." + name
		}
		node := graph.Node{Kind: graph.NodeKind(r.IntN(7)), Name: name, Path: fmt.Sprintf("d/%c.go", 'a'+r.IntN(4)), Language: "go", Line: r.IntN(4), FanIn: r.IntN(3), PageRank: float32(r.IntN(4)) / 4}
		node.Metrics.Cyclomatic = r.IntN(4)
		if node.Kind == graph.NodeModule || node.Kind == graph.NodeExternal {
			node.Path, node.Language = "", ""
		}
		g.Add(node)
	}
	for range m {
		g.Link(graph.EdgeKind(r.IntN(7)), r.IntN(n), r.IntN(n), tiers[r.IntN(len(tiers))])
	}
	return g
}

// SyntheticGraph is a graph of the size of a large repository's: functions in files that
// call mostly their neighbours. It is the same each time.
func SyntheticGraph(nodes, calls int) *Graph {
	r := rand.New(rand.NewPCG(1, 1))
	g := &Graph{}
	for i := range nodes {
		g.Func(fmt.Sprintf("d%d/f%d.go", i/800, i/20), fmt.Sprintf("f%d", i))
	}
	for range calls {
		a := r.IntN(nodes)
		g.Call(a, min(max(a+int(r.NormFloat64()*400), 0), nodes-1))
	}
	return g
}
