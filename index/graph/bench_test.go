package graph

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/stream"
)

type dir string

func (d dir) ReadFile(path string, buf []byte) ([]byte, error) {
	b, err := os.ReadFile(filepath.Join(string(d), path))
	return append(buf[:0], b...), err
}

// bigInput is the input of the tree named by TOPO_BENCH_TREE, or of this package.
func bigInput(tb testing.TB) index.Input {
	root := os.Getenv("TOPO_BENCH_TREE")
	if root == "" {
		root = "."
	}
	in := index.Input{Source: dir(root), Links: Link, LinksVersion: Version}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || len(text) > 1<<20 {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		sum := sha256.Sum256(text)
		f := stream.File{Path: filepath.ToSlash(rel), Language: "go", Role: stream.RoleImpl, Size: int64(len(text)), Sha256: hex.EncodeToString(sum[:])}
		if strings.HasSuffix(rel, "_test.go") {
			f.Role = stream.RoleTest
		}
		in.Files = append(in.Files, f)
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return in
}

// BenchmarkBuild builds the graph of a tree again and again.
func BenchmarkBuild(b *testing.B) {
	in := bigInput(b)
	in.GraphVersion = 1
	in.Graph = func(ctx context.Context, gi index.GraphInput) (index.GraphSections, error) {
		b.ResetTimer()
		var s index.GraphSections
		var err error
		for b.Loop() {
			if s, err = Build(ctx, gi); err != nil {
				return nil, err
			}
		}
		b.StopTimer()
		for _, tag := range []string{index.GraphNodes, index.GraphStrings, index.GraphNames, index.GraphOut, index.GraphIn, index.GraphRanks} {
			b.ReportMetric(float64(len(s[tag]))/1e6, tag+"-MB")
		}
		b.ReportMetric(float64(le.Uint32(s[index.GraphNodes])), "nodes")
		b.ReportMetric(float64(le.Uint32(s[index.GraphNodes][4:])), "edges")
		return s, nil
	}
	if _, err := index.Update(b.Context(), filepath.Join(b.TempDir(), "x.idx"), in); err != nil {
		b.Fatal(err)
	}
}
