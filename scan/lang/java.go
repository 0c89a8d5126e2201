package lang

import "github.com/topo-dev/topo/stream"

// Surefire runs Test*, *Test, *Tests and *TestCase; failsafe runs IT*, *IT and *ITCase.
var javaLang = Language{
	Name:       "java",
	Display:    "Java",
	Extensions: []string{".java", ".jav", ".jsh"},
	Comment:    Comment{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}, Doc: []string{"/**", "///"}},
	Tests: Names{
		Prefix: []string{"Test", "IT"},
		Suffix: []string{"Test", "Tests", "IT", "ITCase", "TestCase", "TestBase", "TestSuite", "TestUtil", "TestUtils", "Tester"},
	},
	Generated: Names{
		Suffix: []string{"OuterClass", "Grpc"},
	},
	Role: stream.RoleImpl,
}
