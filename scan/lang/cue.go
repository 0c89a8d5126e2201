package lang

import "github.com/topo-dev/topo/stream"

var cueLang = Language{
	Name:         "cue",
	Display:      "CUE",
	Extensions:   []string{".cue"},
	Interpreters: []string{"cue"},
	Comment:      Comment{Line: []string{"//"}},
	TestFiles: Names{
		Suffix: []string{"_test"},
	},
	Generated: Names{
		Suffix: []string{"_gen"},
	},
	Role: stream.RoleImpl,
}
