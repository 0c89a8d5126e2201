package lang

import "github.com/topo-dev/topo/stream"

// A header is C until its content shows C++ or Objective-C.
var cLang = Language{
	Name:         "c",
	Display:      "C",
	Aliases:      []string{"h"},
	Extensions:   []string{".c", ".h", ".idc"},
	Interpreters: []string{"tcc"},
	Comment:      Comment{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}, Doc: []string{"/**", "/*!", "///", "//!"}},
	TestFiles: Names{
		Prefix: []string{"test_", "test-"},
		Suffix: []string{"_test", "-test", "_tests", "_unittest"},
		Dirs:   []string{"unittest", "unittests", "unit-test", "gtest", "googletest"},
	},
	Generated: Names{
		Prefix: []string{"moc_", "qrc_"},
		Suffix: []string{".pb-c", ".pb", ".grpc.pb", "_generated", ".tab", ".yy"},
	},
	Family: "c",
	Role:   stream.RoleImpl,
}
