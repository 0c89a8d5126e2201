package graph

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topo-dev/topo/index"
)

// randomGo is a Go file of a small world of packages, types and methods, so
// that any change of one file moves edges of others.
func randomGo(r *rand.Rand, pkg string) string {
	pick := func(list string) string { f := strings.Fields(list); return f[r.IntN(len(f))] }
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n\t\"m/%s\"\n\tx \"m/%s\"\n\t\"fmt\"\n)\n", pkg, pick("a b c"), pick("a b c"))
	for range r.IntN(3) {
		fmt.Fprintf(&b, "type %s struct { %s; f *%s.%s }\n", pick("T U V"), pick("T U x.T a.U"), pick("a b c x"), pick("T U V"))
	}
	if r.IntN(3) == 0 {
		fmt.Fprintf(&b, "type I interface { %s() %s }\n", pick("Do Get"), pick("T x.U"))
	}
	for range r.IntN(4) {
		fmt.Fprintf(&b, "func (t *%s) %s() %s { t.f.%s(); t.%s(); return nil }\n", pick("T U V"), pick("Do Get Put"), pick("*T x.U I"), pick("Do Get Put"), pick("Do Get Put"))
	}
	for range r.IntN(3) {
		fmt.Fprintf(&b, "func %s(i %s.I) { %s.%s(nil); i.Do().Get(); v := %s(); v.Put(); fmt.Println(V0) }\n", pick("F G H TestF"), pick("a b x"), pick("a b c x"), pick("F G H"), pick("F a.G x.H"))
	}
	fmt.Fprintf(&b, "var V%d = %s{}\n", r.IntN(3), pick("T x.T a.U"))
	return b.String()
}

func randomHistory(r *rand.Rand, m memory) (out []index.Commit) {
	names := slices.Sorted(maps.Keys(m))
	for i := range r.IntN(8) {
		c := index.Commit{ID: fmt.Sprintf("%040x", i), Time: int64(i)}
		for range 1 + r.IntN(3) {
			c.Files = append(c.Files, names[r.IntN(len(names))])
		}
		out = append(out, c)
	}
	return out
}

// TestUpdateEqualsRebuild changes files at random: the updated index has the
// bytes of one built from scratch, so the edges that come into a changed file
// from unchanged ones are right too, at any number of workers.
func TestUpdateEqualsRebuild(t *testing.T) {
	walks, steps := 4, 12
	if os.Getenv("TOPO_SLOW") != "" {
		walks, steps = 40, 40
	}
	edges := 0
	for seed := range walks {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		dir := t.TempDir()
		path, scratch := filepath.Join(dir, "x.idx"), filepath.Join(dir, "y.idx")
		m := memory{"go.mod": []byte("module m\n")}
		for step := range steps {
			for range 1 + r.IntN(3) {
				pkg := string(rune('a' + r.IntN(3)))
				name := fmt.Sprintf("%s/%d%s.go", pkg, r.IntN(4), []string{"", "_test"}[r.IntN(2)])
				if r.IntN(4) == 0 {
					delete(m, name)
				} else {
					m[name] = []byte(randomGo(r, pkg))
				}
			}
			in := m.input()
			in.Workers, in.History = 1+r.IntN(4), randomHistory(r, m)
			_, g := built(t, path, in)
			edges += g.NumEdges()
			in.Workers, in.Force = 1, true
			built(t, scratch, in)
			got, err1 := os.ReadFile(path)
			want, err2 := os.ReadFile(scratch)
			if err1 != nil || err2 != nil || !bytes.Equal(got, want) {
				t.Fatalf("walk %d step %d: the updated index differs from a rebuilt one (%v, %v)", seed, step, err1, err2)
			}
			bothWays(t, g)
		}
	}
	if edges < 100*walks {
		t.Errorf("only %d edges were compared", edges)
	}
}

// bothWays checks that each edge is seen from both of its ends, in order.
func bothWays(t *testing.T, g *Graph) {
	t.Helper()
	out, in := 0, 0
	for id := range g.NumNodes() {
		edges, err := g.Out(id)
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range edges {
			if i > 0 && (edges[i-1].Kind > e.Kind || edges[i-1].Kind == e.Kind && edges[i-1].Other >= e.Other) {
				t.Fatalf("edges of node %d are out of order: %v", id, edges)
			}
			back, err := g.In(e.Other)
			if err != nil || !slices.Contains(back, Edge{e.Kind, id, e.Confidence}) {
				t.Fatalf("edge %d → %v is not seen from its end (%v)", id, e, err)
			}
		}
		back, err := g.In(id)
		if err != nil {
			t.Fatal(err)
		}
		out, in = out+len(edges), in+len(back)
	}
	if out != in || out != g.NumEdges() {
		t.Fatalf("%d edges out, %d in, %d counted", out, in, g.NumEdges())
	}
}

// TestDeclarationsInAnyOrder has variables that stand for types of other files:
// what they say must not depend on which file was looked at first.
func TestDeclarationsInAnyOrder(t *testing.T) {
	const n = 40
	m := memory{}
	for i := range n {
		m[fmt.Sprintf("part%02d.py", i)] = fmt.Appendf(nil, "from part%02d import Alias%d\n\nAlias%d = Literal[1]\nshared: dict[str, Alias%d] = {}\n\ndef run():\n    shared.items()\n",
			(i+1)%n, (i+1)%n, i, (i+1)%n)
	}
	var want []byte
	for round := range 12 {
		path := filepath.Join(t.TempDir(), "x.idx")
		in := m.input()
		in.Workers = 1 + round%4*3
		built(t, path, in)
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("round %d with %d workers gives another graph", round, in.Workers)
		}
	}
}
