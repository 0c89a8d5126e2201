package lang

import (
	"path"
	"strings"

	"github.com/topo-dev/topo/stream"
)

// Only _test.go files are tests to the go command; test helper packages and the repository's own test/ tree are tests to a reader.
var goLang = Language{
	Name:         "go",
	Display:      "Go",
	Aliases:      []string{"golang"},
	Extensions:   []string{".go"},
	Interpreters: []string{"gorun"},
	Comment:      Comment{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}},
	TestFiles: Names{
		Suffix: []string{"_test"},
		Dirs:   []string{"testutil", "testutils", "testhelper", "testhelpers"},
	},
	Generated: Names{
		Prefix: []string{"zz_generated.", "zz_generated_"},
		Suffix: []string{".pb", ".pb.gw", ".pb.validate", ".gen", "_generated", ".generated", "_easyjson"},
	},
	Strings: Strings{Long: []string{"`"}},
	Tests: Tests{
		Style:      TestName,
		Functions:  []string{"Test", "Fuzz", "Example"},
		Whole:      true,
		MethodMark: "_",
		Run:        goTest,
		DirsBelow:  []string{"testing"},
	},
	Family:    "go",
	OpenTypes: true,
	Role:      stream.RoleImpl,
}

// goTest runs the packages of tests, and of their functions only those named.
func goTest(as *Tests, tests []Test) []string {
	names, dirs := map[string]bool{}, map[string]bool{}
	for _, t := range tests {
		if !strings.HasSuffix(t.Path, "_test.go") {
			continue
		}
		dir := path.Dir(t.Path)
		if dir != "." {
			dir = "./" + dir
		}
		dirs[dir] = true
		if !strings.Contains(t.Name, ".") && as.IsTestName(t.Name) {
			names[t.Name] = true
		}
	}
	if len(names) == 0 {
		return nil
	}
	args := append([]string{"go", "test"}, sortedKeys(dirs)...)
	if len(names) <= maxTestNames {
		args = append(args, "-run", "^("+strings.Join(sortedKeys(names), "|")+")$")
	}
	return args
}
