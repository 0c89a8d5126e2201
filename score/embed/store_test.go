package embed

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/topo-dev/topo/score/embed/embedtest"
)

// stores makes an empty store of each kind. The real server is used when
// QDRANT_HOST names one.
func stores(t *testing.T) map[string]func(t *testing.T) Store {
	all := map[string]func(t *testing.T) Store{
		"local": func(*testing.T) Store { return NewLocal() },
		"qdrant": func(t *testing.T) Store {
			q, _ := fakeQdrant(t, QdrantOptions{})
			return q
		},
	}
	if host := os.Getenv("QDRANT_HOST"); host != "" {
		all["real qdrant"] = func(t *testing.T) Store { return realQdrant(t, host) }
	}
	return all
}

func fakeQdrant(t *testing.T, o QdrantOptions) (*Qdrant, *embedtest.Qdrant) {
	t.Helper()
	s, err := embedtest.NewQdrant()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	o.Host, o.Now = s.Addr, func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
	if o.Model == "" {
		o.Model = "m"
	}
	q, err := NewQdrant(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { q.Close() })
	return q, s
}

// realQdrant uses collections of its own and removes them.
func realQdrant(t *testing.T, host string) Store {
	t.Helper()
	q, err := NewQdrant(QdrantOptions{Host: host, Key: os.Getenv("QDRANT_API_KEY"), Model: "m", Prefix: fmt.Sprintf("topo_test_%d_", time.Now().UnixNano())})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, c := range []Collection{Files, Functions} {
			if err := q.client.DeleteCollection(context.Background(), q.collection(c)); err != nil {
				t.Log(err)
			}
		}
		q.Close()
	})
	return q
}

func keyFor(text string) Key { return sha256.Sum256([]byte(text)) }

func filePoint(path, text string) Point {
	return Point{ID: path, Key: keyFor(text), Vector: Quantize(embedtest.Vector(text)), Payload: Payload{Type: TypeFile, FilePath: path, Language: "go", Content: text}}
}

func functionPoint(path, name string, line int, text string) Point {
	p := filePoint(path, text)
	p.ID = fmt.Sprintf("%s#%s@%d", path, name, line)
	p.Payload.Type, p.Payload.Name, p.Payload.Line = TypeFunction, name, line
	p.Payload.Parameters, p.Payload.ReturnType = []string{"a int"}, "error"
	return p
}

var (
	filesOfA = Scope{Collection: Files, Workspace: "a", Type: TypeFile}
	filesOfB = Scope{Collection: Files, Workspace: "b", Type: TypeFile}
)

func ids(list []Match) (out []string) {
	for _, m := range list {
		out = append(out, m.ID)
	}
	return out
}

func mustPut(t *testing.T, s Store, sc Scope, points ...Point) {
	t.Helper()
	if err := s.Put(context.Background(), sc, points); err != nil {
		t.Fatal(err)
	}
}

func mustSearch(t *testing.T, s Store, sc Scope, query string, limit int) []Match {
	t.Helper()
	got, err := s.Search(context.Background(), sc, Quantize(embedtest.Vector(query)), limit)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func mustKeys(t *testing.T, s Store, sc Scope) []string {
	t.Helper()
	keys, err := s.Keys(context.Background(), sc)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(maps.Keys(keys))
}

// TestStores is the suite that every store must pass.
func TestStores(t *testing.T) {
	for name, open := range stores(t) {
		for check, run := range map[string]func(*testing.T, Store){
			"empty": testEmpty, "finds": testFinds, "workspaces": testWorkspaces, "scopes": testScopes,
			"replace and delete": testReplaceDelete, "oracle": testOracle, "odd names": testOddNames, "refuses": testRefuses, "cancel": testCancel,
		} {
			t.Run(name+"/"+check, func(t *testing.T) { run(t, open(t)) })
		}
	}
}

func testEmpty(t *testing.T, s Store) {
	if got := mustSearch(t, s, filesOfA, "x", 3); len(got) != 0 {
		t.Errorf("found %v", got)
	}
	if got := mustKeys(t, s, filesOfA); len(got) != 0 {
		t.Errorf("keys %v", got)
	}
	if err := s.Delete(context.Background(), filesOfA, []string{"x"}); err != nil {
		t.Error(err)
	}
	mustPut(t, s, filesOfA)
}

func testFinds(t *testing.T, s Store) {
	mustPut(t, s, filesOfA, filePoint("a.go", "evict pods under pressure"), filePoint("b.go", "render a page of text"), filePoint("c.go", "evict a page"))
	got := mustSearch(t, s, filesOfA, "evict pods", 2)
	if want := []string{"a.go", "c.go"}; !slices.Equal(ids(got), want) {
		t.Fatalf("found %v, want %v", got, want)
	}
	want := Cosine(Quantize(embedtest.Vector("evict pods")), Quantize(embedtest.Vector("evict pods under pressure")))
	if math.Abs(got[0].Score-want) > 1e-3 || got[0].Path != "a.go" || got[0].Key != keyFor("evict pods under pressure") {
		t.Errorf("found %+v, want score %v", got[0], want)
	}
}

// testWorkspaces holds the walls between workspaces: the same path with the
// same text in both.
func testWorkspaces(t *testing.T, s Store) {
	mustPut(t, s, filesOfA, filePoint("same.go", "evict pods"), filePoint("a.go", "evict pods now"))
	mustPut(t, s, filesOfB, filePoint("same.go", "render text"), filePoint("b.go", "evict pods now"))
	if got := ids(mustSearch(t, s, filesOfB, "evict pods", 9)); !slices.Equal(got, []string{"b.go", "same.go"}) {
		t.Errorf("found %v", got)
	}
	if err := s.Delete(context.Background(), filesOfB, []string{"same.go", "a.go"}); err != nil {
		t.Fatal(err)
	}
	if a, b := mustKeys(t, s, filesOfA), mustKeys(t, s, filesOfB); !slices.Equal(a, []string{"a.go", "same.go"}) || !slices.Equal(b, []string{"b.go"}) {
		t.Errorf("left in a %v, in b %v", a, b)
	}
	if k, _ := s.Keys(context.Background(), filesOfA); k["same.go"] != keyFor("evict pods") {
		t.Error("the point of the other workspace was written over")
	}
}

func testScopes(t *testing.T, s Store) {
	functions := Scope{Collection: Functions, Workspace: "a", Type: TypeFunction}
	mustPut(t, s, filesOfA, filePoint("a.go", "evict pods"))
	sections := Scope{Collection: Files, Workspace: "a", Type: TypeSection}
	section := functionPoint("a.md", "Eviction", 3, "evict pods")
	section.Payload.Type = TypeSection
	mustPut(t, s, sections, section)
	mustPut(t, s, functions, functionPoint("a.go", "evict", 4, "evict pods"), functionPoint("a.go", "evict", 40, "evict nodes"), functionPoint("b.go", "kill", 7, "evict pods"))
	functions.Paths = []string{"a.go", "gone.go"}
	if got := ids(mustSearch(t, s, functions, "evict pods", 9)); !slices.Equal(got, []string{"a.go#evict@4", "a.go#evict@40"}) {
		t.Errorf("of one file %v", got)
	}
	if got := mustKeys(t, s, functions); len(got) != 2 {
		t.Errorf("keys of one file %v", got)
	}
	functions.Paths = []string{}
	if got := mustSearch(t, s, functions, "evict pods", 9); len(got) != 0 {
		t.Errorf("of no file %v", got)
	}
	for sc, want := range map[*Scope]string{&filesOfA: "a.go", &sections: "a.md#Eviction@3"} {
		if got := ids(mustSearch(t, s, *sc, "evict pods", 9)); !slices.Equal(got, []string{want}) {
			t.Errorf("of type %s %v", sc.Type, got)
		}
	}
}

func testReplaceDelete(t *testing.T, s Store) {
	mustPut(t, s, filesOfA, filePoint("a.go", "evict pods"), filePoint("b.go", "evict nodes"), filePoint("c.go", "x"))
	mustPut(t, s, filesOfA, filePoint("a.go", "render text"))
	if got := ids(mustSearch(t, s, filesOfA, "evict", 1)); !slices.Equal(got, []string{"b.go"}) {
		t.Errorf("after a.go changed: %v", got)
	}
	if err := s.Delete(context.Background(), filesOfA, []string{"b.go", "never.go"}); err != nil {
		t.Fatal(err)
	}
	if got := mustKeys(t, s, filesOfA); !slices.Equal(got, []string{"a.go", "c.go"}) {
		t.Errorf("after b.go went: %v", got)
	}
	if got := ids(mustSearch(t, s, filesOfA, "render text", 9)); !slices.Equal(got, []string{"a.go", "c.go"}) {
		t.Errorf("found %v", got)
	}
}

// testOracle compares with the definition, over random points, changes and
// queries. There are more points than a page of the server holds.
func testOracle(t *testing.T, s Store) {
	rng := rand.New(rand.NewPCG(5, 6))
	words := strings.Fields("evict pod node render text page cache index score rank token budget chunk file line")
	phrase := func() string {
		var out []string
		for range 2 + rng.IntN(5) {
			out = append(out, words[rng.IntN(len(words))])
		}
		return strings.Join(out, " ")
	}
	have := map[string]Point{}
	var batch []Point
	for i := range 2300 {
		p := filePoint(fmt.Sprintf("d%d/f%d.go", i%7, i), phrase())
		have[p.ID] = p
		batch = append(batch, p)
	}
	mustPut(t, s, filesOfA, batch...)
	var gone []string
	for id := range have {
		if rng.IntN(3) == 0 {
			gone = append(gone, id)
			delete(have, id)
		}
	}
	if err := s.Delete(context.Background(), filesOfA, gone); err != nil {
		t.Fatal(err)
	}
	if got := mustKeys(t, s, filesOfA); !slices.Equal(got, slices.Sorted(maps.Keys(have))) {
		t.Fatalf("%d points left, want %d", len(got), len(have))
	}
	for range 5 {
		q := phrase()
		got := mustSearch(t, s, filesOfA, q, 20)
		var want []float64
		for _, p := range have {
			want = append(want, Cosine(p.Vector, Quantize(embedtest.Vector(q))))
		}
		slices.Sort(want)
		slices.Reverse(want)
		for i, m := range got {
			own := Cosine(have[m.ID].Vector, Quantize(embedtest.Vector(q)))
			if math.Abs(m.Score-want[i]) > 1e-3 || math.Abs(own-m.Score) > 1e-3 {
				t.Fatalf("%q: place %d is %+v, want score %v", q, i, m, want[i])
			}
		}
		if len(got) != 20 {
			t.Errorf("%d found", len(got))
		}
	}
}

func testOddNames(t *testing.T, s Store) {
	names := []string{"a b/ü.go", "a_b/u.go", "a-b/u.go", "bad\xff.go", "base64:x", "quote\"'.go", "line\nbreak"}
	for _, n := range names {
		mustPut(t, s, filesOfA, filePoint(n, n))
	}
	if got := mustKeys(t, s, filesOfA); !slices.Equal(got, slices.Sorted(slices.Values(names))) {
		t.Errorf("keys %q", got)
	}
	sc := filesOfA
	sc.Paths = []string{"bad\xff.go"}
	if got := mustSearch(t, s, sc, "bad", 9); len(got) != 1 || got[0].Path != "bad\xff.go" {
		t.Errorf("found %v", got)
	}
}

func testRefuses(t *testing.T, s Store) {
	ctx, ok := context.Background(), filePoint("a.go", "x")
	mustPut(t, s, filesOfA, ok)
	short := filePoint("b.go", "x")
	short.Vector.Data = short.Vector.Data[:7]
	for what, err := range map[string]error{
		"no workspace":    s.Put(ctx, Scope{Collection: Files, Type: TypeFile}, []Point{ok}),
		"no type":         s.Put(ctx, Scope{Collection: Files, Workspace: "a"}, []Point{ok}),
		"another type":    s.Put(ctx, Scope{Collection: Files, Workspace: "a", Type: TypeSection}, []Point{ok}),
		"no identifier":   s.Put(ctx, filesOfA, []Point{{Payload: ok.Payload, Vector: ok.Vector}}),
		"no vector":       s.Put(ctx, filesOfA, []Point{{ID: "x", Payload: ok.Payload}}),
		"other dims":      s.Put(ctx, filesOfA, []Point{short}),
		"mixed dims":      s.Put(ctx, filesOfA, []Point{ok, short}),
		"delete anywhere": s.Delete(ctx, Scope{Collection: Files, Type: TypeFile}, []string{"a.go"}),
	} {
		if err == nil {
			t.Errorf("%s was taken", what)
		}
	}
	if _, err := s.Keys(ctx, Scope{Collection: Files, Type: TypeFile}); err == nil {
		t.Error("keys of every workspace")
	}
	if _, err := s.Search(ctx, Scope{Collection: Files, Type: TypeFile}, ok.Vector, 3); err == nil {
		t.Error("a search of every workspace")
	}
	if _, err := s.Search(ctx, filesOfA, short.Vector, 3); err == nil {
		t.Error("a search by a vector of other dimensions")
	}
}

func testCancel(t *testing.T, s Store) {
	ctx, cancel := context.WithCancel(context.Background())
	mustPut(t, s, filesOfA, filePoint("a.go", "x"))
	cancel()
	if _, err := s.Search(ctx, filesOfA, Quantize(embedtest.Vector("x")), 3); err == nil {
		t.Error("a cancelled search gave a result")
	}
}

// BenchmarkLocalSearch finds the best 1,000 of 10,000 vectors of 768 dimensions.
func BenchmarkLocalSearch(b *testing.B) {
	rng := rand.New(rand.NewPCG(7, 8))
	l := NewLocal()
	points := make([]Point, 10000)
	for i := range points {
		points[i] = filePoint(fmt.Sprintf("f%d", i), "x")
		points[i].Vector = Quantize(randomFloats(rng, 768))
	}
	if err := l.Put(context.Background(), filesOfA, points); err != nil {
		b.Fatal(err)
	}
	q := Quantize(randomFloats(rng, 768))
	for b.Loop() {
		if got, err := l.Search(context.Background(), filesOfA, q, 1000); err != nil || len(got) != 1000 {
			b.Fatal(err)
		}
	}
}
