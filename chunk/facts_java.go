package chunk

import "strings"

var javaFacts = factSpec{
	pkg: "package_declaration",
	chain: map[string]step{
		"identifier":                      {leaf: true},
		"this":                            {leaf: true},
		"super":                           {leaf: true},
		"field_access":                    {base: "object", name: "field"},
		"method_invocation":               {base: "object", name: "name", add: "()", optional: true},
		"object_creation_expression":      {typ: "type", add: "()"},
		"method_reference":                {base: "<", name: ">"},
		"explicit_constructor_invocation": {base: "constructor"},
		"array_access":                    {base: "array", add: "[]"},
		"parenthesized_expression":        {base: "<"},
		"cast_expression":                 {typ: "type", add: "{}"},
		"string_literal":                  {text: "String{}"},
		"decimal_integer_literal":         {text: "int{}"},
		"true":                            {text: "boolean{}"},
		"false":                           {text: "boolean{}"},
	},
	calls:    []string{"method_invocation", "object_creation_expression", "explicit_constructor_invocation"},
	argument: javaArgument,
	decls: map[string]decl{
		"variable_declarator":    {name: "name", typ: "^type", value: "value"},
		"enhanced_for_statement": {name: "name", typ: "type", value: "value", elem: true},
		"resource":               {name: "name", typ: "type", value: "value"},
		"catch_formal_parameter": {name: "name", typ: "<"},
		"assignment_expression":  {name: "left", value: "right", assigns: true},
	},
	params: map[string]decl{
		"identifier":       {name: "."},
		"formal_parameter": {name: "name", typ: "type"},
		"spread_parameter": {name: ">", typ: "<", elem: true, rest: true},
	},
	funcs: []string{"method_declaration", "constructor_declaration", "compact_constructor_declaration", "lambda_expression"},
	types: map[string]string{"class_declaration": "class", "interface_declaration": "interface", "enum_declaration": "enum",
		"record_declaration": "class", "annotation_type_declaration": "interface"},
	bases:    []string{"superclass", "type_list"},
	typeRefs: []string{"type_identifier", "scoped_type_identifier"},
	values:   []string{"argument_list", "variable_declarator", "assignment_expression", "return_statement", "array_initializer"},
	self:     "this",
	result:   "type",
	generics: generics{plain: true},
	imports:  []string{"import_declaration"},
	binds:    javaBinds,

	decisions: []string{"if_statement", "for_statement", "enhanced_for_statement", "while_statement", "do_statement", "switch_label", "catch_clause", "ternary_expression"},
	logic:     []string{"binary_expression"},
	nesting:   []string{"if_statement", "for_statement", "enhanced_for_statement", "while_statement", "do_statement", "switch_expression", "catch_clause", "ternary_expression"},
	deeper:    []string{"lambda_expression"},
	ifs:       []string{"if_statement"},
	jumps:     []string{"break_statement", "continue_statement"},
	otherwise: map[string]string{"switch_label": "default"},
	opts:      factOptions{implicit: true, elseField: true, fixed: true},
}

// javaBinds reads "import a.B;", "import a.*;" and "import static a.B.c;": the
// last binds the member c of a.B.
func javaBinds(w *factWalk, n int) {
	fields := strings.Fields(strings.TrimSuffix(strings.TrimSpace(w.t.text(n)), ";"))
	static := len(fields) > 1 && fields[1] == "static"
	if static {
		fields = fields[1:]
	}
	if len(fields) < 2 {
		return
	}
	path := strings.Join(fields[1:], "")
	i := strings.LastIndexByte(path, '.')
	b := Bind{Name: path[i+1:], Path: path, Line: w.line.at(int(w.t.nodes[n].start))}
	switch {
	case b.Name == "*":
		b.Path = path[:max(i, 0)]
	case static:
		b.Path, b.Member = path[:max(i, 0)], b.Name
	}
	w.addBind(b)
}
