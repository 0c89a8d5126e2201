package lang

import "github.com/topo-dev/topo/stream"

var swiftLang = Language{
	Name:         "swift",
	Display:      "Swift",
	Extensions:   []string{".swift"},
	Interpreters: []string{"swift"},
	Comment:      Comment{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}, Doc: []string{"///", "/**"}},
	TestFiles: Names{
		Suffix: []string{"Test", "Tests", "Spec", "TestCase"},
	},
	Generated: Names{
		Suffix: []string{".pb", ".grpc", ".generated"},
	},
	Family:         "swift",
	NamedArguments: true,
	Role:           stream.RoleImpl,
}
