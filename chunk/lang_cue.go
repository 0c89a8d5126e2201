package chunk

import (
	"strings"

	"github.com/smacker/go-tree-sitter/cue"
)

func cueSpec() *spec {
	return &spec{
		name:    "cue",
		grammar: cue.GetLanguage,
		defs:    map[string]rule{"field": {kind: Section, top: true, name: cueLabel, kindOf: cueKind, body: "value"}},
		walk:    []string{"source_file"},
		imports: map[string]importer{"import_declaration": matches(`"([^"]+)"`)},
	}
}

// cueLabel is the label as it is written; "#Foo" is a definition.
func cueLabel(t *tree, n int) string {
	name := strings.TrimRight(textOf("label")(t, n), "?!: ")
	if k := t.nodes[n].start; name != "" && k > 0 && t.src[k-1] == '#' {
		return "#" + name
	}
	return unquote(name)
}

func cueKind(t *tree, n int, _ func() bool) Kind {
	if strings.HasPrefix(cueLabel(t, n), "#") || (t.nodes[n].start < t.nodes[n].end && t.src[t.nodes[n].start] == '#') {
		return Type
	}
	return Section
}
