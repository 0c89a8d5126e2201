package lang

import "github.com/topo-dev/topo/stream"

var yamlLang = Language{
	Name:       "yaml",
	Display:    "YAML",
	Aliases:    []string{"yml"},
	Extensions: []string{".yaml", ".yml", ".sublime-syntax", ".yaml-tmlanguage"},
	Filenames:  []string{".clang-format", ".clang-tidy", ".clangd", ".gemrc", "CITATION.cff", "pixi.lock", ".clusterfuzzlite", ".yamllint", ".prettierrc"},
	Comment:    Comment{Line: []string{"#"}},
	Strings:    Strings{Quotes: "\"'"},
	Role:       stream.RoleConfig,
}
