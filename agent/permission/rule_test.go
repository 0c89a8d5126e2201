package permission

import (
	"strings"
	"testing"

	"github.com/topo-dev/topo/agent"
)

func rule(t testing.TB, text string) Rule {
	t.Helper()
	r, err := ParseRule(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func rules(t testing.TB, text string) []Rule {
	t.Helper()
	list, err := Parse(strings.ReplaceAll(text, "; ", "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestParseRule(t *testing.T) {
	for _, c := range []struct {
		text string
		want Rule
	}{
		{"allow bash(git status:*)", Rule{agent.Allow, "bash", "git status:*"}},
		{"  deny   write( vendor/** ) ", Rule{agent.Deny, "write", "vendor/**"}},
		{"ask net(*.example.com)", Rule{agent.Ask, "net", "*.example.com"}},
		{"allow mcp_tracker_*", Rule{agent.Allow, "mcp_tracker_*", ""}},
		{"allow bash(*)", Rule{agent.Allow, "bash", ""}},
		{"deny read(**)", Rule{agent.Deny, "read", ""}},
		{`allow bash("a | b > (c)")`, Rule{agent.Allow, "bash", `"a | b > (c)"`}},
		{"allow bash(make 'a b')", Rule{agent.Allow, "bash", "make 'a b'"}},
		{"deny edit(a (copy).txt)", Rule{agent.Deny, "edit", "a (copy).txt"}},
	} {
		got, err := ParseRule(c.text)
		if err != nil || got != c.want {
			t.Errorf("%q: %+v, %v; want %+v", c.text, got, err, c.want)
			continue
		}
		if again, err := ParseRule(got.String()); err != nil || again != got {
			t.Errorf("%q is written as %q: %+v, %v", c.text, got, again, err)
		}
	}
	for text, want := range map[string]string{
		"":                       "begins with allow, ask or deny",
		"permit bash":            "begins with allow, ask or deny",
		"allow":                  "name of a tool",
		"allow (x)":              "name of a tool",
		"allow b/sh":             "name of a tool",
		"allow bash(git":         "no closing parenthesis",
		"allow bash()":           "nothing between",
		"allow bash(git && rm)":  "not one plain command",
		"allow bash(git $X:*)":   "not one plain command",
		"allow bash(ls > f)":     "not one plain command",
		"allow bash(:*:*)":       "",
		"allow write(/etc/**)":   "relative to the root",
		"allow write(~/x)":       "relative to the root",
		"allow write(a/../../x)": "cannot hold ..",
		"allow write([a)":        "not valid",
		"deny bash(" + strings.Repeat("x", maxRule) + ")": "too long",
		"deny bash(a\x00b)": "NUL",
	} {
		if _, err := ParseRule(text); want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%.60q: error %v, want %q", text, err, want)
		}
	}
}

func TestParse(t *testing.T) {
	list, err := Parse("# mine\n\nallow bash(go test:*)\n  deny write(vendor/**)\r\n")
	if err != nil || len(list) != 2 || list[1].Pattern != "vendor/**" {
		t.Errorf("%v, %v", list, err)
	}
	if _, err := Parse("allow bash\nnonsense\n"); err == nil || !strings.HasPrefix(err.Error(), "line 2: ") {
		t.Errorf("error %v", err)
	}
	if _, err := Parse(strings.Repeat("deny bash\n", maxRules+1)); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("error %v", err)
	}
}

func TestMatchPath(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"vendor/**", "vendor/a/b.go", true}, {"vendor/**", "vendor/a", true}, {"vendor/**", "vendor", false}, {"vendor/**", "vendors/a", false},
		{"vendor", "vendor", true}, {"vendor", "vendor/a/b", true}, {"vendor/", "vendor/a", true}, {"./vendor", "vendor/a", true}, {"vendor", "a/vendor", false},
		{"**/vendor", "a/vendor/x", true}, {"**/vendor", "vendor", true}, {"**/*.pem", "a/b/c.pem", true}, {"**/*.pem", "c.pem", true}, {"**/*.pem", "c.pem2", false},
		{"*.go", "a.go", true}, {"*.go", "b/a.go", false}, {"*", "a/b", true}, {"a/*/c", "a/b/c", true}, {"a/*/c", "a/b/d/c", false}, {"a/**/c", "a/c", true}, {"a/**/c", "a/b/d/c", true},
		{"a/**/c/**", "a/c", false}, {"a/**/c/**", "a/x/c/d", true}, {"**/a/**", "a/a", true}, {"**/a/**", "b/a", false},
		{"[ab].txt", "a.txt", true}, {`\*.txt`, "*.txt", true}, {`\*.txt`, "a.txt", false}, {"a", ".", false}, {"src/??.c", "src/ab.c", true},
	} {
		if got := rule(t, "allow write("+c.pattern+")").matchPath(c.path); got != c.want {
			t.Errorf("%s on %s: %v", c.pattern, c.path, got)
		}
	}
	if rule(t, "allow write(src)").matchPath("SRC/a") || !rule(t, "deny write(src)").matchPath("SRC/a") || !rule(t, "ask write(SRC)").matchPath("src") {
		t.Error("rules that deny and ask match regardless of case, those that allow do not")
	}
}

func TestMatchCommand(t *testing.T) {
	for _, c := range []struct {
		rule, command string
		want          bool
	}{
		{"git status:*", "git status", true}, {"git status:*", "git status -s x", true}, {"git status *", "git status -s", true}, {"git status", "git status", true},
		{"git status", "git status -s", false}, {"git status:*", "git", false}, {"git status:*", "git statusx", false}, {"git status:*", `"git" 'stat'us`, true},
		{"git status:*", `git \status`, true}, {"git status:*", "./git status", false}, {"git status:*", "/usr/bin/git status", false}, {"git:*", "git log", true},
		{"make 'a b'", "make a\\ b", true}, {"make 'a b'", "make a b", false}, {"git log:*", "git log $X", false}, {"git log:*", "git log *", false}, {"git log:*", "git log src/*.go", true},
		{"ls:*", "ls -{a,b}", false}, {"ls:*", "ls a{b}c", true}, {"echo:*", "echo $'x'", false}, {"ls:*", "ls ~", true}, {"ls:*", "ls ~root", false},
		{"find:*", "find . -name x", true}, {"find:*", "find . -delete", false}, {"find . -delete", "find . -delete", true}, {"git config:*", "git config a.b c", true}, {"git:*", "git config a.b c", false},
		{"git:*", "git -c a=b log", false}, {"git log:*", "git log --output=x", false}, {"git log:*", "git log --outp=x", false}, {"go test:*", "go test ./...", true}, {"go test:*", "go test -exec=x ./...", false},
		{"sort:*", "sort -o x y", false}, {"sort:*", "sort -uk2 x", true}, {"sed:*", "sed -n 1,20p x.go", true}, {"sed:*", "sed 1e x.go", false}, {"sed:*", "sed -i s/a/b/ x.go", false},
		{"awk:*", "awk '{print $1}' x", true}, {"awk:*", `awk 'BEGIN{system("x")}'`, false}, {"tar:*", "tar xf a.tar --to-command=sh", false},
	} {
		a := analyze(c.command)
		got := len(a.simple) == 1 && len(a.unknown) == 0 && rule(t, "allow bash("+c.rule+")").allows(a.simple[0])
		if got != c.want {
			t.Errorf("%s on %s: %v, %+v", c.rule, c.command, got, a)
		}
	}
}

// FuzzRule holds that what parses is written in a form that parses to the same
// rule, and that matching never fails.
func FuzzRule(f *testing.F) {
	for _, s := range []string{"allow bash(git status:*)", "deny write(vendor/**)", "ask *", `allow bash("x")`, "allow read([a-z]*/\\?)", "deny net(*)", "allow bash(a 'b c')"} {
		f.Add(s, "vendor/a b", "git status && x")
	}
	f.Fuzz(func(t *testing.T, text, path, command string) {
		r, err := ParseRule(text)
		if err != nil {
			return
		}
		again, err := ParseRule(r.String())
		if err != nil || again != r {
			t.Fatalf("%+v is written %q: %+v, %v", r, r, again, err)
		}
		r.matchPath(path)
		r.matchHost(path)
		if r.op() == agent.OpExec {
			r.matchesAny(analyze(command))
		}
	})
}
