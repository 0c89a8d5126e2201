package lang

import "github.com/topo-dev/topo/stream"

// Tests follow the habits of bats and shunit2.
var bashLang = Language{
	Name:         "bash",
	Display:      "Shell",
	Aliases:      []string{"sh", "shell", "zsh"},
	Extensions:   []string{".sh", ".bash", ".zsh", ".ksh", ".bats", ".sbatch", ".command"},
	Filenames:    []string{".bashrc", ".bash_profile", ".bash_aliases", ".bash_logout", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".envrc", "PKGBUILD", "APKBUILD"},
	Interpreters: []string{"bash", "sh", "zsh", "ksh", "dash", "ash", "mksh", "bats", "rbash"},
	Comment:      Comment{Line: []string{"#"}},
	TestFiles: Names{
		Prefix: []string{"test_", "test-"},
		Suffix: []string{"_test", "-test", "_tests"},
		Dirs:   []string{"bats"},
	},
	Strings: Strings{Quotes: "\"'"},
	Family:  "plain",
	Role:    stream.RoleImpl,
}
