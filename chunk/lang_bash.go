package chunk

import (
	"strings"

	"github.com/smacker/go-tree-sitter/bash"
)

func bashSpec() *spec {
	return &spec{
		name:    "bash",
		grammar: bash.GetLanguage,
		defs: map[string]rule{
			"function_definition": {kind: Function},
			"variable_assignment": {kind: Var, top: true, body: "-"},
		},
		walkAll: true,
		skip:    []string{"string", "command_substitution", "heredoc_body", "subscript"},
		clear:   []string{"declaration_command"},
		imports: map[string]importer{"command": bashSource},
		recover: recoverBash,
	}
}

// bashSource reads "source x" and ". x"; a variable in the path is kept as
// written.
func bashSource(text string, add func(string, int)) {
	fields := strings.Fields(text)
	if len(fields) > 1 && (fields[0] == "source" || fields[0] == ".") {
		add(unquote(fields[1]), 0)
	}
}
