package mcp

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/topo-dev/topo/agent"
)

const token = "0123456789abcdef-token"

// serve listens on loopback and returns the address.
func serve(t testing.TB, s *Server, o HTTPOptions) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := s.Listen(ctx, l, o); ctx.Err() == nil {
			t.Errorf("ended: %v", err)
		}
	})
	t.Cleanup(func() { cancel(); wg.Wait() })
	return l.Addr().String()
}

// bearer adds the token to requests.
type bearer struct{ token string }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return http.DefaultTransport.RoundTrip(r)
}

func dial(t testing.TB, addr string) (*mcp.ClientSession, error) {
	t.Helper()
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(context.Background(),
		&mcp.StreamableClientTransport{Endpoint: "http://" + addr + Path, HTTPClient: &http.Client{Transport: bearer{token}}, MaxRetries: -1}, nil)
	if err == nil {
		t.Cleanup(func() { cs.Close() })
	}
	return cs, err
}

func TestHTTPManyClients(t *testing.T) {
	addr := serve(t, NewServer(ServerOptions{Tools: []agent.Tool{echo("echo")}}), HTTPOptions{Token: token})
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			cs, err := dial(t, addr)
			if err != nil {
				t.Error(err)
				return
			}
			for n := range 5 {
				x := fmt.Sprintf("%d-%d", i, n)
				if got, _ := call(t, cs, "echo", map[string]any{"x": x}); !strings.Contains(got, x) {
					t.Errorf("got %q, want %q", got, x)
				}
			}
		})
	}
	wg.Wait()
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

// TestGuard sends a good request, and each of the bad ones that differ from it
// in one thing.
func TestGuard(t *testing.T) {
	s := NewServer(ServerOptions{Tools: []agent.Tool{echo("echo")}})
	h, err := s.Handler(HTTPOptions{Token: token, Hosts: []string{"devbox"}})
	if err != nil {
		t.Fatal(err)
	}
	set := func(key, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(key, value) }
	}
	host := func(h string) func(*http.Request) { return func(r *http.Request) { r.Host = h } }
	for _, c := range []struct {
		name   string
		change func(*http.Request)
		status int
	}{
		{"good", func(*http.Request) {}, 200},
		{"localhost", host("localhost:7337"), 200},
		{"LOCALHOST.", host("LOCALHOST.:7337"), 200},
		{"IPv6 loopback", host("[::1]:7337"), 200},
		{"other loopback", host("127.9.9.9"), 200},
		{"a name that was allowed", host("DevBox:7337"), 200},
		{"its own page", func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:7337") }, 200},
		{"no token", func(r *http.Request) { r.Header.Del("Authorization") }, 401},
		{"wrong token", set("Authorization", "Bearer "+token+"x"), 401},
		{"a part of the token", set("Authorization", "Bearer "+token[:16]), 401},
		{"token without scheme", set("Authorization", token), 401},
		{"basic", set("Authorization", "Basic "+token), 401},
		{"rebound name", host("evil.example:7337"), 403},
		{"name that begins like localhost", host("localhost.evil.example"), 403},
		{"name that ends like localhost", host("evil-localhost"), 403},
		{"address that looks like loopback", host("127.0.0.1.evil.example"), 403},
		{"another address", host("192.168.1.5:7337"), 403},
		{"decimal address", host("2130706433"), 403},
		{"empty host", host(""), 403},
		{"page of another site", set("Origin", "https://evil.example"), 403},
		{"page of another port", set("Origin", "http://127.0.0.1:8080"), 403},
		{"page over another scheme", set("Origin", "https://127.0.0.1:7337"), 403},
		{"null origin", set("Origin", "null"), 403},
		{"origin with a user", set("Origin", "http://127.0.0.1:7337@evil.example"), 403},
		{"two origins", func(r *http.Request) { r.Header["Origin"] = []string{"http://127.0.0.1:7337", "https://evil.example"} }, 403},
		{"image on another site", set("Sec-Fetch-Site", "cross-site"), 403},
		{"another path", func(r *http.Request) { r.URL.Path = "/" }, 404},
		{"body too large", func(r *http.Request) {
			r.Body = io.NopCloser(strings.NewReader(strings.Repeat(" ", maxMessage+1) + initialize))
			r.ContentLength = -1
		}, 413},
		{"no JSON", func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader("nonsense")) }, 400},
		{"a session, which there are none", set("Mcp-Session-Id", "abc"), 200},
		{"an unknown version", set("Mcp-Protocol-Version", "1999-01-01"), 400},
		{"GET", func(r *http.Request) { r.Method = http.MethodGet }, 405},
		{"DELETE", func(r *http.Request) { r.Method = http.MethodDelete }, 405},
	} {
		r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1:7337"+Path, strings.NewReader(initialize))
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		c.change(r)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != c.status {
			t.Errorf("%s: status %d (%s), want %d", c.name, w.Code, strings.TrimSpace(w.Body.String()), c.status)
		}
		if strings.Contains(w.Body.String(), token) || w.Header().Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: the answer gives something away", c.name)
		}
	}
}

// TestRequestsAreBounded holds one request and sends another.
func TestRequestsAreBounded(t *testing.T) {
	started, end := make(chan struct{}), make(chan struct{})
	h := guard(HTTPOptions{Token: token, Requests: 1}, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		close(started)
		<-end
	}))
	post := func() *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1"+Path, nil)
		r.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	var wg sync.WaitGroup
	wg.Go(func() { post() })
	<-started
	if w := post(); w.Code != 503 || w.Header().Get("Retry-After") == "" {
		t.Errorf("a second request: status %d", w.Code)
	}
	close(end)
	wg.Wait()
}

func TestTokens(t *testing.T) {
	s := NewServer(ServerOptions{})
	for _, short := range []string{"", "0123456789abcde"} {
		if _, err := s.Handler(HTTPOptions{Token: short}); err != ErrShortToken {
			t.Errorf("%q: %v", short, err)
		}
	}
	a, b := NewToken(), NewToken()
	if a == b || len(a) != 43 || strings.ContainsAny(a, "+/= ") {
		t.Errorf("tokens %q, %q", a, b)
	}
}

func TestLoopback(t *testing.T) {
	for addr, want := range map[string]bool{"127.0.0.1:1": true, "localhost:1": true, "[::1]:1": true, "127.1.2.3:1": true, "[::ffff:127.0.0.1]:1": true,
		"0.0.0.0:1": false, ":1": false, "[::]:1": false, "192.168.0.1:1": false, "example.com:1": false, "127.0.0.1": false, "": false} {
		if got := Loopback(addr); got != want {
			t.Errorf("%q: %v", addr, got)
		}
	}
}

func FuzzKnownHost(f *testing.F) {
	for _, s := range []string{"localhost:1", "[::1]", "127.0.0.1.", "[[::1]]:1", "::1%lo", "::01", "127.0.0.1.evil.example", "devbox", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, header string) {
		// A name that a page can make resolve to this machine holds no colon but
		// that of its port, and does not begin as an address.
		h := strings.ToLower(header)
		local := strings.Contains(h, "localhost") || strings.Count(h, ":") >= 2 || strings.HasPrefix(strings.TrimLeft(h, "["), "127.")
		if knownHost(header, nil) && !local {
			t.Errorf("%q counts as this machine", header)
		}
	})
}
