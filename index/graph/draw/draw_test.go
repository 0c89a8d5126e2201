package draw

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/graphtest"
)

func sample() *graphtest.Graph {
	g := &graphtest.Graph{}
	g.File("net/server.go")
	g.Func("net/server.go", "Serve")
	g.Func("net/server.go", "handle")
	g.Add(graph.Node{Kind: graph.NodeExternal, Name: "fmt"})
	g.Link(graph.EdgeContains, 0, 1, graph.Resolved)
	g.Link(graph.EdgeCalls, 1, 2, graph.Dispatched)
	g.Link(graph.EdgeCalls, 2, 1, graph.NameOnly)
	g.Link(graph.EdgeImports, 0, 3, graph.Resolved)
	return g
}

var kinds = []graph.EdgeKind{graph.EdgeContains, graph.EdgeCalls, graph.EdgeImports}

func TestBetweenKeepsEdgesAmongTheNodes(t *testing.T) {
	g, err := Between(context.Background(), sample(), []int{2, 1, 2}, kinds)
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Nodes) != 2 || len(g.Edges) != 2 || g.Edges[0] != (Edge{1, 2, graph.EdgeCalls, graph.Dispatched}) {
		t.Errorf("got %+v", g)
	}
	if _, err := Between(context.Background(), sample(), []int{99}, kinds); err == nil {
		t.Error("no error for a node that is not there")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Between(ctx, sample(), []int{1}, kinds); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func drawn(t *testing.T, g *Graph, f func(*bytes.Buffer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := f(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestDOT(t *testing.T) {
	g, _ := Between(context.Background(), sample(), []int{0, 1, 2, 3}, kinds)
	g.Marks = map[int]bool{1: true}
	got := drawn(t, g, func(b *bytes.Buffer) error { return DOT(b, g) })
	want := `digraph topo {
  rankdir=LR;
  node [fontname="sans-serif"];
  n0 [label="net/server.go", shape=folder];
  n1 [label="Serve\nnet/server.go:2", shape=ellipse, style=bold];
  n2 [label="handle\nnet/server.go:3", shape=ellipse];
  n3 [label="fmt", shape=octagon];
  n0 -> n1 [label="contains", style=solid];
  n0 -> n3 [label="imports", style=solid];
  n1 -> n2 [label="calls", style=dashed];
  n2 -> n1 [label="calls", style=dotted];
}
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMermaid(t *testing.T) {
	g, _ := Between(context.Background(), sample(), []int{0, 1, 2, 3}, kinds)
	g.Marks = map[int]bool{1: true}
	got := drawn(t, g, func(b *bytes.Buffer) error { return Mermaid(b, g) })
	want := `flowchart LR
  n0["net/server.go"]
  n1("Serve<br/>net/server.go:2")
  n2("handle<br/>net/server.go:3")
  n3{{"fmt"}}
  n0 -->|"contains"| n1
  n0 -->|"imports"| n3
  n1 -.->|"calls"| n2
  n2 -.->|"calls?"| n1
  style n1 stroke-width:4px
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// hostile are names that would break out of a careless writer.
var hostile = []string{
	`"]; n0 -> n1 [label="`, `\`, `\" x`, `\N\G`, "a\nb", "\x00\x1b[31m", "\xff\xfe", "<script>alert(1)</script>",
	"%%{init: {}}%%", "`**bold**`", "#quot;", "end", "\u202egpj.exe", "$$x$$", `"); click n0 "javascript:x"`,
	strings.Repeat("x", 5000), "",
}

func TestHostileNamesStayInTheirQuotes(t *testing.T) {
	g := &Graph{}
	for i, name := range hostile {
		g.Nodes = append(g.Nodes, graph.Ref{ID: i, Kind: "function", Name: name, Path: name + "/", Line: 1})
	}
	g.Edges = []Edge{{From: 0, To: 1}, {From: 0, To: 999}}
	dot := regexp.MustCompile(`^  n\d+ \[label="([^"\\]|\\[\\"n])*", shape=[a-z]+\];$`)
	mermaid := regexp.MustCompile("^  n\\d+\\(\"([^\"#<>&`%;{}\\[\\]$*]|#\\d+;|<br/>)*\"\\)$")
	for _, c := range []struct {
		text string
		line *regexp.Regexp
		skip int
	}{
		{drawn(t, g, func(b *bytes.Buffer) error { return DOT(b, g) }), dot, 3},
		{drawn(t, g, func(b *bytes.Buffer) error { return Mermaid(b, g) }), mermaid, 1},
	} {
		lines := strings.Split(c.text, "\n")[c.skip:]
		for i := range hostile {
			if !c.line.MatchString(lines[i]) || len(lines[i]) > 1000 {
				t.Errorf("name %q is written as %s", hostile[i], lines[i])
			}
		}
		if strings.Contains(c.text, "999") {
			t.Error("an edge to a node that is not drawn")
		}
	}
}

func TestGraphvizReadsHostileNames(t *testing.T) {
	path, err := exec.LookPath("dot")
	if err != nil {
		t.Skip("dot is not installed; apt-get install graphviz, or brew install graphviz")
	}
	g := &Graph{}
	for i, name := range hostile {
		g.Nodes = append(g.Nodes, graph.Ref{ID: i, Kind: "type", Name: name})
	}
	text := drawn(t, g, func(b *bytes.Buffer) error { return DOT(b, g) })
	cmd := exec.Command(path, "-Tplain")
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Count(string(out), "\nnode ") != len(hostile) {
		t.Errorf("%v\n%s", err, out)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteErrorsComeBack(t *testing.T) {
	g := &Graph{Nodes: []graph.Ref{{ID: 1}}}
	if DOT(full{}, g) == nil || Mermaid(full{}, g) == nil {
		t.Error("the writer's error was lost")
	}
}

func FuzzNames(f *testing.F) {
	for _, name := range hostile {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		g := &Graph{Nodes: []graph.Ref{{ID: 1, Kind: "function", Name: name}}}
		text := drawn(t, g, func(b *bytes.Buffer) error { return DOT(b, g) })
		if strings.Count(text, "\n") != 5 {
			t.Errorf("DOT: %q", text)
		}
		text = drawn(t, g, func(b *bytes.Buffer) error { return Mermaid(b, g) })
		if strings.Count(text, "\n") != 2 || strings.Count(text, `"`) != 2 {
			t.Errorf("Mermaid: %q", text)
		}
	})
}
