package lang

import "github.com/topo-dev/topo/stream"

// Tests follow googletest and Catch2; generators are protoc, flatc, bison and Qt's moc and rcc.
var cppLang = Language{
	Name:       "cpp",
	Display:    "C++",
	Aliases:    []string{"c++", "cxx", "cplusplus"},
	Extensions: []string{".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".ipp", ".tpp", ".txx", ".tcc", ".inl", ".ixx", ".cppm", ".ino", ".C", ".H", ".cp"},
	Comment:    Comment{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}, Doc: []string{"/**", "/*!", "///", "//!"}},
	TestFiles: Names{
		Prefix: []string{"test_", "test-"},
		Suffix: []string{"_test", "-test", "_tests", "_unittest", "_unittests", "_browsertest", "_gtest", "Test", "Tests", "UnitTest"},
		Dirs:   []string{"unittest", "unittests", "unit-test", "gtest", "googletest"},
	},
	Generated: Names{
		Prefix: []string{"moc_", "qrc_"},
		Suffix: []string{".pb", ".grpc.pb", "_generated", ".tab", ".yy"},
	},
	Family: "c",
	Role:   stream.RoleImpl,
}
