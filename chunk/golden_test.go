package chunk

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// samples gives the sample of each language in testdata.
func samples(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/*.src")
	if err != nil || len(files) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	out := map[string][]byte{}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimSuffix(filepath.Base(f), ".src")] = src
	}
	return out
}

// golden is what a golden file holds: a line per chunk with its signature and
// doc comment, then a line per import.
func golden(src []byte, r Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "parser %s errors %v\n", r.Parser, r.Errors)
	for _, c := range r.Chunks {
		fmt.Fprintf(&b, "%d-%d %s %s\n", c.StartLine, c.EndLine, c.Kind, c.Qualified())
		fmt.Fprintf(&b, "\tsig %q\n", src[c.StartByte:c.SigEnd])
		if c.DocEnd > 0 {
			fmt.Fprintf(&b, "\tdoc %d %q\n", c.DocLine, src[c.DocStart:c.DocEnd])
		}
	}
	for _, i := range r.Imports {
		fmt.Fprintf(&b, "import %d %s\n", i.Line, i.Path)
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	for language, src := range samples(t) {
		t.Run(language, func(t *testing.T) {
			r := Parse(context.Background(), language, "sample", src)
			checkResult(t, src, r)
			got, path := golden(src, r), filepath.Join("testdata", language+".golden")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatalf("%v (run the test with -update)", err)
			}
			if got != string(want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// Every language that tree-sitter reads has a sample, or a new one would go
// untested.
func TestEveryGrammarHasASample(t *testing.T) {
	have := samples(t)
	for _, l := range table {
		if have[l.name] == nil {
			t.Errorf("testdata/%s.src is missing", l.name)
		}
	}
}
