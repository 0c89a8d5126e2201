package chunk

import "strings"

// javascriptFacts are those of TypeScript too.
func javascriptFacts() *factSpec {
	return &factSpec{
		chain: map[string]step{
			"identifier":                    {leaf: true},
			"this":                          {leaf: true},
			"super":                         {leaf: true},
			"shorthand_property_identifier": {leaf: true},
			"member_expression":             {base: "object", name: "property"},
			"call_expression":               {base: "function", add: "()"},
			"new_expression":                {base: "constructor", add: "()"},
			"subscript_expression":          {base: "object", add: "[]"},
			"await_expression":              {base: "<"},
			"parenthesized_expression":      {base: "<"},
			"non_null_expression":           {base: "<"},
			"satisfies_expression":          {base: "<"},
			"as_expression":                 {typ: ">", add: "{}"},
			"string":                        {text: "string{}"},
			"template_string":               {text: "string{}"},
			"number":                        {text: "number{}"},
			"array":                         {text: "Array{}"},
			"true":                          {text: "boolean{}"},
			"false":                         {text: "boolean{}"},
		},
		calls: []string{"call_expression", "new_expression"},
		decls: map[string]decl{
			"variable_declarator":     {name: "name", typ: "type", value: "value"},
			"assignment_expression":   {name: "left", value: "right", assigns: true},
			"for_in_statement":        {name: "left", value: "right", elem: true},
			"public_field_definition": {name: "name", typ: "type", value: "value"},
			"field_definition":        {name: "property", value: "value"},
			"property_signature":      {name: "name", typ: "type"},
		},
		params: map[string]decl{
			"identifier":         {name: "."},
			"required_parameter": {name: "pattern", typ: "type"},
			"optional_parameter": {name: "pattern", typ: "type"},
			"assignment_pattern": {name: "left"},
			"rest_pattern":       {name: "<"},
			"object_pattern":     {},
			"array_pattern":      {},
		},
		funcs: []string{"function_declaration", "generator_function_declaration", "function", "function_expression", "generator_function", "arrow_function", "method_definition", "function_signature", "method_signature", "abstract_method_signature"},
		types: map[string]string{"class_declaration": "class", "class": "class", "abstract_class_declaration": "class",
			"interface_declaration": "interface", "enum_declaration": "enum", "type_alias_declaration": "alias"},
		bases:    []string{"class_heritage", "extends_clause", "implements_clause", "extends_type_clause"},
		typeRefs: []string{"type_identifier", "nested_type_identifier"},
		values:   []string{"arguments", "variable_declarator", "assignment_expression", "return_statement", "pair", "array", "object", "arrow_function", "jsx_opening_element", "jsx_self_closing_element", "jsx_expression", "export_statement"},
		self:     "this",
		imports:  []string{"import_statement", "export_statement", "variable_declarator", "assignment_expression"},
		binds:    javascriptBinds,
		alias:    requiredName,

		decisions: []string{"if_statement", "for_statement", "for_in_statement", "while_statement", "do_statement", "switch_case", "catch_clause", "ternary_expression"},
		logic:     []string{"binary_expression"},
		nesting:   []string{"if_statement", "for_statement", "for_in_statement", "while_statement", "do_statement", "switch_statement", "catch_clause", "ternary_expression"},
		deeper:    []string{"arrow_function", "function", "function_expression", "generator_function", "function_declaration", "method_definition"},
		flat:      []string{"else_clause"},
		ifs:       []string{"if_statement"},
		jumps:     []string{"break_statement", "continue_statement"},
	}
}

// javascriptBinds reads "import d, {a as b} from 'x'", "import * as n from 'x'"
// and what "export … from 'x'" re-exports, whose names start with "export ", and
// the same of CommonJS.
func javascriptBinds(w *factWalk, n int) {
	switch w.t.typeOf(n) {
	case "variable_declarator":
		w.requireBinds(n, true)
		return
	case "assignment_expression":
		w.wholeExport(n)
		return
	}
	src := w.t.field(n, "source")
	if src < 0 {
		w.wholeExport(n)
		return
	}
	path := unquote(w.t.text(src))
	prefix := ""
	if w.t.typeOf(n) == "export_statement" {
		prefix = "export "
	}
	end := w.t.nodes[n].next
	found := false
	for k := n + 1; k < int(end); k++ {
		b := Bind{Path: path, Line: w.line.at(int(w.t.nodes[k].start))}
		switch w.t.typeOf(k) {
		case "identifier":
			if p := int(w.t.nodes[k].parent); w.t.typeOf(p) == "import_clause" {
				b.Name, b.Member = w.t.text(k), "default"
			}
		case "namespace_import", "namespace_export":
			b.Name = prefix + strings.TrimSpace(w.t.text(k)[strings.LastIndexAny(w.t.text(k), " *")+1:])
		case "import_specifier", "export_specifier":
			name, alias := w.t.field(k, "name"), w.t.field(k, "alias")
			if name >= 0 {
				b.Member = w.t.text(name)
				b.Name = prefix + b.Member
			}
			if alias >= 0 {
				b.Name = prefix + w.t.text(alias)
			}
		}
		if b.Name != "" {
			found = true
			w.addBind(b)
		}
	}
	if !found && prefix != "" { // export * from 'x'
		w.addBind(Bind{Name: "*", Path: path, Line: w.line.at(int(w.t.nodes[n].start))})
	}
}
