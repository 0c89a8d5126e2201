package chunk

import (
	"strings"

	"github.com/smacker/go-tree-sitter/c"
)

func cSpec() *spec {
	return &spec{
		name:    "c",
		facts:   &cFacts,
		grammar: c.GetLanguage,
		defs: map[string]rule{
			"function_definition":  {kind: Function, name: cName, body: "body"},
			"struct_specifier":     {kind: Type, name: cTag},
			"union_specifier":      {kind: Type, name: cTag},
			"enum_specifier":       {kind: Type, name: cTag},
			"type_definition":      {kind: Type, names: cTypedef},
			"declaration":          {names: cDeclared, kindOf: cDeclaredKind, top: true},
			"preproc_function_def": {kind: Function, body: "value"},
			"preproc_def":          {kind: Const, top: true, body: "-"},
		},
		walkAll: true,
		skip: []string{
			"parameter_list", "argument_list", "string_literal", "comment", "initializer_list", "preproc_include",
			"preproc_arg", "assignment_expression", "call_expression", "binary_expression",
		},
		show:    cDeclarators,
		clear:   cClear,
		imports: map[string]importer{"preproc_include": cInclude},
		prepare: cPrepare,
		recover: recoverC,
	}
}

// cDeclarators hold the name of what a declaration declares.
var cDeclarators = []string{
	"function_declarator", "pointer_declarator", "parenthesized_declarator", "array_declarator",
	"init_declarator", "attributed_declarator",
}

// cClear are the directives and blocks around top-level declarations.
var cClear = []string{"preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif", "linkage_specification", "declaration_list"}

// cInnermost follows the declarators down to the name; fn is set when a
// function declarator was on the way.
func cInnermost(t *tree, n int) (name int, fn bool) {
	for range maxScopeDepth {
		next := t.field(n, "declarator")
		if next < 0 {
			switch t.typeOf(n) {
			case "reference_declarator", "parenthesized_declarator", "attributed_declarator":
				t.kids(n, func(k int) bool {
					if !strings.HasSuffix(t.typeOf(k), "comment") && next < 0 {
						next = k
					}
					return true
				})
			}
		}
		if next < 0 {
			return n, fn
		}
		switch t.typeOf(next) {
		case "function_declarator":
			fn = true
		case "operator_cast":
			return next, true
		}
		n = next
	}
	return -1, false
}

// cName is the bare name of a function definition.
func cName(t *tree, n int) string {
	k, _ := cInnermost(t, n)
	if k < 0 || k == n || t.nodes[k].end-t.nodes[k].start > maxName {
		return ""
	}
	_, name := splitQualified(t.text(k))
	if cKeyword(name) {
		return ""
	}
	return name
}

// cKeyword reports a word that a broken tree took for a function's name.
func cKeyword(name string) bool {
	switch name {
	case "if", "for", "while", "switch", "return", "else", "do", "sizeof", "defined", "catch":
		return true
	}
	return false
}

// cTag names a struct, union, enum or class that has a body.
func cTag(t *tree, n int) string {
	name, body := t.field(n, "name"), t.field(n, "body")
	if name < 0 || body < 0 {
		return ""
	}
	_, bare := splitQualified(t.text(name))
	return bare
}

func cTypedef(t *tree, n int, add func(string, int)) {
	t.kids(n, func(k int) bool {
		if f := int(t.nodes[k].field); f < len(t.g.fields) && t.g.fields[f] == "declarator" {
			if in, _ := cInnermost(t, k); in >= 0 && isIdent(t.text(in)) {
				add(t.text(in), n)
			}
		}
		return true
	})
}

// cDeclared names the variables and functions of a top-level declaration.
func cDeclared(t *tree, n int, add func(string, int)) {
	t.kids(n, func(k int) bool {
		if f := int(t.nodes[k].field); f < len(t.g.fields) && t.g.fields[f] == "declarator" {
			if in, _ := cInnermost(t, k); in >= 0 {
				if _, name := splitQualified(t.text(in)); isIdent(name) && !cKeyword(name) {
					add(name, n)
				}
			}
		}
		return true
	})
}

func cDeclaredKind(t *tree, n int, _ func() bool) Kind {
	kind := Var
	t.kids(n, func(k int) bool {
		if f := int(t.nodes[k].field); f < len(t.g.fields) && t.g.fields[f] == "declarator" {
			if _, fn := cInnermost(t, k); fn || t.typeOf(k) == "function_declarator" {
				kind = Function
			}
		}
		return true
	})
	return kind
}

// splitQualified cuts "a::B<c::d>::e" into "a.B" and "e".
func splitQualified(text string) (scope, name string) {
	tail := ""
	if i := strings.Index(text, "operator"); i >= 0 && (i == 0 || text[i-1] == ':') {
		tail = strings.Join(strings.Fields(text[i:]), " ")
		if paren := strings.IndexByte(tail, '('); paren > 0 && !strings.HasPrefix(tail, "operator()") && !strings.HasPrefix(tail, "operator ()") {
			tail = strings.TrimSpace(tail[:paren]) // a conversion, with its parameters
		}
		if i == 0 {
			return "", tail
		}
		text = text[:i]
	}
	var b strings.Builder
	level := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '<':
			level++
		case c == '>':
			level--
		case level <= 0 && !isSpace(c):
			b.WriteByte(c)
		}
	}
	parts := strings.Split(strings.TrimPrefix(b.String(), "::"), "::")
	if tail != "" {
		parts[len(parts)-1] = tail
	}
	return strings.Join(parts[:len(parts)-1], "."), parts[len(parts)-1]
}

// cInclude keeps the brackets of "#include <x.h>" and drops quotes.
func cInclude(text string, add func(string, int)) {
	text, _, _ = strings.Cut(text, "\n")
	if i := strings.IndexAny(text, "<\""); i >= 0 {
		close := byte('>')
		if text[i] == '"' {
			close = '"'
		}
		if j := strings.IndexByte(text[i+1:], close); j > 0 {
			path := text[i+1 : i+1+j]
			if close == '>' {
				path = "<" + path + ">"
			}
			add(path, 0)
		}
	}
}
