package lang

import "github.com/topo-dev/topo/stream"

var protobufLang = Language{
	Name:       "protobuf",
	Display:    "Protocol Buffer",
	Aliases:    []string{"proto", "protobuffer"},
	Extensions: []string{".proto"},
	Comment:    Comment{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}},
	TestFiles: Names{
		Suffix: []string{"_test", "_unittest", "_testonly"},
	},
	Role: stream.RoleImpl,
}
