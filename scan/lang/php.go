package lang

import "github.com/topo-dev/topo/stream"

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
	Strings:        Strings{Quotes: "\"'"},
	Family:         "php",
	NamedArguments: true,
	Role:           stream.RoleImpl,
}
