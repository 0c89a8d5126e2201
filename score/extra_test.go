package score

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/topo-dev/topo/stream"
)

// byLength is an extra signal that values every file.
var byLength = Extra{"Length", func(_ context.Context, _ *Query, files []stream.File) ([]float64, error) {
	v := make([]float64, len(files))
	for i := range files {
		v[i] = 0.5 + 1/float64(1+len(files[i].Path))
	}
	return v, nil
}}

// byName is a reranker that likes texts by their names, and remembers them.
type byName struct{ saw *[]string }

func (b byName) Rerank(_ context.Context, _ string, docs []string) ([]float64, error) {
	out := make([]float64, len(docs))
	for i, d := range docs {
		out[i] = -float64(d[0]) // any number, as llama.cpp answers
	}
	if b.saw != nil {
		*b.saw = docs
	}
	return out, nil
}

// favour values one file only.
func favour(path string) Extra {
	return Extra{SignalSemantic, func(_ context.Context, _ *Query, files []stream.File) ([]float64, error) {
		v := make([]float64, len(files))
		for i := range files {
			if files[i].Path == path {
				v[i] = 1
			}
		}
		return v, nil
	}}
}

func TestExtraSignal(t *testing.T) {
	f := presetTree()
	files := f.tree.files()
	for _, fusion := range Fusions() {
		o := Options{Query: mustQuery(t, "pod eviction"), Preset: "thorough", Fusion: fusion, Extra: []Extra{favour("other/unrelated2.toy")}}
		got := mustRank(t, f, files, o)
		at := slices.IndexFunc(got, func(f stream.File) bool { return f.Path == "other/unrelated2.toy" })
		if got[at].Score == 0 || got[at].Signals[SignalSemantic] != 1 {
			t.Errorf("%s: the signal of the caller does not count: %+v", fusion, got[at])
		}
		o.Preset = "deep"
		if got := paths(mustRank(t, f, files, o)); strings.Contains(got, "unrelated2") {
			t.Errorf("%s: preset deep computes what only thorough does: %s", fusion, got)
		}
	}
}

// TestExtraScale multiplies and moves a signal, which must change nothing.
func TestExtraScale(t *testing.T) {
	f := presetTree()
	scaled := Extra{"Length", func(ctx context.Context, q *Query, files []stream.File) ([]float64, error) {
		v, err := byLength.Values(ctx, q, files)
		for i := range v {
			v[i] = 8*v[i] + 3
		}
		return v, err
	}}
	o := Options{Query: mustQuery(t, "pod eviction"), Preset: "thorough", Extra: []Extra{byLength}}
	want := paths(mustRank(t, f, f.tree.files(), o))
	o.Extra = []Extra{scaled}
	if got := paths(mustRank(t, f, f.tree.files(), o)); got != want {
		t.Errorf("scaled %s, plain %s", got, want)
	}
}

func TestExtraErrors(t *testing.T) {
	f := presetTree()
	broken := errors.New("broken")
	for _, e := range []Extra{
		{"short", func(context.Context, *Query, []stream.File) ([]float64, error) { return []float64{1}, nil }},
		{"broken", func(context.Context, *Query, []stream.File) ([]float64, error) { return nil, broken }},
	} {
		_, err := Rank(context.Background(), f, f.tree.files(), Options{Query: mustQuery(t, "eviction"), Preset: "thorough", Extra: []Extra{e}})
		if err == nil || e.Name == "broken" && !errors.Is(err, broken) {
			t.Errorf("%s: %v", e.Name, err)
		}
	}
}

func TestRerankTradesPlaces(t *testing.T) {
	f := presetTree()
	for _, fusion := range Fusions() {
		o := Options{Query: mustQuery(t, "pod eviction"), Fusion: fusion}
		plain := mustRank(t, f, f.tree.files(), o)
		var docs []string
		o.Rerank = byName{&docs}
		got := mustRank(t, f, f.tree.files(), o)
		for i := range got {
			if got[i].Score != plain[i].Score {
				t.Errorf("%s: place %d has score %v, had %v", fusion, i, got[i].Score, plain[i].Score)
			}
		}
		if paths(got) == paths(plain) {
			t.Errorf("%s: the reranker changed nothing: %s", fusion, paths(got))
		}
		for i, d := range docs {
			path, text, ok := strings.Cut(d, "\n")
			if path != plain[i].Path || !ok || text == "" || len(d) > RerankBytes {
				t.Errorf("%s: text %d is %q, want that of %s", fusion, i, d, plain[i].Path)
			}
		}
	}
}

// wrongCount is a reranker that forgets a text.
type wrongCount struct{}

func (wrongCount) Rerank(_ context.Context, _ string, docs []string) ([]float64, error) {
	return make([]float64, len(docs)-1), nil
}

func TestRerankErrors(t *testing.T) {
	f := presetTree()
	o := Options{Query: mustQuery(t, "pod eviction"), Rerank: wrongCount{}}
	if _, err := Rank(context.Background(), f, f.tree.files(), o); err == nil {
		t.Error("a value too few was taken")
	}
	o.Preset = "fast"
	if _, err := Rank(context.Background(), nil, f.tree.files(), o); err == nil {
		t.Error("passages were reranked without contents")
	}
}

func TestLines(t *testing.T) {
	text := []byte("a\nb\nc")
	for _, c := range []struct {
		first, last int
		want        string
	}{{1, 1, "a\n"}, {2, 3, "b\nc"}, {1, 9, "a\nb\nc"}, {3, 3, "c"}, {4, 9, ""}, {2, 1, ""}} {
		if got := string(lines(text, c.first, c.last)); got != c.want {
			t.Errorf("%s: %q, want %q", fmt.Sprint(c.first, c.last), got, c.want)
		}
	}
}
