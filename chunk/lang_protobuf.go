package chunk

import "github.com/smacker/go-tree-sitter/protobuf"

func protobufSpec() *spec {
	return &spec{
		name:    "protobuf",
		grammar: protobuf.GetLanguage,
		defs: map[string]rule{
			"message": {kind: Type, name: textOf("message_name"), body: "message_body"},
			"enum":    {kind: Type, name: textOf("enum_name"), body: "enum_body"},
			"service": {kind: Type, name: textOf("service_name"), body: "rpc"},
			"rpc":     {kind: Method, name: textOf("rpc_name"), body: "-"},
		},
		walkAll: true,
		skip:    []string{"field", "enum_field", "option"},
		imports: map[string]importer{"import": matches(`["']([^"']+)["']`)},
	}
}
