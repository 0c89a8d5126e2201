package chunk

import "github.com/smacker/go-tree-sitter/toml"

func tomlSpec() *spec {
	return &spec{
		name:    "toml",
		grammar: toml.GetLanguage,
		defs: map[string]rule{
			"table":               {kind: Section, name: textOf("dotted_key", "bare_key", "quoted_key"), body: "pair"},
			"table_array_element": {kind: Section, name: textOf("dotted_key", "bare_key", "quoted_key"), body: "pair"},
			"pair":                {kind: Var, top: true, name: textOf("dotted_key", "bare_key", "quoted_key"), body: "-"},
		},
		walk: []string{"document"},
	}
}
