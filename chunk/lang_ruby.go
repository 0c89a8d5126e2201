package chunk

import (
	"bytes"
	"strings"

	"github.com/smacker/go-tree-sitter/ruby"
)

func rubySpec() *spec {
	return &spec{
		name:    "ruby",
		facts:   &rubyFacts,
		grammar: ruby.GetLanguage,
		defs: map[string]rule{
			"class":            {kind: Type, name: rubyName, scope: rubyScope},
			"module":           {kind: Type, name: rubyName, scope: rubyScope},
			"method":           {kind: Function, body: "body"},
			"singleton_method": {kind: Method},
			"alias":            {kind: Method},
			"assignment":       {kind: Const, name: rubyConstant, top: true},
		},
		walkAll:      true,
		skip:         []string{"method_parameters", "string", "argument_list_with_parens", "hash", "array", "comment"},
		extraImports: rubyRequires,
		recover:      recoverRuby,
	}
}

// rubyName is the last part of "A::B".
func rubyName(t *tree, n int) string {
	f := t.field(n, "name")
	if f < 0 {
		return ""
	}
	text := t.text(f)
	return text[strings.LastIndexByte(text, ':')+1:]
}

// rubyScope is what is before it.
func rubyScope(t *tree, n int) string {
	f := t.field(n, "name")
	if f < 0 {
		return ""
	}
	text := t.text(f)
	i := strings.LastIndex(text, "::")
	return strings.ReplaceAll(strings.Trim(text[:max(i, 0)], ":"), "::", ".")
}

func rubyConstant(t *tree, n int) string {
	if f := t.field(n, "left"); f >= 0 && t.typeOf(f) == "constant" {
		return t.text(f)
	}
	return ""
}

// rubyRequires reads the calls that load other files. A relative path keeps
// its meaning: require_relative "a" gives "./a".
func rubyRequires(src []byte, add func(string, int)) {
	for at := 0; at < len(src); {
		end := bytes.IndexByte(src[at:], '\n')
		if end < 0 {
			end = len(src) - at
		}
		line := string(src[at : at+end])
		code := strings.TrimLeft(line, " \t")
		for _, call := range []string{"require_relative", "require", "load", "autoload"} {
			rest, ok := strings.CutPrefix(code, call)
			if !ok || rest == "" || (rest[0] != ' ' && rest[0] != '(') {
				continue
			}
			rest = strings.TrimLeft(rest, " (")
			if call == "autoload" {
				_, rest, _ = strings.Cut(rest, ",")
				rest = strings.TrimLeft(rest, " ")
			}
			if path, ok := leadingString(rest); ok {
				if call == "require_relative" && !strings.HasPrefix(path, ".") {
					path = "./" + path
				}
				add(path, at)
			}
			break
		}
		at += end + 1
	}
}

// leadingString is the string literal that text starts with, without escapes.
func leadingString(text string) (string, bool) {
	if text == "" || strings.IndexByte("\"'`", text[0]) < 0 {
		return "", false
	}
	body, _, ok := strings.Cut(text[1:], text[:1])
	return body, ok && body != "" && !strings.ContainsAny(body, "\n\\#{}$")
}
