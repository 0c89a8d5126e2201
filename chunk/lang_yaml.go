package chunk

import (
	"strings"

	"github.com/smacker/go-tree-sitter/yaml"
)

// yamlSpec: the keys of the first two levels are sections, deeper ones are
// values.
func yamlSpec() *spec {
	return &spec{
		name:    "yaml",
		grammar: yaml.GetLanguage,
		defs:    map[string]rule{"block_mapping_pair": {kind: Section, name: yamlKey, body: "value"}},
		walk:    []string{"stream", "document", "block_node", "block_mapping"},
	}
}

func yamlKey(t *tree, n int) string {
	f := t.field(n, "key")
	level := 0
	for p := int(t.nodes[n].parent); p > 0; p = int(t.nodes[p].parent) {
		if t.typeOf(p) == "block_mapping_pair" {
			level++
		}
	}
	if f < 0 || level > 1 || t.nodes[f].end-t.nodes[f].start > maxName || strings.ContainsAny(t.text(f), "\n") {
		return ""
	}
	return unquote(t.text(f))
}
