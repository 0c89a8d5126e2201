package permission

import (
	"path"
	"strings"

	"github.com/topo-dev/topo/internal/lazy"
)

// danger is an argument that makes an otherwise plain command run a program,
// or write a file, that a rule on its first words did not mean.
type danger struct {
	long   string // options with two dashes, without them; abbreviations count too
	short  string // options with one dash: the letter within a cluster, or whole words
	words  string // other words, such as subcommands
	global string // options that count before the first word without a dash only
	why    string
}

// dangerous by name of the command. Sources are the manuals of the programs.
var dangerous = map[string][]danger{
	"ack":    {{long: "pager", why: "runs a pager"}},
	"ag":     {{long: "pager", why: "runs a pager"}},
	"awk":    {{long: "file load include", short: "f", why: "runs a script"}},
	"cargo":  {{long: "config", why: "can name programs to run"}, {words: "run install", why: "runs a program"}},
	"curl":   {{long: "output config remote-name upload-file dump-header cookie-jar", short: "OoKTDc", why: "reads or writes files"}},
	"diff":   {{long: "output", why: "writes a file"}},
	"docker": {{words: "run exec", why: "runs a program with other rights"}},
	"find":   {{short: "-delete -fprint -fprint0 -fprintf -fls -ok -okdir", why: "deletes or writes files"}},
	"git": {
		{global: "-c -C --exec-path --git-dir --work-tree --config-env --namespace --super-prefix --bare -p --paginate --attr-source", why: "can make git run a program"},
		{long: "upload-pack receive-pack exec ext-diff textconv open-files-in-pager template extcmd tool gpg-sign", short: "O x", why: "makes git run a program"},
		{long: "output output-directory no-index", why: "reaches files by any path"},
		{words: "config submodule bisect filter-branch difftool mergetool instaweb hook daemon credential send-email remote-ext maintenance rebase clone init worktree am archive bundle fast-import", why: "can make git run a program or write elsewhere"},
	},
	"go": {
		{short: "-exec -toolexec -vettool -modfile -overlay -C -o -coverprofile -cpuprofile -memprofile -mutexprofile -blockprofile -trace -outputdir", long: "exec toolexec vettool modfile overlay C o coverprofile cpuprofile memprofile", why: "runs a program or writes a file"},
		{words: "run generate tool install get env telemetry", why: "runs a program or changes settings"},
	},
	"gofmt":  {{short: "w r -cpuprofile", why: "writes files"}},
	"less":   {{long: "log-file LOG-FILE lesskey-file", short: "oOk", why: "writes a file"}, {words: "+", why: "runs commands"}},
	"make":   {{long: "eval file makefile directory include-dir", short: "fCI", why: "runs another file of rules"}, {words: "SHELL", why: "sets the shell"}},
	"man":    {{long: "pager html", short: "PH", why: "runs a pager"}},
	"node":   {{long: "eval print require import loader", short: "epr", why: "runs code"}},
	"npm":    {{words: "exec x explore config set install i ci add edit pack publish", why: "runs a program or changes settings"}, {long: "script-shell prefix node-options userconfig globalconfig", why: "runs a program"}},
	"perl":   {{short: "eEMIi", why: "runs code"}},
	"pip":    {{words: "install download wheel config", why: "runs programs that it downloads"}},
	"printf": {{short: "v", why: "sets a variable"}},
	"python": {{short: "c m", why: "runs code"}}, "python3": {{short: "c m", why: "runs code"}},
	"rg":    {{long: "pre hostname-bin", why: "runs a program"}},
	"rsync": {{long: "rsh rsync-path", short: "e", why: "runs a program"}},
	"ruby":  {{short: "erI", why: "runs code"}},
	"sed":   {{long: "file in-place", short: "if", why: "writes files or runs a script"}},
	"sort":  {{long: "output compress-program", short: "o", why: "writes a file or runs a program"}},
	"tar":   {{long: "to-command checkpoint-action use-compress-program rsh-command info-script new-volume-script", short: "IF", why: "runs a program"}},
	"tree":  {{short: "o", why: "writes a file"}},
	"unzip": {{short: "d", why: "writes elsewhere"}},
	"wget":  {{long: "output-document use-askpass execute config", short: "Oe", why: "writes a file or runs a program"}},
	"zip":   {{long: "unzip-command", short: "T", why: "runs a program"}},
}

// shellState are commands of the shell that change what later words mean.
var shellState = map[string]bool{"alias": true, "bind": true, "complete": true, "compopt": true, "enable": true, "getopts": true,
	"hash": true, "mapfile": true, "read": true, "readarray": true, "set": true, "shopt": true, "unalias": true, "unset": true, "wait": true}

// plainScript tells, of commands that take a script as an argument, the
// arguments that are surely none or a harmless one.
var plainScript = map[string]func(string) bool{
	"awk": plainAwk, "gawk": plainAwk, "mawk": plainAwk, "nawk": plainAwk,
	"sed": lazy.Matcher(`^([0-9$]+(,[+0-9$]+)?[pdq]|s/[^/\\\n]*/[^/\\\n]*/[gpiI0-9]*|[\w./-]+\.\w+|[\w.-]*/[\w./-]*)$`),
}

func plainAwk(s string) bool {
	return !strings.ContainsAny(s, "|>@") && !strings.Contains(s, "system") && !strings.Contains(s, "getline")
}

// argumentRisks lists what a rule on the first words does not cover in the
// arguments.
func argumentRisks(args []word) (list []risk) {
	name := path.Base(args[0].text)
	if shellState[name] && len(args) > 1 {
		list = append(list, risk{why: name + " changes the shell"})
	}
	if plain := plainScript[name]; plain != nil {
		for _, w := range args[1:] {
			if w.static && !strings.HasPrefix(w.text, "-") && !plain(w.text) {
				list = append(list, risk{word: w.text, why: "a script of " + name + " can run commands and write files"})
			}
		}
	}
	for _, d := range dangerous[name] {
		before := true // the first word without a dash
		for _, w := range args[1:] {
			if w.static && d.hits(w.text, before) {
				list = append(list, risk{word: w.text, why: name + " " + clip(w.text) + " " + d.why})
			}
			before = before && strings.HasPrefix(w.text, "-")
		}
	}
	return list
}

func (d danger) hits(w string, before bool) bool {
	option, _, _ := strings.Cut(w, "=")
	switch {
	case before && d.global != "":
		for g := range strings.FieldsSeq(d.global) {
			if option == g || len(g) == 2 && strings.HasPrefix(w, g) || strings.HasPrefix(g, "--") && len(option) > 2 && strings.HasPrefix(g, option) {
				return true
			}
		}
	case strings.HasPrefix(w, "--"):
		for l := range strings.FieldsSeq(d.long) {
			if len(option) > 2 && strings.HasPrefix(l, option[2:]) {
				return true
			}
		}
		return false
	}
	if strings.HasPrefix(w, "-") && len(w) > 1 {
		for s := range strings.FieldsSeq(d.short) {
			if strings.HasPrefix(s, "-") {
				if option == s {
					return true
				}
			} else if !strings.HasPrefix(w, "--") && strings.ContainsAny(w[1:], s) {
				return true
			}
		}
		return false
	}
	for x := range strings.FieldsSeq(d.words) {
		if option == x || x == "+" && strings.HasPrefix(w, "+") {
			return true
		}
	}
	return false
}

func clip(s string) string {
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:60], "") + "…"
	}
	return s
}
