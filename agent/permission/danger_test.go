package permission

import (
	"slices"
	"strings"
	"testing"
)

// examples are, for each command that is listed, what is dangerous and what is
// plain. A command without an example fails the test.
var examples = map[string]struct{ bad, good []string }{
	"ack":     {[]string{"--pager=less x", "--pag x"}, []string{"-l x"}},
	"ag":      {[]string{"--pager less x"}, []string{"x src"}},
	"awk":     {[]string{"-f x.awk", "--file=x", "'{ print | \"sh\" }'", "'BEGIN { system(\"x\") }'", "'{ print > \"f\" }'", "'@include \"x\"'"}, []string{"'{ print $2 }' f", "-F: '{ n += $1 } END { print n }' f"}},
	"cargo":   {[]string{"run", "install x", "--config=build.rustc-wrapper=x build"}, []string{"test", "build --release"}},
	"curl":    {[]string{"-o f x", "-sO x", "--output f x", "-K f", "-T f x", "--outp f x"}, []string{"-s x"}},
	"diff":    {[]string{"--output=f a b"}, []string{"-u a b"}},
	"docker":  {[]string{"run x", "exec x y"}, []string{"ps"}},
	"find":    {[]string{". -delete", ". -fprint f", ". -fprintf f x", ". -fls f"}, []string{". -name x -type f -newer y"}},
	"git":     {[]string{"-c a=b log", "-p log", "--git-dir=x log", "log --output=f", "diff --ext-diff", "grep -Ox y", "config a b", "rebase main", "clone x", "fetch --upload-pack=x y", "submodule update", "--exec-p=x status", "difftool", "blame --textconv f"}, []string{"status", "log -p", "diff --stat main", "show HEAD:f", "commit -m x", "branch -a", "add f", "log --oneline -n 5"}},
	"go":      {[]string{"test -exec x", "test -exec=x", "build -toolexec x", "vet -vettool=x", "build -o f", "run x", "generate", "test -coverprofile=f", "test --exec=x", "env -w A=b", "install x", "build -overlay=x", "-C x build"}, []string{"test ./... -run X -count=1", "vet ./...", "build ./...", "list -json ./...", "mod tidy", "doc x"}},
	"gofmt":   {[]string{"-w f", "-cpuprofile f", "-r x f"}, []string{"-l ."}},
	"less":    {[]string{"-o f x", "--log-file=f x", "+!x f"}, []string{"f"}},
	"make":    {[]string{"-f x", "--eval=x", "-C x", "SHELL=x", "--file=x", "-I x"}, []string{"test", "-j4 build", "V=1"}},
	"man":     {[]string{"-P x y", "--pager=x y"}, []string{"ls"}},
	"node":    {[]string{"-e x", "--eval=x", "-p x", "--require=x y", "-r x y"}, []string{"x.js"}},
	"npm":     {[]string{"exec x", "install", "config set a b", "test --script-shell=x", "i x"}, []string{"test", "run build"}},
	"perl":    {[]string{"-e x", "-ne x", "-i x", "-MX x"}, []string{"x.pl"}},
	"pip":     {[]string{"install x", "download x"}, []string{"list"}},
	"printf":  {[]string{"-v x y"}, []string{"x"}},
	"python":  {[]string{"-c x", "-m x"}, []string{"x.py"}},
	"python3": {[]string{"-c x", "-m x", "-Ic x"}, []string{"x.py"}},
	"rg":      {[]string{"--pre x y", "--pre=x y", "--hostname-bin=x y"}, []string{"-n x src"}},
	"rsync":   {[]string{"-e x a b", "--rsh=x a b", "-ae x a b"}, []string{"-a a b"}},
	"ruby":    {[]string{"-e x", "-rx y"}, []string{"x.rb"}},
	"sed":     {[]string{"-i s/a/b/ f", "-ni s/a/b/ f", "--in-place s/a/b/ f", "-f x f", "'1e x' f", "'w f' x", "s/a/b/w f", "s/a/b/e f", "'s/a/b/; e' f"}, []string{"-n 1,20p f.go", "s/a/b/g f.go", "'$d' f.go", "-n 5p src/f"}},
	"sort":    {[]string{"-o f x", "-uo f x", "--output=f x", "--compress-program=x y"}, []string{"-k2 -n f", "-u f"}},
	"tar":     {[]string{"xf a --to-command=x", "-I x -xf a", "xf a --checkpoint-action=exec=x", "-F x -cf a b"}, []string{"-tf a", "-czf a b"}},
	"tree":    {[]string{"-o f"}, []string{"-L 2"}},
	"unzip":   {[]string{"-d x a"}, []string{"-l a"}},
	"wget":    {[]string{"-O f x", "-e x y", "--execute=x y"}, []string{"-q x"}},
	"zip":     {[]string{"-T a", "--unzip-command=x a"}, []string{"-r a b"}},
}

func TestDangers(t *testing.T) {
	for name := range dangerous {
		if len(examples[name].bad) == 0 || len(examples[name].good) == 0 {
			t.Errorf("%s has no examples", name)
		}
	}
	for name := range plainScript {
		if _, ok := examples[name]; !ok && !strings.HasSuffix(name, "awk") {
			t.Errorf("%s has no examples", name)
		}
	}
	for name, e := range examples {
		r := rule(t, "allow bash("+name+":*)")
		for _, args := range e.bad {
			if a := analyze(name + " " + args); len(a.simple) == 0 || r.allows(a.simple[0]) && len(a.unknown) == 0 {
				t.Errorf("%s %s is plain", name, args)
			}
		}
		for _, args := range e.good {
			if a := analyze(name + " " + args); len(a.simple) != 1 || !r.allows(a.simple[0]) || len(a.unknown) > 0 {
				t.Errorf("%s %s is not plain: %+v", name, args, a)
			}
		}
	}
}

// TestCarriers holds what is seen to run within other commands.
func TestCarriers(t *testing.T) {
	for _, c := range []struct{ command, runs string }{
		{"env -i -u X A=b rm x", "env, rm"}, {"sudo -u root -g x rm y", "sudo, rm"}, {"timeout -s 9 -k 1 5 rm x", "timeout, rm"}, {"nice -n 5 rm x", "nice, rm"}, {"nice rm", "nice, rm"},
		{"chroot /x rm y", "chroot, rm"}, {"xargs -0 -n 1 rm -f", "xargs, rm"}, {"setsid nohup rm x", "setsid, nohup, rm"}, {"stdbuf -o L rm", "stdbuf, rm"}, {"taskset 1 rm", "taskset, rm"},
		{"exec -a name rm x", "exec, rm"}, {"command -p rm", "command, rm"}, {"doas rm", "doas, rm"}, {"busybox rm", "busybox, rm"}, {"watch -n 1 rm", "watch, rm"}, {"env -- rm", "env, rm"}, {"/usr/bin/env rm", "/usr/bin/env, rm"},
		{"sh -c 'rm x; ls'", "sh, rm, ls"}, {"bash -euc 'rm x'", "bash, rm"}, {"sh -c 'sh -c \"rm x\"'", "sh, sh, rm"}, {"eval rm x '; ls'", "eval, rm, ls"}, {"trap 'rm x' EXIT", "trap, rm"}, {"su -c 'rm x'", "su, rm"},
		{"script -c 'rm x' f", "script, rm"}, {"find . -exec rm {} ; -o", "find, rm, -o"}, {`find . -exec rm {} \; -o -execdir ls {} +`, "find, rm, ls"}, {"fd x -x rm", "fd, rm"},
		{"a | b && c || d; e & f", "a, b, c, d, e, f"}, {"if a; then b; elif c; then d; else e; fi", "a, b, c, d, e"}, {"for i in $(a); do b; done", "b, a"}, {"f() { a; }; f", "a, f"}, {"a $(b `c`) <(d) > >(e)", "a, b, c, d, e"},
		{"case $(a) in b) c;; *) d;; esac", "a, c, d"}, {"cat <<E\n$(a)\nE", "cat, a"}, {"x=$(a) b", "b, a"}, {"x=$(a)", "a"}, {"export x=$(a)", "a"}, {"[[ -n $(a) ]]", "a"}, {"{ a; } | (b)", "a, b"}, {"! a", "a"}, {"time a", "a"}, {"a=($(b))", "b"}, {"echo ${x:-$(a)}", "echo, a"},
	} {
		var names []string
		for _, s := range analyze(c.command).simple {
			names = append(names, s.args[0].text)
		}
		want := strings.Split(c.runs, ", ")
		slices.Sort(want)
		slices.Sort(names)
		if !slices.Equal(names, want) {
			t.Errorf("%s: %q, want %q", c.command, names, want)
		}
	}
}

func TestBounds(t *testing.T) {
	for name, command := range map[string]string{
		"long":          strings.Repeat("a ", maxCommand),
		"many commands": strings.Repeat("a;", maxSimple+10),
		"nested":        strings.Repeat("env ", 20) + "a",
		"deep":          strings.Repeat("$(", 500) + strings.Repeat(")", 500),
		"deepest":       strings.Repeat("$(", maxCommand/3) + strings.Repeat(")", maxCommand/3),
		"deep groups":   strings.Repeat("{ ", maxCommand/3),
		"deep tests":    "[[ " + strings.Repeat("( ", maxCommand/3),
		"deep sums":     "((" + strings.Repeat("(", maxCommand/3),
		"deep ifs":      strings.Repeat("if ", maxCommand/4),
		"deep cases":    strings.Repeat("case a in a) ", maxCommand/14),
		"deep loops":    strings.Repeat("while a; do ", maxCommand/13),
		"backquotes":    strings.Repeat("`", maxCommand/2),
		"documents":     strings.Repeat("<<E ", maxCommand/5),
		"deep quotes":   "sh -c \"sh -c 'sh -c \\\"sh -c a\\\"'\"",
	} {
		a := analyze(command)
		if len(a.simple) > maxSimple {
			t.Errorf("%s: %d commands", name, len(a.simple))
		}
		if p := New(Options{User: rules(t, "allow bash(b:*)")}); decide(p, command).Verdict != "ask" {
			t.Errorf("%s is not asked about", name)
		}
	}
}
