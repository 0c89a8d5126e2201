package chunk

import (
	"strings"

	"github.com/smacker/go-tree-sitter/css"
)

func cssSpec() *spec {
	return &spec{
		name:    "css",
		grammar: css.GetLanguage,
		defs: map[string]rule{
			"rule_set":            {kind: Section, name: selector, body: "block"},
			"media_statement":     {kind: Other, name: selector, body: "block"},
			"supports_statement":  {kind: Other, name: selector, body: "block"},
			"keyframes_statement": {kind: Section, name: selector, body: "keyframe_block_list"},
		},
		walk:    []string{"stylesheet", "block"},
		imports: map[string]importer{"import_statement": matches(`["']([^"']+)["']|url\(([^)"']+)\)`)},
	}
}

// selector is the text before the block, on one line.
func selector(t *tree, n int) string {
	text, _, _ := strings.Cut(string(t.src[t.nodes[n].start:min(t.nodes[n].end, t.nodes[n].start+2*maxName)]), "{")
	return strings.Join(strings.Fields(text), " ")
}
