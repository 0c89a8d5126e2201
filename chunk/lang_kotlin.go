package chunk

import "github.com/smacker/go-tree-sitter/kotlin"

func kotlinSpec() *spec {
	return &spec{
		name:    "kotlin",
		grammar: kotlin.GetLanguage,
		defs: map[string]rule{
			"class_declaration":     {kind: Type, name: textOf("type_identifier", "simple_identifier"), body: "class_body"},
			"object_declaration":    {kind: Type, name: textOf("type_identifier", "simple_identifier"), body: "class_body"},
			"companion_object":      {kind: Type, name: kotlinCompanion, body: "class_body"},
			"type_alias":            {kind: Type, name: textOf("type_identifier", "simple_identifier"), body: "-"},
			"function_declaration":  {kind: Function, name: textOf("simple_identifier"), body: "function_body"},
			"secondary_constructor": {kind: Method, name: func(*tree, int) string { return "constructor" }, body: "statements"},
			"property_declaration":  {kind: Var, top: true, name: kotlinProperty, body: "-"},
		},
		walkAll: true,
		skip:    []string{"function_value_parameters", "value_arguments", "modifiers", "string_literal", "primary_constructor"},
		show:    []string{"variable_declaration"},
		imports: map[string]importer{"import_header": matches(`import\s+([\w.*` + "`" + `]+)`)},
		recover: recoverKotlin,
	}
}

func kotlinCompanion(t *tree, n int) string {
	if name := textOf("type_identifier", "simple_identifier")(t, n); name != "" {
		return name
	}
	return "Companion"
}

func kotlinProperty(t *tree, n int) string {
	if k := t.kid(n, "variable_declaration"); k >= 0 {
		return textOf("simple_identifier")(t, k)
	}
	return ""
}
