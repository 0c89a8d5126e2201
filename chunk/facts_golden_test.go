package chunk

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/topo-dev/topo/scan/lang"
)

// factsText is what a golden file of facts holds: a line for each fact.
func factsText(r Result, f Facts) string {
	var b strings.Builder
	at := func(c int) string {
		if c < 0 {
			return "-"
		}
		return r.Chunks[c].Qualified()
	}
	fmt.Fprintf(&b, "package %q\n", f.Package)
	for _, x := range f.Binds {
		fmt.Fprintf(&b, "%d bind %q = %s %s\n", x.Line, x.Name, x.Path, x.Member)
	}
	for _, x := range f.Types {
		fmt.Fprintf(&b, "%s %s bases %v fields %v\n", x.Kind, at(x.Chunk), x.Bases, x.Fields)
	}
	for _, x := range f.Funcs {
		m := x.Metrics
		fmt.Fprintf(&b, "func %s recv %q params %v results %v\n\tlocals %v\n\tcyclomatic %d cognitive %d nesting %d params %d lines %d\n", at(x.Chunk), x.Recv, x.Params, x.Results, x.Locals,
			m.Cyclomatic, m.Cognitive, m.Nesting, m.Params, m.Lines)
	}
	for _, x := range f.Funcs {
		if x.Form != FormPlain {
			fmt.Fprintf(&b, "form %d of %s, line %d\n", x.Form, at(x.Chunk), r.Chunks[x.Chunk].StartLine)
		}
	}
	for _, x := range f.Vars {
		fmt.Fprintf(&b, "var %s type %q expr %q\n", at(x.Chunk), x.Type, x.Expr)
	}
	for _, x := range f.Calls {
		fmt.Fprintf(&b, "%d %s calls %s%s\n", x.Line, at(x.Chunk), x.Chain, x.Args)
	}
	for _, x := range f.Refs {
		fmt.Fprintf(&b, "%d %s refers to %s\n", x.Line, at(x.Chunk), x.Chain)
	}
	return b.String()
}

// factLanguageNames are the languages whose facts are read.
func factLanguageNames() []string {
	out := []string{"go"}
	for _, l := range table {
		if l.grammar().facts != nil {
			out = append(out, l.name)
		}
	}
	return out
}

func TestGoldenFacts(t *testing.T) {
	all := samples(t)
	for _, language := range factLanguageNames() {
		src := all[language]
		if src == nil || lang.SyntaxOf(language).Family == "" {
			t.Errorf("%s: testdata/%s.src, or the family in scan/lang/%s.go, is missing", language, language, language)
		}
		r, f := ParseFacts(context.Background(), language, "sample", src)
		checkFacts(t, src, r, f)
		got, path := factsText(r, f), filepath.Join("testdata", language+".facts")
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatalf("%v (run the test with -update)", err)
		}
		if got != string(want) {
			t.Errorf("%s: got:\n%s\nwant:\n%s", language, got, want)
		}
		if len(f.Calls)+len(f.Funcs) == 0 {
			t.Errorf("%s: no facts in the sample", language)
		}
	}
}

// checkFacts reports every break of what Facts promises.
func checkFacts(t *testing.T, src []byte, r Result, f Facts) {
	t.Helper()
	lines := bytes.Count(src, newline) + 1
	where := func(what string, chunk, line int) {
		if chunk < -1 || chunk >= len(r.Chunks) || line < 1 || line > lines {
			t.Errorf("%s: chunk %d of %d, line %d of %d", what, chunk, len(r.Chunks), line, lines)
		}
	}
	for _, b := range f.Binds {
		where("bind", -1, b.Line)
	}
	for _, x := range f.Types {
		where("type", max(x.Chunk, 0), 1)
	}
	for _, x := range f.Funcs {
		where("func", max(x.Chunk, 0), 1)
		k := r.Chunks[x.Chunk].Kind
		if k == Type { // its primary constructor, which has no body to measure
			continue
		}
		if k != Function && k != Method {
			t.Errorf("facts of a function at a chunk of kind %s", k)
		}
		if m := x.Metrics; m.Cyclomatic < 1 || m.Cognitive < 0 || m.Nesting < 0 || m.Params < 0 || m.Lines < 1 || m.Lines > lines {
			t.Errorf("metrics %+v", m)
		}
	}
	for _, x := range f.Vars {
		where("var", max(x.Chunk, 0), 1)
	}
	for _, x := range f.Calls {
		where("call "+x.Chain, x.Chunk, x.Line)
		if x.Chain == "" || len(x.Chain) > 2*maxChain {
			t.Errorf("chain of %d bytes", len(x.Chain))
		}
	}
	for _, x := range f.Refs {
		where("ref "+x.Chain, x.Chunk, x.Line)
	}
	if again, err := DecodeFacts(f.Append(nil)); err != nil || !reflect.DeepEqual(again, f) {
		t.Errorf("facts change when coded: %v", err)
	}
}

// FuzzFacts feeds any bytes to any language whose facts are read.
func FuzzFacts(f *testing.F) {
	names := factLanguageNames()
	for language, src := range samples(f) {
		f.Add(uint8(max(slices.Index(names, language), 0)), src)
	}
	f.Fuzz(func(t *testing.T, which uint8, src []byte) {
		if len(src) > 64<<10 {
			return
		}
		language := names[int(which)%len(names)]
		r, facts := ParseFacts(context.Background(), language, "sample.h", src)
		checkFacts(t, src, r, facts)
		if plain := Parse(context.Background(), language, "sample.h", src); !reflect.DeepEqual(plain, r) {
			t.Errorf("%s: chunks differ when facts are read", language)
		}
	})
}

// Every sample is read as every language, whole and cut.
func TestFactsOfAnyBytes(t *testing.T) {
	for _, src := range samples(t) {
		for _, language := range factLanguageNames() {
			for _, cut := range []int{len(src), len(src) / 2} {
				r, f := ParseFacts(context.Background(), language, "sample", src[:cut])
				checkFacts(t, src[:cut], r, f)
			}
		}
	}
}

// Deep and long input ends in time and within the limits.
func TestHostileFacts(t *testing.T) {
	for _, language := range factLanguageNames() {
		for _, unit := range []string{"a.b().", "f(", "x[", "if a && ", "a.b\n", "x = y\n", "func(){"} {
			src := []byte("package p\nfunc f() {\n" + strings.Repeat(unit, 4000))
			r, f := ParseFacts(context.Background(), language, "x", src)
			checkFacts(t, src, r, f)
		}
	}
	src := []byte("package p\nfunc f() { _ = a" + strings.Repeat(".b()", 5000) + "\n" + strings.Repeat("x := g(); if x { ", 2000) + strings.Repeat("}", 2000) + "}\n")
	r, f := ParseFacts(context.Background(), "go", "x.go", src)
	checkFacts(t, src, r, f)
	if len(f.Calls) != 7000 || f.Funcs[0].Metrics.Nesting != 2000 {
		t.Errorf("%d calls, nesting %d", len(f.Calls), f.Funcs[0].Metrics.Nesting)
	}
}
