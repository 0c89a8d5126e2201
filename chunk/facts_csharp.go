package chunk

import "strings"

// csharpFacts reads properties, indexers and events as functions without a call,
// see [FormProperty]. Fields and locals have declared types, so assignments say
// nothing more.
var csharpFacts = factSpec{
	pkg:   "namespace_declaration file_scoped_namespace_declaration",
	words: []string{"this", "base"},
	chain: map[string]step{
		"identifier":                          {leaf: true},
		"predefined_type":                     {leaf: true},
		"generic_name":                        {leaf: true},
		"alias_qualified_name":                {leaf: true},
		"this":                                {leaf: true},
		"base":                                {text: "super"},
		"member_access_expression":            {base: "expression", name: "name"},
		"conditional_access_expression":       {base: "condition", name: ":member_binding_expression/name"},
		"qualified_name":                      {base: "qualifier", name: "name"},
		"invocation_expression":               {base: "function", add: "()"},
		"object_creation_expression":          {typ: "type", add: "()"},
		"constructor_initializer":             {base: "<"},
		"element_access_expression":           {base: "expression", add: "[]"},
		"parenthesized_expression":            {base: "<"},
		"await_expression":                    {base: "<"},
		"cast_expression":                     {typ: "type", add: "{}"},
		"as_expression":                       {typ: "right", add: "{}"},
		"default_expression":                  {typ: "type", add: "{}"},
		"array_creation_expression":           {typ: "type", add: "{}"},
		"typeof_expression":                   {text: "Type{}"},
		"string_literal":                      {text: "string{}"},
		"verbatim_string_literal":             {text: "string{}"},
		"raw_string_literal":                  {text: "string{}"},
		"interpolated_string_expression":      {text: "string{}"},
		"integer_literal":                     {text: "int{}"},
		"boolean_literal":                     {text: "bool{}"},
		"character_literal":                   {text: "char{}"},
		"implicit_object_creation_expression": {text: "?"},
	},
	calls:    []string{"invocation_expression", "object_creation_expression", "constructor_initializer"},
	argument: csharpArgument,
	form:     csharpForm,
	inactive: csharpInactive,
	decls: map[string]decl{
		"variable_declarator":    {name: "name", typ: "^type", value: ">"},
		"foreach_statement":      {name: "left", typ: "type", value: "right", elem: true},
		"catch_declaration":      {name: "name", typ: "type"},
		"declaration_pattern":    {name: "name", typ: "type"},
		"recursive_pattern":      {name: "name", typ: "type"},
		"declaration_expression": {name: "name", typ: "type"},
		"join_clause":            {name: "<"},
		"from_clause":            {name: "name", typ: "type", value: ">", elem: true},
		"let_clause":             {name: "<", value: ">"},
	},
	params: map[string]decl{
		"parameter":          {name: "name", typ: "type", defaults: true},
		"implicit_parameter": {name: "."},
		"identifier":         {name: ".", typ: "^type", rest: true}, // of "params T[] name", which has no node of its own
	},
	funcs: []string{"method_declaration", "constructor_declaration", "destructor_declaration", "operator_declaration",
		"conversion_operator_declaration", "indexer_declaration", "property_declaration", "event_declaration",
		"local_function_statement", "lambda_expression", "anonymous_method_expression"},
	types: map[string]string{"class_declaration": "class", "struct_declaration": "struct", "interface_declaration": "interface",
		"enum_declaration": "enum", "record_declaration": "class", "record_struct_declaration": "struct", "delegate_declaration": "delegate"},
	bases:    []string{"base_list"},
	notBases: []string{"argument_list"},
	base:     csharpBase,
	typeRefs: []string{"identifier", "generic_name", "qualified_name"},
	typeName: csharpTypeName,
	values:   []string{"argument", "variable_declarator", "assignment_expression", "return_statement", "initializer_expression", "arrow_expression_clause"},
	self:     "this",
	result:   "returns|type",
	generics: generics{
		lists: words("IEnumerable IEnumerator ICollection IList IReadOnlyList IReadOnlyCollection ISet SortedSet Stack LinkedList Collection ObservableCollection ReadOnlyCollection ConcurrentBag ConcurrentQueue IQueryable IOrderedEnumerable IAsyncEnumerable ImmutableArray ImmutableList Span ReadOnlySpan"),
		maps:  words("Dictionary IDictionary IReadOnlyDictionary ConcurrentDictionary SortedDictionary SortedList ImmutableDictionary"),
		wraps: words("Nullable Task ValueTask"),
		plain: true, sizes: true,
	},
	imports: []string{"using_directive"},
	binds:   csharpBinds,

	decisions: []string{"if_statement", "for_statement", "foreach_statement", "while_statement", "do_statement", "switch_section", "switch_expression_arm", "catch_clause", "conditional_expression"},
	logic:     []string{"binary_expression"},
	nesting:   []string{"if_statement", "for_statement", "foreach_statement", "while_statement", "do_statement", "switch_statement", "switch_expression", "catch_clause", "conditional_expression"},
	deeper:    []string{"lambda_expression", "anonymous_method_expression", "local_function_statement"},
	ifs:       []string{"if_statement"},
	jumps:     []string{"goto_statement"},
	otherwise: map[string]string{"switch_section": "default", "switch_expression_arm": "_"},
	opts:      factOptions{implicit: true, elseField: true, fixed: true, labels: true},
}

// csharpValues are types whose values are told from those that may be null: a "?"
// is kept after them.
var csharpValues = words("sbyte byte short ushort int uint long ulong float double decimal char bool DateTime DateTimeOffset TimeSpan Guid")

// csharpBinds reads "using A.B;", "using static A.B;" and "using X = A.B;". A path
// that begins with "global::" keeps it as its first name.
func csharpBinds(w *factWalk, n int) {
	text := strings.TrimSuffix(strings.TrimSpace(w.t.text(n)), ";")
	text = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(strings.TrimPrefix(text, "global ")), "using"))
	text, static := strings.CutPrefix(text, "static ")
	b := Bind{Name: "*", Line: w.line.at(int(w.t.nodes[n].start))}
	if static {
		b.Member = "*"
	}
	if name, path, ok := strings.Cut(text, "="); ok {
		b.Name, text = strings.TrimSpace(name), path
	}
	if b.Path = csharpPath(text); b.Path != "" && (b.Name == "*" || isIdent(b.Name)) {
		w.addBind(b)
	}
}

// csharpPath is the name of a namespace or type without type arguments, "" when
// text is none.
func csharpPath(text string) string {
	return cleanType(&generics{plain: true}, text)
}

// csharpBase is a base without the arguments that a record gives it.
func csharpBase(w *factWalk, n int) string {
	if k := w.t.field(n, "type"); k >= 0 && w.t.typeOf(n) == "primary_constructor_base_type" {
		n = k
	}
	text := w.t.text(n)
	if i := strings.IndexByte(text, '<'); i > 0 && !strings.Contains(text[i:], ">.") {
		text = text[:i] // a base is no container, whatever it is called
	}
	return text
}

// csharpTypeName reports whether a name is that of a type: the grammar has one kind
// of node for all names.
func csharpTypeName(w *factWalk, n int) bool {
	p := int(w.t.nodes[n].parent)
	if p < 0 || w.t.nodes[n].direct == 0 {
		return false
	}
	switch w.t.typeOf(p) {
	case "type_argument_list", "base_list", "explicit_interface_specifier", "attribute":
		return true
	case "as_expression", "is_expression":
		return w.t.field(p, "right") == n
	}
	return w.t.field(p, "type") == n || w.t.field(p, "returns") == n
}

// csharpForm is how a definition is used, see [FuncForm].
func csharpForm(w *factWalk, n int) FuncForm {
	switch w.t.typeOf(n) {
	case "property_declaration", "event_declaration", "indexer_declaration":
		return FormProperty
	case "constructor_declaration":
		if w.hasModifier(n, "static") {
			return FormInitializer
		}
	case "method_declaration":
		if w.t.kid(n, "explicit_interface_specifier") >= 0 {
			return FormExplicit
		}
		if list := w.paramList(n); list >= 0 {
			if first := w.child(list, "<"); first >= 0 && w.hasModifier(first, "this") {
				return FormExtension
			}
		}
	}
	return FormPlain
}

func (w *factWalk) hasModifier(n int, word string) (found bool) {
	w.t.kids(n, func(k int) bool {
		found = found || strings.HasSuffix(w.t.typeOf(k), "modifier") && w.t.text(k) == word
		return !found
	})
	return found
}

// csharpNumbers are the suffixes of numbers with their types.
var csharpNumbers = []struct{ suffix, typ string }{
	{"ul", "ulong{}"}, {"lu", "ulong{}"}, {"u", "uint{}"}, {"l", "long{}"}, {"f", "float{}"}, {"m", "decimal{}"}, {"d", "double{}"},
}

// csharpArgument is the chain of an argument, or "T{}" where its type T shows. The
// place of an argument with a name is not known.
func csharpArgument(w *factWalk, i int) string {
	if w.t.typeOf(i) == "argument" {
		if w.t.field(i, "name") >= 0 {
			return "?"
		}
		if i = w.child(i, ">"); i < 0 {
			return "?"
		}
	}
	return w.csharpArgument(i, 0)
}

func (w *factWalk) csharpArgument(i, depth int) string {
	if depth > maxDepth {
		return "?"
	}
	pair := func(a, b string, merge func(x, y string) string) string {
		x, y := w.t.field(i, a), w.t.field(i, b)
		if x < 0 || y < 0 {
			return "?"
		}
		return merge(w.csharpArgument(x, depth+1), w.csharpArgument(y, depth+1))
	}
	switch w.t.typeOf(i) {
	case "null_literal":
		return "null{}"
	case "lambda_expression", "anonymous_method_expression":
		return "func{}"
	case "is_expression", "is_pattern_expression":
		return "bool{}"
	case "integer_literal", "real_literal":
		return csharpNumber(strings.ToLower(w.t.text(i)), w.t.typeOf(i))
	case "prefix_unary_expression":
		return w.csharpUnary(i, depth)
	case "conditional_expression":
		return pair("consequence", "alternative", sameArgument)
	case "binary_expression":
		operator := w.between(w.t.field(i, "left"), w.t.field(i, "right"))
		return pair("left", "right", func(x, y string) string { return csharpBinary(operator, x, y) })
	case "declaration_expression": // of an out parameter
		if k := w.t.field(i, "type"); k >= 0 {
			if t := cleanType(&w.generics, w.t.text(k)); t != "" && t != "var" {
				return t + "{}"
			}
		}
		return "?"
	}
	if b := w.chain(i); len(b) > 0 && b[0] != '?' && !strings.ContainsRune(string(b), ',') {
		return string(b)
	}
	return "?"
}

func (w *factWalk) csharpUnary(i, depth int) string {
	if k := w.child(i, ">"); k >= 0 {
		switch text := w.t.text(i); text[0] {
		case '!':
			return "bool{}"
		case '-', '+', '~':
			return w.csharpArgument(k, depth+1)
		}
	}
	return "?"
}

// sameArgument is the type of two values that one of is passed.
func sameArgument(x, y string) string {
	switch {
	case x == y && x != "null{}":
		return x
	case x == "null{}":
		return y
	case y == "null{}":
		return x
	}
	return "?"
}

func csharpNumber(text, node string) string {
	if !strings.HasPrefix(text, "0x") || strings.HasSuffix(text, "l") || strings.HasSuffix(text, "u") {
		for _, s := range csharpNumbers {
			if strings.HasSuffix(text, s.suffix) {
				return s.typ
			}
		}
	}
	if node == "real_literal" {
		return "double{}"
	}
	return "int{}"
}

// csharpBinary is the type that a binary operator gives, of the types it takes.
func csharpBinary(operator, x, y string) string {
	switch operator {
	case "==", "!=", "<", ">", "<=", ">=", "&&", "||":
		return "bool{}"
	case "??":
		return sameArgument(x, y)
	case "+":
		if x == "string{}" || y == "string{}" {
			return "string{}"
		}
	}
	if x != y || !strings.HasSuffix(x, "{}") || x == "char{}" {
		return "?"
	}
	return x
}
