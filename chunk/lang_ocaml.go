package chunk

import "github.com/smacker/go-tree-sitter/ocaml"

func ocamlSpec() *spec {
	return &spec{
		name:    "ocaml",
		grammar: ocaml.GetLanguage,
		defs: map[string]rule{
			"value_definition":       {kind: Function, names: ocamlBindings("let_binding", "pattern"), top: false, kindOf: ocamlTop, body: "-"},
			"type_definition":        {kind: Type, names: ocamlBindings("type_binding", "name"), body: "-"},
			"class_definition":       {kind: Type, names: ocamlBindings("class_binding", "name"), body: "-"},
			"module_binding":         {kind: Other, name: textOf("module_name")},
			"module_type_definition": {kind: Type},
			"method_definition":      {kind: Method},
			"exception_definition":   {kind: Type, name: ocamlException, body: "-"},
			"external":               {kind: Function, name: textOf("value_name"), body: "-"},
			"value_specification":    {kind: Function, name: textOf("value_name"), body: "-"},
		},
		walkAll: true,
		skip:    []string{"string", "comment", "parameter", "match_expression", "application_expression"},
		show:    []string{"let_binding", "type_binding", "class_binding", "constructor_declaration"},
		imports: map[string]importer{"open_module": matches(`open!?\s+([\w.]+)`), "include_module": matches(`include\s+([\w.]+)`)},
	}
}

// ocamlBindings names what "let f x = … and g y = …" binds.
func ocamlBindings(typ, field string) func(*tree, int, func(string, int)) {
	return func(t *tree, n int, add func(string, int)) {
		t.kids(n, func(k int) bool {
			if t.typeOf(k) == typ {
				if f := t.field(k, field); f >= 0 && isIdent(t.text(f)) {
					add(t.text(f), k)
				}
			}
			return true
		})
	}
}

// ocamlTop keeps the bindings of modules and drops those inside expressions.
func ocamlTop(t *tree, n int, _ func() bool) Kind {
	p := int(t.nodes[n].parent)
	if p >= 0 && t.typeOf(n) == "let_binding" {
		if pp := int(t.nodes[p].parent); pp > 0 && t.typeOf(pp) == "let_binding" {
			return none
		}
	}
	return Function
}

func ocamlException(t *tree, n int) string {
	if k := t.kid(n, "constructor_declaration"); k >= 0 {
		return textOf("constructor_name")(t, k)
	}
	return ""
}
