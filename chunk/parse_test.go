package chunk

import (
	"context"
	"go/build"
	"os"
	"path/filepath"
	"strings"
	"sync"
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

// The grammar and go/parser must cut valid Go the same way: each is the other's oracle.
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

// A language's parsers and tables: sorted, without repeats, and each grammar
// knows at least one of the node types that its table calls definitions.
func TestTables(t *testing.T) {
	all := Supported()
	for i := 1; i < len(all); i++ {
		if all[i-1].Language >= all[i].Language {
			t.Errorf("%s and %s out of order or twice", all[i-1].Language, all[i].Language)
		}
	}
	for _, l := range table {
		g := l.grammar()
		if g.spec.name != l.name {
			t.Errorf("the table of %s stands under %s", g.spec.name, l.name)
		}
		known := false
		for _, r := range g.rules {
			known = known || r != nil
		}
		if !known {
			t.Errorf("%s: the grammar knows none of the table's definitions", l.name)
		}
	}
	for name, p := range patternTable() {
		if m := p.ready(); len(m.defs) != len(p.defs) {
			t.Errorf("%s: not every pattern compiled", name)
		}
	}
}

func names(r Result) string {
	var out []string
	for _, c := range r.Chunks {
		out = append(out, c.Kind.String()+" "+c.Qualified())
	}
	return strings.Join(out, ", ")
}

func TestParse(t *testing.T) {
	for _, tt := range []struct{ name, language, path, src, want string }{
		{"definition after an error", "c", "a.c", "int a( {{{ ;\n}\nint good(int x)\n{\n\treturn 1;\n}\n", "function good"},
		{"macro before a class", "cpp", "a.h", "class API_EXPORT Foo : Bar { int f() { return 1; } };", "type Foo, method Foo.f"},
		{"macro on a line of its own", "cpp", "a.cpp", "BEGIN_NAMESPACE\nint f() { return 1; }\nEND_NAMESPACE\n", "function f"},
		{"a header of C++ named as C", "c", "a.h", "namespace n {\nclass A { };\n}\n", "type n.A"},
		{"a header of C", "c", "a.h", "struct a { int class; };", "type a"},
		{"unbalanced branches", "c", "a.c", "#ifdef A\nint f(int a) {\n#else\nint f(long a) {\n#endif\n}\nint g(void) { return 1; }\n", "function f, function g"},
		{"Go with a syntax error", "go", "a.go", "package p\nfunc broken( {\n}\n\nfunc good() {}\n", "function good"},
		{"unknown language", "none", "a", "int f() {}", ""},
		{"empty file", "go", "a.go", "", ""},
		{"minified", "javascript", "a.js", "function f(){}" + strings.Repeat("a();", 10000), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := Parse(context.Background(), tt.language, tt.path, []byte(tt.src))
			checkResult(t, []byte(tt.src), r)
			got := names(r)
			if tt.name == "definition after an error" || tt.name == "Go with a syntax error" {
				if !r.Errors || !strings.Contains(got, tt.want) {
					t.Errorf("got %q, errors %v, want %q among it and errors", got, r.Errors, tt.want)
				}
			} else if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestParseCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r := Parse(ctx, "go", "a.go", []byte("package p\nfunc f() {}\n")); len(r.Chunks) > 0 {
		t.Errorf("got %v from a cancelled parse", r.Chunks)
	}
}

// Parsers share nothing that changes: many at a time give what one gives.
func TestParseConcurrently(t *testing.T) {
	all := samples(t)
	var wg sync.WaitGroup
	for language, src := range all {
		want := dump(Parse(context.Background(), language, "sample", src).Chunks)
		for range 4 {
			wg.Go(func() {
				if got := dump(Parse(context.Background(), language, "sample", src).Chunks); got != want {
					t.Errorf("%s: got %s, want %s", language, got, want)
				}
			})
		}
	}
	wg.Wait()
}

func TestImports(t *testing.T) {
	for _, tt := range []struct{ language, src, want string }{
		{"python", "from . import a\nfrom .b import c as d\nimport e.f, g\nfrom x import (  # why\n  y, # z\n  w,\n)\n", ".a .b .b.c e.f g x x.y x.w"},
		{"rust", "use a::{b::{self, C}, d as e};\nmod f;\nuse super::*;\n", "a::b a::b::C a::d mod f super::*"},
		{"rust", "mod t {\n\tuse super::{A, super::B};\n\tmod u { use super::C; use super::super::D; use crate::E; }\n}\n", "self::A super::B self::C self::D crate::E"},
		{"java", "import static a.B.*;\nimport c.D;\n", "a.B.* c.D"},
		{"c", "#include <a/b.h>\n#include \"c.h\" // x\n", "<a/b.h> c.h"},
		{"ruby", "require 'a'\nrequire_relative('b')\n# require 'no'\n", "a ./b"},
		{"typescript", "import x from './a'\nexport {y} from \"../b\"\nexport const z = 'from'\nconst w = await import('c')\n", "./a ../b c"},
		{"go", "package p\nimport . \"a\"\nimport (\n\t_ \"b/c\"\n)\n", "a b/c"},
		{"php", "<?php\nuse A\\B as C;\nuse function D\\{e, f};\n", `A\B D\e D\f`},
		{"elixir", "defmodule A do\n  alias B.{C, D}\n  use E, opt: 1\nend\n", "B.C B.D E"},
	} {
		var got []string
		for _, i := range Parse(context.Background(), tt.language, "a", []byte(tt.src)).Imports {
			got = append(got, i.Path)
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: got %q, want %q", tt.language, s, tt.want)
		}
	}
}

// The work of a parse is counted, so it ends at the same place however
// busy the machine is.
func TestParseBudget(t *testing.T) {
	g := grammarOf("csharp")
	hostile := []byte(strings.Repeat("'", 16000)) // 7 calls of the lexer a byte
	tree, ok := g.parse(hostile)
	tree.close()
	if ok {
		t.Error("hostile input was read to its end; the lexer's calls are not counted")
	}
	honest := []byte(strings.Repeat("class A { int b(int c) { return c + 1; } }\n", 2000))
	tree, ok = g.parse(honest)
	defer tree.close()
	if !ok || tree.errors {
		t.Errorf("honest input: read to its end %v, errors %v", ok, tree.errors)
	}
}

// Hostile input ends in time and within the limits; see parseSteps, maxWork.
func TestHostile(t *testing.T) {
	for _, language := range []string{"c", "go", "python", "javascript", "perl", "haskell", "clojure"} {
		for _, unit := range []string{"(", "{", "if(", "a{\n", "def a\n", "/*", "\"", "#if 1\n"} {
			src := []byte(strings.Repeat(unit, 4000))
			r := Parse(context.Background(), language, "a", src)
			checkResult(t, src, r)
		}
	}
}
