package chunk

import (
	"maps"

	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"
)

// typescriptSpec and tsxSpec differ in the grammar alone: "<T>x" is a cast in
// one and an element in the other.
func typescriptSpec() *spec { return typescriptWith("typescript") }

func tsxSpec() *spec { return typescriptWith("tsx") }

func typescriptWith(name string) *spec {
	s := javascriptSpec()
	s.name, s.grammar = name, typescript.GetLanguage
	if name == "tsx" {
		s.grammar = tsx.GetLanguage
	}
	maps.Copy(s.defs, map[string]rule{
		"abstract_class_declaration": {kind: Type},
		"interface_declaration":      {kind: Type},
		"type_alias_declaration":     {kind: Type, body: "value"},
		"enum_declaration":           {kind: Type},
		"internal_module":            {kind: Other, name: javascriptKey("name")},
		"module":                     {kind: Other, name: javascriptKey("name")},
		"function_signature":         {kind: Function},
		"method_signature":           {kind: Method, name: javascriptKey("name")},
		"abstract_method_signature":  {kind: Method, name: javascriptKey("name")},
		"public_field_definition":    {kind: Method, name: javascriptKey("name"), kindOf: javascriptValue("value", none), bodyAt: javascriptBody("value")},
	})
	s.wraps = append([]string{"ambient_declaration"}, s.wraps...)
	return s
}
