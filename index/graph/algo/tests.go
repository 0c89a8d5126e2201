package algo

import (
	"cmp"
	"context"
	"slices"

	"github.com/topo-dev/topo/index/graph"
)

// Test is a test that a change may break. One in JSON:
//
//	{"ID":9,"Kind":"function","Name":"TestClose","Path":"net/server_test.go","Line":5,"EndLine":20,"Distance":1,"Confidence":1,"Via":4,"Declared":true}
type Test struct {
	Reached
	Declared bool // a tests edge says so; else it was reached as a caller in a test file
}

// TestsOf finds the tests that cover the nodes or what uses them: those with a
// tests edge to one, and those among the users. What is in a test file and
// is no test by itself ([graph.IsTest]) is a helper and left out; where files
// are the tests, its file stands for it. The nearest come first, then the
// surest, then by id.
func TestsOf(ctx context.Context, s graph.Store, targets []int, o ImpactOptions) ([]Test, error) {
	if o.Depth <= 0 {
		o.Depth = 3
	}
	whole, err := contained(ctx, s, targets)
	if err != nil {
		return nil, err
	}
	starts, err := withModules(s, whole)
	if err != nil {
		return nil, err
	}
	found, _, err := Walk(ctx, s, starts, WalkOptions{Kinds: using, Reverse: true, Depth: o.Depth, Limit: o.Limit})
	if err != nil {
		return nil, err
	}
	return testsAmong(s, whole, found, o.IsTest)
}

// testsAmong finds the tests of the targets and of what was reached from them.
func testsAmong(s graph.Store, targets []int, found []Reached, isTest func(string) bool) ([]Test, error) {
	c := &coverage{store: s, isTest: isTest, best: map[int]Test{}}
	for _, id := range targets {
		r := Reached{Confidence: 1}
		r.ID = id
		if err := c.declared(r); err != nil {
			return nil, err
		}
	}
	for _, r := range found {
		if err := c.declared(r); err != nil {
			return nil, err
		}
		if err := c.caller(r); err != nil {
			return nil, err
		}
	}
	var tests []Test
	for _, t := range c.best {
		tests = append(tests, t)
	}
	slices.SortFunc(tests, func(a, b Test) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.ID, b.ID))
	})
	return tests, nil
}

type coverage struct {
	store  graph.Store
	isTest func(string) bool
	best   map[int]Test
}

// declared takes the tests with an edge to a node.
func (c *coverage) declared(of Reached) error {
	edges, err := neighbours(c.store, of.ID, true)
	if err != nil {
		return err
	}
	for _, e := range edges {
		if e.Kind != graph.EdgeTests {
			continue
		}
		t := Test{Declared: true, Reached: Reached{Distance: of.Distance + 1, Confidence: of.Confidence * float64(e.Confidence) / 100, Via: of.ID}}
		if err := c.add(e.Other, t); err != nil {
			return err
		}
	}
	return nil
}

// caller takes a node that was reached when it is a test.
func (c *coverage) caller(r Reached) error {
	return c.add(r.ID, Test{Reached: r})
}

// add takes a test that is, or whose file is, the node. A file is reached by
// whatever imports something, so only a tests edge makes it a test.
func (c *coverage) add(id int, t Test) error {
	n, err := node(c.store, id)
	if err != nil {
		return err
	}
	inTests := c.isTest == nil || n.Path != "" && c.isTest(n.Path)
	switch {
	case n.Kind == graph.NodeFile:
		if !t.Declared {
			return nil
		}
	case graph.IsTest(&n, inTests):
	case inTests && graph.IsTest(&graph.Node{Kind: graph.NodeFile, Language: n.Language}, true):
		if n, err = enclosingFile(c.store, n); err != nil || n.Kind != graph.NodeFile {
			return err
		}
	default:
		return nil
	}
	if c.isTest == nil && !t.Declared {
		if tests, err := c.tests(id); err != nil || !tests {
			return err
		}
	}
	t.Ref = n.Ref()
	c.keepNearest(t)
	return nil
}

// tests reports whether a node has a tests edge of its own.
func (c *coverage) tests(id int) (bool, error) {
	edges, err := neighbours(c.store, id, false)
	return slices.ContainsFunc(edges, func(e graph.Edge) bool { return e.Kind == graph.EdgeTests }), err
}

// keepNearest keeps the nearest and surest way to a test.
func (c *coverage) keepNearest(t Test) {
	have, ok := c.best[t.ID]
	if !ok || t.Distance < have.Distance || t.Distance == have.Distance && t.Confidence > have.Confidence {
		t.Declared = t.Declared || have.Declared
		c.best[t.ID] = t
		return
	}
	have.Declared = have.Declared || t.Declared
	c.best[t.ID] = have
}

// maxImporters bounds how many importing files filesAround looks at: enough for
// a share, and little work for a package that everything imports.
const maxImporters = 256

// filesAround are the file nodes of the nodes, and files that import them or
// their module. A node's file is found along the edges that say what holds it.
func filesAround(s graph.Store, ids []int) ([]int, error) {
	seen := map[int]bool{}
	queue := slices.Clone(ids)
	for _, id := range ids {
		seen[id] = true
	}
	var files, importers []int
	for at := 0; at < len(queue); at++ {
		n, err := node(s, queue[at])
		if err != nil {
			return nil, err
		}
		edges, err := neighbours(s, queue[at], true)
		if err != nil {
			return nil, err
		}
		if n.Kind == graph.NodeFile {
			files = append(files, queue[at])
		}
		for _, e := range edges {
			switch {
			case e.Kind == graph.EdgeImports:
				importers = append(importers, e.Other)
			case e.Kind == graph.EdgeContains && !seen[e.Other]:
				seen[e.Other] = true
				queue = append(queue, e.Other)
			}
		}
	}
	slices.Sort(importers)
	importers = slices.Compact(importers)
	files = append(files, importers[:min(len(importers), maxImporters)]...)
	slices.Sort(files)
	return slices.Compact(files), nil
}
