package chunk

import "strings"

var pythonFacts = factSpec{
	chain: map[string]step{
		"identifier":               {leaf: true},
		"attribute":                {base: "object", name: "attribute"},
		"call":                     {base: "function", add: "()"},
		"subscript":                {base: "value", add: "[]"},
		"await":                    {base: "<"},
		"parenthesized_expression": {base: "<"},
		"string":                   {text: "str{}"},
		"integer":                  {text: "int{}"},
		"float":                    {text: "float{}"},
		"list":                     {text: "list{}"},
		"dictionary":               {text: "dict{}"},
		"true":                     {text: "bool{}"},
		"false":                    {text: "bool{}"},
	},
	calls: []string{"call"},
	decls: map[string]decl{
		"assignment":       {name: "left", typ: "type", value: "right", assigns: true},
		"named_expression": {name: "name", value: "value", assigns: true},
		"for_statement":    {name: "left", value: "right", elem: true, assigns: true},
		"for_in_clause":    {name: "left", value: "right", elem: true, assigns: true},
		"as_pattern":       {name: "alias", value: "<", assigns: true},
	},
	params: map[string]decl{
		"identifier":               {name: "."},
		"typed_parameter":          {name: "<", typ: "type"},
		"default_parameter":        {name: "name"},
		"typed_default_parameter":  {name: "name", typ: "type"},
		"list_splat_pattern":       {name: "<"},
		"dictionary_splat_pattern": {name: "<"},
	},
	funcs:   []string{"function_definition", "lambda"},
	types:   map[string]string{"class_definition": "class"},
	bases:   []string{"argument_list"},
	values:  []string{"argument_list", "keyword_argument", "assignment", "return_statement", "pair", "list", "tuple", "type", "default_parameter", "typed_default_parameter", "decorator", "raise_statement", "except_clause", "yield"},
	imports: []string{"import_statement", "import_from_statement", "future_import_statement"},
	binds:   pythonBinds,

	decisions: []string{"if_statement", "elif_clause", "for_statement", "while_statement", "except_clause", "conditional_expression", "for_in_clause", "if_clause", "finally_clause"},
	logic:     []string{"boolean_operator"},
	nesting:   []string{"if_statement", "for_statement", "while_statement", "except_clause", "conditional_expression", "match_statement"},
	deeper:    []string{"lambda"},
	flat:      []string{"elif_clause", "else_clause"},
}

// pythonBinds reads "import a.b as c" and "from .a import b as c, *". A plain
// "import a.b" binds "a", the package: its path is "a.b" and its name "a.b",
// as chains write it.
func pythonBinds(w *factWalk, n int) {
	module := ""
	if m := w.t.field(n, "module_name"); m >= 0 {
		module = strings.Join(strings.Fields(w.t.text(m)), "")
	}
	from := w.t.typeOf(n) != "import_statement"
	w.t.kids(n, func(k int) bool {
		f := int(w.t.nodes[k].field)
		b := Bind{Path: module, Line: w.line.at(int(w.t.nodes[k].start))}
		switch {
		case w.t.typeOf(k) == "wildcard_import":
			b.Name = "*"
		case f == 0 || f >= len(w.g.fields) || w.g.fields[f] != "name":
			return true
		default:
			b.Member = w.t.text(k)
			b.Name = b.Member
			if name, alias := w.t.field(k, "name"), w.t.field(k, "alias"); name >= 0 && alias >= 0 {
				b.Member, b.Name = w.t.text(name), w.t.text(alias)
			}
			if !from {
				b.Path, b.Member = b.Member, ""
			}
		}
		w.addBind(b)
		return true
	})
}

func (w *factWalk) addBind(b Bind) {
	if len(w.facts.Binds) < maxFacts && b.Name != "" && len(b.Name)+len(b.Path)+len(b.Member) < 4*maxName {
		b.Name, b.Path, b.Member = clip(b.Name), clip(b.Path), clip(b.Member)
		w.facts.Binds = append(w.facts.Binds, b)
	}
}
