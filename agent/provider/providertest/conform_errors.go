package providertest

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/wire"
)

// kindOf is the kind of a provider's error, "" for any other error.
func kindOf(err error) agent.ErrorKind {
	var pe *agent.ProviderError
	if errors.As(err, &pe) {
		return pe.Kind
	}
	return ""
}

// A body that ends anywhere before the end of the message is an error that is
// retried, and what was passed on is taken back first.
func conformEnds(t *testing.T, s Subject) {
	steps := Turn{Think("c2ln", "hm"), Text("a", "b"), Use("c", "ls", `{"z":"1"}`), Use("d", "ls")}
	for n := range len(steps) + 1 {
		for _, end := range []Step{Cut(), Reset()} {
			name := fmt.Sprintf("%d steps, cut %v", n, end.Cut)
			turn := append(slices.Clone(steps[:n]), end)
			r := s.play(t, turn, Turn{Text("whole")}).ok(t)
			if got := shape(r.Res.Message); got != "text whole" {
				t.Errorf("%s: %s", name, got)
			}
			if wantReset := n > 0; strings.Contains(r.kinds(), "reset retry text") != wantReset || !strings.HasSuffix(r.kinds(), "retry text") {
				t.Errorf("%s: %s", name, r.kinds())
			}
			if len(r.Slept) != 1 || r.joined(agent.DeltaText) != "whole" {
				t.Errorf("%s: slept %v, text %q", name, r.Slept, r.joined(agent.DeltaText))
			}
		}
	}
	r := s.play(t, Turn{Text("a"), Cut()}, Turn{Text("a"), Raw("data: {\"broken\n\n{\"broken\n"), Cut()}, Turn{HTTP(agent.ErrAuth)})
	if kindOf(r.Err) != agent.ErrAuth || len(r.Slept) != 2 || len(r.Res.Message.Blocks) != 0 {
		t.Errorf("%v, slept %v, %+v", r.Err, r.Slept, r.Res)
	}
}

var retried = []agent.ErrorKind{agent.ErrRateLimit, agent.ErrOverloaded, agent.ErrServer}
var final = []agent.ErrorKind{agent.ErrAuth, agent.ErrSpend, agent.ErrContext, agent.ErrRequest}

// Errors in place of a stream.
func conformStatus(t *testing.T, s Subject) {
	for _, kind := range retried {
		r := s.play(t, Turn{HTTP(kind)}, Turn{Text("a")}).ok(t)
		if r.kinds() != "retry text" || !strings.Contains(r.Deltas[0].Reason, string(kind)) || r.Deltas[0].Attempt != 2 || r.Deltas[0].Wait != r.Slept[0] {
			t.Errorf("%s: %+v", kind, r.Deltas)
		}
	}
	for _, kind := range final {
		r := s.play(t, Turn{HTTP(kind)}, Turn{Text("a")})
		if kindOf(r.Err) != kind || len(r.Deltas) != 0 {
			t.Errorf("%s: %v, %+v", kind, r.Err, r.Deltas)
		}
	}
	for _, c := range []struct {
		name string
		f    Fault
		want agent.ErrorKind
	}{
		{"timeout", Fault{Status: 408, Type: "-", Message: "Request timed out"}, agent.ErrServer},
		{"conflict", Fault{Status: 409, Type: "-", Message: "lock"}, agent.ErrServer},
		{"bad gateway", Fault{Status: 502, Body: "<html><h1>502</h1></html>", Header: map[string]string{"Content-Type": "text/html"}}, agent.ErrServer},
		{"cloudflare", Fault{Status: 520, Body: "error code: 520", Header: map[string]string{"Content-Type": "text/plain"}}, agent.ErrServer},
		{"busy", Fault{Status: 529, Body: "{}"}, agent.ErrOverloaded},
		{"unavailable", Fault{Status: 503, Body: ""}, agent.ErrOverloaded},
		{"forbidden", Fault{Status: 403, Type: "-", Message: "no"}, agent.ErrAuth},
		{"pay", Fault{Status: 402, Type: "-", Message: "Insufficient credits"}, agent.ErrSpend},
		{"too large", Fault{Status: 413, Type: "-", Message: "big"}, agent.ErrContext},
		{"not found", Fault{Status: 404, Type: "-", Message: "no such model"}, agent.ErrRequest},
		{"spending cap", Fault{Status: 429, Type: "-", Message: "You have hit your monthly spend cap."}, agent.ErrSpend},
		{"tokens a minute", Fault{Status: 429, Type: "-", Message: "Quota exceeded: 30000 tokens per minute"}, agent.ErrRateLimit},
	} {
		f := c.f
		r := s.with(t, serve(t, Turn{Step{HTTP: &f}}), ask(), func(c *wire.Config) { c.Retry.Attempts = 1 })
		if kindOf(r.Err) != c.want {
			t.Errorf("%s: %v, want %s", c.name, r.Err, c.want)
		}
	}
	r := s.play(t, Turn{Step{HTTP: &Fault{Status: 429, Type: "-", Message: "spend cap", Header: map[string]string{"Retry-After": "5"}}}}, Turn{Text("a")}).ok(t)
	if !slices.Equal(r.Slept, []time.Duration{5 * time.Second}) {
		t.Errorf("a spending cap that ends in five seconds: %v", r.Slept)
	}
}

func serve(t *testing.T, turns ...Turn) *Server {
	srv := New(turns...)
	t.Cleanup(srv.Close)
	return srv
}

// Errors inside a stream that began with status 200.
func conformInside(t *testing.T, s Subject) {
	for _, kind := range retried {
		if !s.Types && kind == agent.ErrOverloaded {
			continue
		}
		r := s.play(t, Turn{Fail(kind)}, Turn{Text("a"), Fail(kind)}, Turn{Text("b")}).ok(t)
		if r.kinds() != "retry text reset retry text" || shape(r.Res.Message) != "text b" || len(r.Slept) != 2 {
			t.Errorf("%s: %s, %s", kind, r.kinds(), shape(r.Res.Message))
		}
		if s.Types && !strings.Contains(r.Deltas[0].Reason, string(kind)) {
			t.Errorf("%s: %s", kind, r.Deltas[0].Reason)
		}
	}
	for _, kind := range final {
		if !s.Types && kind != agent.ErrContext {
			continue
		}
		r := s.play(t, Turn{Text("a"), Fail(kind)}, Turn{Text("b")})
		if kindOf(r.Err) != kind || len(r.Slept) != 0 {
			t.Errorf("%s: %v", kind, r.Err)
		}
	}
	r := s.play(t, Turn{Step{Error: &Fault{Type: "weather_error", Message: "rain", Status: 599}}}, Turn{Text("b")}).ok(t)
	if len(r.Slept) != 1 {
		t.Errorf("an error of an unknown type is not retried: %v", r.Slept)
	}
}

// What a server says about trying again is kept.
func conformWaits(t *testing.T, s Subject) {
	soon := time.Now().Add(time.Hour).UTC()
	for _, c := range []struct {
		name    string
		headers []string
		want    []time.Duration // nil when not retried
	}{
		{"seconds", []string{"Retry-After", "7"}, []time.Duration{7 * time.Second}},
		{"milliseconds", []string{"Retry-After-Ms", "1500", "Retry-After", "9"}, []time.Duration{1500 * time.Millisecond}},
		{"date", []string{"Retry-After", soon.Add(20 * time.Second).Format(http.TimeFormat), "Date", soon.Format(http.TimeFormat)}, []time.Duration{20 * time.Second}},
		{"not said", nil, []time.Duration{time.Second}},
		{"too long", []string{"Retry-After", "86400"}, nil},
		{"should not", []string{"X-Should-Retry", "false", "Retry-After", "1"}, nil},
	} {
		r := s.play(t, Turn{HTTP(agent.ErrRateLimit, c.headers...)}, Turn{Text("a")})
		if !slices.Equal(r.Slept, c.want) || (r.Err == nil) != (c.want != nil) {
			t.Errorf("%s: slept %v, want %v, %v", c.name, r.Slept, c.want, r.Err)
		}
		if c.want != nil && (len(r.Deltas) == 0 || r.Deltas[0].Kind != agent.DeltaRetry || r.Deltas[0].Wait != c.want[0]) {
			t.Errorf("%s: the wait is not shown: %+v", c.name, r.Deltas)
		}
	}
	if r := s.play(t, Turn{HTTP(agent.ErrRequest, "X-Should-Retry", "true")}, Turn{Text("a")}).ok(t); len(r.Slept) != 1 {
		t.Errorf("a retry that the server asks for: %v", r.Slept)
	}
	r := s.with(t, serve(t), ask(), func(c *wire.Config) { c.Retry.Attempts = 3 })
	if r.Err == nil || len(r.Slept) > 2 {
		t.Errorf("%v, slept %v", r.Err, r.Slept)
	}
}

// What a server sends is bounded.
func conformBounds(t *testing.T, s Subject) {
	long := strings.Repeat("x", 5000)
	small := func(c *wire.Config) { c.Limits.Line, c.Limits.Bytes = 4000, 20000 }
	r := s.with(t, serve(t, Turn{Text(long)}), ask(), small)
	if kindOf(r.Err) != agent.ErrProtocol || len(r.Slept) != 0 || !errors.Is(r.Err, wire.ErrLine) {
		t.Errorf("a line that is too long: %v, slept %v", r.Err, r.Slept)
	}
	many := Turn{}
	for range 20 {
		many = append(many, Text(long[:2000]))
	}
	r = s.with(t, serve(t, many), ask(), small)
	if kindOf(r.Err) != agent.ErrProtocol || len(r.Slept) != 0 {
		t.Errorf("an answer that is too long: %v, slept %v", r.Err, r.Slept)
	}
	big := strings.Repeat("y", 1<<20)
	if r := s.play(t, Turn{Text(big), Text(big)}).ok(t); len(r.Res.Message.Text()) != 2<<20 {
		t.Errorf("a line of a megabyte came as %d bytes", len(r.Res.Message.Text()))
	}
	f := Fault{Status: 400, Type: "-", Message: strings.Repeat("\x1b[31mred\n ", 40000)}
	r = s.with(t, serve(t, Turn{Step{HTTP: &f}}), ask(), nil)
	if r.Err == nil || len(r.Err.Error()) > 1000 || strings.ContainsAny(r.Err.Error(), "\x1b\n") {
		t.Errorf("an error message of %d bytes: %.200q", len(r.Err.Error()), r.Err.Error())
	}
}

// A key goes into one header and nowhere else.
func conformSecrets(t *testing.T, s Subject) {
	const key = "topo-test-key-0123456789"
	echo := Fault{Status: 401, Type: "-", Message: "bad key " + key + " and Bearer " + key + " and sk-ant-REDACTED"}
	srv := serve(t, Turn{Step{HTTP: &echo}}, Turn{Step{Error: &echo}}, Turn{HTTP(agent.ErrAuth, "X-Echo", key)})
	for range 3 {
		r := s.with(t, srv, ask(), func(c *wire.Config) { c.Key, c.Retry.Attempts = wire.NewSecret(key+"\n"), 1 })
		for _, verb := range []string{"%v", "%+v", "%#v", "%q"} {
			if got := fmt.Sprintf(verb+verb, r.Err, r.Deltas); r.Err == nil || strings.Contains(got, key) || strings.Contains(got, "abcdefgh") {
				t.Errorf("%s shows a key: %s", verb, got)
			}
		}
	}
	for _, rec := range srv.Requests() {
		in := 0
		for _, v := range rec.Header {
			in += strings.Count(strings.Join(v, " "), key)
		}
		if rec.Holds(key) || in != 1 {
			t.Errorf("the key stands in %d headers; in the body: %v", in, rec.Holds(key))
		}
	}
}

// What is on the other end of a connection may not be the API.
func conformConnection(t *testing.T, s Subject) {
	once := func(c *wire.Config) { c.Retry.Attempts = 1 }
	srv := New()
	srv.Close()
	if r := s.with(t, srv, ask(), once); kindOf(r.Err) != agent.ErrNetwork || !strings.Contains(r.Err.Error(), "no connection to 127.0.0.1") {
		t.Errorf("nobody listens: %v", r.Err)
	}
	other := serve(t, Turn{Text("stolen")})
	moved := Fault{Status: 307, Header: map[string]string{"Location": other.URL + "/v1/messages"}, Body: "moved"}
	if r := s.with(t, serve(t, Turn{Step{HTTP: &moved}}), ask(), once); kindOf(r.Err) != agent.ErrRequest || len(other.Requests()) != 0 {
		t.Errorf("a redirect: %v, %d requests followed it", r.Err, len(other.Requests()))
	}
	page := Fault{Status: 200, Header: map[string]string{"Content-Type": "text/html; charset=utf-8"}, Body: "<html>Welcome</html>"}
	if r := s.with(t, serve(t, Turn{Step{HTTP: &page}}), ask(), once); kindOf(r.Err) != agent.ErrRequest || !strings.Contains(r.Err.Error(), "base URL") {
		t.Errorf("a web page: %v", r.Err)
	}
	plain := Fault{Status: 200, Header: map[string]string{"Content-Type": "application/json"}, Body: `{"error":{"type":"overloaded_error","code":"server_overloaded","message":"too many requests"}}`}
	if r := s.with(t, serve(t, Turn{Step{HTTP: &plain}}), ask(), once); kindOf(r.Err) == "" || kindOf(r.Err) == agent.ErrRequest {
		t.Errorf("an error with status 200: %v", r.Err)
	}
}
