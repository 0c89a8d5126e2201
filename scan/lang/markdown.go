package lang

import "github.com/topo-dev/topo/stream"

var markdownLang = Language{
	Name:       "markdown",
	Display:    "Markdown",
	Aliases:    []string{"md", "mdx"},
	Extensions: []string{".md", ".markdown", ".mdown", ".mdwn", ".mkd", ".mkdn", ".mkdown", ".mdx", ".livemd", ".qmd", ".rmd"},
	Comment:    Comment{Block: [][2]string{{"<!--", "-->"}}},
	Role:       stream.RoleDocs,
}
