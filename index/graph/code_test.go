package graph

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/scan/lang"
	"github.com/topo-dev/topo/stream"
)

var updateGolden = flag.Bool("update", false, "write the edges that the archives of testdata/code give now")

// memory is a tree of files in memory.
type memory map[string][]byte

func (m memory) ReadFile(path string, buf []byte) ([]byte, error) {
	text, ok := m[path]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return append(buf[:0], text...), nil
}

func (m memory) input() index.Input {
	in := index.Input{Source: m, Links: Link, LinksVersion: Version, Graph: Build, GraphVersion: BuildVersion}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		sum := sha256.Sum256(m[name])
		f := stream.File{Path: name, Language: lang.Detect(name, m[name]), Size: int64(len(m[name])), Sha256: hex.EncodeToString(sum[:])}
		f.Role = lang.RoleOf(name, f.Language, m[name])
		in.Files = append(in.Files, f)
	}
	return in
}

// built indexes a tree at path and opens its graph.
func built(t testing.TB, path string, in index.Input) (*index.Index, *Graph) {
	t.Helper()
	if _, err := index.Update(context.Background(), path, in); err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	g, err := Open(x)
	if err != nil {
		t.Fatal(err)
	}
	return x, g
}

// label names a node in a golden file.
func label(t testing.TB, g *Graph, id int) string {
	t.Helper()
	n, err := g.Node(id)
	if err != nil {
		t.Fatal(err)
	}
	switch n.Kind {
	case NodeFile:
		return n.Name
	case NodeModule, NodeExternal:
		return n.Kind.String() + " " + n.Name
	}
	return n.Path + ":" + n.Name
}

// text is all of a graph, one edge a line.
func text(t testing.TB, g *Graph) string {
	var b strings.Builder
	for id := range g.NumNodes() {
		n, err := g.Node(id)
		if err != nil {
			t.Fatal(err)
		}
		out, err := g.Out(id)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range out {
			fmt.Fprintf(&b, "%s %s %s %d\n", label(t, g, id), e.Kind, label(t, g, e.Other), e.Confidence)
		}
		if n.Unknown > 0 {
			fmt.Fprintf(&b, "%s unknown %d\n", label(t, g, id), n.Unknown)
		}
	}
	return b.String()
}

// TestCode compares the graph of each archive with the list at its end.
func TestCode(t *testing.T) {
	archives, _ := filepath.Glob("testdata/code/*.txtar")
	if len(archives) == 0 {
		t.Fatal("no archives")
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			_, files := archive(t, path)
			want := files["EDGES"]
			delete(files, "EDGES")
			_, g := built(t, filepath.Join(t.TempDir(), "x.idx"), memory(files).input())
			got := text(t, g)
			if got == string(want) {
				return
			}
			if !*updateGolden {
				t.Errorf("edges are\n%s\nwant\n%s", got, want)
				return
			}
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			src, _, _ = bytes.Cut(src, []byte("-- EDGES --\n"))
			if err := os.WriteFile(path, append(append(src, "-- EDGES --\n"...), got...), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}
