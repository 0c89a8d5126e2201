package signal

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/topo-dev/topo/chunk"
)

const shop = `package shop

// Store keeps orders.
type Store struct{ orders map[string]*Order }

// Load reads an order; a missing order is an error.
func (s *Store) Load(id string) (*Order, error) {
	if o := s.orders[id]; o != nil {
		return o, nil
	}
	return nil, errors.New("order not found in store")
}

func (s *Store) Close() error { return nil }

func helper(limit int) int {
	return limit
}

func _private() {}
`

// flat is a corpus in which every term is as rare.
type flat struct{ Corpus }

func (flat) NumFiles() int          { return 1000 }
func (flat) DF(string) (int, error) { return 10, nil }

// valued is by name of the definition and of the signal.
func valued(t *testing.T, query, path, src string) map[string]map[string]float64 {
	t.Helper()
	x, err := NewChunks(flat{}, query)
	if err != nil {
		t.Fatal(err)
	}
	chunks := chunk.Parse(context.Background(), "go", path, []byte(src)).Chunks
	table := x.Of([]byte(src), chunks, path, "go")
	out := map[string]map[string]float64{}
	for i, at := range table.At {
		v := map[string]float64{}
		for _, c := range table.Features {
			v[c.Name] = c.Values[i]
		}
		if table.Holds[i] {
			v["holds"] = 1
		}
		out[chunks[at].Qualified()] = v
	}
	return out
}

func TestChunkSignals(t *testing.T) {
	for _, test := range []struct {
		query, signal string
		best, other   string // the signal values the first more than the second
	}{
		{"missing order", "Text", "Store.Load", "Store.Close"},
		{"missing order", "Doc", "Store.Load", "Store"},
		{"an order is not found", "Code", "Store.Load", "helper"},
		{"limit of orders", "Signature", "helper", "Store.Load"},
		{"order not found", "LongestRun", "Store.Load", "Store"},
		{"order not found", "Pairs", "Store.Load", "Store"},
		{"store of orders", "HolderText", "Store.Close", "helper"},
		{"close the store", "NameCovered", "Store.Close", "Store.Load"},
		{"the Store is slow", "HolderNamed", "Store.Close", "helper"},
		{"calls `Load` twice", "Named", "Store.Load", "Store.Close"},
		{"Close twice\nwith text", "NamedTitle", "Store.Close", "Store.Load"},
		{"what helper(3) returns", "Called", "helper", "Store.Load"},
		{"Store.Close panics", "Member", "Store.Close", "Store.Load"},
		{"Store::close panics", "Member", "Store.Close", "Store.Load"},
		{"helpers and more", "NameHolds", "_private", "_private"},
		{"private things", "Private", "_private", "helper"},
		{"any order", "Method", "Store.Load", "helper"},
		{"any order", "Type", "Store", "helper"},
		{"any order", "Lines", "Store.Load", "Store.Close"},
		{"order", "PlaceByText", "Store.Load", "Store.Close"},
		{"trace\nat shop/store.go:12", "Frame", "Store.Load", "Store.Close"},
		{"File \"/x/shop/store.go\", line 99, in helper", "Frame", "helper", "Store.Load"},
		{"at com.acme.Store.helper(store.go:3)", "Frame", "helper", "Store.Load"},
	} {
		v := valued(t, test.query, "shop/store.go", shop)
		a, b := v[test.best][test.signal], v[test.other][test.signal]
		if test.best != test.other && a <= b || test.best == test.other && a != 0 {
			t.Errorf("%q: %s of %s is %v, of %s %v", test.query, test.signal, test.best, a, test.other, b)
		}
	}
}

func TestChunkFrameOfAnotherFile(t *testing.T) {
	for _, query := range []string{"at other/store.go:12 it fails", "File \"/x/shop/other.py\", line 9, in helper"} {
		for name, v := range valued(t, query, "shop/store.go", shop) {
			if v["Frame"] != 0 {
				t.Errorf("%q: a frame in %s", query, name)
			}
		}
	}
}

func TestChunksThatHoldNothing(t *testing.T) {
	v := valued(t, "missing order", "shop/store.go", shop)
	if v["helper"]["holds"] != 0 || v["Store.Load"]["holds"] != 1 {
		t.Errorf("helper holds %v, Load %v", v["helper"]["holds"], v["Store.Load"]["holds"])
	}
	x, err := NewChunks(flat{}, "missing order")
	if err != nil {
		t.Fatal(err)
	}
	if table := x.Of(nil, nil, "a.go", "go"); len(table.At) != 0 || len(table.Scores(ChunkWeights)) != 0 {
		t.Errorf("an empty file has %d definitions", len(table.At))
	}
}

func TestSignatureOfTheFirstLineCounts(t *testing.T) {
	v := valued(t, "a limit", "a.go", "package a\n\nfunc x() {}\n\nfunc f(limit int) {}\n\nfunc y() {}\n")
	if v["f"]["Signature"] != 1 || v["x"]["Text"] != 0 || v["y"]["Text"] != 0 {
		t.Errorf("f %v, x %v, y %v", v["f"]["Signature"], v["x"]["Text"], v["y"]["Text"])
	}
}

// Every signal is listed, has a weight, and stays finite.
func TestChunkSignalsAreWhole(t *testing.T) {
	names := map[string]bool{}
	for _, k := range ChunkSignals() {
		if _, ok := ChunkWeights[k.Name]; !ok || k.Doc == "" || k.Group == "" || names[k.Name] {
			t.Errorf("signal %q is listed twice, has no weight or is not explained", k.Name)
		}
		names[k.Name] = true
	}
	if len(ChunkWeights) != len(names) {
		t.Errorf("%d weights for %d signals", len(ChunkWeights), len(names))
	}
	for name, v := range valued(t, strings.Repeat("order Store.Load( found ", 300), "shop/store.go", shop) {
		for signal, x := range v {
			if math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
				t.Errorf("%s of %s is %v", signal, name, x)
			}
		}
	}
}

func TestFilePart(t *testing.T) {
	if a, b := FilePart(1, 0, ChunkWeights), FilePart(0.5, 4, ChunkWeights); a <= b {
		t.Errorf("the first file adds %v, the fifth %v", a, b)
	}
}

func TestAsked(t *testing.T) {
	a := parseDefinitionHints(parseQuery("Fix close() of Server.Close and pkg::Open, x->y, #z, (a) 3.f(\ndef"))
	for _, n := range []string{"server.close", "pkg.open", "x.y"} {
		if !a.members[n] {
			t.Errorf("%s is no member in %v", n, a.members)
		}
	}
	if !a.called["close"] || !a.called["f"] || len(a.called) != 2 {
		t.Errorf("called: %v", a.called)
	}
	deep := parseDefinitionHints(parseQuery("T\nFile \"a/b.py\", line 1, in outer\nFile \"a/b.py\", line 7, in inner\n")).frames
	if len(deep) != 2 || deep[1].deep <= deep[0].deep || deep[1].name != "inner" || deep[1].line != 7 || !slices.Equal(deep[0].segs, []string{"a", "b.py"}) {
		t.Errorf("frames %+v", deep)
	}
}

func FuzzChunks(f *testing.F) {
	f.Add("order Store.Load(", shop, 10, 40, 5, 20)
	f.Add("File \"a.go\", line 3, in x\nat a.b(c.go:1)", "x", 0, 1, 0, 1)
	f.Fuzz(func(t *testing.T, query, text string, a, b, c, d int) {
		x, err := NewChunks(flat{}, query)
		if err != nil {
			t.Fatal(err)
		}
		chunks := []chunk.Chunk{{Kind: chunk.Type, Name: query, StartByte: a, EndByte: b, SigEnd: c, DocStart: c, DocEnd: d},
			{Kind: chunk.Method, Name: text, Scope: query, StartByte: c, EndByte: d, SigEnd: b, DocStart: a, DocEnd: c}}
		for _, v := range x.Of([]byte(text), chunks, "a.go", "go").Scores(ChunkWeights) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("score %v", v)
			}
		}
	})
}

func BenchmarkChunks(b *testing.B) {
	src := []byte(strings.Repeat(shop[len("package shop"):], 50))
	chunks := chunk.Parse(context.Background(), "go", "a.go", append([]byte("package shop"), src...)).Chunks
	src = append([]byte("package shop"), src...)
	x, err := NewChunks(flat{}, "a missing order is not found in the store")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		x.Of(src, chunks, "a.go", "go")
	}
}
