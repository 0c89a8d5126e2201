package render

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/topo-dev/topo/stream"
)

// numbered is a file whose line n is "n".
func numbered(lines int) []byte {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintln(&b, i+1)
	}
	return []byte(b.String())
}

func bodyText(d *Doc, o *Options) string {
	lines, _, _ := body(d, o)
	var out []string
	for _, l := range lines {
		switch {
		case l.gap && len(l.text) == 0:
			out = append(out, "…")
		case l.gap:
			out = append(out, fmt.Sprintf("%d:%s", l.no, l.text))
		default:
			out = append(out, strings.TrimSpace(string(l.text)))
		}
	}
	return strings.Join(out, " ")
}

func TestBody(t *testing.T) {
	sig := func(kind string, start, end int) stream.Chunk {
		return stream.Chunk{Kind: kind, StartLine: start, EndLine: end, Signature: kind}
	}
	for _, c := range []struct {
		spans   []Span
		outline []stream.Chunk
		limit   int
		want    string
	}{
		{nil, nil, 0, "1 2 3 4 5 6 7 8 9 10 11 12"},
		{[]Span{{5, 6}}, nil, 0, "… 5 6 …"},
		{[]Span{{1, 2}, {11, 12}}, nil, 0, "1 2 … 11 12"},
		{[]Span{{5, 6}, {8, 8}}, nil, 0, "… 5 6 7 8 …"},
		{[]Span{{5, 6}}, []stream.Chunk{sig("function", 1, 3), sig("method", 9, 12)}, 0, "1:function 5 6 9:method"},
		{[]Span{{5, 6}}, []stream.Chunk{sig("function", 4, 6), sig("method", 6, 9)}, 0, "4:function 5 6 …"},
		{[]Span{{5, 6}}, []stream.Chunk{sig("import", 1, 1), {Kind: "function", StartLine: 9, EndLine: 9}}, 0, "… 5 6 …"},
		{[]Span{{5, 6}}, []stream.Chunk{sig("function", 1, 2), sig("function", 2, 2), sig("function", 8, 9)}, 1, "… 5 6 8:function"},
		{[]Span{{5, 6}}, []stream.Chunk{sig("type", 1, 1), sig("function", 8, 9)}, 1, "1:type 5 6 …"},
		{[]Span{{5, 6}}, []stream.Chunk{sig("type", 1, 1)}, -1, "… 5 6 …"},
		{[]Span{{5, 6}}, []stream.Chunk{sig("type", -4, -2), sig("var", 40, 50)}, 0, "-4:type 5 6 …"},
		{[]Span{{30, 40}}, []stream.Chunk{sig("type", 1, 1)}, 0, "…"},
	} {
		long := bytes.ReplaceAll(numbered(12), []byte("\n"), []byte(strings.Repeat(" ", 40)+"\n"))
		d := &Doc{Content: long, Spans: c.spans, Outline: c.outline}
		if got := bodyText(d, &Options{Outline: c.limit}); got != c.want {
			t.Errorf("%v with %d signatures:\n%s\nwant\n%s", c.spans, len(c.outline), got, c.want)
		}
	}
}

// Signatures take no more than half of what a little code takes.
func TestLittleCodeHasFewSignatures(t *testing.T) {
	d := &Doc{Content: numbered(12), Spans: []Span{{5, 6}}, Outline: []stream.Chunk{{Kind: "type", StartLine: 1, EndLine: 1, Signature: "type"}}}
	if got := bodyText(d, &Options{}); got != "… 5 6 …" {
		t.Error(got)
	}
}

// Parts of a line are printed between ellipses, in their order, each once.
func TestBodyOfParts(t *testing.T) {
	type part struct{ line, from, to int }
	for _, c := range []struct {
		content string
		parts   []part
		want    string
		ranges  string
	}{
		{"abcdefghij\n", []part{{1, 7, 8}, {1, 2, 3}}, "…bc… …gh…", "lines 1:2–3, 1:7–8 of 1"},
		{"abcdefghij\n", []part{{1, 2, 5}, {1, 4, 8}, {1, 9, 9}}, "…bcdefghi…", "lines 1:2–9 of 1"},
		{"abcdefghij", []part{{1, 1, 3}, {1, 8, 99}}, "abc… …hij", "lines 1:1–3, 1:8–10 of 1"},
		{"a\nbcdef\r\ng\n", []part{{2, 2, 4}}, "… …cde… …", "lines 2:2–4 of 3"},
		{"a\nbcdef\ng\n", []part{{2, 2, 4}, {1, 0, 0}, {3, 0, 0}}, "a …cde… g", "lines 1, 2:2–4, 3 of 3"},
		{"a\nbcdef\ng\n", []part{{2, 2, 4}, {2, 0, 0}}, "a bcdef g", "3 lines"},
		{"ab\n", []part{{1, 5, 9}, {2, 1, 1}, {1, 2, 1}}, "…", "none of 1 line"},
	} {
		d := &Doc{Content: []byte(c.content)}
		for _, p := range c.parts {
			d.File.Chunks = append(d.File.Chunks, stream.Chunk{StartLine: p.line, EndLine: p.line, StartColumn: p.from, EndColumn: p.to})
		}
		_, spans, total := body(d, &Options{})
		if got, ranges := bodyText(d, &Options{}), rangeText(spans, total); got != c.want || ranges != c.ranges {
			t.Errorf("%q %v: %q (%s), want %q (%s)", c.content, c.parts, got, ranges, c.want, c.ranges)
		}
	}
}

// A long line between two ranges stays left out.
func TestLongGapIsNoFiller(t *testing.T) {
	d := &Doc{Content: []byte("a\n" + strings.Repeat("x", shortGap) + "\nb\n"), Spans: []Span{{1, 1}, {3, 3}}}
	if got := bodyText(d, &Options{}); got != "a … b" {
		t.Errorf("%.20q", got)
	}
}

// The lines chosen come from File.Chunks unless spans are given.
func TestBodyOfChunks(t *testing.T) {
	d := &Doc{Content: numbered(12), File: stream.File{Chunks: []stream.Chunk{{StartLine: 9, EndLine: 10}, {StartLine: 1, EndLine: 2}}}}
	if got := bodyText(d, &Options{}); got != "1 2 … 9 10 …" {
		t.Error(got)
	}
	d.Spans = []Span{{4, 4}}
	if got := bodyText(d, &Options{}); got != "… 4 …" {
		t.Error(got)
	}
}

func TestSplitLines(t *testing.T) {
	for in, want := range map[string][]string{
		"":                {},
		"a":               {"a"},
		"a\n":             {"a"},
		"a\n\nb":          {"a", "", "b"},
		"a\r\nb\rc\r\n":   {"a", "b\rc"},
		"\uFEFFa\n\uFEFF": {"a", ""},
	} {
		var got []string
		joined := ""
		for _, l := range splitLines([]byte(in)) {
			got = append(got, string(withoutBreak(l)))
			joined += string(l)
		}
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) || joined != in {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestSignature(t *testing.T) {
	long := stream.Chunk{Signature: "func f(\n\ta int,\n\tb " + strings.Repeat("é", 300) + ")"}
	got := string(signature(long))
	if !strings.HasPrefix(got, "func f( a int, b é") || len(got) > maxSignature+len(ellipsis) || !strings.HasSuffix(got, ellipsis) {
		t.Errorf("%q", got)
	}
}

func TestFence(t *testing.T) {
	for in, want := range map[string]string{
		"plain":               "```",
		"```go\nx\n```":       "~~~",
		"  ````\n~~~":         "~~~~",
		"12  ```\n~~~~":       "````",
		"a ``` b":             "```",
		"… ```\n~~~~~~":       "````",
		"```\n~~~":            "````",
		"\t`````````\n~~~~~~": "~~~~~~~",
	} {
		var lines [][]byte
		for _, l := range strings.Split(in, "\n") {
			lines = append(lines, []byte(l))
		}
		if got := fenceFor(lines); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
	e := markdownEncoder{o: &Options{Fence: func(l string) string { return map[string]string{"hcl": "terraform"}[l] }}}
	plain := markdownEncoder{o: &Options{}}
	for _, c := range []struct{ got, want string }{
		{e.fenceID("hcl"), "terraform"}, {plain.fenceID("c++"), "c++"}, {plain.fenceID("emacs lisp"), ""}, {plain.fenceID("a`b"), ""},
	} {
		if c.got != c.want {
			t.Errorf("fence identifier %q, want %q", c.got, c.want)
		}
	}
}

func TestTree(t *testing.T) {
	var docs []*Doc
	for _, p := range []string{"z.go", "a/b/c.go", "a/x.go", "a.go", "a/b/a.go", "b\n/x"} {
		docs = append(docs, &Doc{File: stream.File{Path: p}})
	}
	want := "a.go\nz.go\na/\n  x.go\na/b/\n  a.go\n  c.go\n\"b\\n\"/\n  x\n"
	if got := string(appendTree(nil, docs)); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := appendTree(nil, nil); len(got) > 0 {
		t.Errorf("%q", got)
	}
}

func TestNote(t *testing.T) {
	doc := func(p string) *Doc { return &Doc{File: stream.File{Path: p}} }
	six := []*Doc{doc("a"), doc("b"), doc("c"), doc("d"), doc("e"), doc("f")}
	for _, c := range []struct {
		left leftOut
		want string
	}{
		{leftOut{docs: six[:1], limit: "10 tokens"}, "Left out to stay within 10 tokens: 1 file (a)."},
		{leftOut{cut: six[0], limit: "10 bytes"}, "Left out to stay within 10 bytes: the end of a."},
		{leftOut{docs: six, cut: doc("z\n"), limit: "1 tokens"}, `Left out to stay within 1 tokens: the end of "z\n" and 6 files (a, b, c, d, e, …).`},
	} {
		if got := c.left.note(); got != c.want {
			t.Errorf("%s\nwant\n%s", got, c.want)
		}
	}
	if !(leftOut{}).none() || (leftOut{docs: six}).none() {
		t.Error("none is wrong")
	}
}

func TestMissing(t *testing.T) {
	for _, c := range []struct {
		d    Doc
		want string
	}{
		{Doc{}, ""},
		{Doc{Missing: "gone"}, "gone"},
		{Doc{File: stream.File{Skipped: stream.SkipLarge}}, "large"},
		{Doc{File: stream.File{Skipped: stream.SkipSymlink, Target: "../x"}}, "symlink to ../x"},
	} {
		if got := missing(&c.d); got != c.want {
			t.Errorf("%+v: %q, want %q", c.d, got, c.want)
		}
	}
}
