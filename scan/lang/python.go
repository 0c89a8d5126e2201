package lang

import (
	"strings"

	"github.com/topo-dev/topo/stream"
)

var pythonLang = Language{
	Name:         "python",
	Display:      "Python",
	Aliases:      []string{"py", "python3", "cython"},
	Extensions:   []string{".py", ".pyi", ".pyw", ".pyx", ".pxd", ".gyp", ".gypi", ".wsgi", ".tac", ".py3", ".smk"},
	Filenames:    []string{"SConstruct", "SConscript", "wscript", "Snakefile", ".gclient", ".pythonrc"},
	Interpreters: []string{"python", "pypy", "uv", "python-config", "ipython"},
	Comment:      Comment{Line: []string{"#"}, Docstring: true},
	TestFiles: Names{
		Exact:  []string{"conftest.py", "tests.py", "test.py", "runtests.py"},
		Prefix: []string{"test_"},
		Suffix: []string{"_test", "_tests", "_unittest"},
	},
	Generated: Names{
		Suffix: []string{"_pb2", "_pb2_grpc", "_pb2.pyi"},
	},
	Strings: Strings{Quotes: "\"'", Long: []string{`"""`, "'''"}},
	Tests: Tests{
		Style:     TestName,
		Functions: []string{"test"},
		Run:       pytest,
		DirsAtTop: []string{"test", "Test"},
	},
	Family:         "python",
	NamedArguments: true,
	Role:           stream.RoleImpl,
}

// pytest runs the functions of tests, or their files when they are too many.
func pytest(as *Tests, tests []Test) []string {
	names, files := map[string]bool{}, map[string]bool{}
	for _, t := range tests {
		files[t.Path] = true
		if as.IsTestName(t.Name[strings.LastIndexByte(t.Name, '.')+1:]) {
			names[t.Path+"::"+strings.ReplaceAll(t.Name, ".", "::")] = true
		}
	}
	if len(names) > 0 && len(names) <= maxTestNames {
		files = names
	}
	return append([]string{"pytest"}, sortedKeys(files)...)
}
