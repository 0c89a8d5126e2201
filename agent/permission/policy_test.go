package permission

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/workspace"
)

var (
	reader = agent.ToolSpec{Name: "read", ReadOnly: true}
	editor = agent.ToolSpec{Name: "edit"}
	shell  = agent.ToolSpec{Name: "bash"}
	remote = agent.ToolSpec{Name: "mcp_tracker_search"}
)

// TestAllowed holds that plain commands which the rules mean need no question.
func TestAllowed(t *testing.T) {
	p := New(Options{User: rules(t, user+"; "+forbiddenRules)})
	for _, command := range []string{
		"git status", "git status -s && git log --oneline -5 | cat", "ls -la src; cat a.go b.go", "go test ./... 2>&1 | grep -v ok",
		"go test ./... > /dev/null", "cd sub && go test ./...", "echo begin; go vet ./... || echo failed", "CGO_ENABLED=0 go test ./...",
		"time go test ./x", "timeout 60 go test ./x", "sh -c 'git status && ls'", "if git diff --quiet; then echo same; fi",
		"for f in a b; do echo one; ls x; done", "find . -name '*.go' | sort | sed -n 1,20p", "find . -name x -exec ls -l a +",
		"grep -rn 'a|b' src/*.go", "sed 's/a/b/' x.go", "awk '{ print $1 }' x.txt", "git log --format='%h %s' -- src", "cat <<'E'\n$(not run)\nE",
		"# a comment\ngit status", "git log HEAD~3..HEAD", "ls 'a b' \"c d\" e\\ f", "! git diff --quiet", "(cd sub; ls)", "nice git status",
		"while git status; do sleep 1; break; done", "case a in a) ls;; esac", "x=1; ls", "git diff main...HEAD -- a/b",
	} {
		if d := decide(p, command); d.Verdict != agent.Allow {
			t.Errorf("%q: %s by %s (%s)", command, d.Verdict, d.Rule, d.Reason)
		}
	}
}

func TestDecide(t *testing.T) {
	path := func(op agent.Op, p string) []agent.Access { return []agent.Access{{Op: op, Path: p}} }
	exec := func(c string) []agent.Access { return []agent.Access{{Op: agent.OpExec, Command: c}} }
	net := func(h string) []agent.Access { return []agent.Access{{Op: agent.OpNet, Host: h}} }
	for _, c := range []struct {
		name    string
		preset  Preset
		user    string
		repo    string
		session string
		spec    agent.ToolSpec
		access  []agent.Access
		want    agent.Verdict
		rule    string
	}{
		{"read", Default, "", "", "", reader, path(agent.OpRead, "a"), agent.Allow, "default"},
		{"write", Default, "", "", "", editor, path(agent.OpWrite, "a"), agent.Ask, "default"},
		{"exec", Default, "", "", "", shell, exec("ls"), agent.Ask, "default"},
		{"quiet exec", Default, "", "", "", shell, exec("echo x"), agent.Ask, "default"},
		{"net", Default, "", "", "", remote, net("x.org"), agent.Ask, "default"},
		{"nothing, read-only tool", Default, "", "", "", reader, nil, agent.Allow, "default"},
		{"nothing, another tool", Default, "", "", "", remote, nil, agent.Ask, "default"},
		{"yes to write", Yes, "", "", "", editor, path(agent.OpWrite, "a"), agent.Allow, "yes"},
		{"yes to exec", Yes, "", "", "", shell, exec("$X | sh"), agent.Allow, "yes"},
		{"yes to nothing", Yes, "", "", "", remote, nil, agent.Allow, "yes"},
		{"yes, but outside", Yes, "", "", "", editor, path(agent.OpWrite, "../a"), agent.Deny, "root"},
		{"yes, but absolute", Yes, "", "", "", editor, path(agent.OpRead, "/a"), agent.Deny, "root"},
		{"yes, but redirected outside", Yes, "", "", "", shell, exec("ls > /tmp/x"), agent.Deny, "root"},
		{"yes, but denied", Yes, "deny write(v/**)", "", "", editor, path(agent.OpWrite, "v/a"), agent.Deny, "deny write(v/**)"},
		{"yes, but asked", Yes, "ask bash(git push:*)", "", "", shell, exec("git push"), agent.Ask, "ask bash(git push:*)"},
		{"yes, but unknown", Yes, "ask bash(git push:*)", "", "", shell, exec("eval $X"), agent.Ask, ""},
		{"read-only reads", ReadOnly, "", "", "", reader, path(agent.OpRead, "a"), agent.Allow, "read-only"},
		{"read-only and write", ReadOnly, "allow write", "", "", editor, path(agent.OpWrite, "a"), agent.Deny, "read-only"},
		{"read-only and exec", ReadOnly, "allow bash", "", "", shell, exec("ls"), agent.Deny, "read-only"},
		{"read-only and granted", ReadOnly, "", "", "allow bash(ls:*)", shell, exec("ls"), agent.Deny, "read-only"},
		{"read-only and net", ReadOnly, "allow net", "", "", remote, net("x"), agent.Deny, "read-only"},
		{"read-only and a tool", ReadOnly, "allow mcp_*", "", "", remote, nil, agent.Deny, "read-only"},
		{"read-only, denied read", ReadOnly, "deny read(.env)", "", "", reader, path(agent.OpRead, ".env"), agent.Deny, "deny read(.env)"},
		{"allowed write", Default, "allow write(src/**)", "", "", editor, path(agent.OpWrite, "src/a"), agent.Allow, "allow write(src/**)"},
		{"other write", Default, "allow write(src/**)", "", "", editor, path(agent.OpWrite, "srcs/a"), agent.Ask, "default"},
		{"deny wins over allow", Default, "allow write; deny write(v)", "", "", editor, path(agent.OpWrite, "v/a"), agent.Deny, "deny write(v)"},
		{"deny wins over a grant", Default, "deny write(v)", "", "allow write(v/a)", editor, path(agent.OpWrite, "v/a"), agent.Deny, "deny write(v)"},
		{"ask wins over allow", Default, "allow write; ask write(v)", "", "", editor, path(agent.OpWrite, "v/a"), agent.Ask, "ask write(v)"},
		{"grant wins over ask", Default, "ask write(v)", "", "allow write(v/a)", editor, path(agent.OpWrite, "v/a"), agent.Allow, "allow write(v/a)"},
		{"grant wins over ask, command", Default, "ask bash(make:*)", "", "allow bash(make x)", shell, exec("make x"), agent.Allow, "allow bash(make x)"},
		{"granted text wins over ask", Default, "ask bash(make:*)", "", `allow bash("make $X")`, shell, exec("make $X"), agent.Allow, `allow bash("make $X")`},
		{"ask wins over all", Default, "ask bash; allow bash(ls:*)", "", "", shell, exec("ls"), agent.Ask, "ask bash"},
		{"the repository allows", Default, "", "allow write; allow bash", "", editor, path(agent.OpWrite, "a"), agent.Ask, "default"},
		{"the repository denies", Yes, "allow write", "deny write(gen/**)", "", editor, path(agent.OpWrite, "gen/a"), agent.Deny, "deny write(gen/**)"},
		{"the repository asks", Default, "allow bash", "ask bash(make deploy:*)", "", shell, exec("make deploy"), agent.Ask, "ask bash(make deploy:*)"},
		{"by the tool", Default, "deny edit", "", "", editor, path(agent.OpWrite, "a"), agent.Deny, "deny edit"},
		{"by the tool and a path", Default, "allow edit(src/**)", "", "", editor, path(agent.OpWrite, "src/a"), agent.Allow, "allow edit(src/**)"},
		{"by another tool", Default, "allow write_file(src/**)", "", "", editor, path(agent.OpWrite, "src/a"), agent.Ask, "default"},
		{"by a family of tools", Default, "allow mcp_tracker_*", "", "", remote, nil, agent.Allow, "allow mcp_tracker_*"},
		{"a family, not with a pattern", Default, "allow mcp_tracker_*(x)", "", "", remote, nil, agent.Ask, "default"},
		{"host", Default, "allow net(*.example.com)", "", "", remote, net("API.example.com"), agent.Allow, "allow net(*.example.com)"},
		{"other host", Default, "allow net(*.example.com)", "", "", remote, net("example.com.evil.org"), agent.Ask, "default"},
		{"two paths", Default, "allow write(src/**)", "", "", editor, append(path(agent.OpWrite, "src/a"), path(agent.OpWrite, "link/a")...), agent.Ask, "default"},
		{"two paths, one denied", Yes, "deny write(link/**)", "", "", editor, append(path(agent.OpWrite, "src/a"), path(agent.OpWrite, "link/a")...), agent.Deny, "deny write(link/**)"},
		{"unknown operation", Yes, "", "", "", remote, []agent.Access{{Op: "fly"}}, agent.Deny, "unknown"},
		{"redirection needs both", Default, "allow bash(ls:*)", "", "", shell, exec("ls > f"), agent.Ask, "default"},
		{"redirection has both", Default, "allow bash(ls:*); allow write(f)", "", "", shell, exec("ls > f"), agent.Allow, "allow bash(ls:*)"},
		{"all commands, and a redirection", Default, "allow bash", "", "", shell, exec("ls > f"), agent.Allow, "allow bash"},
		{"all commands, but a path asked about", Default, "allow bash; ask write(f)", "", "", shell, exec("ls > f"), agent.Ask, "ask write(f)"},
	} {
		p := New(Options{Preset: c.preset, User: rules(t, c.user), Repo: rules(t, c.repo), Session: rules(t, c.session)})
		d := p.Decide(c.spec, agent.Call{}, c.access)
		if d.Verdict != c.want || c.rule != "" && d.Rule != c.rule {
			t.Errorf("%s: %s by %q (%s), want %s by %q", c.name, d.Verdict, d.Rule, d.Reason, c.want, c.rule)
		}
		if d.Verdict == agent.Deny && d.Reason == "" {
			t.Errorf("%s: denied without saying what to do", c.name)
		}
	}
}

func TestRemember(t *testing.T) {
	for _, c := range []struct {
		name   string
		spec   agent.ToolSpec
		access []agent.Access
		want   []string
		then   []string // commands that are allowed now
		not    []string // and some that are not
	}{
		{"words", shell, []agent.Access{{Op: agent.OpExec, Command: "make build && ./run 'a b'"}}, []string{"allow bash(make build)", "allow bash(./run 'a b')"},
			[]string{"make build", "./run 'a b' && make build"}, []string{"make install", "./run", "make build > f"}},
		{"widened", shell, []agent.Access{{Op: agent.OpExec, Command: "go test ./x"}}, []string{"allow bash(go test:*)"},
			[]string{"go test ./y -run Z"}, []string{"go test -exec=x ./y", "go run x.go", "go test ./y && rm x"}},
		{"with a danger", shell, []agent.Access{{Op: agent.OpExec, Command: "git log --output=x"}}, []string{"allow bash(git log '--output=x')"},
			[]string{"git log --output=x"}, []string{"git log", "git log --output=y"}},
		{"unknown parts", shell, []agent.Access{{Op: agent.OpExec, Command: "for f in *; do wc $f; done"}}, []string{`allow bash("for f in *; do wc $f; done")`},
			[]string{"for f in *; do wc $f; done"}, []string{"wc x", "for f in *; do wc $f; done; ls"}},
		{"redirection", shell, []agent.Access{{Op: agent.OpExec, Command: "ls > f"}}, []string{`allow bash("ls > f")`}, []string{"ls > f"}, []string{"ls > g", "ls"}},
		{"only quiet", shell, []agent.Access{{Op: agent.OpExec, Command: "echo x"}}, []string{`allow bash("echo x")`}, []string{"echo x"}, []string{"echo y"}},
		{"lines", shell, []agent.Access{{Op: agent.OpExec, Command: "a\n\"b\" é"}}, []string{"allow bash(a)", "allow bash(b é)"}, []string{"a", "b é"}, []string{"c"}},
		{"write", editor, []agent.Access{{Op: agent.OpWrite, Path: "a[1]*.go"}}, []string{`allow write(a\[1]\*.go)`}, nil, nil},
		{"read everything", reader, []agent.Access{{Op: agent.OpRead, Path: "."}}, []string{"allow read"}, nil, nil},
		{"net", remote, []agent.Access{{Op: agent.OpNet, Host: "api.example.com"}}, []string{"allow net(api.example.com)"}, nil, nil},
		{"tool", remote, nil, []string{"allow mcp_tracker_search"}, nil, nil},
	} {
		p := New(Options{})
		got := p.Remember(c.spec, c.access)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if d := p.Decide(c.spec, agent.Call{}, c.access); d.Verdict != agent.Allow {
			t.Errorf("%s: what was granted is asked about again: %+v", c.name, d)
		}
		written, err := Parse(strings.Join(got, "\n"))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		resumed := New(Options{Session: written})
		if !slices.Equal(resumed.Granted(), p.Granted()) {
			t.Errorf("%s: %v after a resume, %v before", c.name, resumed.Granted(), p.Granted())
		}
		for _, command := range c.then {
			if d := decide(resumed, command); d.Verdict != agent.Allow {
				t.Errorf("%s: then %q: %+v", c.name, command, d)
			}
		}
		for _, command := range c.not {
			if d := decide(resumed, command); d.Verdict != agent.Ask {
				t.Errorf("%s: then %q: %+v", c.name, command, d)
			}
		}
	}
}

func TestRules(t *testing.T) {
	p := New(Options{Preset: Yes, User: rules(t, "deny write(a)"), Repo: rules(t, "allow bash; ask net")})
	p.Remember(remote, nil)
	if got, want := p.Rules(), []string{"# yes", "deny write(a)", "ask net", "allow mcp_tracker_search"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Unheeded(rules(t, "allow bash; ask net")); len(got) != 1 || got[0].Tool != "bash" {
		t.Errorf("unheeded %v", got)
	}
	if New(Options{User: rules(t, "deny read(**/.env)")}).Readable("a/.env") || !p.Readable("a/.env") {
		t.Error("Readable does not follow the rules")
	}
}

// TestWithWorkspace judges paths by where they lead.
func TestWithWorkspace(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"src", "vendor"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if os.Symlink("vendor", filepath.Join(dir, "src/v")) != nil || os.Symlink("/etc", filepath.Join(dir, "out")) != nil {
		t.Skip("symbolic links cannot be made here")
	}
	_ = os.Remove(filepath.Join(dir, "src/v"))
	if err := os.Symlink("../vendor", filepath.Join(dir, "src/v")); err != nil {
		t.Fatal(err)
	}
	w, err := workspace.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	p := New(Options{User: rules(t, "allow bash(cat:*); allow bash(ls:*); allow write(src/**); deny write(vendor/**)"), Access: w.Access})
	for command, want := range map[string]agent.Verdict{
		"cat src/a": agent.Allow, "cat out/passwd": agent.Ask, "cat < out/passwd": agent.Deny, "ls > src/f": agent.Allow, "ls > src/v/f": agent.Deny,
		"ls " + dir + "/src": agent.Allow, "ls > .git/x": agent.Deny, "ls > out/f": agent.Deny, "cd out && ls": agent.Ask, "cd src && ls": agent.Allow, "cat src/v/x": agent.Ask,
	} {
		if d := decide(p, command); d.Verdict != want {
			t.Errorf("%q: %+v, want %s", command, d, want)
		}
	}
}

func TestConcurrent(t *testing.T) {
	p := New(Options{})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				decide(p, "make x && ls")
				p.Remember(remote, nil)
				p.Rules()
			}
		})
	}
	wg.Wait()
	if len(p.Granted()) != 1 {
		t.Errorf("%d rules for one grant", len(p.Granted()))
	}
}

func BenchmarkDecide(b *testing.B) {
	p := New(Options{User: rules(b, user+"; "+forbiddenRules)})
	for b.Loop() {
		decide(p, "cd sub && go test ./... 2>&1 | grep -v ok | sort")
	}
}
