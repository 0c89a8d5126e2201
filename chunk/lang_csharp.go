package chunk

import (
	"strings"

	"github.com/smacker/go-tree-sitter/csharp"
)

func csharpSpec() *spec {
	return &spec{
		name:    "csharp",
		facts:   &csharpFacts,
		grammar: csharp.GetLanguage,
		defs: map[string]rule{
			"class_declaration":                 {kind: Type},
			"struct_declaration":                {kind: Type},
			"interface_declaration":             {kind: Type},
			"enum_declaration":                  {kind: Type},
			"record_declaration":                {kind: Type},
			"delegate_declaration":              {kind: Type},
			"method_declaration":                {kind: Method},
			"constructor_declaration":           {kind: Method},
			"destructor_declaration":            {kind: Method, name: func(t *tree, n int) string { return "~" + textOf("identifier")(t, n) }},
			"operator_declaration":              {kind: Method, name: csharpOperator},
			"conversion_operator_declaration":   {kind: Method, name: csharpOperator},
			"indexer_declaration":               {kind: Method, name: func(*tree, int) string { return "this" }, body: "accessors"},
			"property_declaration":              {kind: Method, body: "accessors"},
			"event_declaration":                 {kind: Method, body: "accessors"},
			"local_function_statement":          {kind: Function},
			"namespace_declaration":             {kind: Other, ghost: true},
			"file_scoped_namespace_declaration": {kind: Other, ghost: true},
		},
		walkAll:  true,
		skip:     []string{"parameter_list", "argument_list", "attribute_list", "base_list", "type_parameter_list"},
		imports:  map[string]importer{"using_directive": matches(`using\s+(?:static\s+)?(?:[\w.]+\s*=\s*)?([\w.:<>, ]+?)\s*;`)},
		prepare:  csharpPrepare,
		simplify: csharpWithoutAttributes,
		recover:  recoverC,
	}
}

// csharpOperator is "operator +" of an operator declaration.
func csharpOperator(t *tree, n int) string {
	text := t.text(n)
	i := strings.Index(text, "operator")
	if i < 0 {
		return ""
	}
	text, _, _ = strings.Cut(text[i:], "(")
	return strings.Join(strings.Fields(text), " ")
}
