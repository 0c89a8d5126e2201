package graph

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topo-dev/topo/index"
)

// goArchive is the graph of testdata/code/go.txtar, and the index's file.
func goArchive(t testing.TB) (*index.Index, *Graph, string) {
	src, err := os.ReadFile("testdata/code/go.txtar")
	if err != nil {
		t.Fatal(err)
	}
	m := memory{}
	name := ""
	for line := range strings.Lines(string(src)) {
		if n, ok := strings.CutPrefix(line, "-- "); ok {
			name = strings.TrimSuffix(n, " --\n")
		} else if name != "" && name != "EDGES" {
			m[name] = append(m[name], line...)
		}
	}
	path := filepath.Join(t.TempDir(), "x.idx")
	x, g := built(t, path, m.input())
	return x, g, path
}

func find(t testing.TB, g *Graph, name string) Node {
	t.Helper()
	ids, err := g.Named(name)
	if err != nil || len(ids) != 1 {
		t.Fatalf("%q names nodes %v, %v; want one", name, ids, err)
	}
	n, err := g.Node(ids[0])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestNodes(t *testing.T) {
	_, g, _ := goArchive(t)
	run := find(t, g, "Server.Run")
	if run.Kind != NodeMethod || run.Path != "main.go" || run.Language != "go" || run.Line != 23 || run.EndLine != 35 ||
		run.Metrics != (Metrics{Cyclomatic: 2, Cognitive: 1, Nesting: 1, Params: 1, Lines: 13}) || run.FanIn != 1 || run.FanOut != 7 {
		t.Errorf("Server.Run is %+v", run)
	}
	if n := find(t, g, "main.go"); n.Kind != NodeFile || n.Name != "main.go" || n.FanOut != 3 || n.Line != 0 {
		t.Errorf("main.go is %+v", n)
	}
	if n := find(t, g, "example.com/m/util"); n.Kind != NodeModule || n.Path != "" || n.FanIn != 2 {
		t.Errorf("the module is %+v", n)
	}
	if n := find(t, g, "github.com/other/thing"); n.Kind != NodeExternal {
		t.Errorf("the external package is %+v", n)
	}
	sum := 0.0
	for id := range g.NumNodes() {
		n, err := g.Node(id)
		if err != nil {
			t.Fatal(err)
		}
		sum += float64(n.PageRank)
	}
	if math.Abs(sum-1) > 1e-3 {
		t.Errorf("the ranks sum to %g", sum)
	}
}

// TestNamedAgreesWithScan compares the table with a look at every node.
func TestNamedAgreesWithScan(t *testing.T) {
	_, g, _ := goArchive(t)
	want := map[string][]int{}
	for id := range g.NumNodes() {
		n, err := g.Node(id)
		if err != nil {
			t.Fatal(err)
		}
		want[n.Name] = append(want[n.Name], id)
		if last := LastPart(n.Kind, n.Name); last != n.Name {
			want[last] = append(want[last], id)
		}
	}
	for _, none := range []string{"", "nothing", "Server.", ".", "/", "zzzz"} {
		if len(want[none]) == 0 {
			want[none] = nil
		}
	}
	for name, ids := range want {
		if got, err := g.Named(name); err != nil || !slices.Equal(got, ids) {
			t.Errorf("%q names %v, %v; want %v", name, got, err, ids)
		}
	}
}

func TestOutsideOfTheGraph(t *testing.T) {
	_, g, _ := goArchive(t)
	for _, id := range []int{-1, g.NumNodes(), math.MaxInt} {
		_, err1 := g.Node(id)
		_, err2 := g.Out(id)
		_, err3 := g.In(id)
		if err1 == nil || err2 == nil || err3 == nil {
			t.Errorf("node %d: %v, %v, %v; want errors", id, err1, err2, err3)
		}
	}
	for file := range 5 {
		id, err := g.FileNode(file)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := g.Node(id); err != nil || n.Kind != NodeFile {
			t.Errorf("file %d is node %d: %+v, %v", file, id, n, err)
		}
	}
	if _, err := g.FileNode(1000); err == nil {
		t.Error("file 1000 has a node")
	}
}

func TestOpenWithoutGraph(t *testing.T) {
	in := memory{"a.go": []byte("package a\n")}.input()
	in.Graph = nil
	path := filepath.Join(t.TempDir(), "x.idx")
	if _, err := index.Update(t.Context(), path, in); err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if _, err := Open(x); !errors.Is(err, ErrNoGraph) {
		t.Errorf("got %v, want ErrNoGraph", err)
	}
}

// TestDamage flips bytes of the graph's sections: everything that is read
// from them is an error or what it was.
func TestDamage(t *testing.T) {
	x, g, path := goArchive(t)
	want := text(t, g)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sections := x.Sections()
	errs := 0
	for _, s := range sections {
		if !strings.HasPrefix(s.Tag, "G") {
			continue
		}
		for off := s.Offset; off < s.Offset+s.Length; off += max(1, s.Length/40) {
			bad := slices.Clone(data)
			bad[off] ^= 0x55
			name := filepath.Join(t.TempDir(), "bad.idx")
			if err := os.WriteFile(name, bad, 0o644); err != nil {
				t.Fatal(err)
			}
			if !readAll(name, want) {
				errs++
			}
		}
	}
	if errs < 100 {
		t.Errorf("damage was told %d times only", errs)
	}
}

// readAll reads a whole graph; it reports whether that went without an error.
func readAll(path, want string) bool {
	x, err := index.Open(path)
	if err != nil {
		return false
	}
	defer x.Close()
	g, err := Open(x)
	if err != nil {
		return false
	}
	for id := range g.NumNodes() {
		n, err1 := g.Node(id)
		_, err2 := g.Out(id)
		_, err3 := g.In(id)
		_, err4 := g.Named(n.Name)
		if errors.Join(err1, err2, err3, err4) != nil {
			return false
		}
	}
	return true
}

// FuzzRow decodes any bytes as a row: what comes out is a row that codes to
// the same edges.
func FuzzRow(f *testing.F) {
	r := newRows(9, []edge{{4, 1, EdgeCalls, 0}, {4, 8, EdgeCalls, 3}, {4, 4, EdgeCalls, 1}, {4, 2, EdgeTests, 2}})
	b, err := r.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b[4*10:], 4, 9)
	f.Add([]byte{0, 1, 0}, 0, 1)
	f.Add([]byte{6, 255, 255, 255, 255, 15}, 0, 1)
	f.Fuzz(func(t *testing.T, b []byte, id, n int) {
		if id < 0 || n <= id || n > 1<<20 {
			return
		}
		edges, ok := decodeRow(b, id, n, nil)
		if !ok {
			return
		}
		var list []edge
		for _, e := range edges {
			if e.Other < 0 || e.Other >= n {
				t.Fatalf("edge to %d of %d", e.Other, n)
			}
			list = append(list, edge{uint32(id), uint32(e.Other), e.Kind, uint8(slices.Index(tiers[:], e.Confidence))})
		}
		if n > 1000 {
			return
		}
		again := newRows(n, list)
		coded, err := again.encode()
		if err != nil {
			t.Fatal(err)
		}
		back, ok := decodeRow(coded[4*(n+1):], id, n, nil)
		if !ok || len(back) > len(edges) {
			t.Fatalf("%v came back as %v", edges, back)
		}
	})
}
