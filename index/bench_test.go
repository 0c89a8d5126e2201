package index

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
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
	if n, _ := strconv.Atoi(os.Getenv("TOPO_REPEAT")); n > 0 {
		for range n {
			run("back", in)
			run("10 changed", mod)
		}
	}
	run("10 changed back", in)
	mod.Files = slices.Delete(mod.Files, 100, 110)
	run("10 removed", mod)
	run("10 added", in)
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("back where it started, the index has other bytes: %v", err)
	}
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

// benchTree is a tree of a few thousand small sources.
func benchTree() Input {
	t := tree{}
	r := rand.New(rand.NewPCG(9, 9))
	for i := range 2000 {
		t[fmt.Sprintf("pkg/%s/%d/file%d.go", words[i%9], i%17, i)] = benchText(r)
	}
	return t.input()
}

// benchText is a source of a few kilobytes without errors.
func benchText(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("package p\n\nimport \"m/a\"\n")
	names := []string{"evict", "podManager", "HTTPServer", "readFile", "updateIndex", "kubelet", "nodePressure"}
	for i := range 20 {
		a, c := names[r.IntN(7)], names[r.IntN(7)]
		fmt.Fprintf(&b, "\n// %s%d calls %s for every %s.\nfunc %s%d(x int) error {\n\tif x > %d {\n\t\treturn %s(x)\n\t}\n\treturn nil\n}\n",
			a, i, c, words[r.IntN(9)], a, i, r.IntN(100), c)
	}
	return b.String()
}

func BenchmarkBuild(b *testing.B) {
	in := benchTree()
	in.Force = true
	path := filepath.Join(b.TempDir(), "x")
	var n int64
	for _, f := range in.Files {
		n += f.Size
	}
	b.SetBytes(n)
	for b.Loop() {
		updated(b, path, in)
	}
}

func BenchmarkUpdateTenFiles(b *testing.B) {
	states := [2]Input{benchTree()}
	src := maps.Clone(states[0].Source.(tree))
	for i := range 10 {
		src[states[0].Files[i*151].Path] += "\n// changed\n"
	}
	states[1] = src.input()
	path := filepath.Join(b.TempDir(), "x")
	updated(b, path, states[0])
	for i := 1; b.Loop(); i++ {
		updated(b, path, states[i%2])
	}
}

func BenchmarkUnchanged(b *testing.B) {
	in := benchTree()
	path := filepath.Join(b.TempDir(), "x")
	updated(b, path, in)
	for b.Loop() {
		if s, err := Update(b.Context(), path, in); err != nil || !s.Unchanged {
			b.Fatal(s, err)
		}
	}
}

func benchIndex(b *testing.B) *Index {
	path := filepath.Join(b.TempDir(), "x")
	updated(b, path, benchTree())
	return open(b, path)
}

func BenchmarkOpen(b *testing.B) {
	path := benchIndex(b).Path()
	for b.Loop() {
		x, err := Open(path)
		if err != nil {
			b.Fatal(err)
		}
		x.Close()
	}
}

func BenchmarkTerm(b *testing.B) {
	x := benchIndex(b)
	for b.Loop() {
		if _, ok, err := x.Term("kubelet"); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}

func BenchmarkPostings(b *testing.B) {
	x := benchIndex(b)
	p, _, err := x.Term("package")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		q := p
		for _, _, ok := q.Next(); ok; _, _, ok = q.Next() {
			n++
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/posting")
}

func BenchmarkContent(b *testing.B) {
	x := benchIndex(b)
	var buf []byte
	for i := 0; b.Loop(); i++ {
		text, err := x.Content(i%x.NumFiles(), buf)
		if err != nil {
			b.Fatal(err)
		}
		buf = text
	}
}
