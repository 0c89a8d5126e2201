package chunk

import "github.com/smacker/go-tree-sitter/groovy"

func groovySpec() *spec {
	return &spec{
		name:    "groovy",
		grammar: groovy.GetLanguage,
		defs: map[string]rule{
			"class_definition":     {kind: Type},
			"function_definition":  {kind: Function, name: lastPart("function", " ")},
			"function_declaration": {kind: Function, name: lastPart("function", " ")},
			"declaration":          {kind: Var, top: true, body: "-"},
		},
		walkAll: true,
		skip:    []string{"parameter_list", "string", "argument_list"},
		imports: map[string]importer{"groovy_import": matches(`import\s+(?:static\s+)?([\w.*]+)`)},
	}
}
