package chunk

import (
	"context"
	"go/build"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// dump is a readable line per chunk, for comparisons.
func dump(cs []Chunk) string {
	var b strings.Builder
	for _, c := range cs {
		b.WriteString(describe(c))
		b.WriteByte('\n')
	}
	return b.String()
}

// The grammar and go/parser must cut valid Go alike: each is the other's oracle.
func TestGoParsersAgree(t *testing.T) {
	files := goFiles(t, filepath.Join(build.Default.GOROOT, "src"), 300)
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		fast, ok := parseGo(src)
		if !ok {
			continue
		}
		slow, ok := grammarOf("go").chunks(src)
		if !ok {
			t.Errorf("%s: the grammar gave up", f)
			continue
		}
		if slow.Errors {
			continue // the grammar is older than the language: nothing to compare
		}
		if a, b := dump(fast.Chunks), dump(slow.Chunks); a != b {
			t.Errorf("%s:\ngo/parser:\n%s\ntree-sitter:\n%s", f, firstDiff(a, b), firstDiff(b, a))
		}
	}
}

func goFiles(t *testing.T, root string, most int) []string {
	var all []string
	filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(p, ".go") && !strings.Contains(p, "testdata") {
			all = append(all, p)
		}
		return nil
	})
	if len(all) == 0 {
		t.Skip("the Go source tree is not installed here")
	}
	step := len(all)/most + 1
	var out []string
	for i := 0; i < len(all); i += step {
		out = append(out, all[i])
	}
	return out
}

func firstDiff(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range x {
		if i >= len(y) || x[i] != y[i] {
			return strings.Join(x[i:min(i+3, len(x))], "\n")
		}
	}
	return ""
}

func TestParsePython(t *testing.T) {
	src := "import os, sys as s\nfrom . import a\nfrom ..b.c import (d,\n  e as f)\n\nX = 1\n\n# doc of f\n@deco\ndef f(a: int) -> str:  # note\n    \"\"\"string.\"\"\"\n    def inner():\n        pass\n\nclass A(B):\n    def m(self): pass\n"
	r := Parse(context.Background(), "python", "x.py", []byte(src))
	t.Log("\n" + dump(r.Chunks))
	t.Log(r.Imports)
}
