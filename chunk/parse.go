package chunk

import (
	"bytes"
	"context"
	"sort"

	"github.com/topo-dev/topo/scan/lang"
)

// Support says how a language is read.
type Support struct {
	Language string
	How      string // "go/parser", "tree-sitter" or "pattern"
}

// Supported lists the languages that have chunks, sorted.
func Supported() []Support {
	out := []Support{{"go", howGo}, {"markdown", howPattern}}
	for _, l := range grammars() {
		if l.name != "go" {
			out = append(out, Support{l.name, howTree})
		}
	}
	for _, l := range lang.All() {
		if l.Grammar != "" {
			out = append(out, Support{l.Name, howTree})
		}
	}
	for name := range patternTable() {
		out = append(out, Support{name, howPattern})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Language < out[j].Language })
	return out
}

const (
	howGo      = "go/parser"
	howTree    = "tree-sitter"
	howPattern = "pattern"
)

// Parse finds the definitions and imports of src, a file in the given
// language (its canonical name). It never fails: a language without a parser,
// a file past the limits or a done context give an empty Result. The path
// decides only between dialects (a C header may hold C++). It is safe for
// concurrent use and keeps nothing of src.
func Parse(ctx context.Context, language, path string, src []byte) Result {
	if ctx.Err() != nil || len(src) == 0 || len(src) > maxSource {
		return Result{}
	}
	language = dialect(language, path, src)
	if language == "go" {
		if r, ok := parseGo(src); ok {
			return r
		}
	}
	if language == "markdown" {
		return parseMarkdown(src)
	}
	if g := grammarOf(language); g != nil && !minified(src) {
		if r, ok := g.chunks(src); ok {
			return r
		}
	}
	if p := patternTable()[language]; p != nil {
		return p.chunks(language, src)
	}
	return Result{}
}

// chunks reads src with the grammar; ok is false when the parser gave up.
func (g *grammar) chunks(src []byte) (Result, bool) {
	r, _, ok := g.chunksAndFacts(src, nil)
	return r, ok
}

// chunksAndFacts is chunks with the facts that the table f asks for.
func (g *grammar) chunksAndFacts(src []byte, f *factTable) (Result, Facts, bool) {
	text := src
	if g.spec.prepare != nil {
		if text = g.spec.prepare(src); len(text) != len(src) {
			text = src
		}
	}
	t, full, ok := g.parseTwice(text, f.flagsOf())
	defer func() { t.close(); full.close() }()
	if ok && t.errors && g.spec.simplify != nil {
		if plain := g.spec.simplify(text); len(plain) == len(text) && !bytes.Equal(plain, text) {
			if t2, full2, ok2 := g.parseTwice(plain, f.flagsOf()); ok2 {
				t.close()
				full.close()
				t, full, text = t2, full2, plain
			} else {
				t2.close()
				full2.close()
			}
		}
	}
	b := newBuilder(src, g.spec.name)
	if !ok {
		if g.spec.recover == nil {
			return Result{}, Facts{}, false
		}
		b.out.Parser, b.out.Errors = howPattern, true
		g.spec.recover(b, text)
		return b.result(), Facts{}, true
	}
	t.src = src
	b.out.Parser, b.out.Errors = howTree, t.errors
	b.walk(t, text)
	if f := g.spec.extraImports; f != nil {
		f(src, b.importAt)
	}
	if g.spec.embedded != "" {
		embed(b, g.spec.embedded)
	}
	if t.errors && g.spec.recover != nil {
		g.spec.recover(b, text)
	}
	r := b.result()
	full.src = src
	return r, f.facts(full, b, r), true
}

// minified reports whether src is machine-written text without line breaks,
// whose definitions are of no use to a reader.
func minified(src []byte) bool {
	const long = 20 << 10 // bytes a line, on average
	return len(src) > long && len(src)/(bytes.Count(src, newline)+1) > long
}
