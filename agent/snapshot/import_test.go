package snapshot

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestImport takes the snapshots of another store over. An object whose content is
// not that of its name is not taken for it.
func TestImport(t *testing.T) {
	tr := newTree(t, true, map[string]string{"a.txt": "one\n", "b.txt": "same\n"})
	before := tr.snap()
	tr.write("a.txt", "two\n")
	after := tr.snap()
	old := tr.store.dir
	dir := filepath.Join(t.TempDir(), "new")
	s, err := Open(t.Context(), Options{Root: tr.root, Dir: dir, Apart: []string{filepath.Dir(old)}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Import(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	diff, err := s.Diff(t.Context(), before, after)
	if err != nil || !strings.Contains(diff, "-one\n+two\n") {
		t.Errorf("diff %s, %v", diff, err)
	}
	if id, _, err := s.Snapshot(t.Context(), ""); err != nil || id != after {
		t.Errorf("the tree is %s, %v; want %s", id, err, after)
	}
	if err := os.RemoveAll(old); err != nil {
		t.Fatal(err)
	}
	if _, err := s.git(t.Context(), "", "gc", "--quiet", "--prune=now"); err != nil {
		t.Fatal(err)
	}
	if diff, err := s.Diff(t.Context(), before, after); err != nil || !strings.Contains(diff, "-one\n+two\n") {
		t.Errorf("without the other store, packed: %s, %v", diff, err)
	}
}

// TestImportOfForgedObjects: whoever wrote the other store cannot give a snapshot
// another content.
func TestImportOfForgedObjects(t *testing.T) {
	tr := newTree(t, false, map[string]string{"a.txt": "honest\n"})
	id := tr.snap()
	object := func(id string) string { return filepath.Join(tr.store.dir, "objects", id[:2], id[2:]) }
	out, err := tr.store.git(t.Context(), "", "ls-tree", "--format=%(objectname)", id)
	if err != nil {
		t.Fatal(err)
	}
	blob := strings.TrimSpace(string(out))
	forged, err := tr.store.git(t.Context(), "forged\n", "hash-object", "-w", "--stdin")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(object(strings.TrimSpace(string(forged))))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(object(blob)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(object(blob), raw, 0o444); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), Options{Root: tr.root, Dir: filepath.Join(t.TempDir(), "new")})
	if err != nil {
		t.Fatal(err)
	}
	_ = s.Import(t.Context(), tr.store.dir) // it may fail; what counts is what is there then
	if text, err := s.git(t.Context(), "", "cat-file", "blob", blob); err == nil && string(text) != "honest\n" {
		t.Errorf("the store says that %s is %q", blob, text)
	}
}
