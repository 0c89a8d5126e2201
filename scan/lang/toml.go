package lang

import "github.com/topo-dev/topo/stream"

var tomlLang = Language{
	Name:       "toml",
	Display:    "TOML",
	Extensions: []string{".toml"},
	Filenames:  []string{"Cargo.lock", "Pipfile", "poetry.lock", "uv.lock", "pdm.lock", "Gopkg.lock"},
	Comment:    Comment{Line: []string{"#"}},
	Strings:    Strings{Quotes: "\"'"},
	Role:       stream.RoleConfig,
}
