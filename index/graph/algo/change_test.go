package algo

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/graphtest"
)

// chainOf is a.go: d ← c ← b ← a, with a test of d and one that calls b.
func chainOf() *graphtest.Graph {
	g := &graphtest.Graph{}
	file := g.File("a.go")
	for _, name := range []string{"a", "b", "c", "d"} {
		g.Link(graph.EdgeContains, file, g.Func("a.go", name), graph.Resolved)
	}
	g.Call(1, 2)
	g.Link(graph.EdgeCalls, 2, 3, graph.Dispatched)
	g.Link(graph.EdgeCalls, 3, 4, graph.KnownType)
	g.Link(graph.EdgeTests, g.Func("a_test.go", "TestD"), 4, graph.Resolved)
	g.Call(g.Func("a_test.go", "TestB"), 2)
	return g
}

func names(found []Reached) string {
	var all []string
	for _, r := range found {
		all = append(all, fmt.Sprintf("%s %.2f", r.Name, r.Confidence))
	}
	return strings.Join(all, ", ")
}

func TestImpactInTiers(t *testing.T) {
	im, err := ImpactOf(ctx, chainOf(), []int{4}, ImpactOptions{Depth: 4, IsTest: func(p string) bool { return strings.HasSuffix(p, "_test.go") }})
	if err != nil {
		t.Fatal(err)
	}
	if names(im.Direct) != "c 0.90" || names(im.Indirect) != "b 0.54" || names(im.Transitive) != "a 0.54, TestB 0.54" {
		t.Errorf("direct %s; indirect %s; transitive %s", names(im.Direct), names(im.Indirect), names(im.Transitive))
	}
	if len(im.Tests) != 2 || im.Tests[0].Name != "TestD" || !im.Tests[0].Declared || im.Tests[1].Name != "TestB" || im.Tests[1].Declared {
		t.Errorf("tests %+v", im.Tests)
	}
	if im.Total != 5 || im.Level != LevelLow || im.Unresolved != 0 {
		t.Errorf("%+v", im)
	}
	want := []FileImpact{{"a.go", 3, 1, 0.9}, {"a_test.go", 2, 1, 1}}
	if !slices.Equal(im.Files, want) {
		t.Errorf("files %+v", im.Files)
	}
}

// TestHelpersAreNoTests has a helper between the tests and what they test.
func TestHelpersAreNoTests(t *testing.T) {
	g := &graphtest.Graph{}
	f := g.Func("a.go", "f")
	help := g.Func("a_test.go", "help")
	g.Call(help, f)
	g.Call(g.Func("a_test.go", "TestF"), help)
	spec := g.File("a.spec.ts")
	render := g.Add(graph.Node{Kind: graph.NodeFunction, Name: "render", Path: "a.spec.ts", Language: "typescript"})
	g.Link(graph.EdgeContains, spec, render, graph.Resolved)
	g.Call(render, f)
	for id := range g.NumNodes() {
		g.Edit(id, func(n *graph.Node) {
			if n.Path == "a.spec.ts" {
				n.Language = "typescript"
			}
		})
	}
	isTest := func(p string) bool { return p != "a.go" }
	tests, err := TestsOf(ctx, g, []int{f}, ImpactOptions{IsTest: isTest})
	if err != nil || len(tests) != 2 || tests[0].Name != "a.spec.ts" || tests[0].Distance != 1 || tests[1].Name != "TestF" || tests[1].Distance != 2 {
		t.Errorf("%+v, %v", tests, err)
	}
	if tests, err := TestsOf(ctx, g, []int{f}, ImpactOptions{}); err != nil || len(tests) != 0 {
		t.Errorf("without files of tests and tests edges: %+v, %v", tests, err)
	}
}

func TestWhatChangesTogetherIsAHint(t *testing.T) {
	g := chainOf()
	test := g.File("a_test.go")
	twice, once := g.File("docs/a.md"), g.File("b.go")
	b := g.Func("b.go", "b")
	g.Link(graph.EdgeContains, once, b, graph.Resolved)
	g.Link(graph.EdgeCoChanges, 0, test, graph.Resolved) // affected anyway
	g.Link(graph.EdgeCoChanges, 0, twice, graph.NameOnly)
	g.Link(graph.EdgeCoChanges, once, twice, graph.KnownType)
	g.Link(graph.EdgeCoChanges, 0, once, graph.KnownType)
	g.Link(graph.EdgeCoChanges, twice, 0, graph.Resolved) // the other way
	im, err := ImpactOf(ctx, g, []int{4}, ImpactOptions{})
	if err != nil || names(im.Together) != "b.go 0.90, docs/a.md 0.30" || im.Together[0].Via != 0 {
		t.Errorf("%+v, %v", im.Together, err)
	}
	if im.Total != 5 || len(im.Files) != 2 {
		t.Errorf("a hint was counted: %+v", im)
	}
	im, err = ImpactOf(ctx, g, []int{4, b}, ImpactOptions{})
	if err != nil || names(im.Together) != "docs/a.md 0.90" || im.Together[0].Via != once {
		t.Errorf("%+v, %v", im.Together, err)
	}
}

func TestPoorResolutionIsUnknownNotLow(t *testing.T) {
	g := chainOf()
	g.Edit(1, func(n *graph.Node) { n.Unknown = 3 })
	im, err := ImpactOf(ctx, g, []int{4}, ImpactOptions{})
	if err != nil || im.Level != LevelUnknown || im.Unresolved != 0.5 {
		t.Errorf("%+v, %v", im, err)
	}
}

func TestLevels(t *testing.T) {
	for _, c := range []struct {
		nodes, files int
		unresolved   float64
		want         string
	}{
		{0, 0, 0, LevelNone}, {0, 0, 0.9, LevelUnknown}, {5, 2, 0.4, LevelLow}, {5, 2, 0.5, LevelUnknown},
		{6, 1, 0.9, LevelMedium}, {5, 3, 0, LevelMedium}, {25, 9, 1, LevelMedium}, {26, 1, 0, LevelHigh},
	} {
		if got := level(c.nodes, c.files, c.unresolved); got != c.want {
			t.Errorf("level%v = %s", c, got)
		}
	}
}

func TestImpactOfAFileIsThatOfAllItDefines(t *testing.T) {
	g := &graphtest.Graph{}
	file, typ, method := g.File("t.go"), g.Add(graph.Node{Kind: graph.NodeType, Name: "T", Path: "t.go"}), g.Func("t.go", "T.run")
	user := g.Func("u.go", "main")
	g.Link(graph.EdgeContains, file, typ, graph.Resolved)
	g.Link(graph.EdgeContains, typ, method, graph.Resolved)
	g.Call(user, method)
	im, err := ImpactOf(ctx, g, []int{file}, ImpactOptions{})
	if err != nil || names(im.Direct) != "main 1.00" || len(im.Targets) != 1 {
		t.Errorf("%+v, %v", im, err)
	}
	im, err = ImpactOf(ctx, g, []int{file}, ImpactOptions{Limit: 1})
	if err != nil || im.Truncated {
		t.Errorf("one of one is not cut: %+v, %v", im, err)
	}
}

func TestAFileIsImportedThroughItsModule(t *testing.T) {
	g := &graphtest.Graph{}
	file, other, user := g.File("p/a.go"), g.File("p/b.go"), g.File("main.go")
	module := g.Add(graph.Node{Kind: graph.NodeModule, Name: "p"})
	g.Link(graph.EdgeContains, module, file, graph.Resolved)
	g.Link(graph.EdgeContains, module, other, graph.Resolved)
	g.Link(graph.EdgeImports, user, module, graph.Resolved)
	g.Edit(g.Func("main.go", "main"), func(n *graph.Node) { n.Unknown = 1 })
	g.Link(graph.EdgeContains, user, 4, graph.Resolved)
	im, err := ImpactOf(ctx, g, []int{file}, ImpactOptions{})
	if err != nil || names(im.Direct) != "main.go 1.00" || im.Total != 1 || im.Unresolved != 1 || im.Level != LevelUnknown {
		t.Errorf("%+v, %v", im, err)
	}
}

func TestWalkLimit(t *testing.T) {
	g := chainOf()
	found, more, err := Walk(ctx, g, []int{4}, WalkOptions{Kinds: calls, Reverse: true, Depth: 9, Limit: 2})
	if err != nil || !more || names(found) != "c 0.90, b 0.54" {
		t.Errorf("%v %v %v", found, more, err)
	}
	found, _, _ = Walk(ctx, g, []int{4}, WalkOptions{Kinds: calls, Reverse: true, Depth: 9, MinConfidence: graph.KnownType})
	if names(found) != "c 0.90" {
		t.Errorf("unsure edges were followed: %v", found)
	}
}

func TestHotspots(t *testing.T) {
	g := &graphtest.Graph{}
	for i, c := range []int{3, 9, 0, 5} {
		id := g.Func([]string{"a.go", "a.go", "b.go", "c.go"}[i], fmt.Sprintf("f%d", i))
		g.Edit(id, func(n *graph.Node) { n.Metrics.Cognitive = c })
	}
	got, err := Hotspots(ctx, g, map[string]int{"a.go": 2, "b.go": 6, "gone.go": 9}, 0)
	if err != nil || len(got) != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	a, b := got[0], got[1]
	if a.Path != "a.go" || a.Complexity != 12 || a.Functions != 2 || a.Score != 1 || a.Worst.Name != "f1" {
		t.Errorf("%+v", a)
	}
	if b.Path != "b.go" || b.Score != 6.0/24 {
		t.Errorf("%+v", b)
	}
	if got, _ := Hotspots(ctx, g, map[string]int{"a.go": 2, "b.go": 6}, 1); len(got) != 1 {
		t.Errorf("limit: %+v", got)
	}
}

// cliques makes groups of files that call each other, and one call between
// neighbouring groups.
func cliques(groups, size int) *graphtest.Graph {
	g := &graphtest.Graph{}
	for c := range groups {
		for i := range size {
			g.Func(fmt.Sprintf("dir%d/f%d.go", c, i), "f")
		}
		for i := range size {
			for j := range i {
				g.Call(c*size+i, c*size+j)
			}
		}
		if c > 0 {
			g.Call(c*size, c*size-1)
		}
	}
	g.Add(graph.Node{Kind: graph.NodeExternal, Name: "fmt"})
	g.Func("alone.go", "f")
	return g
}

func TestCommunitiesOfCliques(t *testing.T) {
	g := cliques(6, 5)
	got, err := FindCommunities(ctx, g, 1)
	if err != nil || len(got.List) != 6 || got.Modularity < 0.7 {
		t.Fatalf("%+v, %v", got, err)
	}
	for id, c := range got.List {
		dir := strings.SplitN(c.Files[0].Path, "/", 2)[0]
		if c.Size != 5 || c.ID != id || c.Inside != 1000 || !strings.HasPrefix(c.Label, dir+": f") {
			t.Errorf("%+v", c)
		}
		for _, f := range c.Files {
			if got.Of[f.ID] != int32(id) || !strings.HasPrefix(f.Path, dir+"/") {
				t.Errorf("%+v in community %d", f, id)
			}
		}
	}
	if got.Of[30] != -1 || got.Of[31] != -1 {
		t.Errorf("what has no link is in communities %d and %d", got.Of[30], got.Of[31])
	}
}

func TestCommunitiesAreTheSameEveryTime(t *testing.T) {
	g, _ := random(5, 200, 0)
	for i := range 200 {
		g.Edit(i, func(n *graph.Node) { n.Path = fmt.Sprintf("d%d/f%d.go", i%7, i) })
	}
	for i := range 800 {
		g.Link(graph.EdgeCalls, (i*37)%200, (i*i+i)%200, graph.Confidence(30+i%70))
	}
	first, err := FindCommunities(ctx, g, 1)
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		again, _ := FindCommunities(ctx, g, 1)
		if !slices.Equal(again.Of, first.Of) || again.Modularity != first.Modularity {
			t.Fatal("the same seed gave another division")
		}
	}
}
