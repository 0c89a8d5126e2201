package chunk

import "strings"

var rustFacts = factSpec{
	chain: map[string]step{
		"identifier":               {leaf: true},
		"self":                     {leaf: true},
		"crate":                    {leaf: true},
		"super":                    {leaf: true},
		"type_identifier":          {leaf: true},
		"field_expression":         {base: "value", name: "field"},
		"scoped_identifier":        {base: "path", name: "name", optional: true},
		"scoped_type_identifier":   {base: "path", name: "name", optional: true},
		"generic_type":             {base: "type"},
		"call_expression":          {base: "function", add: "()"},
		"generic_function":         {base: "function"},
		"index_expression":         {base: "<", add: "[]"},
		"try_expression":           {base: "<"},
		"await_expression":         {base: "<"},
		"reference_expression":     {base: "value"},
		"unary_expression":         {base: "<"},
		"parenthesized_expression": {base: "<"},
		"struct_expression":        {typ: "name", add: "{}"},
		"type_cast_expression":     {typ: "type", add: "{}"},
		"string_literal":           {text: "str{}"},
		"integer_literal":          {text: "i32{}"},
	},
	calls: []string{"call_expression"},
	decls: map[string]decl{
		"let_declaration":   {name: "pattern", typ: "type", value: "value"},
		"for_expression":    {name: "pattern", value: "value", elem: true},
		"field_declaration": {name: "name", typ: "type"},
	},
	params: map[string]decl{
		"parameter":      {name: "pattern", typ: "type"},
		"self_parameter": {name: ">", skip: true},
		"identifier":     {name: "."},
	},
	funcs:    []string{"function_item", "function_signature_item", "closure_expression"},
	types:    map[string]string{"struct_item": "struct", "enum_item": "enum", "union_item": "struct", "trait_item": "trait", "impl_item": "impl", "type_item": "alias"},
	bases:    []string{"trait_bounds"},
	typeRefs: []string{"type_identifier", "scoped_type_identifier"},
	values:   []string{"arguments", "let_declaration", "return_expression", "field_initializer", "array_expression"},
	self:     "self",
	generics: generics{lifetimes: true},
	imports:  []string{"use_declaration"},
	binds:    rustBinds,

	decisions: []string{"if_expression", "for_expression", "while_expression", "loop_expression", "match_arm", "try_expression"},
	logic:     []string{"binary_expression"},
	nesting:   []string{"if_expression", "for_expression", "while_expression", "loop_expression", "match_expression"},
	deeper:    []string{"closure_expression"},
	flat:      []string{"else_clause"},
	ifs:       []string{"if_expression"},
	jumps:     []string{"break_expression", "continue_expression"},
	opts:      factOptions{fixed: true, listed: true},
}

// rustBinds reads a use declaration: "use a::{b, c as d}" binds b to a::b and
// d to a::c; "use a::*" everything. What "pub use" re-exports has "pub " before
// its name.
func rustBinds(w *factWalk, n int) {
	text := w.t.text(n)
	i := strings.Index(text, "use ")
	if i < 0 || len(text) > 64<<10 {
		return
	}
	prefix := ""
	if strings.HasPrefix(text, "pub") {
		prefix = "pub "
	}
	flattenUseAs("", strings.TrimSuffix(strings.TrimSpace(text[i+4:]), ";"), 0, func(path, alias string) {
		path = rustHome(w.t, n, path)
		name := path[strings.LastIndexByte(path, ':')+1:]
		b := Bind{Name: prefix + name, Path: path, Line: w.line.at(int(w.t.nodes[n].start))}
		switch {
		case alias != "":
			b.Name = prefix + alias
		case name == "*":
			b.Name, b.Path = prefix+"*", strings.TrimSuffix(path, "::*")
		}
		w.addBind(b)
	})
}

// flattenUseAs is flattenUse with the aliases.
func flattenUseAs(prefix, text string, depth int, add func(path, alias string)) {
	text = strings.TrimSpace(text)
	open := strings.IndexByte(text, '{')
	if open < 0 || depth > maxScopeDepth {
		path, alias, _ := strings.Cut(text, " as ")
		path, alias = strings.TrimSpace(path), strings.TrimSpace(alias)
		switch {
		case path == "self":
			add(strings.TrimSuffix(prefix, "::"), alias)
		case path != "":
			add(prefix+path, alias)
		}
		return
	}
	for _, part := range splitTop(strings.TrimSuffix(strings.TrimSpace(text[open+1:]), "}"), ',') {
		flattenUseAs(prefix+strings.TrimSpace(text[:open]), part, depth+1, add)
	}
}
