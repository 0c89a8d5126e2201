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
// tests edge to one, and those among the users that stand in test files. The
// nearest come first, then the surest, then by id.
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
		if t.Ref, err = ref(c.store, e.Other); err != nil {
			return err
		}
		c.take(t)
	}
	return nil
}

// caller takes a node that was reached when it stands in a test file, or says
// itself, by a tests edge, that it is a test.
func (c *coverage) caller(r Reached) error {
	if r.Kind == graph.NodeFile.String() || r.Kind == graph.NodeModule.String() {
		return nil
	}
	if c.isTest != nil && r.Path != "" && c.isTest(r.Path) {
		c.take(Test{Reached: r})
		return nil
	}
	edges, err := neighbours(c.store, r.ID, false)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(edges, func(e graph.Edge) bool { return e.Kind == graph.EdgeTests }) {
		c.take(Test{Reached: r})
	}
	return nil
}

// take keeps the nearest and surest way to a test.
func (c *coverage) take(t Test) {
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
