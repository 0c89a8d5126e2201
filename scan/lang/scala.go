package lang

import "github.com/topo-dev/topo/stream"

var scalaLang = Language{
	Name:         "scala",
	Display:      "Scala",
	Extensions:   []string{".scala", ".sc", ".sbt", ".mill"},
	Interpreters: []string{"scala", "amm"},
	Comment:      Comment{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}, Doc: []string{"/**"}},
	TestFiles: Names{
		Prefix: []string{"Test"},
		Suffix: []string{"Test", "Tests", "Spec", "Suite", "Specification", "ITCase", "IT", "Properties"},
	},
	Tests:          Tests{Library: Library{Dir: "src/main", TestFiles: Names{Suffix: []string{"Test", "Tests", "IT", "Spec", "Suite"}}}},
	Family:         "java",
	NamedArguments: true,
	Role:           stream.RoleImpl,
}
