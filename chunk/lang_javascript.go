package chunk

import (
	"bytes"
	"strings"

	"github.com/smacker/go-tree-sitter/javascript"
)

func javascriptSpec() *spec {
	return &spec{
		name:         "javascript",
		facts:        javascriptFacts(),
		grammar:      javascript.GetLanguage,
		defs:         javascriptDefs(),
		walkAll:      true,
		skip:         javascriptSkip,
		show:         []string{"variable_declarator", "arrow_function", "generator_function"},
		wraps:        []string{"export_statement"},
		attrs:        []string{"decorator"},
		imports:      map[string]importer{"import_statement": javascriptFrom, "export_statement": javascriptFrom},
		extraImports: javascriptCalls,
		recover:      recoverTypescript,
	}
}

var javascriptSkip = []string{"formal_parameters", "string", "template_string", "regex", "comment", "decorator"}

func javascriptDefs() map[string]rule {
	return map[string]rule{
		"function_declaration":           {kind: Function},
		"generator_function_declaration": {kind: Function},
		"function":                       {kind: Function, name: javascriptInner},
		"function_expression":            {kind: Function, name: javascriptInner},
		"class_declaration":              {kind: Type},
		"class":                          {kind: Type, name: javascriptInner},
		"method_definition":              {kind: Method, name: javascriptKey("name")},
		"field_definition":               {kind: Method, name: javascriptKey("property"), kindOf: javascriptValue("value", none), bodyAt: javascriptBody("value")},
		"pair":                           {kind: Method, name: javascriptKey("key"), kindOf: javascriptValue("value", none), bodyAt: javascriptBody("value")},
		"lexical_declaration":            {names: javascriptDeclared, kindOf: javascriptValue("value", Const), bodyAt: javascriptBody("value")},
		"variable_declaration":           {names: javascriptDeclared, kindOf: javascriptValue("value", Var), bodyAt: javascriptBody("value")},
		"assignment_expression":          {name: javascriptAssigned, scope: javascriptTarget, kindOf: javascriptValue("right", none), bodyAt: javascriptBody("right")},
	}
}

// javascriptInner names a function or class expression, except where it is
// the value of something that names it already.
func javascriptInner(t *tree, n int) string {
	f := t.field(n, "name")
	if f < 0 {
		return ""
	}
	name := t.text(f)
	if p := int(t.nodes[n].parent); t.nodes[n].direct == 1 && p >= 0 {
		for _, field := range []string{"name", "key", "property", "left"} {
			if named := t.field(p, field); named >= 0 && named != n && strings.HasSuffix(t.text(named), name) {
				return ""
			}
		}
	}
	return name
}

// javascriptBody is where the body of the function in the field starts.
func javascriptBody(field string) func(*tree, int) int {
	return func(t *tree, n int) int {
		if f := t.field(n, field); f >= 0 {
			if body := t.field(f, "body"); body >= 0 {
				return int(t.nodes[body].start)
			}
		}
		return 0
	}
}

func javascriptKey(field string) func(*tree, int) string {
	return func(t *tree, n int) string {
		f := t.field(n, field)
		if f < 0 || t.nodes[f].end-t.nodes[f].start > maxName {
			return ""
		}
		name := unquote(t.text(f))
		if strings.ContainsAny(name, "\n") {
			return ""
		}
		return name
	}
}

// javascriptValue tells functions and classes by the value in the field;
// other values make a definition of the given kind at top level.
func javascriptValue(field string, other Kind) func(*tree, int, func() bool) Kind {
	return func(t *tree, n int, top func() bool) Kind {
		f := t.field(n, field)
		if f >= 0 {
			switch t.typeOf(f) {
			case "function", "function_expression", "arrow_function", "generator_function":
				if k := t.typeOf(n); k == "pair" || strings.HasSuffix(k, "field_definition") {
					return Method
				}
				return Function
			case "class":
				return Type
			}
		}
		if other != none && top() {
			return other
		}
		return none
	}
}

func javascriptDeclared(t *tree, n int, add func(string, int)) {
	t.kids(n, func(k int) bool {
		if t.typeOf(k) == "variable_declarator" {
			if f := t.field(k, "name"); f >= 0 && isIdent(t.text(f)) {
				add(t.text(f), k)
			}
		}
		return true
	})
}

// javascriptAssigned is c of "a.b.c = function".
func javascriptAssigned(t *tree, n int) string {
	_, name := javascriptSplit(t, n)
	return name
}

// javascriptTarget is the A that "A.prototype.c = function" adds to.
func javascriptTarget(t *tree, n int) string {
	scope, _ := javascriptSplit(t, n)
	return scope
}

func javascriptSplit(t *tree, n int) (scope, name string) {
	f := t.field(n, "left")
	if f < 0 || t.nodes[f].end-t.nodes[f].start > maxName {
		return "", ""
	}
	text := t.text(f)
	if i := strings.LastIndexByte(text, '.'); i >= 0 {
		scope, text = text[:i], text[i+1:]
	}
	if !isIdent(text) {
		return "", ""
	}
	if r := t.field(n, "right"); text == "exports" && scope == "module" && r >= 0 && t.field(r, "name") >= 0 {
		return "", "" // "module.exports = function f": f names itself
	}
	scope = strings.TrimSuffix(scope, ".prototype")
	for _, own := range []string{"this", "exports", "module.exports", "module", "self", "window"} {
		if scope == own {
			scope = ""
		}
	}
	for _, part := range strings.Split(scope, ".") {
		if !isIdent(part) {
			return "", text
		}
	}
	return scope, text
}

// javascriptFrom reads the path of "import … from 'x'", "import 'x'" and
// "export … from 'x'".
func javascriptFrom(text string, add func(string, int)) {
	at := strings.LastIndex(text, "from")
	if strings.HasPrefix(text, "export") && (at < 0 || len(text) > 64<<10) {
		return
	}
	if at >= 0 {
		at += len("from")
	} else {
		at = len("import")
	}
	if at > len(text) {
		return
	}
	rest := strings.TrimLeft(text[at:], " \t\n\r")
	if strings.HasPrefix(text, "export") && strings.ContainsAny(strings.TrimRight(strings.TrimLeft(rest, "'\""), "'\"; \n"), "'\"(){};\n") {
		return
	}
	if path, ok := leadingString(rest); ok {
		add(path, at)
	}
}

// opensComment tells whether a part of a line ends inside of a comment.
func opensComment(line []byte) bool {
	open := max(bytes.LastIndex(line, []byte("/** ")), bytes.LastIndex(line, []byte("/* ")))
	return open >= 0 && bytes.LastIndex(line, []byte("*/")) < open
}

// javascriptCalls reads require("x") and import("x") with a literal path. It
// reads the text, for calls are everywhere in a tree; calls in a comment are
// left out, the types that JSDoc imports among them.
func javascriptCalls(src []byte, add func(string, int)) {
	for _, call := range []string{"require(", "import("} {
		for at := 0; ; {
			i := bytes.Index(src[at:], []byte(call))
			if i < 0 {
				break
			}
			at += i + len(call)
			start := at - len(call)
			if start > 0 && (identByte(src[start-1]) || src[start-1] == '.') {
				continue
			}
			line := bytes.TrimLeft(src[lineStart(src, start):start], " \t")
			if bytes.HasPrefix(line, []byte("//")) || bytes.HasPrefix(line, []byte("*")) || opensComment(line) {
				continue
			}
			rest := bytes.TrimLeft(src[at:min(len(src), at+maxName)], " \t\n")
			if path, ok := leadingString(string(rest)); ok {
				add(path, start)
			}
		}
	}
}
