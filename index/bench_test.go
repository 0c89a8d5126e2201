package index

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestRealTree builds, checks and updates an index of the folder that
// TOPO_TREE names and logs times and sizes.
func TestRealTree(t *testing.T) {
	root := os.Getenv("TOPO_TREE")
	if root == "" {
		t.Skip("set TOPO_TREE to a folder with a large repository to measure on it")
	}
	in := scanDir(t, root)
	path := filepath.Join(t.TempDir(), "x.deep.idx")
	run := func(what string, in Input) Stats {
		start := time.Now()
		s, err := Update(context.Background(), path, in)
		if err != nil {
			t.Fatal(what, err)
		}
		t.Logf("%-20s %6.0f ms  %+v", what, float64(time.Since(start).Microseconds())/1000, s)
		return s
	}
	run("build", in)
	x, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range x.Sections() {
		t.Logf("%s %9d of %9d", s.Tag, s.Length, s.Raw)
	}
	t.Log("terms", x.NumTerms(), "entries", x.head.entries)
	start := time.Now()
	if err := x.Check(); err != nil {
		t.Error(err)
	}
	t.Logf("check %v", time.Since(start))
	x.Close()
	run("unchanged", in)
	mod := in
	mod.Files = slices.Clone(in.Files)
	over := overlay{in.Source, map[string][]byte{}}
	mod.Source = over
	for i := 0; i < 10; i++ {
		f := &mod.Files[(i*797+13)%len(mod.Files)]
		text, _ := in.Source.ReadFile(f.Path, nil)
		text = append(text, "\n// changed here\n"...)
		over.files[f.Path] = text
		*f = fileRecordOf(f.Path, text)
	}
	run("10 changed", mod)
	run("10 changed back", in)
	mod.Files = slices.Delete(mod.Files, 100, 110)
	run("10 removed", mod)
	run("10 added", in)
}

type overlay struct {
	Reader
	files map[string][]byte
}

func (o overlay) ReadFile(path string, buf []byte) ([]byte, error) {
	if text, ok := o.files[path]; ok {
		return append(buf[:0], text...), nil
	}
	return o.Reader.ReadFile(path, buf)
}
