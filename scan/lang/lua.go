package lang

import "github.com/topo-dev/topo/stream"

var luaLang = Language{
	Name:         "lua",
	Display:      "Lua",
	Extensions:   []string{".lua", ".nse", ".rockspec", ".wlua", ".p8"},
	Filenames:    []string{".luacheckrc", ".luacov"},
	Interpreters: []string{"lua", "luajit"},
	Comment:      Comment{Line: []string{"--"}, Block: [][2]string{{"--[[", "]]"}}},
	TestFiles: Names{
		Prefix: []string{"test_", "test-"},
		Suffix: []string{"_spec", "_test", ".test"},
		Dirs:   []string{"spec"},
	},
	Strings: Strings{Quotes: "\"'"},
	Tests:   Tests{Style: TestFile, Functions: []string{"test"}},
	Family:  "plain",
	Role:    stream.RoleImpl,
}
