package chunk

import (
	"strings"

	"github.com/smacker/go-tree-sitter/html"
	"github.com/smacker/go-tree-sitter/svelte"
)

// markup rules: elements with an id are sections, headings too; scripts and
// styles are others.
func markupDefs() map[string]rule {
	return map[string]rule{
		"element":        {kind: Section, name: elementName, body: "-"},
		"script_element": {kind: Other, name: func(*tree, int) string { return "script" }, body: "raw_text"},
		"style_element":  {kind: Other, name: func(*tree, int) string { return "style" }, body: "raw_text"},
	}
}

func htmlSpec() *spec {
	return &spec{
		name:     "html",
		grammar:  html.GetLanguage,
		defs:     markupDefs(),
		walkAll:  true,
		imports:  map[string]importer{"start_tag": markupLinks, "self_closing_tag": markupLinks},
		embedded: "typescript",
	}
}

func svelteSpec() *spec {
	return &spec{
		name:     "svelte",
		grammar:  svelte.GetLanguage,
		defs:     markupDefs(),
		walkAll:  true,
		embedded: "typescript",
	}
}

// markupLinks reads the scripts and style sheets that a page loads.
func markupLinks(text string, add func(string, int)) {
	if strings.HasPrefix(text, "<script") || strings.HasPrefix(text, "<link") {
		linkTarget(text, add)
	}
}

var linkTarget = matches(`\b(?:src|href)\s*=\s*["']?([^"'\s>]+)`)

// elementName is the id of an element, or the text of a heading.
func elementName(t *tree, n int) string {
	start := t.kid(n, "start_tag", "self_closing_tag")
	if start < 0 || t.nodes[start].end-t.nodes[start].start > 2<<10 {
		return ""
	}
	tag := t.text(start)
	if i := strings.Index(tag, ` id="`); i >= 0 {
		id, _, _ := strings.Cut(tag[i+5:], `"`)
		return id
	}
	if len(tag) > 2 && tag[1] == 'h' && tag[2] >= '1' && tag[2] <= '6' {
		if k := t.kid(n, "text"); k >= 0 {
			return strings.Join(strings.Fields(clip(t.text(k))), " ")
		}
	}
	return ""
}
