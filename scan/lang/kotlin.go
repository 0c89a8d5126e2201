package lang

import (
	"strings"

	"github.com/topo-dev/topo/stream"
)

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
	Tests: Tests{
		Library: Library{Dir: "src/main", TestFiles: Names{Suffix: []string{"Test", "Tests", "IT", "Spec", "Suite"}}},
		Run:     gradleTest,
	},
	Family:         "java",
	NamedArguments: true,
	Role:           stream.RoleImpl,
}

// gradleTest runs the methods of tests, or their classes when they are too many. A
// star stands for the package, which the name of a test does not hold.
func gradleTest(_ *Tests, tests []Test) []string {
	methods, classes := map[string]bool{}, map[string]bool{}
	for _, t := range tests {
		name := strings.ReplaceAll(t.Name, "`", "")
		class, _, ok := strings.Cut(name, ".")
		if !ok { // a file, or a function outside of a class
			base := t.Path[strings.LastIndexByte(t.Path, '/')+1:]
			class = strings.TrimSuffix(base, ".kt")
			name = class
		}
		methods["*"+name] = true
		classes["*"+class] = true
	}
	if len(methods) > maxTestNames {
		methods = classes
	}
	command := []string{"gradle", "test"}
	for _, name := range sortedKeys(methods) {
		command = append(command, "--tests", name)
	}
	return command
}
