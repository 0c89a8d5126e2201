package lang

import "github.com/topo-dev/topo/stream"

var svelteLang = Language{
	Name:       "svelte",
	Display:    "Svelte",
	Extensions: []string{".svelte"},
	Comment:    Comment{Line: []string{"//"}, Block: [][2]string{{"<!--", "-->"}, {"/*", "*/"}}},
	TestFiles: Names{
		Suffix: []string{".test", ".spec", ".stories_test"},
		Dirs:   []string{"__tests__"},
	},
	Tests:  Tests{Style: TestFile},
	Family: "javascript",
	Role:   stream.RoleImpl,
}
