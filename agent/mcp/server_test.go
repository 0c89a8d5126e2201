package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/topo-dev/topo/agent"
)

// fake is a tool made of functions.
type fake struct {
	spec   agent.ToolSpec
	access func(json.RawMessage) ([]agent.Access, error)
	run    func(context.Context, json.RawMessage) (agent.Output, error)
}

func (f fake) Spec() agent.ToolSpec { return f.spec }

func (f fake) Access(in json.RawMessage) ([]agent.Access, error) {
	if f.access == nil {
		return nil, nil
	}
	return f.access(in)
}

func (f fake) Run(ctx context.Context, in json.RawMessage) (agent.Output, error) {
	return f.run(ctx, in)
}

var anyObject = json.RawMessage(`{"type":"object","properties":{"x":{"type":"string"}}}`)

// echo answers with its input.
func echo(name string) fake {
	return fake{spec: agent.ToolSpec{Name: name, Description: "Says it again.\n", Schema: anyObject, ReadOnly: true, Idempotent: true},
		run: func(_ context.Context, in json.RawMessage) (agent.Output, error) {
			return agent.Output{Text: string(in) + "\n", Hints: []string{"ask again"}}, nil
		}}
}

func failing(name string, err error) fake {
	f := echo(name)
	f.run = func(context.Context, json.RawMessage) (agent.Output, error) { return agent.Output{}, err }
	return f
}

// connect connects a client of the SDK in memory.
func connect(t testing.TB, s *Server) *mcp.ClientSession {
	t.Helper()
	mine, theirs := mcp.NewInMemoryTransports()
	ss, err := s.sdk.Connect(context.Background(), mine, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ss.Close() })
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(context.Background(), theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cs.Close() })
	return cs
}

func call(t testing.TB, cs *mcp.ClientSession, name string, args any) (string, bool) {
	t.Helper()
	res, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return res.Content[0].(*mcp.TextContent).Text, res.IsError
}

func TestToolsAreListedAsTheyAre(t *testing.T) {
	writing := echo("write")
	writing.spec.ReadOnly, writing.spec.Destructive = false, true
	tools := []agent.Tool{echo("echo"), writing}
	list := func(gate agent.Gate) (names []string) {
		res, err := connect(t, NewServer(ServerOptions{Tools: tools, Gate: gate})).ListTools(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range res.Tools {
			names = append(names, tool.Name)
			a := tool.Annotations
			if a.ReadOnlyHint != (tool.Name == "echo") || *a.DestructiveHint == a.ReadOnlyHint || *a.OpenWorldHint || tool.Description != "Says it again." {
				t.Errorf("%s: %+v %q", tool.Name, a, tool.Description)
			}
			if schema, _ := json.Marshal(tool.InputSchema); !strings.Contains(string(schema), `"properties":{"x"`) {
				t.Errorf("%s: schema %s", tool.Name, schema)
			}
		}
		return names
	}
	if got := list(nil); !slices.Equal(got, []string{"echo"}) {
		t.Errorf("read only: %v", got)
	}
	if got := list(judge{agent.Allow}); !slices.Equal(got, []string{"echo", "write"}) {
		t.Errorf("with a gate: %v", got)
	}
}

type judge struct{ verdict agent.Verdict }

func (j judge) Decide(agent.ToolSpec, agent.Call, []agent.Access) agent.Decision {
	return agent.Decision{Verdict: j.verdict, Rule: "the rule"}
}

func (judge) Remember(agent.ToolSpec, []agent.Access) []string { return nil }

func TestCalls(t *testing.T) {
	wrong := echo("wrong")
	wrong.access = func(json.RawMessage) ([]agent.Access, error) { return nil, errors.New("x is missing") }
	panics := failing("panics", nil)
	panics.run = func(context.Context, json.RawMessage) (agent.Output, error) { panic("oh no") }
	exit := failing("exit", nil)
	exit.run = func(context.Context, json.RawMessage) (agent.Output, error) {
		return agent.Output{Text: "exit 1", IsError: true}, nil
	}
	long := failing("long", nil)
	long.run = func(context.Context, json.RawMessage) (agent.Output, error) {
		return agent.Output{Text: strings.Repeat("x", 2*maxText)}, nil
	}
	cs := connect(t, NewServer(ServerOptions{Tools: []agent.Tool{echo("echo"), wrong, failing("fails", errors.New("no disk")), panics, exit, long}}))
	for _, c := range []struct {
		name, want string
		isError    bool
	}{
		{"echo", "{\"x\":\"y\"}\n\nNext:\n- ask again", false},
		{"wrong", "x is missing", true},
		{"fails", "no disk", true},
		{"panics", "panics failed: oh no", true},
		{"exit", "exit 1", true},
	} {
		if got, isError := call(t, cs, c.name, map[string]any{"x": "y"}); got != c.want || isError != c.isError {
			t.Errorf("%s: %q, error %v", c.name, got, isError)
		}
	}
	if got, _ := call(t, cs, "long", nil); len(got) > maxText {
		t.Errorf("an answer of %d bytes", len(got))
	}
	if _, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: "nope"}); err == nil || !strings.Contains(err.Error(), "unknown tool") {
		t.Errorf("unknown tool: %v", err)
	}
}

func TestWritesAskTheGateAndRunAlone(t *testing.T) {
	var running, worst, edited atomic.Int32
	writing := failing("write", nil)
	writing.spec.ReadOnly = false
	writing.run = func(context.Context, json.RawMessage) (agent.Output, error) {
		worst.Store(max(worst.Load(), running.Add(1)))
		defer running.Add(-1)
		return agent.Output{Text: "written"}, nil
	}
	tools := []agent.Tool{writing}
	for _, v := range []agent.Verdict{agent.Deny, agent.Ask} {
		cs := connect(t, NewServer(ServerOptions{Tools: tools, Gate: judge{v}}))
		if got, isError := call(t, cs, "write", nil); !isError || !strings.HasPrefix(got, "not allowed (the rule)") {
			t.Errorf("%s: %q", v, got)
		}
	}
	cs := connect(t, NewServer(ServerOptions{Tools: tools, Gate: judge{agent.Allow}, Edited: func() { edited.Add(1) }}))
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if got, isError := call(t, cs, "write", nil); isError || got != "written" {
				t.Errorf("%q", got)
			}
		})
	}
	wg.Wait()
	if worst.Load() != 1 || edited.Load() != 20 {
		t.Errorf("%d at a time, %d edits told", worst.Load(), edited.Load())
	}
}

func TestCancelledCall(t *testing.T) {
	started, ended := make(chan struct{}), make(chan struct{})
	waits := failing("waits", nil)
	waits.run = func(ctx context.Context, _ json.RawMessage) (agent.Output, error) {
		close(started)
		<-ctx.Done()
		close(ended)
		return agent.Output{}, ctx.Err()
	}
	cs := connect(t, NewServer(ServerOptions{Tools: []agent.Tool{waits}}))
	ctx, cancel := context.WithCancel(context.Background())
	go func() { <-started; cancel() }()
	if _, err := cs.CallTool(ctx, &mcp.CallToolParams{Name: "waits"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	<-ended
}

func TestResources(t *testing.T) {
	tools := []agent.Tool{echo("echo"), failing("fails", errors.New("no disk"))}
	cs := connect(t, NewServer(ServerOptions{Resources: []Resource{
		{URI: "topo://one", Name: "one", Description: "d", Read: Calls(tools, agent.Call{Name: "echo", Input: []byte(`{}`)}, agent.Call{Name: "echo", Input: []byte(`{"x":"2"}`)})},
		{URI: "topo://many/{+path}", Name: "many", Read: Calls(tools, agent.Call{Name: "echo", Input: []byte(`{"x":"{name}"}`)})},
		{URI: "topo://bad", Name: "bad", Read: Calls(tools, agent.Call{Name: "fails"})},
		{URI: "topo://panic", Name: "panic", Read: func(context.Context, string) (string, error) { panic("oh no") }},
	}}))
	for uri, want := range map[string]string{
		"topo://one":               "{}\n\nNext:\n- ask again\n\n{\"x\":\"2\"}\n\nNext:\n- ask again",
		"topo://many/a/b.go":       "{\"x\":\"a/b.go\"}\n\nNext:\n- ask again",
		"topo://many/a%22%7D%20b":  "{\"x\":\"a\\\"} b\"}\n\nNext:\n- ask again",
		"topo://bad":               "error: no disk",
		"topo://panic":             "error: topo://panic failed: oh no",
		"topo://nothing/like/that": "error: Resource not found",
	} {
		res, err := cs.ReadResource(context.Background(), &mcp.ReadResourceParams{URI: uri})
		got := ""
		if err != nil {
			got = "error: " + err.Error()
		} else {
			got = res.Contents[0].Text
		}
		if want, failed := strings.CutPrefix(want, "error: "); failed && !strings.Contains(got, want) || !failed && got != want {
			t.Errorf("%s: %q, want %q", uri, got, want)
		}
	}
}

func TestPrompts(t *testing.T) {
	list := Prompts()
	if !slices.IsSortedFunc(list, func(a, b Prompt) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("prompts are not sorted")
	}
	cs := connect(t, NewServer(ServerOptions{Prompts: list}))
	for _, p := range list {
		args := map[string]string{}
		for _, a := range p.Args {
			args[a.Name] = "VALUE {{" + a.Name + "}}"
		}
		res, err := cs.GetPrompt(context.Background(), &mcp.GetPromptParams{Name: p.Name, Arguments: args})
		if err != nil {
			t.Fatal(err)
		}
		text := res.Messages[0].Content.(*mcp.TextContent).Text
		// A value is put in as it is: what looks like an argument in it stays.
		if !strings.Contains(text, "VALUE {{"+p.Args[0].Name+"}}") || strings.Count(text, "{{") != strings.Count(text, "VALUE {{") {
			t.Errorf("%s: %s", p.Name, text)
		}
	}
	if _, err := cs.GetPrompt(context.Background(), &mcp.GetPromptParams{Name: "find_fix"}); err == nil || !strings.Contains(err.Error(), "the argument report is missing") {
		t.Errorf("missing argument: %v", err)
	}
	if _, err := cs.GetPrompt(context.Background(), &mcp.GetPromptParams{Name: "explore"}); err != nil {
		t.Errorf("a default: %v", err)
	}
	if _, err := cs.GetPrompt(context.Background(), &mcp.GetPromptParams{Name: "explore", Arguments: map[string]string{"focus": strings.Repeat("x", maxArg+1)}}); err == nil {
		t.Error("a huge argument was taken")
	}
}

func TestManyClients(t *testing.T) {
	s := NewServer(ServerOptions{Tools: []agent.Tool{echo("echo")}})
	var wg sync.WaitGroup
	for i := range 20 {
		cs := connect(t, s)
		wg.Go(func() {
			for n := range 10 {
				want := fmt.Sprintf(`{"x":"%d-%d"}`, i, n)
				if got, _ := call(t, cs, "echo", json.RawMessage(want)); !strings.HasPrefix(got, want) {
					t.Errorf("got %q, want %q", got, want)
				}
			}
		})
	}
	wg.Wait()
}

// A tool with a schema of its answers gives them to programs as well.
func TestStructuredContent(t *testing.T) {
	tool := echo("echo")
	tool.spec.Output = json.RawMessage(`{"type":"object","properties":{"x":{"type":"integer"}}}`)
	tool.run = func(_ context.Context, in json.RawMessage) (agent.Output, error) {
		return agent.Output{Text: "as text", Structured: in}, nil
	}
	cs := connect(t, NewServer(ServerOptions{Tools: []agent.Tool{tool, echo("plain")}}))
	list, err := cs.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		if (tool.OutputSchema != nil) != (tool.Name == "echo") {
			t.Errorf("%s: schema %v", tool.Name, tool.OutputSchema)
		}
	}
	for name, want := range map[string]string{"echo": `{"x":7}`, "plain": "null"} {
		res, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: name, Arguments: map[string]any{"x": 7}})
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := json.Marshal(res.StructuredContent); string(got) != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}
