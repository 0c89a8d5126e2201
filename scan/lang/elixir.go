package lang

import "github.com/topo-dev/topo/stream"

var elixirLang = Language{
	Name:         "elixir",
	Display:      "Elixir",
	Extensions:   []string{".ex", ".exs"},
	Interpreters: []string{"elixir", "iex"},
	Comment:      Comment{Line: []string{"#"}, Doc: []string{"@doc", "@moduledoc"}},
	TestFiles: Names{
		Suffix: []string{"_test"},
	},
	Generated: Names{
		Suffix: []string{".pb"},
	},
	Strings: Strings{Quotes: "\"'"},
	Tests:   Tests{Style: TestFile},
	Family:  "plain",
	Role:    stream.RoleImpl,
}
