package lang

import "github.com/topo-dev/topo/stream"

var kotlinLang = Language{
	Name:         "kotlin",
	Display:      "Kotlin",
	Aliases:      []string{"kt"},
	Extensions:   []string{".kt", ".kts", ".ktm"},
	Interpreters: []string{"kotlin"},
	Comment:      Comment{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}, Doc: []string{"/**"}},
	TestFiles: Names{
		Prefix: []string{"Test"},
		Suffix: []string{"Test", "Tests", "IT", "Spec", "TestCase", "TestBase"},
	},
	Tests:          Tests{Library: Library{Dir: "src/main", TestFiles: Names{Suffix: []string{"Test", "Tests", "IT", "Spec", "Suite"}}}},
	Family:         "java",
	NamedArguments: true,
	Role:           stream.RoleImpl,
}
