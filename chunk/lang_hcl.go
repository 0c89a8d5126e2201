package chunk

import (
	"strings"

	"github.com/smacker/go-tree-sitter/hcl"
)

func hclSpec() *spec {
	return &spec{
		name:    "hcl",
		grammar: hcl.GetLanguage,
		defs: map[string]rule{
			"block":     {kind: Section, name: hclName, body: "block_start"},
			"attribute": {kind: Var, top: true, name: textOf("identifier"), body: "-"},
		},
		walk:    []string{"config_file"},
		clear:   []string{"body"},
		imports: map[string]importer{"block": matches(`^\s*(?:module|terraform)[^{]*\{[^}]*?\bsource\s*=\s*"([^"]+)"`)},
	}
}

// hclName is `resource aws_x y` for a block of type and labels.
func hclName(t *tree, n int) string {
	head, _, _ := strings.Cut(t.text(n), "{")
	if len(head) > maxName || t.nodes[n].parent > 2 {
		return ""
	}
	return strings.Join(strings.Fields(strings.ReplaceAll(head, `"`, "")), ".")
}
