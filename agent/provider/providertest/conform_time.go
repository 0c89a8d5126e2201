package providertest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/wire"
)

// bubble runs f where time is not real and where a goroutine left behind is a
// failure, against a server in memory. The script is given a channel on which a
// turn can hold for good; one made outside of the bubble would stop its time.
func (s Subject) bubble(t *testing.T, script func(never chan struct{}) []Turn, f func(*testing.T, agent.Provider)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		turns := script(make(chan struct{}))
		srv := Offline(func(r Recorded) Turn { return turns[min(r.N, len(turns)-1)] })
		p, err := s.New(wire.Config{
			BaseURL: strings.Replace(s.Base(srv), "http:", "https:", 1), Key: wire.NewSecret("k"), Transport: srv.Transport(),
			Limits: wire.Limits{Idle: time.Minute, Total: time.Hour},
		})
		if err != nil {
			t.Fatal(err)
		}
		f(t, p)
	})
}

// A cancelled context ends a request at once, wherever it is, with the context's
// own error and nothing left behind.
func conformCancel(t *testing.T, s Subject) {
	for name, turn := range map[string]func(chan struct{}) []Turn{
		"before the first byte": func(c chan struct{}) []Turn { return []Turn{{Hold(c)}} },
		"within a text":         func(c chan struct{}) []Turn { return []Turn{{Text("a"), Hold(c)}} },
		"within a call":         func(c chan struct{}) []Turn { return []Turn{{Use("c", "ls", `{"z":`), Hold(c)}} },
		"while waiting":         func(chan struct{}) []Turn { return []Turn{{HTTP(agent.ErrRateLimit, "Retry-After", "200")}} },
	} {
		s.bubble(t, turn, func(t *testing.T, p agent.Provider) {
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			start := time.Now()
			res, err := p.Stream(ctx, ask(), func(agent.Delta) {})
			if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 30*time.Second || len(res.Message.Blocks) != 0 {
				t.Errorf("%s: %v after %v, %+v", name, err, time.Since(start), res)
			}
		})
	}
	text := func(chan struct{}) []Turn { return []Turn{{Text("a", "b", "c")}} }
	s.bubble(t, text, func(t *testing.T, p agent.Provider) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := p.Stream(ctx, ask(), func(agent.Delta) { t.Error("something was passed on") }); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled before: %v", err)
		}
	})
	s.bubble(t, text, func(t *testing.T, p agent.Provider) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		_, err := p.Stream(ctx, ask(), func(agent.Delta) { cancel() })
		if err != nil && !errors.Is(err, context.Canceled) { // what is already here may still be read
			t.Errorf("cancelled by its reader: %v", err)
		}
	})
}

// heartbeats are a channel for each sign of life, closed at their times.
func heartbeats(every time.Duration, n int, what Step) (t Turn) {
	for i := range n {
		c := make(chan struct{})
		time.AfterFunc(every*time.Duration(i+1), func() { close(c) })
		t = append(t, Hold(c), what)
	}
	return t
}

func conformWatchdog(t *testing.T, s Subject) {
	for name, first := range map[string]Turn{"before the first byte": {}, "in the middle": {Text("a")}} {
		s.bubble(t, func(c chan struct{}) []Turn { return []Turn{append(first, Hold(c)), {Text("b")}} }, func(t *testing.T, p agent.Provider) {
			start := time.Now()
			var reason string
			res, err := p.Stream(t.Context(), ask(), func(d agent.Delta) {
				if d.Kind == agent.DeltaRetry {
					reason = d.Reason
					if time.Since(start) != time.Minute {
						t.Errorf("%s: retried after %v", name, time.Since(start))
					}
				}
			})
			if err != nil || shape(res.Message) != "text b" || !strings.Contains(reason, "nothing came from the server for 1m0s") {
				t.Errorf("%s: %v, %s, %q", name, err, shape(res.Message), reason)
			}
		})
	}
	// Signs of life keep a request alive far beyond the longest silence, also
	// while its reader is slow.
	synctest.Test(t, func(t *testing.T) {
		turn := append(append(Turn{Text("a")}, heartbeats(50*time.Second, 20, Ping())...), Text("b"))
		srv := Offline(func(Recorded) Turn { return turn })
		p, err := s.New(wire.Config{BaseURL: strings.Replace(s.Base(srv), "http:", "https:", 1), Transport: srv.Transport(), Limits: wire.Limits{Idle: time.Minute, Total: time.Hour}})
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		res, err := p.Stream(t.Context(), ask(), func(d agent.Delta) {
			if d.Text == "b" {
				time.Sleep(2 * time.Minute)
			}
		})
		if err != nil || !strings.HasPrefix(res.Message.Text(), "a") || !strings.HasSuffix(res.Message.Text(), "b") || time.Since(start) != 1000*time.Second+2*time.Minute {
			t.Errorf("%v, %q after %v", err, res.Message.Text(), time.Since(start))
		}
	})
	conformTotal(t, s)
}

// The cap on the whole holds although the server lives, and is not retried.
func conformTotal(t *testing.T, s Subject) {
	synctest.Test(t, func(t *testing.T) {
		turn := append(heartbeats(50*time.Second, 80, Ping()), Text("b"))
		srv := Offline(func(Recorded) Turn { return turn })
		p, err := s.New(wire.Config{BaseURL: strings.Replace(s.Base(srv), "http:", "https:", 1), Transport: srv.Transport(), Limits: wire.Limits{Idle: time.Minute, Total: time.Hour}})
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		_, err = p.Stream(t.Context(), ask(), func(agent.Delta) {})
		if kindOf(err) != agent.ErrNetwork || time.Since(start) != time.Hour || len(srv.Requests()) != 1 {
			t.Errorf("%v after %v, %d requests", err, time.Since(start), len(srv.Requests()))
		}
		time.Sleep(time.Hour) // the rest of the beats
	})
}

// The same request gives the same bytes, a transcript that was stored too, and
// the retry of a request is the request.
func conformBytes(t *testing.T, s Subject) {
	srv := serve(t, Turn{Text("a")}, Turn{Text("a")}, Turn{HTTP(agent.ErrServer)}, Turn{Text("a")}, Turn{Text("a")})
	req := ask()
	for range 3 {
		s.with(t, srv, req, nil).ok(t)
	}
	stored, err := json.Marshal(req.Messages)
	if err != nil {
		t.Fatal(err)
	}
	req.Messages = nil
	if err := json.Unmarshal(stored, &req.Messages); err != nil {
		t.Fatal(err)
	}
	s.with(t, srv, req, nil).ok(t)
	got := srv.Requests()
	for i, r := range got {
		if !bytes.Equal(r.Body, got[0].Body) {
			t.Errorf("request %d differs:\n%s\n%s", i, r.Body, got[0].Body)
		}
		if v := r.Header.Get("Content-Type"); v != "application/json" {
			t.Errorf("Content-Type: %s", v)
		}
	}
	for _, want := range []string{"old_1", "main.go", "You are a test.", "test-model"} {
		if !got[0].Holds(want) {
			t.Errorf("%q is not in the request:\n%s", want, got[0].Body)
		}
	}
	if z, a := bytes.Index(got[0].Body, []byte(`"z"`)), bytes.Index(got[0].Body, []byte(`"a"`)); z < 0 || a < z {
		t.Errorf("the properties of a schema changed their order:\n%s", got[0].Body)
	}
	// A longer transcript begins as the shorter one did.
	req.Messages = append(req.Messages, agent.Message{Role: agent.Assistant, Blocks: []agent.Block{{Kind: agent.BlockText, Text: "More."}}}, agent.UserText("Go on."))
	longer := s.with(t, serve(t, Turn{Text("a")}), req, nil).ok(t).Server.Requests()[0].Body
	if n := commonPrefix(plain(got[0].Body), plain(longer)); n < bytes.Index(plain(got[0].Body), []byte("main.go")) {
		t.Errorf("only %d bytes are common to\n%s\n%s", n, got[0].Body, longer)
	}
}

// plain is a body without the marks of a cache, which move and are no part of
// what is cached.
func plain(body []byte) []byte {
	return bytes.ReplaceAll(body, []byte(`,"cache_control":{"type":"ephemeral"}`), nil)
}

func commonPrefix(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
