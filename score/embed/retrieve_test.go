package embed

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/stream"
)

var twoPhases = map[string]string{
	"auth.go":   "package auth\n\n// Verify checks the signature of a token.\nfunc Verify(token string) error { return nil }\n\n// Render prints a page.\nfunc Render() {}\n",
	"other.go":  "package other\n\n// Verify checks the signature of a token.\nfunc Verify(token string) error { return nil }\n",
	"guide.rst": "Guide\n=====\nHello.\n\nTokens\n------\nHow a token is verified.\n\nPages\n-----\nHow a page is rendered.\n",
}

func retrieval(t *testing.T, query, kind string, names ...string) Retrieval {
	t.Helper()
	_, files := tree(t, twoPhases)
	files = slices.DeleteFunc(files, func(f stream.File) bool { return !slices.Contains(names, f.Path) })
	for i := range files {
		files[i].Score = 1 - float64(i)/10
	}
	q, err := score.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	// A corpus of this query, for the words of definitions.
	c, err := score.NewLexical(context.Background(), files, q, score.LexicalOptions{Reader: sources(twoPhases), Parse: chunk.Parse})
	if err != nil {
		t.Fatal(err)
	}
	return Retrieval{Corpus: c, Query: q, Files: files, Kind: kind, Top: 10}
}

func found(t *testing.T, r Retrieval) []string {
	t.Helper()
	list, err := r.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for i, f := range list {
		if f.Score <= 0 || f.Score > 1+1e-9 || i > 0 && f.Score > list[i-1].Score {
			t.Errorf("%s has score %v at place %d", f.ID(), f.Score, i)
		}
		out = append(out, f.ID())
	}
	return out
}

func TestRetrieveByWords(t *testing.T) {
	got := found(t, retrieval(t, "verify the signature of a token", TypeFunction, "auth.go", "other.go"))
	if want := []string{"auth.go#Verify@3", "other.go#Verify@3"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	got = found(t, retrieval(t, "verify the signature of a token", TypeFunction, "other.go"))
	if want := []string{"other.go#Verify@3"}; !slices.Equal(got, want) {
		t.Errorf("outside of the chosen files: %q", got)
	}
	got = found(t, retrieval(t, "token verified", TypeSection, "guide.rst"))
	if len(got) == 0 || got[0] != "guide.rst#Guide.Tokens@5" {
		t.Errorf("sections %q", got)
	}
	if got := found(t, retrieval(t, "verify", TypeFunction)); len(got) != 0 {
		t.Errorf("in no file: %q", got)
	}
}

// TestRetrieveSearchesTheChosenFilesOnly has another file with the very same
// definition in the store.
func TestRetrieveSearchesTheChosenFilesOnly(t *testing.T) {
	e := &toy{}
	s := space(t, e, filepath.Join(t.TempDir(), "v.vec"))
	q, fake := fakeQdrant(t, QdrantOptions{})
	s.Store = q
	all := retrieval(t, "checks the signature", TypeFunction, "auth.go", "other.go")
	all.Space = s
	if got := found(t, all); len(got) != 3 {
		t.Errorf("found %q", got)
	}
	sent := len(e.calls)
	one := retrieval(t, "checks the signature", TypeFunction, "other.go")
	one.Space = s
	if got := found(t, one); !slices.Equal(got, []string{"other.go#Verify@3"}) {
		t.Errorf("found %q", got)
	}
	if len(e.calls) != sent {
		t.Errorf("definitions were embedded again: %q", e.calls[sent:])
	}
	if n := len(fake.Payloads("workspace_functions")); n != 3 {
		t.Errorf("%d points: those of other files must stay", n)
	}
	if got := fake.Unfiltered(); len(got) > 0 {
		t.Errorf("without a workspace: %v", got)
	}
}

func TestRetrieveByLikeness(t *testing.T) {
	r := retrieval(t, "prints", TypeFunction, "auth.go")
	r.Space = space(t, &toy{}, filepath.Join(t.TempDir(), "v.vec"))
	list, err := r.Run(context.Background())
	if err != nil || len(list) == 0 || list[0].Name != "Render" || list[0].Semantic <= 0 {
		t.Errorf("%+v, %v", list, err)
	}
}

// backwards is a reranker that likes the last text best.
type backwards struct{ saw []string }

func (b *backwards) Rerank(_ context.Context, _ string, docs []string) ([]float64, error) {
	b.saw = docs
	out := make([]float64, len(docs))
	for i := range out {
		out[i] = float64(i) - 5
	}
	return out, nil
}

func TestRetrieveRerank(t *testing.T) {
	r := retrieval(t, "verify the signature of a token", TypeFunction, "auth.go", "other.go")
	m := &backwards{}
	r.Rerank = m
	list, err := r.Run(context.Background())
	if err != nil || len(list) != 2 || list[0].Rerank == 0 {
		t.Fatalf("%+v, %v", list, err)
	}
	if want := "auth.go\n// Verify checks the signature of a token.\nfunc Verify(token string) error { return nil }\n"; m.saw[0] != want {
		t.Errorf("the reranker read %q", m.saw[0])
	}
}

func TestFuse(t *testing.T) {
	got := fuse([]float64{3, 1, 0, 3}, []float64{0.5, 0.9, 0, -1})
	want := []float64{(1 + 61.0/62) / 2, (61.0/63 + 1) / 2, 0, 0.5}
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-12 {
			t.Errorf("%v, want %v", got, want)
		}
	}
}
