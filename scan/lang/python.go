package lang

import "github.com/topo-dev/topo/stream"

var pythonLang = Language{
	Name:         "python",
	Display:      "Python",
	Aliases:      []string{"py", "python3", "cython"},
	Extensions:   []string{".py", ".pyi", ".pyw", ".pyx", ".pxd", ".gyp", ".gypi", ".wsgi", ".tac", ".py3", ".smk"},
	Filenames:    []string{"SConstruct", "SConscript", "wscript", "Snakefile", ".gclient", ".pythonrc"},
	Interpreters: []string{"python", "pypy", "uv", "python-config", "ipython"},
	Comment:      Comment{Line: []string{"#"}, Docstring: true},
	Tests: Names{
		Exact:  []string{"conftest.py", "tests.py", "test.py", "runtests.py"},
		Prefix: []string{"test_"},
		Suffix: []string{"_test", "_tests", "_unittest"},
	},
	Generated: Names{
		Suffix: []string{"_pb2", "_pb2_grpc", "_pb2.pyi"},
	},
	Role: stream.RoleImpl,
}
