package lang

import "github.com/topo-dev/topo/stream"

var sqlLang = Language{
	Name:       "sql",
	Display:    "SQL",
	Aliases:    []string{"mysql", "postgresql", "plpgsql", "tsql", "plsql"},
	Extensions: []string{".sql", ".ddl", ".dml", ".mysql", ".pgsql", ".plsql", ".tsql", ".psql", ".pks", ".pkb", ".pls", ".prc"},
	Comment:    Comment{Line: []string{"--"}, Block: [][2]string{{"/*", "*/"}}},
	TestFiles: Names{
		Prefix: []string{"test_"},
		Suffix: []string{"_test"},
	},
	Strings: Strings{Quotes: "'\""},
	Role:    stream.RoleImpl,
}
