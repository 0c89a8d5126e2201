package chunk

import (
	"strings"

	"github.com/smacker/go-tree-sitter/dockerfile"
)

func dockerfileSpec() *spec {
	return &spec{
		name:    "dockerfile",
		grammar: dockerfile.GetLanguage,
		defs:    map[string]rule{"from_instruction": {kind: Section, name: dockerStage, extend: true, body: "-"}},
		walk:    []string{"source_file"},
		imports: map[string]importer{"from_instruction": matches(`(?i)^from\s+(?:--\S+\s+)*(\S+)`)},
	}
}

// dockerStage is the stage's name, or its image.
func dockerStage(t *tree, n int) string {
	fields := strings.Fields(t.text(n))
	for i, f := range fields {
		if strings.EqualFold(f, "as") && i+1 < len(fields) {
			return fields[i+1]
		}
	}
	for _, f := range fields[1:] {
		if !strings.HasPrefix(f, "--") {
			return f
		}
	}
	return ""
}
