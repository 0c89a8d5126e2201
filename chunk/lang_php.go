package chunk

import "github.com/smacker/go-tree-sitter/php"

func phpSpec() *spec {
	return &spec{
		name:    "php",
		grammar: php.GetLanguage,
		defs: map[string]rule{
			"class_declaration":     {kind: Type},
			"interface_declaration": {kind: Type},
			"trait_declaration":     {kind: Type},
			"enum_declaration":      {kind: Type},
			"function_definition":   {kind: Function},
			"method_declaration":    {kind: Method},
			"const_declaration":     {kind: Const, top: true, name: phpConst, body: "-"},
			"namespace_definition":  {kind: Other, ghost: true, unscoped: true},
		},
		walkAll: true,
		skip:    []string{"formal_parameters", "arguments", "attribute_list", "string", "encapsed_string", "heredoc"},
		show:    []string{"const_element"},
		imports: map[string]importer{
			"namespace_use_declaration": phpUse,
			"require_once_expression":   phpInclude,
			"require_expression":        phpInclude,
			"include_once_expression":   phpInclude,
			"include_expression":        phpInclude,
		},
		recover: recoverC,
		facts:   &phpFacts,
	}
}

func phpConst(t *tree, n int) string {
	if k := t.kid(n, "const_element"); k >= 0 {
		return textOf("name")(t, k)
	}
	return ""
}
