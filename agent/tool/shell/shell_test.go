package shell

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/topo-dev/topo/agent"
)

// helperArg makes this test binary the helper that puts on the confinement,
// serveArg a program that reaches a server of its own.
const (
	helperArg = "confine-helper"
	serveArg  = "serve"
	hardenArg = "harden"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == serveArg {
		serve()
		return
	}
	if len(os.Args) == 2 && os.Args[1] == hardenArg {
		_ = Harden() // whether it helps is what the test looks at
		cmd := exec.Command("cat", "/proc/"+strconv.Itoa(os.Getpid())+"/environ")
		cmd.Env, cmd.Stdout = []string{"PATH=/usr/bin:/bin"}, os.Stdout
		_ = cmd.Run()
		return
	}
	if len(os.Args) == 3 && os.Args[1] == helperArg {
		if err := ExecConfined(os.Args[2]); err != nil {
			_, _ = os.Stderr.WriteString(err.Error() + "\n")
			os.Exit(126)
		}
		return
	}
	os.Exit(m.Run())
}

// serve answers itself over the loopback device.
func serve() {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		_, _ = os.Stdout.WriteString(err.Error() + "\n")
		return
	}
	go func() {
		if c, err := ln.Accept(); err == nil {
			_, _ = c.Write([]byte("served\n"))
			c.Close()
		}
	}()
	c, err := net.Dial("tcp4", ln.Addr().String())
	if err != nil {
		_, _ = os.Stdout.WriteString(err.Error() + "\n")
		return
	}
	_, _ = io.Copy(os.Stdout, c)
}

func bash(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed; install it with the system's package manager")
	}
	return path
}

func options(t *testing.T) Options {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return Options{Dir: dir, Shell: bash(t), Env: Env(os.Environ(), nil)}
}

func run(t *testing.T, o Options, command string, timeout int) agent.Output {
	t.Helper()
	in, err := json.Marshal(input{Command: command, Timeout: max(timeout, 60)})
	if timeout > 0 {
		in, err = json.Marshal(input{Command: command, Timeout: timeout})
	}
	if err != nil {
		t.Fatal(err)
	}
	out, err := Tool(o).Run(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestRun(t *testing.T) {
	o := options(t)
	for _, c := range []struct {
		name, command, want string
		failed              bool
	}{
		{"output", "echo a; echo b >&2; echo c", "a\nb\nc\n", false},
		{"nothing", "true", "[no output, exit code 0]\n", false},
		{"no newline", "printf x", "x\n", false},
		{"exit code", "echo a; exit 3", "a\n[exit code 3]\n", true},
		{"signal", "kill -9 $$", "[ended by signal 9, killed]\n", true},
		{"signal of a child", "sh -c 'kill -15 $$'", "", true},
		{"root", "pwd", o.Dir + "\n", false},
		{"closed input", "cat; echo $?", "0\n", false},
		{"no such command", "surely-no-such-command", "command not found", true},
		{"syntax", "if then", "syntax error", true},
		{"escapes", `printf '\033[31mred\033[0m \033]0;title\007x\n'`, "red x\n", false},
		{"progress", `printf '10%%\r20%%\rdone\n'`, "done\n", false},
		{"own shell", "cd /; x=1; true", "[no output", false},
		{"and the next", "pwd; echo \"[$x]\"", o.Dir + "\n[]\n", false},
	} {
		out := run(t, o, c.command, 0)
		if !strings.Contains(out.Text, c.want) || out.IsError != c.failed {
			t.Errorf("%s: %q, failed %v; want %q, %v", c.name, out.Text, out.IsError, c.want, c.failed)
		}
	}
}

func TestTimeout(t *testing.T) {
	out := run(t, options(t), "echo begun; sleep 1000", 1)
	if !out.IsError || !strings.HasPrefix(out.Text, "begun\n[timed out after 1s") || len(out.Hints) == 0 {
		t.Errorf("%+v", out)
	}
}

// alive is the number of processes that run for no other reason than the test:
// each sleeps for a time that nothing else sleeps for.
func alive(t *testing.T, seconds string) int {
	t.Helper()
	dirs, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil || len(dirs) == 0 {
		t.Skip("processes cannot be listed without /proc")
	}
	n := 0
	for _, d := range dirs {
		if b, err := os.ReadFile(d); err == nil && strings.Contains(string(b), "sleep\x00"+seconds+"\x00") {
			n++
		}
	}
	return n
}

func TestNothingIsLeft(t *testing.T) {
	for name, command := range map[string]string{
		"4711.01": "sleep 4711.01 & echo started",
		"4711.02": "nohup sleep 4711.02 >/dev/null 2>&1 & disown; echo started",
		"4711.03": "setsid sleep 4711.03 & echo started",
		"4711.04": "setsid sh -c 'setsid sleep 4711.04 & exit' & echo started; wait",
		"4711.05": "(trap '' TERM HUP; sleep 4711.05 & sleep 4711.05) & echo started",
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			if out := run(t, options(t), command, 0); !strings.Contains(out.Text, "started") {
				t.Errorf("%q", out.Text)
			}
			if n := alive(t, name); n != 0 {
				t.Errorf("%d processes are left", n)
			}
		})
	}
}

func TestCancel(t *testing.T) {
	o := options(t)
	fifo := filepath.Join(o.Dir, "begun")
	if out, err := exec.Command("mkfifo", fifo).CombinedOutput(); err != nil {
		t.Skipf("mkfifo: %s", out)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, _ = os.ReadFile(fifo) // returns when the command has begun
		cancel()
	}()
	in, _ := json.Marshal(input{Command: "trap '' TERM; sleep 4712.5 & echo x > begun; sleep 4712.5; sleep 4712.5"})
	_, err := Tool(o).Run(ctx, in)
	if err == nil || !strings.Contains(err.Error(), "stopped") {
		t.Errorf("error %v", err)
	}
	if n := alive(t, "4712.5"); n != 0 {
		t.Errorf("%d processes are left", n)
	}
}

func TestEnvironment(t *testing.T) {
	env := Env([]string{"PATH=/bin", "HOME=/h", "LC_ALL=C", "ANTHROPIC_API_KEY=k", "GITHUB_TOKEN=t", "AWS_SECRET_ACCESS_KEY=s",
		"SSH_AUTH_SOCK=/s", "BASH_ENV=/evil", "LD_PRELOAD=/evil", "BASH_FUNC_ls%%=() { evil; }", "PROMPT_COMMAND=x", "MINE=m", "broken", "=x",
		"GOPROXY=https://user:pw@proxy.example/", "https_proxy=http://127.0.0.1:8080"}, []string{"MINE"})
	want := append([]string{"HOME=/h", "LC_ALL=C", "MINE=m", "PATH=/bin", "https_proxy=http://127.0.0.1:8080"}, set...)
	if !slices.Equal(env, want) {
		t.Errorf("environment %q\nwant %q", env, want)
	}
	t.Setenv("OPENAI_API_KEY", "sk-secret-value")
	o := options(t)
	if out := run(t, o, "env; cat /proc/$$/environ", 0); strings.Contains(out.Text, "sk-secret-value") || !strings.Contains(out.Text, "TERM=dumb") {
		t.Errorf("%q", out.Text)
	}
}

func TestHarden(t *testing.T) {
	if _, err := os.Stat("/proc/self/environ"); err != nil || os.Geteuid() == 0 {
		t.Skip("run as a user who is not root, on a system with /proc")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, hardenArg)
	cmd.Env = []string{"SECRET_KEY=sk-secret-value"}
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(string(out), "sk-secret-value") {
		t.Errorf("%v, %q", err, out)
	}
}

func TestLongOutput(t *testing.T) {
	out := run(t, options(t), "echo first; head -c 20000000 /dev/zero | tr '\\0' x; echo; echo last", 0)
	if len(out.Text) > 2*keep+200 || !strings.HasPrefix(out.Text, "first\nxxx") || !strings.HasSuffix(out.Text, "xxx\nlast\n") ||
		!strings.Contains(out.Text, "bytes were not kept") {
		t.Errorf("%d bytes, %.20q … %.20q", len(out.Text), out.Text, out.Text[len(out.Text)-20:])
	}
}

func TestAccess(t *testing.T) {
	tool := Tool(options(t))
	list, err := tool.Access(json.RawMessage(`{"command":"git status && rm -rf x"}`))
	if err != nil || len(list) != 1 || list[0] != (agent.Access{Op: agent.OpExec, Command: "git status && rm -rf x"}) {
		t.Errorf("%v, %v", list, err)
	}
	for _, in := range []string{`{"command":""}`, `{"command":" \n"}`, `{"command":"a\u0000b"}`, `{"command":"x","timeout":601}`} {
		if _, err := tool.Access(json.RawMessage(in)); err == nil {
			t.Errorf("%s: no error", in)
		}
	}
	if s := tool.Spec(); s.ReadOnly || !s.Destructive || s.Name != "bash" {
		t.Errorf("%+v", s)
	}
	o := options(t)
	o.Shell = "/nowhere/bash"
	if _, err := Tool(o).Run(t.Context(), json.RawMessage(`{"command":"x"}`)); err == nil || !strings.Contains(err.Error(), "run the command") {
		t.Errorf("error %v", err)
	}
}

func BenchmarkRun(b *testing.B) {
	path, err := exec.LookPath("bash")
	if err != nil {
		b.Skip("bash is not installed")
	}
	tool := Tool(Options{Dir: b.TempDir(), Shell: path, Env: Env(os.Environ(), nil)})
	for b.Loop() {
		if _, err := tool.Run(b.Context(), json.RawMessage(`{"command":"true"}`)); err != nil {
			b.Fatal(err)
		}
	}
}

func TestWindow(t *testing.T) {
	var w window
	for i := range 3000 {
		w.write([]byte(strings.Repeat(string(rune('a'+i%26)), 4093)))
	}
	total := int64(3000 * 4093)
	s := w.String()
	if w.lost != total-2*keep || len(s) < 2*keep || !strings.HasPrefix(s, "aaa") || !strings.HasSuffix(s, strings.Repeat(string(rune('a'+2999%26)), 4093)) {
		t.Errorf("lost %d of %d, %d bytes", w.lost, total, len(s))
	}
	var small window
	small.write([]byte("ab"))
	if small.String() != "ab" {
		t.Errorf("%q", small.String())
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"a\x1b[31mb\x1b[0m", "\x1b]0;t\x07x", "\x1b]8;;http\x1b\\x", "a\rb\r\n", "\x1b", "\x1b[", "\x1b[12", "\x1bP\n", "\xff\r\r"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := readableOutput(s)
		if strings.ContainsAny(got, "\x1b\r") {
			t.Errorf("clean(%q) = %q", s, got)
		}
		if !strings.ContainsAny(s, "\x1b\r") && got != strings.ToValidUTF8(s, "\uFFFD") {
			t.Errorf("plain text changed: %q to %q", s, got)
		}
	})
}
