package index

import (
	"context"
	"os"
	"path/filepath"
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
	x.Close()
	run("unchanged", in)
	_ = in
}
