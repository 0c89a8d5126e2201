package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/topo-dev/topo/agent"
)

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// talk sends input to a server and returns its answers by id.
func talk(t *testing.T, s *Server, input string) map[string]string {
	t.Helper()
	var out bytes.Buffer
	if err := s.Serve(context.Background(), strings.NewReader(input), &out); err != nil {
		t.Fatal(err)
	}
	answers := map[string]string{}
	for line := range strings.Lines(out.String()) {
		var m struct{ ID json.RawMessage }
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("no JSON: %s", line)
		}
		answers[string(m.ID)] += line
	}
	return answers
}

// TestStdioAnswersEverything pipes requests in at once: each is answered though
// the input ends before the slow one is done.
func TestStdioAnswersEverything(t *testing.T) {
	go2 := make(chan struct{})
	slow := failing("slow", nil)
	slow.run = func(context.Context, json.RawMessage) (agent.Output, error) {
		<-go2
		return agent.Output{Text: "done"}, nil
	}
	quick := failing("quick", nil)
	quick.run = func(context.Context, json.RawMessage) (agent.Output, error) {
		close(go2)
		return agent.Output{Text: "done"}, nil
	}
	got := talk(t, NewServer(ServerOptions{Tools: []agent.Tool{slow, quick}}), hello+
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow","arguments":{}}}`+"\n\n"+
		`{"jsonrpc":"2.0","id":"three","method":"tools/call","params":{"name":"quick","arguments":{}}}`)
	for _, id := range []string{"1", "2", `"three"`} {
		if !strings.Contains(got[id], `"result"`) {
			t.Errorf("id %s: %q", id, got[id])
		}
	}
}

func TestStdioDoesNotWaitForWhatWasCancelled(t *testing.T) {
	waits := failing("waits", nil)
	waits.run = func(ctx context.Context, _ json.RawMessage) (agent.Output, error) {
		<-ctx.Done()
		return agent.Output{}, ctx.Err()
	}
	talk(t, NewServer(ServerOptions{Tools: []agent.Tool{waits}}), hello+
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"waits","arguments":{}}}`+"\n"+
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`+"\n")
}

func TestStdioGoesOnAfterNonsense(t *testing.T) {
	got := talk(t, NewServer(ServerOptions{Tools: []agent.Tool{echo("echo")}}),
		"nonsense\n[]\n{}\n{\"jsonrpc\":\"2.0\",\"id\":{}}\n\xff\xfe\n"+strings.Repeat("x", maxMessage+1)+"\n"+hello+
			`{"jsonrpc":"2.0","id":2,"method":"nope"}`+"\n"+
			`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"x":"y"}}}`+"\n")
	if n := strings.Count(got["null"], "\n"); n != 6 || !strings.Contains(got["null"], "longer than 4194304 bytes") {
		t.Errorf("%d lines were refused: %s", n, got["null"])
	}
	if !strings.Contains(got["2"], "-32601") || !strings.Contains(got["3"], "ask again") {
		t.Errorf("answers %v", got)
	}
}

func TestStdioEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	in, feed := io.Pipe()
	defer feed.Close()
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := NewServer(ServerOptions{}).Serve(ctx, in, io.Discard); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
	io.WriteString(feed, hello)
	cancel()
	wg.Wait()
}

func TestReadLine(t *testing.T) {
	in := bufio.NewReaderSize(strings.NewReader("short\n"+strings.Repeat("x", 100)+"\nlast"), 16)
	for _, want := range []string{"short\n", "", "last"} {
		got, err := readLine(in, 50)
		if want == "" && !errors.Is(err, errLongLine) || want != "" && (err != nil || string(got) != want) {
			t.Errorf("got %q, %v; want %q", got, err, want)
		}
	}
	if _, err := readLine(in, 50); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

// FuzzServe sends any bytes to a server: it ends without a panic, and what it
// writes is JSON, one message a line.
func FuzzServe(f *testing.F) {
	f.Add(hello + `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"x":1}}}` + "\n")
	f.Add(`{"jsonrpc":"2.0","id":null,"method":"tools/list"}` + "\n{")
	f.Add(hello + `{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"topo://many/%zz"}}` + "\n")
	f.Add(hello + `{"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"explore","arguments":{"focus":1}}}` + "\n")
	s := NewServer(ServerOptions{Tools: []agent.Tool{echo("echo")}, Prompts: Prompts(),
		Resources: []Resource{{URI: "topo://many/{+path}", Name: "many", Read: Calls([]agent.Tool{echo("echo")}, agent.Call{Name: "echo", Input: []byte(`{"x":"{name}"}`)})}}})
	f.Fuzz(func(t *testing.T, input string) {
		var out bytes.Buffer
		_ = s.Serve(context.Background(), strings.NewReader(input), &out)
		for line := range strings.Lines(out.String()) {
			if !json.Valid([]byte(line)) {
				t.Errorf("no JSON: %q", line)
			}
		}
	})
}
