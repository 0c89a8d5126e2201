package lang

import "github.com/topo-dev/topo/stream"

// Only _test.go files are tests to the go command; test helper packages and the repository's own test/ tree are tests to a reader.
var goLang = Language{
	Name:         "go",
	Display:      "Go",
	Aliases:      []string{"golang"},
	Extensions:   []string{".go"},
	Interpreters: []string{"gorun"},
	Comment:      Comment{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}},
	Tests: Names{
		Suffix: []string{"_test"},
		Dirs:   []string{"testutil", "testutils", "testhelper", "testhelpers"},
	},
	Generated: Names{
		Prefix: []string{"zz_generated.", "zz_generated_"},
		Suffix: []string{".pb", ".pb.gw", ".pb.validate", ".gen", "_generated", ".generated", "_easyjson"},
	},
	Role: stream.RoleImpl,
}
