package chunk

import (
	"bytes"

	"github.com/smacker/go-tree-sitter/kotlin"
)

func kotlinSpec() *spec {
	return &spec{
		name:    "kotlin",
		facts:   &kotlinFacts,
		grammar: kotlin.GetLanguage,
		prepare: kotlinPrepare,
		defs: map[string]rule{
			"class_declaration":     {kind: Type, name: textOf("type_identifier", "simple_identifier"), body: "class_body"},
			"object_declaration":    {kind: Type, name: textOf("type_identifier", "simple_identifier"), body: "class_body"},
			"companion_object":      {kind: Type, name: kotlinCompanion, body: "class_body"},
			"type_alias":            {kind: Type, name: textOf("type_identifier", "simple_identifier"), body: "-"},
			"function_declaration":  {kind: Function, name: textOf("simple_identifier"), body: "function_body"},
			"secondary_constructor": {kind: Method, name: func(*tree, int) string { return "constructor" }, body: "statements"},
			"property_declaration":  {kind: Var, top: true, name: kotlinProperty, body: "-"},
		},
		walkAll: true,
		skip:    []string{"function_value_parameters", "value_arguments", "modifiers", "string_literal", "primary_constructor"},
		show:    []string{"variable_declaration"},
		imports: map[string]importer{"import_header": matches(`import\s+([\w.*` + "`" + `]+)`)},
		recover: recoverKotlin,
	}
}

// kotlinPrepare blanks what the grammar does not know: the "fun" of a functional
// interface, "actual", and the modifiers of a primary constructor
// that starts a line.
func kotlinPrepare(src []byte) []byte {
	out := src
	blank := func(from, to int) {
		if &out[0] == &src[0] {
			out = bytes.Clone(src)
		}
		for i := from; i < to; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	for _, word := range []string{"fun", "actual", "constructor"} {
		for at := 0; ; {
			i := bytes.Index(src[at:], []byte(word))
			if i < 0 {
				break
			}
			i += at
			at = i + len(word)
			if i > 0 && identByte(src[i-1]) || at >= len(src) || identByte(src[at]) {
				continue
			}
			next := wordAt(src[skipBlank(src, at):])
			switch {
			case word == "fun" && next != "interface", word != "fun" && word != "constructor" && !kotlinModified(next):
			case word == "constructor":
				if from := kotlinPrimary(src, i); from >= 0 {
					blank(from, at)
				}
			default:
				blank(i, at)
			}
		}
	}
	return out
}

// kotlinModified reports whether a word may follow the modifier actual.
func kotlinModified(word string) bool {
	switch word {
	case "val", "var", "fun", "class", "interface", "object", "open", "abstract", "override", "enum", "inline", "suspend", "typealias",
		"constructor", "data", "sealed", "companion", "internal", "private", "public", "protected", "const", "lateinit", "external",
		"operator", "infix", "annotation", "tailrec", "value", "final":
		return true
	}
	return false
}

// kotlinPrimary is where the modifiers of the primary constructor start whose
// keyword is at i, -1 when it does not start a line after the name of a class.
func kotlinPrimary(src []byte, i int) int {
	from := bytes.LastIndexByte(src[:i], '\n') + 1
	if len(bytes.Trim(src[from:i], "@ \t\rabcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")) > 0 {
		return -1
	}
	for end := from - 1; end > 0; {
		start := bytes.LastIndexByte(src[:end], '\n') + 1
		line := bytes.TrimSpace(src[start:end])
		if !bytes.HasPrefix(line, []byte("//")) && !bytes.HasPrefix(line, []byte("@")) {
			if bytes.Contains(line, []byte("class ")) && !bytes.ContainsAny(line, "={(") {
				return from
			}
			return -1
		}
		end = start - 1
	}
	return -1
}

func kotlinCompanion(t *tree, n int) string {
	if name := textOf("type_identifier", "simple_identifier")(t, n); name != "" {
		return name
	}
	return "Companion"
}

func kotlinProperty(t *tree, n int) string {
	if k := t.kid(n, "variable_declaration"); k >= 0 {
		return textOf("simple_identifier")(t, k)
	}
	return ""
}
