package lang

import "github.com/topo-dev/topo/stream"

// Integration tests are the crates of tests/; unit tests kept in their own file are called tests.rs.
var rustLang = Language{
	Name:         "rust",
	Display:      "Rust",
	Aliases:      []string{"rs"},
	Extensions:   []string{".rs", ".rs.in"},
	Interpreters: []string{"rust-script", "cargo"},
	Comment:      Comment{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}, Doc: []string{"///", "//!", "/**", "/*!"}},
	TestFiles: Names{
		Exact:  []string{"tests.rs", "test.rs"},
		Prefix: []string{"test_"},
		Suffix: []string{"_test", "_tests", "_spec"},
		Dirs:   []string{"benches"},
	},
	Tests:  Tests{Modules: []string{"tests", "test"}, DirsAtTop: []string{"test", "Test"}},
	Family: "rust",
	Role:   stream.RoleImpl,
}
