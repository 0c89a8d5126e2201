package chunk

import "github.com/smacker/go-tree-sitter/elm"

func elmSpec() *spec {
	return &spec{
		name:    "elm",
		grammar: elm.GetLanguage,
		defs: map[string]rule{
			"type_alias_declaration": {kind: Type, body: "typeExpression"},
			"type_declaration":       {kind: Type, body: "unionVariant"},
			"port_annotation":        {kind: Function, body: "-"},
			"value_declaration":      {kind: Function, name: elmValue},
		},
		walk:    []string{"file"},
		show:    []string{"function_declaration_left"},
		attrs:   []string{"type_annotation"},
		imports: map[string]importer{"import_clause": matches(`import\s+([\w.]+)`)},
	}
}

func elmValue(t *tree, n int) string {
	if k := t.kid(n, "function_declaration_left"); k >= 0 {
		return textOf("lower_case_identifier")(t, k)
	}
	return ""
}
