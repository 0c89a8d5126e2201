package chunk

import (
	"maps"

	"github.com/smacker/go-tree-sitter/cpp"
)

func cppSpec() *spec {
	s := cSpec()
	s.name, s.grammar, s.facts = "cpp", cpp.GetLanguage, cppFacts()
	maps.Copy(s.defs, map[string]rule{
		"function_definition":  {kind: Function, name: cName, scope: cppScope},
		"class_specifier":      {kind: Type, name: cTag, scope: cppTagScope},
		"struct_specifier":     {kind: Type, name: cTag, scope: cppTagScope},
		"namespace_definition": {kind: Other, ghost: true, name: cppNamespace},
		"alias_declaration":    {kind: Type, body: "-"},
		"concept_definition":   {kind: Type, body: "-"},
	})
	s.show = append([]string{"reference_declarator", "operator_cast"}, cDeclarators...)
	s.wraps = []string{"template_declaration"}
	return s
}

// cppScope is "a.B" of a function defined as "a::B::f".
func cppScope(t *tree, n int) string {
	k, _ := cInnermost(t, n)
	if k < 0 || k == n || t.nodes[k].end-t.nodes[k].start > maxName {
		return ""
	}
	scope, _ := splitQualified(t.text(k))
	return scope
}

func cppTagScope(t *tree, n int) string {
	if f := t.field(n, "name"); f >= 0 {
		scope, _ := splitQualified(t.text(f))
		return scope
	}
	return ""
}

// cppNamespace is "a.b" of "namespace a::b".
func cppNamespace(t *tree, n int) string {
	f := t.field(n, "name")
	if f < 0 {
		return ""
	}
	scope, name := splitQualified(t.text(f))
	return join(scope, name)
}
