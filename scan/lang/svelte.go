package lang

import "github.com/topo-dev/topo/stream"

var svelteLang = Language{
	Name:       "svelte",
	Display:    "Svelte",
	Extensions: []string{".svelte"},
	Comment:    Comment{Block: [][2]string{{"<!--", "-->"}}},
	Tests: Names{
		Suffix: []string{".test", ".spec", ".stories_test"},
		Dirs:   []string{"__tests__"},
	},
	Role: stream.RoleImpl,
}
