package chunk

import (
	"strings"

	"github.com/smacker/go-tree-sitter/elixir"
)

// elixirSpec: every definition of Elixir is a call.
func elixirSpec() *spec {
	return &spec{
		name:    "elixir",
		grammar: elixir.GetLanguage,
		defs:    map[string]rule{"call": {name: elixirName, kindOf: elixirKind, body: "do_block"}},
		walk:    []string{"source", "do_block", "else_block", "body", "block"},
		show:    []string{"arguments", "binary_operator"},
		imports: map[string]importer{"call": elixirImport},
	}
}

func elixirKeyword(t *tree, n int) string {
	if f := t.field(n, "target"); f >= 0 && t.nodes[f].end-t.nodes[f].start < 20 {
		return t.text(f)
	}
	return ""
}

func elixirKind(t *tree, n int, _ func() bool) Kind {
	switch elixirKeyword(t, n) {
	case "defmodule", "defprotocol":
		return Type
	case "defimpl":
		return Impl
	case "def", "defp", "defmacro", "defmacrop", "defguard", "defguardp", "defdelegate", "defn", "defnp":
		return Function
	case "test", "describe":
		return Function
	}
	return none
}

// elixirName is the module's or function's name in a call's first argument.
func elixirName(t *tree, n int) string {
	if elixirKind(t, n, nil) == none {
		return ""
	}
	args := t.kid(n, "arguments")
	if args < 0 {
		return ""
	}
	text := strings.TrimLeft(t.text(args), "( ")
	text = text[:min(len(text), maxName)]
	if s, ok := leadingString(text); ok {
		return s
	}
	if i := strings.IndexAny(text, "(, \n"); i >= 0 {
		text = text[:i]
	}
	return text
}

// elixirImport reads alias, import, use and require; "alias A.{B, C}" gives
// both.
func elixirImport(text string, add func(string, int)) {
	word := wordAt([]byte(text[:min(len(text), 12)]))
	switch word {
	case "alias", "import", "use", "require":
	default:
		return
	}
	rest := strings.TrimSpace(text[len(word):])
	rest, _, _ = strings.Cut(rest, "\n\n")
	if head, inner, ok := strings.Cut(rest, "{"); ok {
		inner, _, _ = strings.Cut(inner, "}")
		for _, part := range splitList(inner, 0) {
			add(head+part.text, 0)
		}
		return
	}
	if i := strings.IndexAny(rest, ", \n("); i >= 0 {
		rest = rest[:i]
	}
	add(rest, 0)
}
