package chunk

import "github.com/smacker/go-tree-sitter/scala"

func scalaSpec() *spec {
	return &spec{
		name:    "scala",
		grammar: scala.GetLanguage,
		defs: map[string]rule{
			"class_definition":     {kind: Type},
			"object_definition":    {kind: Type},
			"trait_definition":     {kind: Type},
			"enum_definition":      {kind: Type},
			"package_object":       {kind: Type},
			"type_definition":      {kind: Type, body: "-"},
			"given_definition":     {kind: Const},
			"function_definition":  {kind: Function},
			"function_declaration": {kind: Function},
			"val_definition":       {kind: Const, top: true, name: lastPart("pattern", " "), body: "value"},
			"var_definition":       {kind: Var, top: true, name: lastPart("pattern", " "), body: "value"},
		},
		walkAll: true,
		skip:    []string{"parameters", "arguments", "class_parameters", "string", "extends_clause", "annotation"},
		imports: map[string]importer{"import_declaration": scalaImport},
		recover: recoverScala,
	}
}
