package topo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/topo-dev/topo/render"
	"github.com/topo-dev/topo/stream"
)

// telling is what is looked for, in the middle of every file.
const (
	telling     = "the quagmire threshold equals zebrafish"
	tellingTask = "where is the quagmire threshold of the zebrafish"
)

// prose is the nth line of words that say nothing of the task.
func prose(n int) string {
	words := strings.Fields("alpha beta gamma delta epsilon river stone cloud paper window garden bridge marble copper silver anchor basket candle dragon engine")
	var out []string
	for i := range 8 {
		out = append(out, words[(n*7+i*i*3+n/5)%len(words)])
	}
	return strings.Join(out, " ")
}

// repeat makes about 80 KB of units, the middle one about the telling line.
func repeat(head string, unit func(i int, text string) string, tail string) string {
	size := len(unit(1000, prose(1)))
	n := 80<<10/size + 1
	var b strings.Builder
	b.WriteString(head)
	for i := range n {
		text := prose(i)
		if i == n/2 {
			text = telling
		}
		b.WriteString(unit(i, text))
	}
	return b.String() + tail
}

// unitf is a unit of a format with the number and then the text.
func unitf(format string) func(int, string) string {
	return func(i int, text string) string { return fmt.Sprintf(format, i, text) }
}

// between is a file of units with the telling line between two of them.
func between(head, line, format string) string {
	n := 40<<10/len(fmt.Sprintf(format, 1000)) + 1
	var b strings.Builder
	b.WriteString(head)
	for i := range 2 * n {
		if i == n {
			b.WriteString(line)
		}
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// formats are files of about 80 KB by name.
func formats() map[string]string {
	minified, _ := json.Marshal(strings.Split(repeat("", unitf("%d %s\n"), ""), "\n"))
	return map[string]string{
		"notes.txt":            repeat("", unitf("%d %s\n"), ""),
		"one-line.txt":         repeat("", unitf("%d %s "), ""),
		"LICENSE":              repeat("", unitf("%d %s\n"), ""),
		"unknown.xyzzy":        repeat("", unitf("%d %s\n"), ""),
		"guide.rst":            repeat("", unitf("Part %d\n=========\n\n%s\n\n"), ""),
		"flat.rst":             repeat("", unitf("%d %s\n"), ""),
		"guide.adoc":           repeat("= Guide\n\n", unitf("== Part %d\n\n%s\n\n"), ""),
		"notes.org":            repeat("", unitf("* Part %d\n%s\n"), ""),
		"paper.tex":            repeat("\\documentclass{article}\n", unitf("\\section{Part %d}\n%s\n"), ""),
		"manual.texi":          repeat("", unitf("@section Part %d\n%s\n"), ""),
		"page.wiki":            repeat("", unitf("== Part %d ==\n%s\n"), ""),
		"guide.md":             repeat("", unitf("## Part %d\n\n%s\n\n"), ""),
		"flat.md":              repeat("# One\n\n", unitf("%d %s\n"), ""),
		"page.html":            repeat("<html><body>\n", unitf("<h2>Part %d</h2>\n<p>%s</p>\n"), "</body></html>\n"),
		"flat.html":            repeat("<html><body>\n", unitf("<p>%d %s</p>"), "</body></html>\n"),
		"study.ipynb":          repeat("{\n \"cells\": [\n", unitf("  {\"cell_type\": \"markdown\", \"id\": \"%d\", \"source\": [\"%s\"]},\n"), "  {\"cell_type\": \"code\", \"source\": []}\n ]\n}\n"),
		"rows.csv":             repeat("id,text\n", unitf("%d,%s\n"), ""),
		"rows.tsv":             repeat("id\ttext\n", unitf("%d\t%s\n"), ""),
		"table.json":           repeat("{\n", unitf(" \"k%d\": {\n  \"text\": \"%s\"\n },\n"), " \"end\": 1\n}\n"),
		"minified.json":        string(minified),
		"events.jsonl":         repeat("", unitf("{\"id\":%d,\"text\":\"%s\"}\n"), ""),
		"tsconfig.json":        repeat("{ // options\n", unitf(" \"k%d\": \"%s\",\n"), " \"end\": 1\n}\n"),
		"deploy.yaml":          repeat("", unitf("key%d:\n  text: %s\n"), ""),
		"list.yaml":            repeat("all:\n", unitf("  - id: %d\n    text: %s\n"), ""),
		"conf.toml":            repeat("", unitf("[part%d]\ntext = \"%s\"\n"), ""),
		"flat.toml":            repeat("", unitf("k%d = \"%s\"\n"), ""),
		"Cargo.lock":           repeat("", unitf("[[package]]\nname = \"p%d\"\nabout = \"%s\"\n"), ""),
		"data.xml":             repeat("<?xml version=\"1.0\"?>\n<all>\n", unitf("<item id=\"i%d\">\n<text>%s</text>\n</item>\n"), "</all>\n"),
		"picture.svg":          repeat("<svg>", unitf("<text x=\"%d\">%s</text>"), "</svg>\n"),
		"conf.ini":             repeat("", unitf("[part%d]\ntext = %s\n"), ""),
		"flat.ini":             repeat("[one]\n", unitf("k%d = %s\n"), ""),
		"app.properties":       repeat("", unitf("key.k%d=%s\n"), ""),
		".env.example":         repeat("", unitf("KEY_%d=\"%s\"\n"), ""),
		"server.log":           repeat("", unitf("2026-01-02 03:04:05 INFO %d %s\n"), ""),
		"plain.log":            repeat("", unitf("worker %d: %s\n"), ""),
		"inserts.sql":          repeat("", unitf("INSERT INTO t VALUES (%d, '%s');\n"), ""),
		"schema.sql":           repeat("", unitf("CREATE TABLE t%d (\n  id int -- %s\n);\n"), ""),
		"between.sql":          between("", "INSERT INTO t VALUES ('"+telling+"');\n", "CREATE TABLE t%d (id int);\n"),
		"api.proto":            repeat("syntax = \"proto3\";\n", unitf("message M%d {\n  // %s\n  string a = 1;\n}\n"), ""),
		"main.tf":              repeat("", unitf("resource \"a\" \"r%d\" {\n  text = \"%s\"\n}\n"), ""),
		"site.css":             repeat("", unitf(".c%d {\n  content: \"%s\";\n}\n"), ""),
		"Dockerfile":           repeat("FROM scratch\n", unitf("RUN step%d %s\n"), ""),
		"change.diff":          repeat("", unitf("diff --git a/f%[1]d b/f%[1]d\n--- a/f%[1]d\n+++ b/f%[1]d\n@@ -1 +1 @@\n+%[2]s\n"), ""),
		"plain.patch":          repeat("--- a/f\n+++ b/f\n", unitf("@@ -%[1]d +%[1]d @@\n+%[2]s\n"), ""),
		"de.po":                repeat("msgid \"\"\nmsgstr \"\"\n\n", unitf("#: a.c:%d\nmsgid \"%s\"\nmsgstr \"\"\n\n"), ""),
		"Makefile":             repeat("", unitf("target%d:\n\techo %s\n"), ""),
		"giant.go":             repeat("package a\n\nfunc giant() {\n", unitf("\tprint(%d, \"%s\")\n"), "}\n"),
		"between.py":           between("", "LIMIT = \""+telling+"\"\n", "def f%d(a):\n    return a\n\n"),
		"mixed.py":             between("", "LIMIT = \""+telling+"\"\n\n", "def f%d(a):\n    return threshold(a)\n\n"),
		"script.sh":            repeat("#!/bin/sh\n", unitf("echo %d %s\n"), ""),
		"bundle.min.js":        repeat("", unitf("f(%d,\"%s\");"), "\n"),
		"long.py":              repeat("X = [", unitf("%d, '%s', "), "]\n"),
		"unicode.txt":          repeat("", unitf("%d ñandú — 寿司 🙂 %s 🙂 "), ""),
		"crlf.txt":             repeat("", unitf("%d %s\r\n"), ""),
		"data.geojson":         repeat("{\"features\":[", unitf("{\"id\":%d,\"name\":\"%s\"},"), "{}]}"),
		"a.graphql":            repeat("", unitf("type T%d {\n  \"%s\"\n  a: Int\n}\n"), ""),
		"build.gradle":         repeat("", unitf("task t%d { println '%s' }\n"), ""),
		"BUILD.bazel":          repeat("", unitf("rule(name = \"r%d\", text = \"%s\")\n"), ""),
		"go.sum":               repeat("", unitf("example.com/m%d v1.0.0 %s\n"), ""),
		"component.vue":        repeat("<template>\n", unitf("<p id=\"p%d\">%s</p>\n"), "</template>\n"),
		"nginx.conf":           repeat("http {\n", unitf("  # %d %s\n"), "}\n"),
		"requirements.txt":     repeat("", unitf("package%d==1.0 # %s\n"), ""),
		"man.1":                repeat(".TH X 1\n", unitf(".SH PART %d\n%s\n"), ""),
		"with-nothing.xml":     repeat("", unitf("%d %s\n"), ""),
		"not-a-notebook.ipynb": repeat("", unitf("%d %s\n"), ""),
	}
}

// page is a folder with one file that was ranked.
type page struct {
	repo   *Repo
	ranked *stream.Stream
	notes  []string // reported since the last page
}

func openPage(t *testing.T, name, content string, deep bool) *page {
	t.Helper()
	ctx, dir := context.Background(), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	p := &page{}
	report := Report{Note: func(text string) { p.notes = append(p.notes, text) }}
	var err error
	if p.repo, err = Open(ctx, dir, Options{Exact: true, CacheDir: t.TempDir(), Report: report}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.repo.Close() })
	if deep {
		s, _, err := p.repo.Scan(ctx, ScanOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.repo.Index(ctx, s, IndexOptions{Deep: true}); err != nil {
			t.Fatal(err)
		}
	}
	if p.ranked, _, err = p.repo.Quick(ctx, tellingTask, QuickOptions{}); err != nil {
		t.Fatal(err)
	}
	if n := len(p.ranked.Files()); n != 1 {
		t.Fatalf("%d files found", n)
	}
	return p
}

// render selects and renders within a budget, as topo select and topo render do.
func (p *page) render(t *testing.T, format string, tokens int) (string, error) {
	t.Helper()
	ctx, s, b := context.Background(), *p.ranked, Budget{MaxTokens: tokens}
	p.notes = nil
	if err := p.repo.Select(ctx, &s, SelectOptions{Budget: b}); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err := p.repo.Render(ctx, &out, &s, RenderOptions{Format: format, Budget: b})
	return out.String(), err
}

// TestNoFormatIsSilent: whatever a file is written in, the page shows the line that
// the task is about, stays in the budget, and when it cannot show anything says so.
func TestNoFormatIsSilent(t *testing.T) {
	for name, content := range formats() {
		if n := len(content); n < 70<<10 || n > 100<<10 {
			t.Errorf("%s has %d bytes", name, n)
		}
		t.Run(name, func(t *testing.T) {
			p := openPage(t, name, content, false)
			for _, tokens := range []int{2000, 100, 50, 25, 5} {
				out, err := p.render(t, "markdown", tokens)
				checkPage(t, out, p.notes, err, tokens)
			}
		})
	}
}

// tokensOf counts as budgets do by default.
func tokensOf(t *testing.T, text string) int {
	t.Helper()
	c, err := render.NewCounter(render.DefaultTokenizer)
	if err != nil {
		t.Fatal(err)
	}
	return c.Count([]byte(text))
}

func checkPage(t *testing.T, out string, notes []string, err error, tokens int) {
	t.Helper()
	said := err != nil || len(notes) > 0
	if n := tokensOf(t, out); n > tokens {
		t.Errorf("budget %d: the page costs %d tokens", tokens, n)
	}
	if !utf8.ValidString(out) {
		t.Errorf("budget %d: the page is cut within a character", tokens)
	}
	_, body, _ := strings.Cut(out, "## ")
	switch shown := strings.Contains(body, telling); {
	case tokens >= 100 && !shown:
		t.Errorf("budget %d: the line is not shown, notes %q, page\n%.1500s", tokens, notes, out)
	case !shown && !strings.Contains(body, "quagmire") && !strings.Contains(body, "threshold") && !said:
		t.Errorf("budget %d: silence, page\n%s", tokens, out)
	}
}

// Every output format that prints content, and the deep index, show the same.
func TestWindowsInEveryOutput(t *testing.T) {
	all := formats()
	for _, name := range []string{"notes.txt", "one-line.txt", "minified.json", "guide.rst", "giant.go", "unicode.txt"} {
		for _, deep := range []bool{false, true} {
			p := openPage(t, name, all[name], deep)
			for _, f := range render.Formats() {
				if !f.NeedsContent {
					continue
				}
				out, err := p.render(t, f.Name, 1000)
				if n := tokensOf(t, out); err != nil || n > 1000 || !strings.Contains(out, telling) {
					t.Errorf("%s as %s, deep %v: %d tokens, %v, %q\n%.600s", name, f.Name, deep, n, err, p.notes, out)
				}
			}
		}
	}
}
