package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/topo-dev/topo/agent"
)

// playing is the variable that makes this test binary a server.
const playing = "MCP_TEST_SERVER"

func TestMain(m *testing.M) {
	if mode := os.Getenv(playing); mode != "" {
		play(mode)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// play is a server that behaves in some way.
func play(mode string) {
	tools := []agent.Tool{echo("echo"), echo("Get-Thing"), failing("fails", errors.New("no such ticket"))}
	env := failing("env", nil)
	env.run = func(context.Context, json.RawMessage) (agent.Output, error) {
		return agent.Output{Text: strings.Join(os.Environ(), "\n")}, nil
	}
	dies := failing("dies", nil)
	dies.run = func(context.Context, json.RawMessage) (agent.Output, error) { os.Exit(3); return agent.Output{}, nil }
	waits := failing("waits", nil)
	waits.run = func(ctx context.Context, _ json.RawMessage) (agent.Output, error) {
		<-ctx.Done()
		return agent.Output{}, ctx.Err()
	}
	big := failing("big", nil)
	big.run = func(context.Context, json.RawMessage) (agent.Output, error) {
		return agent.Output{Text: strings.Repeat("x", 2*maxAnswer)}, nil
	}
	switch mode {
	case "silent":
		select {}
	case "crash":
		os.Stderr.WriteString("loading\nno license found\n")
		os.Exit(1)
	case "garbage":
		os.Stdout.WriteString("Welcome!\nnot JSON\n")
		select {}
	}
	pid := failing("pid", nil)
	pid.run = func(context.Context, json.RawMessage) (agent.Output, error) {
		return agent.Output{Text: strconv.Itoa(os.Getpid())}, nil
	}
	_ = NewServer(ServerOptions{Tools: append(tools, env, dies, waits, big, pid)}).Serve(context.Background(), os.Stdin, os.Stdout)
}

// program is the configuration of this binary as a server.
func program(t testing.TB, name, mode string) ServerConfig {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return ServerConfig{Name: name, Command: exe, Env: map[string]string{playing: mode, "GIVEN": "yes"}}
}

func dialAll(t testing.TB, servers ...ServerConfig) *Client {
	t.Helper()
	c := Dial(context.Background(), servers, ClientOptions{Version: "1", Environ: append(os.Environ(), "SECRET_KEY=hunter2")})
	t.Cleanup(c.Close)
	return c
}

// use calls a tool of a client.
func use(t testing.TB, c *Client, name, input string) (agent.Output, error) {
	t.Helper()
	for _, tool := range c.Tools() {
		if tool.Spec().Name == name {
			if _, err := tool.Access(json.RawMessage(input)); err != nil {
				return agent.Output{}, err
			}
			return tool.Run(context.Background(), json.RawMessage(input))
		}
	}
	t.Fatalf("no tool %s", name)
	return agent.Output{}, nil
}

func names(c *Client) (out []string) {
	for _, t := range c.Tools() {
		out = append(out, t.Spec().Name)
	}
	return out
}

func TestClientUsesAProgram(t *testing.T) {
	c := dialAll(t, program(t, "one", "good"))
	if errs := c.Problems(); len(errs) > 0 {
		t.Fatal(errs)
	}
	want := []string{"mcp_one_big", "mcp_one_dies", "mcp_one_echo", "mcp_one_env", "mcp_one_fails", "mcp_one_get_thing", "mcp_one_pid", "mcp_one_waits"}
	if got := names(c); !slices.Equal(got, want) {
		t.Errorf("tools %v", got)
	}
	spec := c.Tools()[2].Spec()
	if spec.ReadOnly || !spec.Destructive || !spec.OpenWorld || !strings.HasPrefix(spec.Description, "(Tool of the MCP server one.) Says it again.") {
		t.Errorf("what the server says of itself was believed: %+v", spec)
	}
	if a, err := c.Tools()[2].Access(json.RawMessage(`{}`)); err != nil || len(a) != 1 || a[0].Op != agent.OpExec || a[0].Command != "mcp_one_echo" {
		t.Errorf("access %v, %v", a, err)
	}
	if out, err := use(t, c, "mcp_one_get_thing", `{"x":"1"}`); err != nil || out.IsError || !strings.HasPrefix(out.Text, `{"x":"1"}`) {
		t.Errorf("%+v, %v", out, err)
	}
	if out, err := use(t, c, "mcp_one_fails", ``); err != nil || !out.IsError || out.Text != "no such ticket" {
		t.Errorf("%+v, %v", out, err)
	}
	if out, err := use(t, c, "mcp_one_big", ``); err != nil || len(out.Text) > maxAnswer {
		t.Errorf("%d bytes, %v", len(out.Text), err)
	}
	for _, bad := range []string{`[]`, `{`, `1`} {
		if _, err := use(t, c, "mcp_one_echo", bad); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

func TestClientGivesNoSecrets(t *testing.T) {
	c := dialAll(t, program(t, "one", "good"))
	out, err := use(t, c, "mcp_one_env", ``)
	if err != nil || !strings.Contains(out.Text, "GIVEN=yes") || !strings.Contains(out.Text, "PATH=") || strings.Contains(out.Text, "SECRET_KEY") {
		t.Errorf("environment %q, %v", out.Text, err)
	}
}

func TestDeadServerComesBack(t *testing.T) {
	c := dialAll(t, program(t, "one", "good"))
	before, err := use(t, c, "mcp_one_pid", ``)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := use(t, c, "mcp_one_dies", ``); err == nil || !strings.Contains(err.Error(), "the MCP server one ended during the call") {
		t.Errorf("error %v", err)
	}
	after, err := use(t, c, "mcp_one_pid", ``)
	if err != nil || after.Text == before.Text {
		t.Errorf("pid %s, then %s, %v", before.Text, after.Text, err)
	}
}

func TestServersThatFail(t *testing.T) {
	t.Parallel()
	servers := []ServerConfig{program(t, "crash", "crash"), program(t, "good", "good"), {Name: "gone", Command: filepath.Join(t.TempDir(), "none")},
		{Name: "web", URL: "http://127.0.0.1:1/mcp"}, program(t, "garbage", "garbage")}
	c := dialAll(t, servers...)
	var all []string
	for _, err := range c.Problems() {
		all = append(all, err.Error())
	}
	if len(all) != 4 || !strings.Contains(all[0], "mcp server crash: cannot connect") || !strings.Contains(all[0], "it said: no license found") {
		t.Errorf("problems %s", strings.Join(all, "\n"))
	}
	if len(c.Tools()) == 0 {
		t.Error("the good one is not there")
	}
}

func TestSlowCallEnds(t *testing.T) {
	t.Parallel()
	s := program(t, "one", "good")
	s.Timeout = 50 * time.Millisecond
	c := dialAll(t, s)
	if _, err := use(t, c, "mcp_one_waits", ``); err == nil || !strings.Contains(err.Error(), "did not answer within 50ms") {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, tool := range c.Tools() {
		if tool.Spec().Name == "mcp_one_waits" {
			if _, err := tool.Run(ctx, nil); !errors.Is(err, context.Canceled) {
				t.Errorf("cancelled: %v", err)
			}
		}
	}
}

// TestLateServersAreLeftOut: servers that do not answer delay the start by their
// own time once, whatever their number, and leave nothing behind.
func TestLateServersAreLeftOut(t *testing.T) {
	t.Parallel()
	began := time.Now()
	servers := []ServerConfig{program(t, "good", "good")}
	for _, name := range []string{"a", "b", "c", "d"} {
		s := program(t, name, "silent")
		s.Start = 100 * time.Millisecond
		servers = append(servers, s)
	}
	end := make(chan struct{})
	hung := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-end }))
	defer hung.Close()
	defer close(end)
	servers = append(servers, ServerConfig{Name: "web", URL: hung.URL, Start: 100 * time.Millisecond})
	c := dialAll(t, servers...)
	t.Logf("took %s", time.Since(began))
	if len(c.Tools()) == 0 {
		t.Error("the good one is not there")
	}
	problems := c.Problems()
	if len(problems) != 5 {
		t.Fatalf("problems %v", problems)
	}
	for i, name := range []string{"a", "b", "c", "d", "web"} {
		if got := problems[i].Error(); !strings.HasPrefix(got, "mcp server "+name+": it was not ready within 100ms, so its tools are left out") {
			t.Errorf("problem %q", got)
		}
	}
	c.Close()
	for _, r := range c.remotes {
		if r.session != nil {
			t.Errorf("%s: still connected", r.Name)
		}
	}
}

func TestDialEndsWithTheContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	c := Dial(ctx, []ServerConfig{program(t, "one", "silent")}, ClientOptions{Environ: os.Environ()})
	defer c.Close()
	if errs := c.Problems(); len(errs) != 1 {
		t.Errorf("problems %v", errs)
	}
}

func TestCloseEndsTheProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals here")
	}
	c := Dial(context.Background(), []ServerConfig{program(t, "one", "good")}, ClientOptions{Environ: os.Environ()})
	out, err := use(t, c, "mcp_one_pid", ``)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(out.Text)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	if err := syscall.Kill(pid, 0); err == nil {
		t.Error("the program is still there")
	}
}

func TestClientUsesHTTP(t *testing.T) {
	addr := serve(t, NewServer(ServerOptions{Tools: []agent.Tool{echo("echo")}}), HTTPOptions{Token: token})
	good := ServerConfig{Name: "web", URL: "http://" + addr + Path, Headers: map[string]string{"Authorization": "Bearer " + token}}
	bad := ServerConfig{Name: "bad", URL: "http://" + addr + Path}
	only := good
	only.Name, only.Only = "only", []string{"other"}
	c := dialAll(t, good, bad, only)
	if got := names(c); !slices.Equal(got, []string{"mcp_web_echo"}) || len(c.Problems()) != 1 {
		t.Errorf("tools %v, problems %v", got, c.Problems())
	}
	if a, err := c.Tools()[0].Access(nil); err != nil || a[0].Op != agent.OpNet || a[0].Host != "127.0.0.1" {
		t.Errorf("access %v, %v", a, err)
	}
	if out, err := use(t, c, "mcp_web_echo", `{"x":"1"}`); err != nil || !strings.HasPrefix(out.Text, `{"x":"1"}`) {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestToolName(t *testing.T) {
	long := strings.Repeat("x", 80)
	for _, c := range [][3]string{{"s", "get", "mcp_s_get"}, {"My-Srv", "get.It/now", "mcp_my_srv_get_it_now"}, {"s", "é", "mcp_s__"}} {
		if got := ToolName(c[0], c[1]); got != c[2] {
			t.Errorf("%v: %s", c, got)
		}
	}
	if a, b := ToolName("s", long), ToolName("s", long+"y"); a == b || len(a) != maxToolName {
		t.Errorf("long names %s, %s", a, b)
	}
}

func TestParseConfig(t *testing.T) {
	lookup := func(name string) (string, bool) { return "s3cret", name == "SET" }
	got, err := ParseConfig([]byte(`{"mcpServers":{
		"web":{"type":"http","url":"https://x.example/mcp","headers":{"Authorization":"Bearer ${SET}"},"timeout":1.5,"start":8},
		"off":{"command":"x","disabled":true},
		"local":{"command":"srv","args":["-a"],"env":{"A":"$HOME${SET}"},"tools":["t"]}}}`), lookup)
	if err != nil || len(got) != 2 || got[0].Name != "local" || got[0].Env["A"] != "$HOMEs3cret" || got[0].Only[0] != "t" ||
		got[1].Headers["Authorization"] != "Bearer s3cret" || got[1].Timeout != 1500*time.Millisecond || got[1].Start != 8*time.Second || got[1].Host() != "x.example" || got[0].Host() != "" {
		t.Errorf("%+v, %v", got, err)
	}
	for text, want := range map[string]string{
		`{"mcpServers":{"a":{}}}`:                                                 "give either command",
		`{"mcpServers":{"a":{"command":"x","url":"https://y"}}}`:                  "give either command",
		`{"mcpServers":{"a":{"comand":"x"}}}`:                                     `unknown field "comand"`,
		`{"servers":{}}`:                                                          "unknown field",
		`{"mcpServers":{"a b":{"command":"x"}}}`:                                  "the name must be",
		`{"mcpServers":{"a":{"url":"ftp://x"}}}`:                                  "expected http",
		`{"mcpServers":{"a":{"url":"http://x.example"}}}`:                         "in the clear",
		`{"mcpServers":{"a":{"command":"x","timeout":-1}}}`:                       "timeout",
		`{"mcpServers":{"a":{"command":"x","start":3601}}}`:                       "start: 3601 seconds",
		`{"mcpServers":{"a":{"command":"x","env":{"A":"${NOT_SET}"}}}}`:           "NOT_SET is not set",
		`{"mcpServers":{"a":{"url":"https://x","headers":{"A":"b\r\nHost: c"}}}}`: "line break",
		`{} {}`: "something follows",
		`[]`:    "cannot unmarshal",
		``:      "EOF",
	} {
		if _, err := ParseConfig([]byte(text), lookup); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	for _, u := range []string{"http://localhost/mcp", "http://127.0.0.1:8080", "http://[::1]:1/x"} {
		if _, err := ParseConfig([]byte(`{"mcpServers":{"a":{"url":"`+u+`"}}}`), lookup); err != nil {
			t.Errorf("%s: %v", u, err)
		}
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add(`{"mcpServers":{"a":{"command":"x","env":{"A":"${B}"}}}}`)
	f.Add(`{"mcpServers":{"a":{"url":"http://[::1]:1"}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		servers, err := ParseConfig([]byte(text), func(string) (string, bool) { return "", true })
		for _, s := range servers {
			if err == nil && (s.Command == "") == (s.URL == "") {
				t.Errorf("%+v", s)
			}
		}
	})
}
