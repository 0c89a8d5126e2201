package lang

import (
	"regexp"
	"strings"

	"github.com/topo-dev/topo/stream"
)

var phpLang = Language{
	Name:         "php",
	Display:      "PHP",
	Extensions:   []string{".php", ".phtml", ".php3", ".php4", ".php5", ".php7", ".phps", ".phpt", ".ctp", ".inc"},
	Filenames:    []string{".php_cs", ".php_cs.dist", ".php-cs-fixer.php", ".php-cs-fixer.dist.php", "Phakefile"},
	Interpreters: []string{"php"},
	Comment:      Comment{Line: []string{"//", "#"}, Block: [][2]string{{"/*", "*/"}}, Doc: []string{"/**"}},
	TestFiles: Names{
		Suffix: []string{"Test", "Tests", "TestCase", "Cest", "Cept", "Spec"},
	},
	Strings: Strings{Quotes: "\"'"},
	Tests: Tests{
		Style:     TestName,
		Functions: []string{"test"},
		Run:       phpunit,
	},
	Family:         "php",
	NamedArguments: true,
	Role:           stream.RoleImpl,
}

// phpunit runs the methods of tests, which its filter takes as "Class::method", or
// their files when they are too many. PHPUnit takes one path: of several files it
// searches the folder that holds them.
func phpunit(as *Tests, tests []Test) []string {
	names, files := map[string]bool{}, map[string]bool{}
	for _, t := range tests {
		files[t.Path] = true
		class, method, ok := strings.Cut(t.Name, ".")
		if ok && as.IsTestName(method) {
			names[regexp.QuoteMeta(class+"::"+method)] = true
		}
	}
	path := commonPath(sortedKeys(files))
	args := []string{"vendor/bin/phpunit"}
	switch {
	case len(names) > 0 && len(names) <= maxTestNames:
		// With data sets, what follows the name is " with data set …".
		args = append(args, "--filter", `/\b(`+strings.Join(sortedKeys(names), "|")+`)\b/`)
	case len(files) > 1:
		stems := map[string]bool{}
		for f := range files {
			base := f[strings.LastIndexByte(f, '/')+1:]
			stems[regexp.QuoteMeta(strings.TrimSuffix(base, ".php"))] = true
		}
		args = append(args, "--filter", `/\b(`+strings.Join(sortedKeys(stems), "|")+`)::/`)
	}
	return append(args, path)
}

// commonPath is the one path, or the folder that holds all of them.
func commonPath(paths []string) string {
	dir := paths[0]
	for _, p := range paths[1:] {
		for dir != "." && dir != p && !strings.HasPrefix(p, dir+"/") {
			if i := strings.LastIndexByte(dir, '/'); i >= 0 {
				dir = dir[:i]
			} else {
				dir = "."
			}
		}
	}
	return dir
}
