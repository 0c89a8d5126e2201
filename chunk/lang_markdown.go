package chunk

import (
	"strings"

	markdown "github.com/smacker/go-tree-sitter/markdown/tree-sitter-markdown"
)

var markdownSpec = spec{
	name:    "markdown",
	grammar: markdown.GetLanguage,
	defs:    map[string]rule{"section": {kind: Section, name: markdownTitle, bodyAt: markdownBody}},
	walk:    []string{"document"},
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
