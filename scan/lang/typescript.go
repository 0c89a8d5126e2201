package lang

import "github.com/topo-dev/topo/stream"

var typescriptLang = Language{
	Name:         "typescript",
	Display:      "TypeScript",
	Aliases:      []string{"ts", "mts", "cts"},
	Extensions:   []string{".ts", ".mts", ".cts"},
	Interpreters: []string{"ts-node", "tsx", "deno", "bun"},
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
