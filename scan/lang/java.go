package lang

import "github.com/topo-dev/topo/stream"

// Surefire runs Test*, *Test, *Tests and *TestCase; failsafe runs IT*, *IT and *ITCase.
var javaLang = Language{
	Name:       "java",
	Display:    "Java",
	Extensions: []string{".java", ".jav", ".jsh"},
	Comment:    Comment{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}, Doc: []string{"/**", "///"}},
	TestFiles: Names{
		Prefix: []string{"Test", "IT"},
		Suffix: []string{"Test", "Tests", "IT", "ITCase", "TestCase", "TestBase", "TestSuite", "TestUtil", "TestUtils", "Tester"},
	},
	Generated: Names{
		Suffix: []string{"OuterClass", "Grpc"},
	},
	Tests:  Tests{Library: Library{Dir: "src/main", TestFiles: Names{Suffix: []string{"Test", "Tests", "IT", "Spec", "Suite"}}}},
	Family: "java",
	Role:   stream.RoleImpl,
}
