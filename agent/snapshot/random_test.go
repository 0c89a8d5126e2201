package snapshot

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// TestRandomSteps: whatever a sequence of steps did to files, folders, links
// and modes, undoing the last n of them gives the tree from before them.
func TestRandomSteps(t *testing.T) {
	seeds := 4
	if os.Getenv("TOPO_SLOW") != "" {
		seeds = 100
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(seed), 1))
			tr := newTree(t, false, map[string]string{"a": "a", "b/a": "ba", "b/c/a": "bca", "d": "d"})
			var spans []Span
			var states []map[string]string
			for range 5 {
				states = append(states, tr.state(tr.root))
				spans = append(spans, tr.step(func() {
					for range 1 + r.IntN(4) {
						tr.disturb(r)
					}
				}))
			}
			from := r.IntN(len(spans))
			tr.undo(spans[from:]...)
			if now := tr.state(tr.root); !maps.Equal(now, states[from]) {
				t.Fatalf("after undoing from step %d:\n%v\nwant\n%v", from, now, states[from])
			}
		})
	}
}

// disturb makes one random change.
func (t *tree) disturb(r *rand.Rand) {
	t.Helper()
	names := []string{"a", "b", "b/a", "b/c", "b/c/a", "d", "d/e", "f", "f/g/h"}
	name := names[r.IntN(len(names))]
	switch r.IntN(4) {
	case 0:
		t.clear(name)
	case 1:
		t.clear(name)
		if err := os.MkdirAll(filepath.Dir(t.path(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		t.link([]string{"a", "b", "nowhere", "/"}[r.IntN(4)], name)
	case 2:
		if info, err := os.Lstat(t.path(name)); err == nil && info.Mode().IsRegular() {
			t.chmod(name, info.Mode().Perm()^0o111)
		}
	default:
		t.clear(name)
		t.write(name, fmt.Sprint(r.IntN(5)))
	}
}

// clear makes room for something at name: it removes what is there and every
// file or link that is where a folder above it must be.
func (t *tree) clear(name string) {
	t.Helper()
	for i, c := range name {
		if c != '/' {
			continue
		}
		if info, err := os.Lstat(t.path(name[:i])); err == nil && !info.IsDir() {
			t.remove(name[:i])
		}
	}
	if _, err := os.Lstat(t.path(name)); err == nil {
		t.remove(name)
	}
}

func BenchmarkSnapshotUnchanged(b *testing.B) {
	root := b.TempDir()
	for i := range 2000 {
		dir := fmt.Sprintf("%s/d%d", root, i/50)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(fmt.Sprintf("%s/f%d", dir, i), fmt.Append(nil, i), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	s, err := Open(b.Context(), Options{Root: root, Dir: root + "/.cache"})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, _, err := s.Snapshot(b.Context(), ""); err != nil {
			b.Fatal(err)
		}
	}
}
