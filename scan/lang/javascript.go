package lang

import "github.com/topo-dev/topo/stream"

var javascriptLang = Language{
	Name:         "javascript",
	Display:      "JavaScript",
	Aliases:      []string{"js", "jsx", "node", "ecmascript"},
	Extensions:   []string{".js", ".jsx", ".mjs", ".cjs", ".es6", ".es", ".jsm", ".jake"},
	Filenames:    []string{"Jakefile"},
	Interpreters: []string{"node", "nodejs", "qjs", "gjs"},
	Comment:      Comment{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}, Doc: []string{"/**"}},
	TestFiles: Names{
		Suffix: []string{".test", ".tests", ".spec", ".cy", ".e2e", ".e2e-spec", ".test-d", ".bench", "-test", "-spec", "_test", "_spec"},
		Dirs:   []string{"__tests__", "__mocks__", "__test__", "cypress", "spec", "specs"},
	},
	Generated: Names{
		Suffix: []string{".min", ".bundle", "_pb", "_pb.d", "_grpc_pb", "_grpc_pb.d", ".generated", ".gen", ".pb"},
	},
	Strings: Strings{Quotes: "\"'", Long: []string{"`"}},
	Tests:   Tests{Style: TestFile},
	Family:  "javascript",
	Role:    stream.RoleImpl,
}
