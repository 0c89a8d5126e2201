package lang

import "github.com/topo-dev/topo/stream"

// Test projects are directories named Foo.Tests; see projectOfTests.
var csharpLang = Language{
	Name:         "csharp",
	Display:      "C#",
	Aliases:      []string{"c#", "cs"},
	Extensions:   []string{".cs", ".csx", ".cake"},
	Interpreters: []string{"dotnet-script"},
	Comment:      Comment{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}, Doc: []string{"///", "/**"}},
	TestFiles: Names{
		Suffix: []string{"Test", "Tests", "TestBase", "Specs", "Fixture"},
	},
	Generated: Names{
		Suffix: []string{".g", ".g.i", ".designer", ".Designer", ".generated"},
	},
	Family:         "csharp",
	NamedArguments: true,
	Role:           stream.RoleImpl,
}
