package chunk

import (
	"strings"

	"github.com/smacker/go-tree-sitter/swift"
)

func swiftSpec() *spec {
	return &spec{
		name:    "swift",
		grammar: swift.GetLanguage,
		defs: map[string]rule{
			"class_declaration":             {kind: Type, kindOf: swiftKind, name: swiftType},
			"protocol_declaration":          {kind: Type},
			"typealias_declaration":         {kind: Type, body: "-"},
			"function_declaration":          {kind: Function},
			"protocol_function_declaration": {kind: Method},
			"init_declaration":              {kind: Method, name: func(*tree, int) string { return "init" }},
			"deinit_declaration":            {kind: Method, name: func(*tree, int) string { return "deinit" }},
			"subscript_declaration":         {kind: Method, name: func(*tree, int) string { return "subscript" }, body: "computed_property"},
			"property_declaration":          {kind: Var, top: true, body: "computed_value"},
			"macro_declaration":             {kind: Function, name: textOf("simple_identifier")},
		},
		walkAll: true,
		skip:    []string{"parameter", "value_arguments", "modifiers", "line_string_literal", "inheritance_specifier"},
		imports: map[string]importer{"import_declaration": matches(`import\s+(?:(?:class|struct|enum|func|protocol|var|let|typealias)\s+)?([\w.]+)`)},
		recover: recoverSwift,
	}
}

// swiftKind tells an extension, which the grammar takes for a class.
func swiftKind(t *tree, n int, _ func() bool) Kind {
	text := t.src[t.nodes[n].start:t.nodes[n].end]
	head := string(text[:min(len(text), maxName)])
	head, _, _ = strings.Cut(head, "{")
	if hasField(head, "extension") {
		return Impl
	}
	return Type
}

func hasField(text, word string) bool {
	for _, f := range strings.Fields(text) {
		if f == word {
			return true
		}
	}
	return false
}

func swiftType(t *tree, n int) string {
	f := t.field(n, "name")
	if f < 0 {
		return ""
	}
	name, _, _ := strings.Cut(t.text(f), "<")
	return name
}
