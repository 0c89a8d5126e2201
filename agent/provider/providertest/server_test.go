package providertest

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/topo-dev/topo/agent"
)

func post(t *testing.T, c *http.Client, url string) (*http.Response, string) {
	t.Helper()
	res, err := c.Post(url, "application/json", strings.NewReader(`{"model":"m"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, _ := io.ReadAll(res.Body)
	return res, string(b)
}

var paths = []string{"/v1/messages", "/v1/chat/completions", "/api/chat"}

func TestServerSpeaksEveryFormat(t *testing.T) {
	turn := Turn{Think("sig", "hm"), Text("Hel", "lo"), Use("c1", "read", `{"path":`, `"a"}`)}
	for _, want := range []struct{ path, kind, end string }{
		{"/v1/messages", "text/event-stream; charset=utf-8", `"type":"message_stop"`},
		{"/v1/chat/completions", "text/event-stream", "[DONE]"},
		{"/api/chat", "application/x-ndjson", `"done":true`},
	} {
		srv := New(turn)
		res, body := post(t, http.DefaultClient, srv.URL+want.path)
		if res.StatusCode != 200 || res.Header.Get("Content-Type") != want.kind {
			t.Errorf("%s: %d %s", want.path, res.StatusCode, res.Header)
		}
		for _, s := range []string{"Hel", "lo", "hm", "read", "c1", want.end} {
			if !strings.Contains(body, s) {
				t.Errorf("%s: no %q in\n%s", want.path, s, body)
			}
		}
		if got := srv.Requests(); len(got) != 1 || got[0].Path != want.path || !got[0].Holds(`"model"`) {
			t.Errorf("%s: recorded %+v", want.path, got)
		}
		srv.Close()
	}
}

func TestServerFaults(t *testing.T) {
	for _, path := range paths {
		srv := New(Turn{HTTP(agent.ErrRateLimit, "Retry-After", "7")}, Turn{Text("a"), Fail(agent.ErrOverloaded)}, Turn{Text("a"), Reset()})
		res, _ := post(t, http.DefaultClient, srv.URL+path)
		if res.StatusCode != 429 || res.Header.Get("Retry-After") != "7" {
			t.Errorf("%s: %d %v", path, res.StatusCode, res.Header)
		}
		if _, body := post(t, http.DefaultClient, srv.URL+path); !strings.Contains(body, `"error"`) {
			t.Errorf("%s: %s", path, body)
		}
		res, err := http.Post(srv.URL+path, "application/json", strings.NewReader("{}"))
		if err == nil {
			_, err = io.ReadAll(res.Body)
			res.Body.Close()
		}
		if err == nil {
			t.Errorf("%s: a reset connection reads to its end", path)
		}
		if res, body := post(t, http.DefaultClient, srv.URL+path); res.StatusCode < 400 || !strings.Contains(body, "is over") {
			t.Errorf("%s: past the script: %d %s", path, res.StatusCode, body)
		}
		srv.Close()
	}
}

func TestServerStyles(t *testing.T) {
	srv := New(Turn{Text("a")}, Turn{Text("a")})
	defer srv.Close()
	_, plain := post(t, http.DefaultClient, srv.URL+paths[0])
	srv.SetStyle(Style{CRLF: true, BOM: true, Bytes: true})
	_, odd := post(t, http.DefaultClient, srv.URL+paths[0])
	if want := "\ufeff" + strings.ReplaceAll(plain, "\n", "\r\n"); odd != want {
		t.Errorf("got %q\nwant %q", odd, want)
	}
}

// In memory, a reader that leaves ends a server that holds, with no goroutine
// left: synctest fails when one is.
func TestTransportLeavesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		never := make(chan struct{})
		srv := Offline(func(Recorded) Turn { return Turn{Text("a"), Hold(never)} })
		res, err := (&http.Client{Transport: srv.Transport()}).Post(srv.URL+paths[0], "", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := res.Body.Read(make([]byte, 10)); err != nil {
			t.Error(err)
		}
		res.Body.Close()
	})
}

func TestParse(t *testing.T) {
	turns, err := Parse([]byte(`[[{"text":["a","b"]},{"call":{"id":"c","name":"n","input":["{}"]}},{"stop":"calls"}],[{"http":{"kind":"auth"}}]]`))
	if err != nil || len(turns) != 2 || turns[0][1].Call.Name != "n" || !turns[1][0].ends() {
		t.Errorf("%+v, %v", turns, err)
	}
	for _, bad := range []string{"", "{}", `[[{"txt":["a"]}]]`, `[[{"text":"a"}]]`} {
		if _, err := Parse([]byte(bad)); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}
