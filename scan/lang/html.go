package lang

import "github.com/topo-dev/topo/stream"

var htmlLang = Language{
	Name:       "html",
	Display:    "HTML",
	Aliases:    []string{"xhtml"},
	Extensions: []string{".html", ".htm", ".xhtml", ".xht", ".shtml"},
	Comment:    Comment{Block: [][2]string{{"<!--", "-->"}}},
	Generated: Names{
		Suffix: []string{".min"},
	},
	Role: stream.RoleImpl,
}
