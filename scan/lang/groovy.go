package lang

import "github.com/topo-dev/topo/stream"

// Spock calls tests FooSpec.
var groovyLang = Language{
	Name:         "groovy",
	Display:      "Groovy",
	Aliases:      []string{"gradle"},
	Extensions:   []string{".groovy", ".gvy", ".gradle"},
	Filenames:    []string{"Jenkinsfile"},
	Interpreters: []string{"groovy"},
	Comment:      Comment{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}, Doc: []string{"/**"}},
	TestFiles: Names{
		Suffix: []string{"Test", "Tests", "Spec", "IT", "TestCase"},
	},
	Family: "java",
	Role:   stream.RoleImpl,
}
