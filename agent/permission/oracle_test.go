package permission

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/topo-dev/topo/agent"
)

// fragments are what random commands are put together from: aa is allowed, bb
// is not, and the rest is what shells make of words.
var fragments = []string{"aa", "aa", "aa", "aa x", "bb", "bb", " ", " ", " ", " ", "\n", ";", "; ", " && ", " || ", " | ", " & ", "(", ")", "{ ", "; }", "$(", ")", "`", "'", "'", "\"", "\"",
	"\\", "\\\n", "$'", "#", "# ", "!", "! ", "if ", "; then ", "; fi", "for i in a b; do ", "; done", "case a in a) ", ";; esac", "f() ", "; f", "function g ", "<<E\n", "\nE\n", "<<'E'\n", "<<-E\n\t", "<<<",
	"{aa,bb}", "{bb,x}", "a", "b", "$x", "${x:-", "}", "x=bb", "x=bb; ", "x=1 ", "eval ", "env ", "env x=1 ", "env -i ", "xargs ", "echo bb | ", "sh -c ", "bash -c ", "timeout 5 ", "nice ", "nice -n 3 ", "command ", "exec ", "time ",
	"trap bb EXIT; ", "[[ ", " ]]", "((", "))", "$((", "alias aa=bb; ", "\\a\\a", "a''a", "\"aa\"", "b''b", "&&", "|", "|&", "&", ">f", " > f", "2>&1", ">&2", "< /dev/null", ">/dev/null", "*", "?", "[ab]", "~", "\t", "-x", "--", "=", "coproc ", "select i in ",
	"until bb; do ", "break; ", "printf ", "test ", "read x", "builtin ", ". ", "<(", ">(", "@(", "é", "\u00a0", "\u2028", "[0]", "a[", "]=", "aa=", "declare ", "export ", "unset aa; ", "f(){ bb; }; ", "aa(){ bb; }; "}

// TestAgainstBash runs random commands that the policy allows in a real shell
// with a search path of two recording programs, and holds the policy to what
// ran: only what a rule allows, nothing that a rule denies, no file written.
func TestAgainstBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed; install it with the system's package manager")
	}
	bin, runs, r := recorders(t, bash), 60, rand.New(rand.NewPCG(5, 6))
	if os.Getenv("TOPO_SLOW") != "" {
		runs, r = 5000, rand.New(rand.NewPCG(7, 8))
	}
	allows := New(Options{User: rules(t, "allow bash(aa:*); allow bash(echo:*)")})
	denies := New(Options{Preset: Yes, User: rules(t, "deny bash(bb:*); deny write(f)")})
	seen := [2]int{}
	for tries := 0; (seen[0] < runs || seen[1] < runs) && tries < 2000*runs; tries++ {
		var b strings.Builder
		for range 1 + r.IntN(9) {
			b.WriteString(fragments[r.IntN(len(fragments))])
		}
		command := b.String()
		if !strings.Contains(command, "bb") && !strings.Contains(command, ">") {
			continue
		}
		for i, p := range []*Policy{allows, denies} {
			if seen[i] >= runs || decide(p, command).Verdict != agent.Allow {
				continue
			}
			seen[i]++
			ran, files := record(t, bash, bin, command)
			if strings.Contains(ran, "bb") || slices.Contains(files, "f") || i == 0 && len(files) > 0 {
				t.Errorf("%q is allowed, runs %q, writes %q", command, ran, files)
			}
		}
	}
	if seen[0] < runs || seen[1] < runs {
		t.Errorf("only %v commands were allowed: the test says little", seen)
	}
}

// recorders makes a directory of programs: aa and bb note that they ran, and
// some that run others.
func recorders(t *testing.T, bash string) string {
	t.Helper()
	bin := t.TempDir()
	for _, name := range []string{"aa", "bb"} {
		script := "#!" + bash + "\necho " + name + " >> \"$RECORD\"\n"
		if err := os.WriteFile(filepath.Join(bin, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"sh", "bash", "env", "xargs", "timeout", "nice"} {
		if real, err := exec.LookPath(name); err == nil {
			_ = os.Symlink(real, filepath.Join(bin, name))
		}
	}
	return bin
}

func record(t *testing.T, bash, bin, command string) (ran string, files []string) {
	t.Helper()
	dir, log := t.TempDir(), filepath.Join(t.TempDir(), "record")
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, bash, "--noprofile", "--norc", "-c", command)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, []string{"PATH=" + bin, "RECORD=" + log, "LC_ALL=C.UTF-8", "HOME=" + dir}, time.Second
	_ = cmd.Run() // most of these commands fail, and what ran is all that counts
	b, _ := os.ReadFile(log)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		files = append(files, e.Name())
	}
	return string(b), files
}

// FuzzAnalyze holds that any text is judged without failing, that what is
// joined to a command is seen with it, and that nothing is allowed by a rule
// on another command.
func FuzzAnalyze(f *testing.F) {
	for _, a := range attempts {
		f.Add(a.command)
	}
	p := New(Options{User: rules(f, user+"; "+forbiddenRules)})
	none := New(Options{User: rules(f, "allow bash(surely-another:*)")})
	f.Fuzz(func(t *testing.T, command string) {
		decide(p, command)
		if d := decide(none, command); d.Verdict == agent.Allow && !strings.Contains(command, "surely") {
			t.Fatalf("%q is allowed by %s", command, d.Rule)
		}
		if d := decide(p, "rm x\n"+command); d.Verdict == agent.Allow {
			t.Fatalf("%q after rm is allowed by %s", command, d.Rule)
		}
		text := New(Options{})
		text.Remember(shell, []agent.Access{{Op: agent.OpExec, Command: command}})
		for _, r := range text.Granted() {
			if again, err := ParseRule(r.String()); err != nil || again != r {
				t.Fatalf("%q is granted by %q: %v", command, r, err)
			}
		}
	})
}
