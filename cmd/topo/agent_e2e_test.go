package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/topo-dev/topo/agent"
	. "github.com/topo-dev/topo/agent/provider/providertest"
	"github.com/topo-dev/topo/agent/provider/replay"
	"github.com/topo-dev/topo/agent/session"
)

// secretKey is the key of the tests. It must not be seen anywhere.
const secretKey = "sk-test-0123456789abcdef0123456789abcdef"

// need skips a test without the programs that it runs.
func need(t testing.TB, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("%s is missing: apt-get install %s", p, p)
		}
	}
}

// demoRepo is a copy of a small repository whose test fails.
func demoRepo(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "repo")
	if err := os.CopyFS(dir, replay.DemoFiles()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// ran is a run of topo agent within this process.
type ran struct {
	code        int
	out, notes  string
	events      []agent.Event
	messages    []agent.Message
	sessionsDir string
}

// runTopo runs topo agent in dir as a pipe would, and reads its events.
func runTopo(t testing.TB, ctx context.Context, dir string, env map[string]string, watch func(agent.Event), args ...string) ran {
	t.Helper()
	all := map[string]string{"HOME": filepath.Join(filepath.Dir(dir), "home")}
	for k, v := range env {
		all[k] = v
	}
	f, _, errOut := fake(all)
	var out bytes.Buffer
	f.out = &watching{w: &out, watch: watch}
	r := ran{sessionsDir: filepath.Join(stateOf(t, f, dir), "sessions")}
	r.code = run(ctx, f, append([]string{"agent", "--root", dir}, args...))
	r.out, r.notes = out.String(), errOut.String()
	for line := range strings.Lines(r.out) {
		var e agent.Event
		if err := json.Unmarshal([]byte(line), &e); err == nil {
			r.events = append(r.events, e)
		}
	}
	store := session.Open(r.sessionsDir)
	id, err := store.Resolve(session.Last)
	if err != nil {
		t.Fatalf("%v; standard error: %s", err, errOut)
	}
	var state agent.State
	if err := store.Read(id, state.Apply); err != nil {
		t.Fatal(err)
	}
	r.messages = state.Messages
	if err := agent.ValidTranscript(state.Messages); err != nil {
		t.Error(err)
	}
	if n := len(state.Messages); n > 0 && len(state.Messages[n-1].Calls()) > 0 {
		t.Error("the session ends with calls that have no results")
	}
	return r
}

// stateOf is the folder with the user's state of the tree at dir.
func stateOf(t testing.TB, f *factory, dir string) string {
	t.Helper()
	h, err := f.openHost(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return h.State()
}

// watching passes each event written to it on.
type watching struct {
	w     io.Writer
	watch func(agent.Event)
}

func (w *watching) Write(p []byte) (int, error) {
	var e agent.Event
	if w.watch != nil && json.Unmarshal(p, &e) == nil {
		w.watch(e)
	}
	return w.w.Write(p)
}

func (r ran) of(k agent.EventKind) (out []agent.Event) {
	for _, e := range r.events {
		if e.Event == k {
			out = append(out, e)
		}
	}
	return out
}

// results are the results of the session's calls, by the names of the tools in
// the order of the calls.
func (r ran) results() (out []string) {
	for i, m := range r.messages {
		for _, c := range m.Calls() {
			for _, b := range r.messages[i+1].Blocks {
				if b.Result != nil && b.Result.ID == c.ID {
					verdict := "ok"
					if b.Result.IsError {
						verdict = "error"
					}
					out = append(out, c.Name+" "+verdict)
				}
			}
		}
	}
	return out
}

// noSecret looks for the key in the output and below the folders.
func noSecret(t *testing.T, r ran, dirs ...string) {
	t.Helper()
	if strings.Contains(r.out+r.notes, secretKey) {
		t.Error("the key is in the output")
	}
	for _, dir := range dirs {
		filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				if raw, _ := os.ReadFile(path); bytes.Contains(raw, []byte(secretKey)) {
					t.Errorf("the key is in %s", path)
				}
			}
			return nil
		})
	}
}

const brokenLine, mendedLine = `[ "$(lookup "$1" 3)" = "$2" ]`, `[ "$(lookup "$1" 2)" = "$2" ]`

// edit is the input of a call of edit on login.sh.
func edit(from, to string) string {
	raw, _ := json.Marshal(map[string]any{"path": "login.sh", "edits": []map[string]string{{"old_text": from, "new_text": to}}})
	return string(raw)
}

// wholeTask is what a model does to repair the repository: it searches, guesses
// an edit wrongly, is told to wait, reads, edits, tests and answers. Along the
// way it prints its environment and the key, which somebody left in a file.
func wholeTask() []Turn {
	good := edit(brokenLine, mendedLine)
	return []Turn{
		{Text("Let me ", "look."), Use("c1", "glob", `{"pattern":"*.sh"}`), Use("c2", "search", `{"query":"login password"}`)},
		{Use("c3", "edit", edit("[ $(lookup $1 3) = $2 ]", "x"))},
		{HTTP(agent.ErrRateLimit, "retry-after-ms", "1")},
		{Use("c4", "read", `{"path":"login.sh"}`), Use("c5", "bash", `{"command":"env; cat key.txt"}`)},
		{Use("c6", "edit", good[:20], good[20:])},
		{Use("c7", "bash", `{"command":"sh test.sh"}`)},
		{Text("All tests ", "pass.")},
	}
}

// TestWholeTask plays a task over each wire format and checks the tree, the
// transcript and that no key leaks.
func TestWholeTask(t *testing.T) {
	need(t, "git", "bash")
	for _, p := range []struct {
		name, key string
		base      func(*Server) string
	}{
		{"anthropic", "ANTHROPIC_API_KEY", func(s *Server) string { return s.URL }},
		{"openai", "OPENAI_API_KEY", (*Server).OpenAI},
		{"ollama", "OLLAMA_API_KEY", func(s *Server) string { return s.URL }},
	} {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			srv := New(wholeTask()...)
			defer srv.Close()
			dir := demoRepo(t)
			if err := os.WriteFile(filepath.Join(dir, "key.txt"), []byte("KEY="+secretKey+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			env := map[string]string{p.key: secretKey}
			r := runTopo(t, context.Background(), dir, env, nil, "--provider", p.name, "--model", "m", "--base-url", p.base(srv), "--yes", "repair the login")
			if r.code != exitOK {
				t.Fatalf("exit code %d: %s", r.code, r.notes)
			}
			want := []string{"glob ok", "search ok", "edit error", "read ok", "bash ok", "edit ok", "bash ok"}
			if got := r.results(); !slices.Equal(got, want) {
				t.Errorf("results %v, want %v", got, want)
			}
			text, _ := os.ReadFile(filepath.Join(dir, "login.sh"))
			before, _ := fs.ReadFile(replay.DemoFiles(), "login.sh")
			if string(text) != strings.Replace(string(before), brokenLine, mendedLine, 1) {
				t.Errorf("login.sh is now\n%s", text)
			}
			end := r.of(agent.EventEnd)
			if len(end) != 1 || end[0].Outcome != agent.OutcomeDone || end[0].Text != "All tests pass." {
				t.Errorf("end %+v", end)
			}
			if retry := r.of(agent.EventRetry); len(retry) != 1 || retry[0].Attempt != 2 {
				t.Errorf("retries %+v", retry)
			}
			if snaps := r.of(agent.EventSnapshot); len(snaps) != 8 {
				t.Errorf("%d snapshots, want 8 of 4 steps", len(snaps))
			}
			os.Remove(filepath.Join(dir, "key.txt"))
			noSecret(t, r, r.sessionsDir, filepath.Join(filepath.Dir(dir), "home"))
			for _, q := range srv.Requests() {
				if q.Holds(secretKey) {
					t.Error("the key was sent in the body of a request")
				}
			}
		})
	}
}

// TestCancelAndResume ends a run while a command works, and goes on with it.
func TestCancelAndResume(t *testing.T) {
	need(t, "git", "bash")
	srv := New(
		Turn{Use("c1", "bash", `{"command":"sleep 97531 & sleep 97531; touch late"}`), Use("c2", "read", `{"path":"login.sh"}`)},
		Turn{Use("c3", "read", `{"path":"login.sh"}`)},
		Turn{Use("c4", "edit", edit(brokenLine, mendedLine))},
		Turn{Text("Mended.")},
	)
	defer srv.Close()
	dir := demoRepo(t)
	args := []string{"--provider", "anthropic", "--base-url", srv.URL, "--yes"}
	env := map[string]string{"ANTHROPIC_API_KEY": secretKey}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r := runTopo(t, ctx, dir, env, func(e agent.Event) {
		if e.Event == agent.EventCallStart {
			cancel()
		}
	}, append(args, "repair the login")...)
	if end := r.of(agent.EventEnd); r.code != exitInterrupted || len(end) != 1 || end[0].Outcome != agent.OutcomeCancelled {
		t.Fatalf("exit code %d, end %+v: %s", r.code, end, r.notes)
	}
	if got := r.results(); !slices.Equal(got, []string{"bash error", "read error"}) {
		t.Errorf("results %v", got)
	}
	if procs := processes(t, "sleep\x0097531"); len(procs) > 0 {
		t.Errorf("left behind: %v", procs)
	}
	if _, err := os.Stat(filepath.Join(dir, "late")); err == nil {
		t.Error("the command went on after it was cancelled")
	}
	r = runTopo(t, context.Background(), dir, env, nil, append(args, "--resume", "last", "go on")...)
	if r.code != exitOK {
		t.Fatalf("resumed: exit code %d: %s", r.code, r.notes)
	}
	if got := r.results(); !slices.Equal(got, []string{"bash error", "read error", "read ok", "edit ok"}) {
		t.Errorf("resumed: results %v", got)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "login.sh")); !strings.Contains(string(text), mendedLine) {
		t.Error("resumed: login.sh is not mended")
	}
}

// processes lists the processes whose command line holds s.
func processes(t *testing.T, s string) (out []string) {
	if runtime.GOOS != "linux" {
		t.Log("processes are looked for on Linux only")
		return nil
	}
	names, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range names {
		if raw, err := os.ReadFile(name); err == nil && strings.Contains(string(raw), s) {
			out = append(out, name)
		}
	}
	return out
}

// TestInterruptedWhileStreaming sends Ctrl-C to the program while the model
// writes, and goes on with the session in another process.
func TestInterruptedWhileStreaming(t *testing.T) {
	hold, reached := make(chan struct{}), make(chan struct{})
	defer close(hold)
	srv := New(Turn{Text("Half an ans"), Reached(reached), Hold(hold)}, Turn{Text("Whole.")})
	defer srv.Close()
	dir := demoRepo(t)
	home := t.TempDir()
	start := func(args ...string) (*exec.Cmd, *bytes.Buffer) {
		cmd := exec.Command("topo", append([]string{"agent", "--root", dir, "--provider", "anthropic", "--base-url", srv.URL}, args...)...)
		cmd.Env = append(os.Environ(), "ANTHROPIC_API_KEY="+secretKey, "HOME="+home)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd, &out
	}
	cmd, out := start("say something")
	select {
	case <-reached:
	case <-time.After(20 * time.Second):
		cmd.Process.Kill()
		t.Fatalf("the model was not asked: %s", out)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("exit code %d: %s", code, out)
	}
	cmd, out = start("--resume", "last")
	if err := cmd.Wait(); err != nil || !strings.Contains(out.String(), `"Outcome":"done","Text":"Whole."`) && !strings.Contains(out.String(), `"Text":"Whole."`) {
		t.Errorf("%v: %s", err, out)
	}
	last := srv.Requests()
	if body := last[len(last)-1]; body.Holds("Half an ans") {
		t.Error("half an answer was kept")
	}
}

// TestExitCodes gives each outcome its code.
func TestExitCodes(t *testing.T) {
	looping := func() (turns []Turn) {
		for range 9 {
			turns = append(turns, Turn{Use("", "ls", `{}`)})
		}
		return turns
	}
	for name, c := range map[string]struct {
		turns []Turn
		args  []string
		code  int
		says  string
	}{
		"done":        {[]Turn{{Text("ok")}}, nil, exitOK, ""},
		"steps":       {looping(), []string{"--max-steps", "2"}, exitLimit, "limit of 2 steps"},
		"in circles":  {looping(), nil, exitLimit, "5 times"},
		"tokens":      {looping(), []string{"--budget-tokens", "200"}, exitLimit, "budget of 200 tokens"},
		"refused":     {[]Turn{{Text("No."), Stop(agent.StopRefusal)}}, nil, exitRefused, "No."},
		"nobody":      {[]Turn{{Use("a", "bash", `{"command":"make"}`)}, {Text("I could not.")}}, nil, exitRefused, "nobody could grant"},
		"provider":    {[]Turn{{HTTP(agent.ErrAuth)}}, nil, exitRemote, "auth"},
		"read only":   {[]Turn{{Use("a", "write", `{"path":"x","content":"y"}`)}, {Text("I may not.")}}, []string{"--read-only"}, exitOK, ""},
		"bad flag":    {nil, []string{"--effort", "huge"}, exitUsage, "effort"},
		"no provider": {nil, []string{"--provider", "nobody"}, exitUsage, "no provider is named"},
	} {
		t.Run(name, func(t *testing.T) {
			srv := New(c.turns...)
			defer srv.Close()
			dir := demoRepo(t)
			f, _, errOut := fake(map[string]string{"ANTHROPIC_API_KEY": secretKey, "HOME": t.TempDir()})
			args := append([]string{"agent", "--root", dir, "--provider", "anthropic", "--base-url", srv.URL, "go"}, c.args...)
			if code := run(context.Background(), f, args); code != c.code || !strings.Contains(errOut.String(), c.says) {
				t.Errorf("exit code %d, want %d: %s", code, c.code, errOut)
			}
			if _, err := os.Stat(filepath.Join(dir, "x")); err == nil {
				t.Error("a file was written")
			}
		})
	}
}

// TestStructuredAnswer prints the JSON alone, after a second try.
func TestStructuredAnswer(t *testing.T) {
	schema := filepath.Join(t.TempDir(), "schema.json")
	if err := os.WriteFile(schema, []byte(`{"type":"object","properties":{"file":{"type":"string"}},"required":["file"]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		turns []Turn
		code  int
		out   string
	}{
		{[]Turn{{Text(`{"file": "login.sh"}`)}}, exitOK, `{"file":"login.sh"}` + "\n"},
		{[]Turn{{Text("It is login.sh.")}, {Text("```json\n{\"file\":\"login.sh\"}\n```")}}, exitOK, `{"file":"login.sh"}` + "\n"},
		{[]Turn{{Text("It is login.sh.")}, {Text(`{"name":"login.sh"}`)}}, exitFailed, ""},
	} {
		srv := New(c.turns...)
		f, out, errOut := fake(map[string]string{"ANTHROPIC_API_KEY": secretKey, "HOME": t.TempDir()})
		code := run(context.Background(), f, []string{"agent", "--root", demoRepo(t), "--provider", "anthropic", "--base-url", srv.URL, "--json-schema", schema, "which file?"})
		if code != c.code || out.String() != c.out {
			t.Errorf("%d turns: exit code %d, output %q: %s", len(c.turns), code, out, errOut)
		}
		srv.Close()
	}
}
