package chunk

import "maps"

var cFacts = factSpec{
	chain: map[string]step{
		"identifier":               {leaf: true},
		"field_expression":         {base: "argument", name: "field"},
		"call_expression":          {base: "function", add: "()"},
		"subscript_expression":     {base: "argument", add: "[]"},
		"pointer_expression":       {base: "argument"},
		"parenthesized_expression": {base: "<"},
		"cast_expression":          {typ: "type", add: "{}"},
		"string_literal":           {text: "char{}"},
		"number_literal":           {text: "int{}"},
	},
	calls: []string{"call_expression"},
	decls: map[string]decl{
		"init_declarator":       {name: "declarator", typ: "^type", value: "value"},
		"declaration":           {name: "declarator", typ: "type"},
		"field_declaration":     {name: "declarator", typ: "type"},
		"assignment_expression": {name: "left", value: "right", assigns: true},
	},
	params: map[string]decl{
		"parameter_declaration":          {name: "declarator", typ: "type"},
		"optional_parameter_declaration": {name: "declarator", typ: "type", optional: true},
		"variadic_parameter":             {rest: true},
	},
	funcs:    []string{"function_definition"},
	types:    map[string]string{"struct_specifier": "struct", "union_specifier": "struct", "enum_specifier": "enum", "type_definition": "alias"},
	typeRefs: []string{"type_identifier"},
	result:   "type",
	noParam:  "void",
	values:   []string{"argument_list", "init_declarator", "assignment_expression", "return_statement", "initializer_list", "initializer_pair"},

	decisions: []string{"if_statement", "for_statement", "while_statement", "do_statement", "case_statement", "conditional_expression"},
	logic:     []string{"binary_expression"},
	nesting:   []string{"if_statement", "for_statement", "while_statement", "do_statement", "switch_statement", "conditional_expression"},
	flat:      []string{"else_clause"},
	ifs:       []string{"if_statement"},
	jumps:     []string{"goto_statement"},
	otherwise: map[string]string{"case_statement": "default"},
	opts:      factOptions{fixed: true, labels: true, tags: true},
}

// cppFacts are those of C with what C++ adds.
func cppFacts() *factSpec {
	s := cFacts
	s.self, s.noParam = "this", ""
	s.chain = maps.Clone(cFacts.chain)
	maps.Copy(s.chain, map[string]step{
		"this":                 {leaf: true},
		"namespace_identifier": {leaf: true},
		"type_identifier":      {leaf: true},
		"template_type":        {base: "name"},
		"template_function":    {base: "name"},
		"template_method":      {base: "name"},
		"qualified_identifier": {base: "scope", name: "name", optional: true},
		"new_expression":       {typ: "type", add: "()"},
	})
	s.calls, s.argument = []string{"call_expression", "new_expression"}, cppArgument
	s.params = maps.Clone(cFacts.params)
	s.params["variadic_parameter_declaration"] = decl{name: "declarator", typ: "type", rest: true}
	s.decls = maps.Clone(cFacts.decls)
	s.decls["for_range_loop"] = decl{name: "declarator", typ: "type", value: "right", elem: true}
	s.funcs = []string{"function_definition", "lambda_expression"}
	s.types = maps.Clone(cFacts.types)
	s.types["class_specifier"], s.types["alias_declaration"] = "class", "alias"
	s.bases = []string{"base_class_clause"}
	s.decisions = append([]string{"catch_clause", "for_range_loop"}, cFacts.decisions...)
	s.nesting = append([]string{"catch_clause", "for_range_loop"}, cFacts.nesting...)
	s.deeper = []string{"lambda_expression"}
	return &s
}
