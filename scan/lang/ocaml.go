package lang

import "github.com/topo-dev/topo/stream"

var ocamlLang = Language{
	Name:         "ocaml",
	Display:      "OCaml",
	Extensions:   []string{".ml", ".mli", ".mll", ".mly", ".ml4", ".eliom", ".eliomi"},
	Interpreters: []string{"ocaml", "ocamlrun", "ocamlscript"},
	Comment:      Comment{Block: [][2]string{{"(*", "*)"}}, Doc: []string{"(**"}},
	TestFiles: Names{
		Prefix: []string{"test_"},
		Suffix: []string{"_test", "_tests"},
	},
	Family: "plain",
	Role:   stream.RoleImpl,
}
