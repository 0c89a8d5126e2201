package lang

import "github.com/topo-dev/topo/stream"

var dockerfileLang = Language{
	Name:       "dockerfile",
	Display:    "Dockerfile",
	Aliases:    []string{"containerfile", "docker"},
	Extensions: []string{".dockerfile", ".containerfile"},
	Filenames:  []string{"Dockerfile", "Containerfile"},
	Comment:    Comment{Line: []string{"#"}},
	Strings:    Strings{Quotes: "\"'"},
	Role:       stream.RoleBuild,
}
