package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topo-dev/topo/internal/fault"
)

const handshake = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// answers are the results of requests to a server on the tree, by their IDs.
func answers(t *testing.T, tree string, so ServerOptions, requests ...string) map[float64]map[string]any {
	t.Helper()
	so.Wait = true
	s, err := NewServer(t.Context(), optionsOf(t, tree), so)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var out bytes.Buffer
	if err := s.Serve(t.Context(), strings.NewReader(handshake+strings.Join(requests, "\n")+"\n"), &out); err != nil {
		t.Fatal(err)
	}
	all := map[float64]map[string]any{}
	for line := range strings.Lines(out.String()) {
		var a struct {
			ID     float64
			Result map[string]any
		}
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		all[a.ID] = a.Result
	}
	return all
}

// TestServerTools: a server offers the tools that change files only when it was
// told to, and never one that runs commands.
func TestServerTools(t *testing.T) {
	for write, want := range map[bool][]string{false: nil, true: {"edit", "glob", "grep", "ls", "read", "write"}} {
		tree := demoTree(t)
		call := `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"write","arguments":` + writeX + `}}`
		got := answers(t, tree, ServerOptions{Write: write}, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, strings.ReplaceAll(call, "\n", ""))
		var names []string
		for _, tool := range got[2]["tools"].([]any) {
			names = append(names, tool.(map[string]any)["name"].(string))
		}
		if !slices.Contains(names, "search") || slices.Contains(names, "bash") {
			t.Errorf("write %v: tools %v", write, names)
		}
		names = slices.DeleteFunc(names, func(n string) bool {
			return !slices.Contains([]string{"edit", "glob", "grep", "ls", "read", "todo", "write"}, n)
		})
		if !slices.Equal(names, want) {
			t.Errorf("write %v: tools on files %v, want %v", write, names, want)
		}
		if _, err := os.Lstat(filepath.Join(tree, "x.txt")); (err == nil) != write {
			t.Errorf("write %v: the file: %v", write, err)
		}
	}
}

// TestServerOverHTTP: nothing is answered without the token, or under a name that
// the server does not have.
func TestServerOverHTTP(t *testing.T) {
	s, err := NewServer(t.Context(), optionsOf(t, demoTree(t)), ServerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	token := NewToken()
	go s.Listen(t.Context(), l, l.Addr().String(), token, []string{"box"})
	for _, c := range []struct {
		host, token string
		ok          bool
	}{{"", token, true}, {"box", token, true}, {"", "guess", false}, {"evil.example", token, false}} {
		body := strings.NewReader(strings.SplitN(handshake, "\n", 2)[0])
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+l.Addr().String()+ServerPath, body)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = c.host
		req.Header.Set("Authorization", "Bearer "+c.token)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, res.Body)
		res.Body.Close()
		if (res.StatusCode == http.StatusOK) != c.ok {
			t.Errorf("host %q, token right %v: %s", c.host, c.token == token, res.Status)
		}
	}
}

func TestTokenFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "token")
	token, err := TokenFile(name)
	if err != nil || len(token) < 16 {
		t.Fatalf("%q, %v", token, err)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if again, err := TokenFile(name); err != nil || again != token {
		t.Errorf("read again: %q, %v", again, err)
	}
	for what, change := range map[string]func() error{
		"others may read it": func() error { return os.Chmod(name, 0o644) },
		"not a regular file": func() error { return errors.Join(os.Remove(name), os.Mkdir(name, 0o700)) },
		"expected one word":  func() error { return errors.Join(os.Remove(name), os.WriteFile(name, []byte("short\n"), 0o600)) },
	} {
		if err := os.RemoveAll(name); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(token), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := change(); err != nil {
			t.Fatal(err)
		}
		var o *OptionError
		if _, err := TokenFile(name); fault.KindOf(err) != fault.Usage || !errors.As(err, &o) || o.Value != name || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := TokenFile(filepath.Join(dir, "none", "token")); fault.KindOf(err) != fault.Environment {
		t.Errorf("a folder that is not there: %v", err)
	}
}
