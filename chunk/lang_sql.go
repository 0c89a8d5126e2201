package chunk

import "github.com/smacker/go-tree-sitter/sql"

func sqlSpec() *spec {
	return &spec{
		name:    "sql",
		grammar: sql.GetLanguage,
		defs: map[string]rule{
			"create_table":             {kind: Type, name: textOf("object_reference"), body: "column_definitions"},
			"create_view":              {kind: Type, name: textOf("object_reference"), body: "create_query"},
			"create_materialized_view": {kind: Type, name: textOf("object_reference"), body: "create_query"},
			"create_type":              {kind: Type, name: textOf("object_reference"), body: "-"},
			"create_function":          {kind: Function, name: textOf("object_reference"), body: "function_body"},
			"create_index":             {kind: Other, name: textOf("identifier"), body: "-"},
			"create_sequence":          {kind: Other, name: textOf("object_reference"), body: "-"},
			"create_schema":            {kind: Other, name: textOf("identifier"), body: "-"},
			"create_trigger":           {kind: Function, name: textOf("object_reference"), body: "-"},
		},
		walk:    []string{"program", "statement", "transaction", "block"},
		recover: recoverSQL,
	}
}
