package lang

import (
	"strings"

	"github.com/topo-dev/topo/stream"
)

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
	Tests:          Tests{Run: dotnetTest},
	Family:         "csharp",
	NamedArguments: true,
	Role:           stream.RoleImpl,
}

// dotnetTest runs the methods of tests, or their classes when they are too many.
func dotnetTest(_ *Tests, tests []Test) []string {
	names, classes := map[string]bool{}, map[string]bool{}
	for _, t := range tests {
		if i := strings.LastIndexByte(t.Name, '.'); i > 0 {
			names[t.Name], classes[t.Name[:i+1]] = true, true
		}
	}
	if len(names) > maxTestNames {
		names = classes
	}
	if len(names) == 0 {
		return nil
	}
	list := sortedKeys(names)
	for i := range list {
		list[i] = "FullyQualifiedName~" + list[i]
	}
	return []string{"dotnet", "test", "--filter", strings.Join(list, "|")}
}
