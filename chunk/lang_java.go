package chunk

import (
	"strings"

	"github.com/smacker/go-tree-sitter/java"
)

func javaSpec() *spec {
	return &spec{
		name:    "java",
		facts:   &javaFacts,
		grammar: java.GetLanguage,
		defs: map[string]rule{
			"class_declaration":                   {kind: Type},
			"interface_declaration":               {kind: Type},
			"enum_declaration":                    {kind: Type},
			"record_declaration":                  {kind: Type},
			"annotation_type_declaration":         {kind: Type},
			"method_declaration":                  {kind: Method},
			"constructor_declaration":             {kind: Method},
			"compact_constructor_declaration":     {kind: Method},
			"annotation_type_element_declaration": {kind: Method},
		},
		walkAll: true,
		skip:    []string{"formal_parameters", "modifiers", "string_literal", "superclass", "super_interfaces", "throws", "type_parameters"},
		imports: map[string]importer{"import_declaration": javaImport},
		recover: recoverJava,
	}
}

// javaImport reads "import static a.b.C.d;" and "import a.b.*;".
func javaImport(text string, add func(string, int)) {
	fields := strings.Fields(strings.TrimSuffix(strings.TrimSpace(text), ";"))
	if len(fields) > 1 && fields[1] == "static" {
		fields = fields[1:]
	}
	if len(fields) > 1 {
		add(strings.Join(fields[1:], ""), 0)
	}
}
