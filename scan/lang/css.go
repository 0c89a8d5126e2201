package lang

import "github.com/topo-dev/topo/stream"

var cssLang = Language{
	Name:       "css",
	Display:    "CSS",
	Aliases:    []string{"postcss"},
	Extensions: []string{".css", ".pcss", ".postcss"},
	Comment:    Comment{Block: [][2]string{{"/*", "*/"}}},
	Generated: Names{
		Suffix: []string{".min", ".bundle"},
	},
	Role: stream.RoleImpl,
}
