package embed

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/score/embed/embedtest"
	"github.com/topo-dev/topo/stream"
)

// space makes one on a file of vectors at path.
func space(t *testing.T, e Embedder, path string) *Space {
	t.Helper()
	cache, err := index.OpenVectors(path, e.Model())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cache.Close() })
	return &Space{Embedder: e, Cache: cache, Store: NewLocal(), Workspace: "w", Batches: Batches{Texts: 4, Workers: 1}}
}

func item(id, text string) Item {
	return Item{ID: id, Key: keyFor(id + text), Payload: Payload{Type: TypeFile, FilePath: id}, Text: func() (string, error) { return text, nil }}
}

func items(n int) (out []Item) {
	for i := range n {
		out = append(out, item(fmt.Sprintf("f%d.go", i), fmt.Sprintf("file %c evicts %c", 'a'+i%26, 'a'+i/26)))
	}
	return out
}

func mustSync(t *testing.T, s *Space, list []Item) Stats {
	t.Helper()
	st, err := s.Sync(context.Background(), Scope{Collection: Files, Type: TypeFile}, list)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func TestSyncSendsOnlyWhatIsNew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v.vec")
	e := &toy{}
	list := items(10)
	if st := mustSync(t, space(t, e, path), list); st.Embedded != 10 || st.Written != 10 || len(e.calls) != 3 {
		t.Errorf("first: %+v in %d requests", st, len(e.calls))
	}
	s := space(t, e, path)
	if st := mustSync(t, s, list); st.Embedded != 0 || st.Reused != 10 {
		t.Errorf("again: %+v", st)
	}
	list[3] = item("f3.go", "something else")              // changed
	list[4] = item("renamed.go", "file e evicts a")        // moved: another key, the same text
	list = append(list, item("twin.go", "something else")) // a copy
	if st := mustSync(t, s, list); st.Embedded != 1 || st.Written != 3 || st.Removed != 1 {
		t.Errorf("after a change: %+v", st)
	}
	if got := mustKeys(t, s.Store, Scope{Collection: Files, Workspace: "w", Type: TypeFile}); len(got) != 11 || slices.Contains(got, "f4.go") {
		t.Errorf("points %v", got)
	}
}

// TestSyncKeepsWhatWasPaidFor fails and is cancelled in the middle; nothing
// that had arrived is asked for again.
func TestSyncKeepsWhatWasPaidFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v.vec")
	e := &toy{failAt: 3}
	list := items(20)
	st, err := space(t, e, path).Sync(context.Background(), Scope{Collection: Files, Type: TypeFile}, list)
	var own *Error
	if !errors.As(err, &own) || st.Embedded != 8 {
		t.Fatalf("%+v, %v", st, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	stop := &stopping{toy: &toy{}, cancel: cancel, after: 2}
	if _, err := space(t, stop, path).Sync(ctx, Scope{Collection: Files, Type: TypeFile}, list); !errors.Is(err, context.Canceled) {
		t.Fatalf("cancelled: %v", err)
	}
	e = &toy{}
	if st := mustSync(t, space(t, e, path), list); st.Embedded != 4 || st.Reused != 16 {
		t.Errorf("afterwards: %+v; wanted only what had not arrived", st)
	}
}

// stopping cancels while it embeds the given request, whose answer arrives.
type stopping struct {
	*toy
	cancel func()
	after  int
}

func (s *stopping) Embed(ctx context.Context, texts []string, p Purpose) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out, err := s.toy.Embed(ctx, texts, p)
	if len(s.toy.calls) == s.after {
		s.cancel()
	}
	return out, err
}

// sized answers with a given number of dimensions.
type sized struct {
	*toy
	dims int
}

func (s *sized) Embed(ctx context.Context, texts []string, p Purpose) ([][]float32, error) {
	out, err := s.toy.Embed(ctx, texts, p)
	for i := range out {
		out[i] = out[i][:s.dims]
	}
	return out, err
}

// TestPartialDeletesNothing syncs a part of the workspace.
func TestPartialDeletesNothing(t *testing.T) {
	s := space(t, &toy{}, filepath.Join(t.TempDir(), "v.vec"))
	mustSync(t, s, items(5))
	s.Partial = true
	if st := mustSync(t, s, items(2)); st.Removed != 0 {
		t.Errorf("%+v", st)
	}
	if err := s.Query(context.Background(), "file c evicts a"); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Search(context.Background(), Scope{Collection: Files, Type: TypeFile}, 9); err != nil || len(got) != 2 {
		t.Errorf("%v, %v: want the part alone", ids(got), err)
	}
}

// TestModelChangesUnderItsName drops vectors that cannot be compared any more.
func TestModelChangesUnderItsName(t *testing.T) {
	for _, asksFirst := range []bool{true, false} {
		path := filepath.Join(t.TempDir(), "v.vec")
		mustSync(t, space(t, &toy{}, path), items(10))
		s := space(t, &sized{&toy{}, 32}, path)
		list := append(items(10), item("new.go", "new words"))
		if asksFirst {
			if err := s.Query(context.Background(), "new words"); err != nil {
				t.Fatal(err)
			}
		}
		if st := mustSync(t, s, list); st.Embedded < 11 || s.Cache.Dims() != 32 {
			t.Errorf("asked first %v: %+v, %d dimensions", asksFirst, st, s.Cache.Dims())
		}
		if err := s.Query(context.Background(), "new words"); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Search(context.Background(), Scope{Collection: Files, Type: TypeFile}, 1); err != nil || len(got) != 1 || got[0].ID != "new.go" {
			t.Errorf("asked first %v: %v, %v", asksFirst, got, err)
		}
	}
}

// TestSearchLeavesOutStalePoints has another machine put points of another
// state of the workspace into a shared store.
func TestSearchLeavesOutStalePoints(t *testing.T) {
	s := space(t, &toy{}, filepath.Join(t.TempDir(), "v.vec"))
	mustSync(t, s, items(3))
	sc := Scope{Collection: Files, Workspace: "w", Type: TypeFile}
	mustPut(t, s.Store, sc, filePoint("gone.go", "file a evicts a"), filePoint("f0.go", "file a evicts a, changed"))
	if err := s.Query(context.Background(), "file a evicts a"); err != nil {
		t.Fatal(err)
	}
	got, err := s.Search(context.Background(), sc, 9)
	if err != nil || slices.Contains(ids(got), "gone.go") || slices.Contains(ids(got), "f0.go") || len(got) != 2 {
		t.Errorf("%v, %v", ids(got), err)
	}
}

// tree is a [score.Corpus] of files in memory.
func tree(t *testing.T, files map[string]string) (score.Corpus, []stream.File) {
	t.Helper()
	var list []stream.File
	for path, text := range files {
		f := stream.File{Path: path, Language: "go", Role: stream.RoleImpl, Size: int64(len(text)), Sha256: fmt.Sprintf("%064x", keyFor(text))}
		if strings.HasSuffix(path, ".md") {
			f.Language, f.Role = "markdown", stream.RoleDocs
		}
		if strings.HasSuffix(path, ".rst") {
			f.Language, f.Role = "restructuredtext", stream.RoleDocs
		}
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b stream.File) int { return strings.Compare(a.Path, b.Path) })
	q, err := score.ParseQuery("anything")
	if err != nil {
		t.Fatal(err)
	}
	c, err := score.NewLexical(context.Background(), list, q, score.LexicalOptions{Reader: sources(files), Parse: chunk.Parse})
	if err != nil {
		t.Fatal(err)
	}
	return c, list
}

type sources map[string]string

func (s sources) ReadFile(path string, buf []byte) ([]byte, error) {
	return append(buf[:0], s[path]...), nil
}

func TestFileSignal(t *testing.T) {
	c, files := tree(t, map[string]string{
		"a.go": "// Package a evicts pods under memory pressure.\npackage a\n", "b.go": "// Package b renders pages of text.\npackage b\n",
		"gen.go": "package gen\n", "x.bin": "",
	})
	for i := range files {
		switch files[i].Path {
		case "gen.go":
			files[i].Role = stream.RoleGenerated
		case "x.bin":
			files[i].Skipped = stream.SkipBinary
		}
	}
	e := &toy{}
	s := space(t, e, filepath.Join(t.TempDir(), "v.vec"))
	q, _ := score.ParseQuery("memory pressure evicts")
	got, err := s.FileSignal(c, files).Values(context.Background(), q, files)
	if err != nil || got[0] <= got[1] || got[1] <= 0 || got[2] != 0 || got[3] != 0 {
		t.Errorf("%v, %v", got, err)
	}
	if want := [][]string{{"memory pressure evicts"}, {"a.go: Package a evicts pods under memory pressure", "b.go: Package b renders pages of text"}}; fmt.Sprint(e.calls) != fmt.Sprint(want) {
		t.Errorf("sent %q", e.calls)
	}
}

func TestDefinitionItems(t *testing.T) {
	c, files := tree(t, map[string]string{
		"a.go": "package a\n\nimport \"fmt\"\n\n// Evict ends a pod.\nfunc Evict(name string) error { return nil }\n\ntype T struct{}\n\nfunc (t T) Run() {}\n\nvar x = 1\n",
		"d.md": "# One\ntext\n## Two\nmore\n",
	})
	list, defs, err := DefinitionItems(c, files, TypeFunction)
	var got []string
	for i := range defs {
		got = append(got, fmt.Sprintf("%s %s", defs[i].Kind, list[i].ID))
	}
	if want := []string{"function a.go#Evict@5", "type a.go#T@8", "method a.go#T.Run@10"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	if p := list[0].Payload; p.ReturnType != "error" || !slices.Equal(p.Parameters, []string{"name string"}) || p.Line != 5 || p.Type != TypeFunction {
		t.Errorf("%+v", p)
	}
	sections, defs, err := DefinitionItems(c, files, TypeSection)
	if err != nil || len(sections) != 2 || defs[1].Name != "One.Two" || sections[1].Payload.Type != TypeSection {
		t.Errorf("%+v, %v", defs, err)
	}
}

func TestSpaceSpeaksToServices(t *testing.T) {
	server := serve(t)
	e, err := NewOllama(Service{URL: server.URL, Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	s := space(t, e, filepath.Join(t.TempDir(), "v.vec"))
	q, fake := fakeQdrant(t, QdrantOptions{})
	s.Store, s.Contents = q, true
	if st := mustSync(t, s, items(10)); st.Written != 10 {
		t.Errorf("%+v", st)
	}
	if st := mustSync(t, s, items(9)); st.Written != 0 || st.Removed != 1 {
		t.Errorf("again: %+v", st)
	}
	if len(server.Texts()) != 10 {
		t.Errorf("%d texts sent", len(server.Texts()))
	}
	if got := fake.Payloads("workspace_files")["f3.go"]["content"].GetStringValue(); got != "file d evicts a" {
		t.Errorf("content %q", got)
	}
	if err := s.Query(context.Background(), "file d evicts a"); err != nil {
		t.Fatal(err)
	}
	got, err := s.Search(context.Background(), Scope{Collection: Files, Type: TypeFile}, 1)
	if err != nil || !slices.Equal(ids(got), []string{"f3.go"}) {
		t.Errorf("%v, %v", got, err)
	}
	if n := len(fake.Unfiltered()); n > 0 || embedtest.Dims != s.Cache.Dims() {
		t.Errorf("%d requests without a workspace; %d dimensions", n, s.Cache.Dims())
	}
}
