package lang

import "github.com/topo-dev/topo/stream"

var hclLang = Language{
	Name:       "hcl",
	Display:    "HCL",
	Aliases:    []string{"terraform", "tf"},
	Extensions: []string{".hcl", ".tf", ".tofu", ".nomad", ".tfvars"},
	Comment:    Comment{Line: []string{"#", "//"}, Block: [][2]string{{"/*", "*/"}}},
	TestFiles: Names{
		Suffix: []string{".tftest"},
	},
	Role: stream.RoleImpl,
}
