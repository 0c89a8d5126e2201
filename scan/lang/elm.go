package lang

import "github.com/topo-dev/topo/stream"

var elmLang = Language{
	Name:       "elm",
	Display:    "Elm",
	Extensions: []string{".elm"},
	Comment:    Comment{Line: []string{"--"}, Block: [][2]string{{"{-", "-}"}}, Doc: []string{"{-|"}},
	TestFiles: Names{
		Suffix: []string{"Test", "Tests", "Spec"},
	},
	Family: "plain",
	Role:   stream.RoleImpl,
}
