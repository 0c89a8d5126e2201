package chunk

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"strings"

	markdown "github.com/smacker/go-tree-sitter/markdown/tree-sitter-markdown"
)

func markdownSpec() *spec {
	return &spec{
		name:    "markdown",
		grammar: markdown.GetLanguage,
		defs:    map[string]rule{"section": {kind: Section, name: markdownTitle, bodyAt: markdownBody}},
		walk:    []string{"document"},
	}
}

// markdownHeading is the first child of a section when it is a heading.
func markdownHeading(t *tree, n int) int { return t.kid(n, "atx_heading", "setext_heading") }

func markdownTitle(t *tree, n int) string {
	h := markdownHeading(t, n)
	if h < 0 {
		return ""
	}
	text := t.src[t.nodes[h].start:t.nodes[h].end]
	return strings.Trim(string(text[:min(lineLength(text), maxName)]), "# \t\r")
}

func markdownBody(t *tree, n int) int {
	if h := markdownHeading(t, n); h >= 0 {
		return int(t.nodes[h].end)
	}
	return 0
}

// TestMarkdownAgainstGrammar holds the scan by lines to the sections that the
// grammar finds in this project's own documents.
func TestMarkdownAgainstGrammar(t *testing.T) {
	g := markdownSpec().compile()
	for _, pattern := range []string{"../*.md", "../docs/*.md", "../docs/reference/*.md", "testdata/markdown.src"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: no documents (%v)", pattern, err)
		}
		for _, p := range paths {
			src, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			want, ok := g.chunks(src)
			if !ok {
				t.Fatalf("%s: the grammar gave up", p)
			}
			got := map[string]Chunk{}
			for _, c := range parseMarkdown(src).Chunks {
				got[fmt.Sprint(c.StartLine, c.Qualified())] = c
			}
			for _, c := range want.Chunks {
				if g, ok := got[fmt.Sprint(c.StartLine, c.Qualified())]; !ok {
					t.Errorf("%s:%d: section %q is missing", p, c.StartLine, c.Qualified())
				} else if g.EndByte > c.EndByte+1 && !bytes.Contains(src[c.EndByte:g.EndByte], []byte("#")) && len(bytes.TrimSpace(src[c.EndByte:g.EndByte])) > 0 {
					t.Errorf("%s:%d: section %q ends at byte %d, want %d", p, c.StartLine, c.Qualified(), g.EndByte, c.EndByte)
				}
			}
		}
	}
}

func TestMarkdownSections(t *testing.T) {
	for in, want := range map[string]string{
		"# A\ntext\n## B\nx\n# C\n":           "A:1-4 A.B:3-4 C:5-5",
		"Title\n=====\n\nSub\n---\ny\n":       "Title:1-6 Title.Sub:4-6",
		"```\n# no\n```\n# yes\n":             "yes:4-4",
		"~~~~ sh\n# no\n~~~\n# no\n~~~~\n# y": "y:6-6",
		"---\ntitle: x\n---\n# A\n":           "A:4-4",
		"<!--\n# no\n-->\n# A\n":              "A:4-4",
		"    # code\n# A #\n":                 "A:2-2",
		"#no\n####### no\n# A\n":              "A:3-3",
		"- x\n  ```\n  # no\n# A\n":           "A:4-4",
		"- item\n---\n# A\n":                  "A:3-3",
		"# \n## B\n":                          "B:2-2",
		"":                                    "",
	} {
		var got []string
		for _, c := range parseMarkdown([]byte(in)).Chunks {
			got = append(got, fmt.Sprintf("%s:%d-%d", c.Qualified(), c.StartLine, c.EndLine))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q:\n got %s\nwant %s", in, s, want)
		}
	}
}
