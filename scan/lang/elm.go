package lang

import "github.com/topo-dev/topo"

var elmLang = Language{
	Name:       "elm",
	Display:    "Elm",
	Extensions: []string{".elm"},
	Comment:    Comment{Line: []string{"--"}, Block: [][2]string{{"{-", "-}"}}, Doc: []string{"{-|"}},
	Tests: Names{
		Suffix: []string{"Test", "Tests", "Spec"},
	},
	Role: topo.RoleImpl,
}
