package topo_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/topo-dev/topo"
)

// write makes a file of a tree.
func write(t *testing.T, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// indexed opens the tree at dir and brings its deep index up to date.
func indexed(t *testing.T, dir string) *topo.Repo {
	t.Helper()
	repo, err := topo.Open(t.Context(), dir, topo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(repo.Close)
	update(t, repo)
	return repo
}

func update(t *testing.T, repo *topo.Repo) {
	t.Helper()
	s, _, err := repo.Scan(t.Context(), topo.ScanOptions{})
	if err == nil {
		_, err = repo.Index(t.Context(), s, topo.IndexOptions{Deep: true})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestInterfaceAcrossPackages: methods of two packages are compared by parameters whose
// types are imported.
func TestInterfaceAcrossPackages(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "go.mod", "module m\n\ngo 1.26\n")
	write(t, dir, "p/p.go", "package p\n\nimport \"net/http\"\n\ntype Doer interface{ Do(r *http.Request) error }\n\ntype A struct{}\n\nfunc (A) Do(r *http.Request) error { return nil }\n\nfunc Run(d Doer) { d.Do(nil) }\n")
	write(t, dir, "q/q.go", "package q\n\nimport \"net/http\"\n\ntype B struct{}\n\nfunc (B) Do(r *http.Request) error { return nil }\n")
	g, err := indexed(t, dir).Graph()
	if err != nil {
		t.Fatal(err)
	}
	callers, err := topo.RelationOf("callers")
	if err != nil {
		t.Fatal(err)
	}
	a, err := g.Walk(t.Context(), "q/q.go:B.Do", callers, topo.WalkOptions{})
	if err != nil || len(a.Symbols) != 1 || a.Symbols[0].Symbol != "Run" {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestGraphOutlivesItsIndex: a graph goes on to show the index that it was opened on.
func TestGraphOutlivesItsIndex(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.go", "package a\n\nfunc One() {}\n")
	repo := indexed(t, dir)
	old, err := repo.Graph()
	if err != nil {
		t.Fatal(err)
	}
	before, err := old.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		write(t, dir, "b.go", "package a\n\nfunc Two() {}\n"+"// "+string(rune('a'+i))+"\n")
		update(t, repo)
	}
	after, err := old.Stats(t.Context())
	if err != nil || after.Stats.Nodes != before.Stats.Nodes {
		t.Errorf("%d nodes, were %d: %v", after.Stats.Nodes, before.Stats.Nodes, err)
	}
	now, err := repo.Graph()
	if err != nil {
		t.Fatal(err)
	}
	if s, err := now.Stats(t.Context()); err != nil || s.Stats.Nodes <= before.Stats.Nodes {
		t.Errorf("the new graph has %+v, %v", s, err)
	}
}

// TestIndexFileIsNotOverwritten: a file that is no index stays as it is.
func TestIndexFileIsNotOverwritten(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.go", "package a\n")
	precious := filepath.Join(t.TempDir(), "thesis.txt")
	if err := os.WriteFile(precious, []byte("thesis\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		repo, err := topo.Open(t.Context(), dir, topo.Options{IndexFile: precious})
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := repo.Scan(t.Context(), topo.ScanOptions{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = repo.Index(t.Context(), s, topo.IndexOptions{Deep: true})
		repo.Close()
		if text, _ := os.ReadFile(precious); err != nil == (string(text) != "thesis\n") {
			t.Fatalf("%q, %v", text, err)
		}
		if err == nil {
			continue
		}
		if topo.KindOf(err) != topo.Usage {
			t.Errorf("%v", err)
		}
		precious = filepath.Join(t.TempDir(), "new.idx") // a new file is written, and written again
	}
}
