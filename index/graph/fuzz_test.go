package graph

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/scan/lang"
)

// Whatever files import and manifests hold, the edges are a valid matrix, twice
// the same.
func FuzzLink(f *testing.F) {
	for _, s := range []string{"fmt", "../..", "./a", "..a.b", "crate::a::b", "super::super::super::x", "mod a", "<a.h>", "@/a", "a.b.*", "", ".", "/", "::", "*", "a//b"} {
		f.Add(s, s, "module m\nreplace a => ../..\n")
		f.Add("a", s, `{"name":"a","main":"../..","compilerOptions":{"paths":{"*":["../*"]},"baseUrl":".."},"extends":"./tsconfig"}`)
	}
	f.Fuzz(func(t *testing.T, dir, path, manifest string) {
		in := index.LinkInput{Read: func(string) ([]byte, error) { return []byte(manifest), nil }}
		for _, name := range []string{"Cargo.toml", "go.mod", "package.json", "pyproject.toml", "tsconfig.json"} {
			in.Files = append(in.Files, index.LinkFile{Path: name}, index.LinkFile{Path: dir + "/" + name})
		}
		for i, of := range lang.All() {
			if l := of.Name; of.Family != "" {
				imports := []chunk.ImportRef{{Path: path}, {Path: "./" + path}, {Path: "m/" + dir}, {Path: dir + "." + path}}
				in.Files = append(in.Files, index.LinkFile{Path: fmt.Sprint(dir, "/", i, l), Language: l, Imports: imports, Types: func() []string { return []string{path, dir + "." + path} }},
					index.LinkFile{Path: path, Language: l, Imports: imports}, index.LinkFile{Path: "src/lib.rs", Language: l, Imports: imports})
			}
		}
		l := Link(in)
		if !reflect.DeepEqual(l, Link(in)) {
			t.Fatal("the second result differs from the first")
		}
		if l.Off == nil {
			return
		}
		if len(l.Off) != len(in.Files)+1 || int(l.Off[len(in.Files)]) != len(l.To) || len(l.PageRank) != len(in.Files) {
			t.Fatalf("%d offsets, %d edges, %d ranks for %d files", len(l.Off), len(l.To), len(l.PageRank), len(in.Files))
		}
		for i := range in.Files {
			row := l.To[l.Off[i]:l.Off[i+1]]
			for k, n := range row {
				if int(n) >= len(in.Files) || int(n) == i || k > 0 && row[k-1] >= n {
					t.Fatalf("row %d is %v", i, row)
				}
			}
		}
	})
}

// What is JSON already stays what it is; comments and trailing commas go.
func FuzzPlainJSON(f *testing.F) {
	f.Add(`{"a": "// no /* comment */", "b": [1, 2,], /* c */ "d": "\\\"", // e` + "\n}")
	f.Add(`"`)
	f.Add(`/*`)
	f.Fuzz(func(t *testing.T, src string) {
		got := plainJSON([]byte(src))
		if len(got) != len(src) {
			t.Fatalf("%d bytes became %d", len(src), len(got))
		}
		if json.Valid([]byte(src)) && string(got) != src {
			t.Fatalf("valid JSON changed:\n%q\n%q", src, got)
		}
	})
}

func TestPlainJSON(t *testing.T) {
	src := `{"a": "// no /* comment */", "b": [1, 2,], /* c */ "d": "\"", // e` + "\n}"
	var got map[string]any
	if err := json.Unmarshal(plainJSON([]byte(src)), &got); err != nil || got["a"] != "// no /* comment */" || got["d"] != `"` {
		t.Errorf("%v, %v from %s", got, err, plainJSON([]byte(src)))
	}
}

// BenchmarkLink links a module of 8,000 files in 1,600 packages with 80,000
// imports, half of them of the standard library.
func BenchmarkLink(b *testing.B) {
	in := index.LinkInput{Read: func(string) ([]byte, error) { return []byte("module example.com/m\n"), nil }}
	in.Files = append(in.Files, index.LinkFile{Path: "go.mod"})
	for i := range 8000 {
		f := index.LinkFile{Path: fmt.Sprintf("pkg/area%02d/part%d/file%d.go", i/100, i/5%20, i%5), Language: "go"}
		for k := range 5 {
			j := (i*7919 + k*104729) % 8000
			f.Imports = append(f.Imports, chunk.ImportRef{Path: fmt.Sprintf("example.com/m/pkg/area%02d/part%d", j/100, j/5%20)},
				chunk.ImportRef{Path: "net/http"})
		}
		in.Files = append(in.Files, f)
	}
	b.ReportAllocs()
	for b.Loop() {
		Link(in)
	}
}
