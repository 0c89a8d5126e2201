package chunk

import (
	"bytes"
	"strings"
)

// kotlinFacts go by the position of children: the grammar has no fields.
var kotlinFacts = factSpec{
	pkg: "package_header",
	chain: map[string]step{
		"simple_identifier":        {write: kotlinName},
		"this_expression":          {write: kotlinThis},
		"super_expression":         {write: kotlinSuper},
		"navigation_expression":    {base: "<", name: ":navigation_suffix/:simple_identifier"},
		"call_expression":          {write: kotlinCall},
		"infix_expression":         {write: kotlinInfix},
		"constructor_invocation":   {typ: "<", add: "()"},
		"enum_entry":               {write: kotlinEntry},
		"callable_reference":       {write: kotlinReference},
		"indexing_expression":      {base: "<", add: ".get()"},
		"postfix_expression":       {base: "<"},
		"elvis_expression":         {base: "<"},
		"parenthesized_expression": {base: "<"},
		"as_expression":            {typ: ">", add: "{}"},
		"object_literal":           {write: kotlinObject},
		"lambda_literal":           {text: "func{}"},
		"string_literal":           {text: "String{}"},
		"integer_literal":          {text: "int{}"},
		"hex_literal":              {text: "int{}"},
		"bin_literal":              {text: "int{}"},
		"long_literal":             {text: "long{}"},
		"real_literal":             {text: "double{}"},
		"boolean_literal":          {text: "boolean{}"},
		"character_literal":        {text: "char{}"},
		// A delegation has no name: it calls a constructor of the type or its base.
		"constructor_delegation_call": {write: kotlinDelegation},
	},
	calls: []string{"call_expression", "infix_expression", "constructor_invocation", "constructor_delegation_call", "enum_entry"},
	site:  kotlinSite,
	decls: map[string]decl{
		"property_declaration": {read: kotlinProperties},
		"for_statement":        {read: kotlinLoop},
		"catch_block":          {name: ":simple_identifier", typ: ":user_type"},
		"when_subject":         {read: kotlinSubject},
	},
	funcs: []string{"function_declaration", "secondary_constructor", "anonymous_function", "lambda_literal"},
	types: map[string]string{"class_declaration": "class", "object_declaration": "class", "companion_object": "companion", "type_alias": "alias"},

	kindOf:    kotlinKind,
	opened:    kotlinHead,
	signature: kotlinSignature,
	typeText:  func(w *factWalk, text string) string { return kotlinType(&w.generics, text, 0) },
	bases:     []string{"delegation_specifier"},
	base:      kotlinBase,
	body:      ":class_body|:enum_class_body",
	aliased:   ">",
	typeRefs:  []string{"user_type"},
	values:    []string{"value_argument", "property_declaration", "assignment", "jump_expression", "function_body", "navigation_expression", "elvis_expression", "statements", "lambda_literal", "control_structure_body"},
	self:      "this",
	generics:  generics{plain: true, lists: words("MutableList MutableSet MutableCollection MutableIterable MutableIterator ArrayDeque LinkedHashSet"), maps: words("MutableMap")},
	imports:   []string{"import_header"},
	binds:     kotlinBinds,

	decisions: []string{"if_expression", "for_statement", "while_statement", "do_while_statement", "when_entry", "catch_block", "elvis_expression"},
	logic:     []string{"conjunction_expression", "disjunction_expression"},
	nesting:   []string{"if_expression", "for_statement", "while_statement", "do_while_statement", "when_expression", "catch_block"},
	deeper:    []string{"lambda_literal", "anonymous_function"},
	ifs:       []string{"if_expression"},
	jumps:     []string{"jump_expression"},
	opts:      factOptions{implicit: true, fixed: true, named: true},
}

// kotlinBinds reads "import a.b.C", "import a.b.C as D" and "import a.b.*".
func kotlinBinds(w *factWalk, n int) {
	id := w.t.kid(n, "identifier")
	if id < 0 || w.t.nodes[id].end-w.t.nodes[id].start > maxName {
		return
	}
	path := kotlinPath(w.t.text(id))
	b := Bind{Name: path[strings.LastIndexByte(path, '.')+1:], Path: path, Line: w.line.at(int(w.t.nodes[n].start))}
	if k := w.child(n, ":import_alias/<"); k >= 0 {
		b.Name = strings.Trim(w.t.text(k), "`")
	} else if w.t.kid(n, "wildcard_import") >= 0 {
		b.Name = "*"
	}
	w.addBind(b)
}

// kotlinPath is a dotted name without spaces and backquotes.
func kotlinPath(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '`' || r <= ' ' {
			return -1
		}
		return r
	}, text)
}

// kotlinKind tells the types that one node declares apart by their keywords.
func kotlinKind(w *factWalk, i int, kind string) string {
	if m := w.t.kid(i, "modifiers"); m >= 0 && strings.Contains(" "+w.t.text(m)+" ", " expect ") ||
		len(w.kinds) > 0 && strings.HasPrefix(w.facts.Types[w.kinds[len(w.kinds)-1].fact].Kind, kotlinExpect) {
		return kotlinExpect + kotlinKeyword(w, i, kind)
	}
	return kotlinKeyword(w, i, kind)
}

// kotlinExpect precedes the kind of a type that another file of the package declares
// for a platform.
const kotlinExpect = "expect "

func kotlinKeyword(w *factWalk, i int, kind string) string {
	name := w.t.kid(i, "type_identifier")
	if kind != "class" || name < 0 {
		return kind
	}
	head := string(w.t.src[w.t.nodes[i].start:w.t.nodes[name].start])
	head = head[max(0, len(head)-64):]
	switch words := strings.Fields(head); {
	case len(words) == 0:
	case words[len(words)-1] == "interface":
		return "interface"
	case len(words) > 1 && words[len(words)-2] == "enum":
		return "enum"
	}
	return kind
}

// kotlinBase is the type of a constructor call, a delegation or a plain base.
func kotlinBase(w *factWalk, k int) string {
	if what := w.t.typeOf(k); what == "constructor_invocation" || what == "explicit_delegation" {
		if t := w.child(k, "<"); t >= 0 {
			k = t
		}
	}
	return w.t.text(k)
}

// kotlinHead reads the primary constructor of the innermost type: its parameters
// are fields, and locals of what initialises the type.
func kotlinHead(w *factWalk, i int) {
	list := w.t.kid(i, "primary_constructor")
	if list < 0 || len(w.facts.Funcs) >= maxFacts {
		return
	}
	f := FuncFact{Chunk: w.facts.Types[len(w.facts.Types)-1].Chunk}
	w.kotlinParams(list, "class_parameter", func(name, typ string, d *decl) {
		f.Params = append(f.Params, NameType{name, typ})
		if f.Variadic = f.Variadic || d.rest; d.optional {
			f.Optional++
		}
		w.field(name, typ)
	})
	w.facts.Funcs = append(w.facts.Funcs, f)
}

// The parameters of a function of Kotlin: plain, with a default, with any number
// of arguments.
var kotlinPlain, kotlinOptional, kotlinRest = decl{}, decl{optional: true}, decl{rest: true}

// kotlinParams reads a list of parameters; kind is their node type.
func (w *factWalk) kotlinParams(list int, kind string, add func(name, typ string, d *decl)) {
	rest, name, typ, end := false, "", "", 0
	flush := func(next int) {
		if name == "" {
			return
		}
		d := &kotlinPlain
		if rest {
			d = &kotlinRest
			typ = element("[]", typ)
		} else if after := bytes.TrimLeft(w.t.src[end:max(next, end)], " \t\r\n"); len(after) > 0 && after[0] == '=' {
			d = &kotlinOptional
		}
		add(w.names.bytes([]byte(name)), w.names.bytes([]byte(typ)), d)
		rest, name = false, ""
	}
	w.t.kids(list, func(k int) bool {
		n := &w.t.nodes[k]
		switch w.t.typeOf(k) {
		case "parameter_modifiers":
			flush(int(n.start))
			rest = strings.Contains(w.t.text(k), "vararg")
		case kind:
			flush(int(n.start))
			if m := w.t.kid(k, "modifiers", "parameter_modifiers"); m >= 0 {
				rest = rest || strings.Contains(w.t.text(m), "vararg")
			}
			id := w.t.kid(k, "simple_identifier")
			if id < 0 {
				return true
			}
			name, typ, end = strings.Trim(w.t.text(id), "`"), "", int(w.t.nodes[id].end)
			w.t.kids(k, func(t int) bool {
				if t > id && typ == "" && kotlinIsType(w.t.typeOf(t)) {
					typ, end = w.cleanType(w.t.text(t)), int(w.t.nodes[t].end)
				}
				return true
			})
		}
		return true
	})
	flush(int(w.t.nodes[list].end))
}

// kotlinIsType tells the nodes that are types.
func kotlinIsType(node string) bool {
	switch node {
	case "user_type", "nullable_type", "function_type", "parenthesized_type", "parenthesized_user_type", "not_nullable_type":
		return true
	}
	return false
}

// kotlinSignature reads a function. The receiver of an extension is its first
// parameter, named "this". A function whose body is an expression has that chain as
// its result, after "=".
func kotlinSignature(w *factWalk, i int, add func(name, typ string, d *decl)) (result string) {
	if w.t.typeOf(i) == "lambda_literal" {
		w.kotlinLambda(i)
		return ""
	}
	list, body := -1, -1
	w.t.kids(i, func(k int) bool {
		switch what := w.t.typeOf(k); {
		case what == "function_value_parameters":
			list = k
			w.kotlinParams(k, "parameter", add)
		case what == "function_body":
			body = k
		case kotlinIsType(what) && list < 0:
			if typ := w.cleanType(w.t.text(k)); typ != "" {
				w.kotlinReceiver(w.names.bytes([]byte(typ)))
			} else {
				w.kotlinReceiver("?")
			}
		case kotlinIsType(what) && list >= 0 && result == "":
			result = w.cleanType(w.t.text(k))
		}
		return true
	})
	if k := w.child(body, "<"); result == "" && k >= 0 && w.t.src[w.t.nodes[body].start] == '=' {
		typ, expr := w.valueType(k, false)
		if result = typ; result == "" && expr != "" {
			result = "=" + expr
		}
	}
	return result
}

// kotlinReceiver makes the innermost function an extension.
func (w *factWalk) kotlinReceiver(typ string) {
	if len(w.fns) == 0 {
		return
	}
	f := w.fns[len(w.fns)-1]
	if len(f.Params) == 0 {
		f.Recv, f.Params = "", []NameType{{"this", typ}}
	}
}
