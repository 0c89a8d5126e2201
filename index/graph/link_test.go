package graph

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/scan/lang"
)

// archive reads a txtar file: the comment, and the files that follow.
func archive(t *testing.T, path string) (comment string, files map[string][]byte) {
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files = map[string][]byte{}
	name := ""
	for line := range strings.Lines(string(src)) {
		if n, ok := strings.CutPrefix(line, "-- "); ok && strings.HasSuffix(n, " --\n") {
			name = strings.TrimSuffix(n, " --\n")
			files[name] = []byte{}
		} else if name == "" {
			comment += line
		} else {
			files[name] = append(files[name], line...)
		}
	}
	return comment, files
}

// input makes a tree of the files, read as the index reads them.
func input(content map[string][]byte) index.LinkInput {
	var in index.LinkInput
	for name, data := range content {
		language := lang.Detect(name, data)
		r := chunk.Parse(context.Background(), language, name, data)
		in.Files = append(in.Files, index.LinkFile{
			Path: name, Language: language, Imports: r.Imports, Types: func() []string { return index.TypesOf(r.Chunks) },
		})
	}
	slices.SortFunc(in.Files, func(a, b index.LinkFile) int { return strings.Compare(a.Path, b.Path) })
	in.Read = func(p string) ([]byte, error) {
		if b, ok := content[p]; ok {
			return b, nil
		}
		return nil, fs.ErrNotExist
	}
	return in
}

// row lists the targets of file i by path.
func row(in index.LinkInput, l index.Links, i int) []string {
	var out []string
	if l.Off != nil {
		for _, n := range l.To[l.Off[i]:l.Off[i+1]] {
			out = append(out, in.Files[n].Path)
		}
	}
	return out
}

func TestLink(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range archives {
		t.Run(filepath.Base(path), func(t *testing.T) {
			comment, files := archive(t, path)
			want := map[string][]string{}
			for line := range strings.Lines(comment) {
				if from, to, ok := strings.Cut(line, "->"); ok {
					want[strings.TrimSpace(from)] = slices.Sorted(slices.Values(strings.Fields(to)))
				}
			}
			in := input(files)
			l := Link(in)
			for i, f := range in.Files {
				if got := row(in, l, i); !slices.Equal(got, want[f.Path]) {
					t.Errorf("%s\n imports %v\n gives   %q\n want    %q", f.Path, f.Imports, got, want[f.Path])
				}
				delete(want, f.Path)
			}
			for p := range want {
				t.Errorf("%s is expected and not in the archive", p)
			}
		})
	}
}

func TestLinkOfNothing(t *testing.T) {
	for _, in := range []index.LinkInput{{}, {Files: []index.LinkFile{{Path: "a.go", Language: "go", Imports: []chunk.ImportRef{{Path: "fmt"}}}}}} {
		if l := Link(in); l.Off != nil || l.To != nil || l.PageRank != nil {
			t.Errorf("Link of %d files without edges = %+v, want nothing", len(in.Files), l)
		}
	}
}
