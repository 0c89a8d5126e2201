package embed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/topo-dev/topo/score/embed/embedtest"
)

const testKey = "sk-not-to-be-seen"

// quick is a policy that does not wait, and tells how long it would have.
func quick(waits *[]time.Duration) Retry {
	return Retry{Jitter: func() float64 { return 1 }, Sleep: func(ctx context.Context, d time.Duration) error {
		if waits != nil {
			*waits = append(*waits, d)
		}
		return context.Cause(ctx)
	}}
}

func serve(t *testing.T) *embedtest.Server {
	s := embedtest.NewServer()
	t.Cleanup(s.Close)
	return s
}

// embedders makes one of each kind that connects to s.
func embedders(t *testing.T, s *embedtest.Server, o Service) map[string]Embedder {
	t.Helper()
	o.URL = s.URL
	ollama, err := NewOllama(o)
	if err != nil {
		t.Fatal(err)
	}
	o.URL = s.URL + "/v1/"
	open, err := NewOpenAI(o)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]Embedder{"ollama": ollama, "openai": open}
}

func TestEmbed(t *testing.T) {
	s := serve(t)
	s.Key = testKey
	for name, e := range embedders(t, s, Service{Key: testKey, Model: "m"}) {
		got, err := e.Embed(context.Background(), []string{"evict pods", "render text"}, Document)
		if err != nil || len(got) != 2 {
			t.Fatalf("%s: %v", name, err)
		}
		for i, want := range [][]float32{embedtest.Vector("evict pods"), embedtest.Vector("render text")} {
			if c := Cosine(Quantize(got[i]), Quantize(want)); c < 0.999 {
				t.Errorf("%s: vector %d is another one: cosine %v", name, i, c)
			}
		}
		if none, err := e.Embed(context.Background(), nil, Query); err != nil || len(none) != 0 {
			t.Errorf("%s: no texts: %v, %v", name, none, err)
		}
	}
	for _, r := range s.Requests() {
		if strings.Contains(r.Body, testKey) {
			t.Error("the key is in a body")
		}
	}
}

// TestFaults lets the service fail in every way that it may, and checks what is
// tried again, what is told, and that no key is told.
func TestFaults(t *testing.T) {
	text := func(status int, body string) func(http.ResponseWriter, *http.Request, int) bool {
		return func(w http.ResponseWriter, _ *http.Request, _ int) bool {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			io.WriteString(w, body)
			return true
		}
	}
	both := func(vectors string) string { // an answer in both formats
		var list []string
		for i, v := range strings.Split(vectors, ";") {
			list = append(list, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":%s}`, i, v))
		}
		return fmt.Sprintf(`{"embeddings":[%s],"data":[%s]}`, strings.ReplaceAll(vectors, ";", ","), strings.Join(list, ","))
	}
	for _, c := range []struct {
		name  string
		fault func(http.ResponseWriter, *http.Request, int) bool
		tries int
		want  string
	}{
		{"error for good", text(400, `{"error":"bad input"}`), 1, "status 400: bad input"},
		{"error of OpenAI", text(400, `{"error":{"message":"too many tokens","type":"x","param":"y","code":"z"}}`), 1, "status 400: too many tokens"},
		{"error as text", text(403, `Forbidden `+testKey), 1, "status 403"},
		{"overloaded", text(503, `{"error":"busy"}`), 4, "status 503: busy (tried 4 times)"},
		{"rate limit", text(429, `{"error":"slow down"}`), 4, "status 429: slow down"},
		{"redirect", func(w http.ResponseWriter, r *http.Request, _ int) bool {
			http.Redirect(w, r, "http://192.0.2.1/elsewhere", http.StatusTemporaryRedirect)
			return true
		}, 1, "status 307"},
		{"no JSON", text(200, `<html>`), 1, "the answer is no"},
		{"empty", text(200, ``), 1, ""},
		{"short", text(200, both(`[1,2]`)), 1, "1 vectors for 2 texts"},
		{"uneven", text(200, both(`[1,2];[1]`)), 1, "vector 1 has 1 dimensions, the first has 2"},
		{"no dimensions", text(200, both(`[];[]`)), 1, "vector 0 has 0 dimensions"},
		{"zero", text(200, both(`[1,2];[0,0]`)), 1, "vector 1 is zero or not finite"},
		{"null", text(200, both(`[1,null];[1,2]`)), 1, "something else than numbers"},
		{"NaN", text(200, both(`[1,NaN];[1,2]`)), 1, ""},
		{"infinite", text(200, both(`[1,1e999];[1,2]`)), 1, ""},
		{"closed early", func(w http.ResponseWriter, _ *http.Request, _ int) bool {
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, `{"embeddings":[[`)
			return true
		}, 4, "unexpected EOF"},
		{"cut off", func(w http.ResponseWriter, _ *http.Request, _ int) bool { panic(http.ErrAbortHandler) }, 4, "EOF"},
	} {
		s := serve(t)
		s.Config.ErrorLog = nil
		s.Fault = c.fault
		for name, e := range embedders(t, s, Service{Key: testKey, Model: "m", Retry: quick(nil)}) {
			before := len(s.Requests())
			_, err := e.Embed(context.Background(), []string{"a", "b"}, Document)
			if err == nil {
				t.Errorf("%s, %s: no error", c.name, name)
				continue
			}
			var own *Error
			if !errors.As(err, &own) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), testKey) {
				t.Errorf("%s, %s: %T %v; want %q", c.name, name, err, err, c.want)
			}
			if got := len(s.Requests()) - before; got != c.tries {
				t.Errorf("%s, %s: asked %d times, want %d", c.name, name, got, c.tries)
			}
		}
	}
}

func TestRecovers(t *testing.T) {
	var waits []time.Duration
	s := serve(t)
	var failures atomic.Int32
	s.Fault = func(w http.ResponseWriter, _ *http.Request, _ int) bool {
		switch failures.Add(1) {
		case 1:
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(http.StatusTooManyRequests)
		case 2:
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusServiceUnavailable)
		case 3:
			w.WriteHeader(http.StatusBadGateway)
		default:
			return false
		}
		return true
	}
	for name, e := range embedders(t, s, Service{Model: "m", Retry: quick(&waits)}) {
		waits = nil
		failures.Store(0)
		if _, err := e.Embed(context.Background(), []string{"a"}, Query); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if want := []time.Duration{7 * time.Second, 20 * time.Second, 2 * time.Second}; fmt.Sprint(waits) != fmt.Sprint(want) {
			t.Errorf("%s: waited %v, want %v", name, waits, want)
		}
	}
}

func TestTimeoutAndCancel(t *testing.T) {
	release := make(chan struct{})
	s := serve(t)
	defer close(release)
	s.Fault = func(http.ResponseWriter, *http.Request, int) bool { <-release; return false }
	for name, e := range embedders(t, s, Service{Model: "m", Retry: quick(nil), Timeout: 20 * time.Millisecond}) {
		_, err := e.Embed(context.Background(), []string{"a"}, Query)
		if err == nil || !strings.Contains(err.Error(), "no answer within 20ms (tried 4 times)") || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, e := range embedders(t, s, Service{Model: "m", Retry: quick(nil)}) {
		ctx, cancel := context.WithCancel(context.Background())
		before := len(s.Requests())
		done := make(chan error)
		go func() { _, err := e.Embed(ctx, []string{"a"}, Query); done <- err }()
		for len(s.Requests()) == before {
			time.Sleep(time.Millisecond)
		}
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("%s: cancelled: %v", name, err)
		}
		if n := len(s.Requests()) - before; n != 1 {
			t.Errorf("%s: asked %d times after it was cancelled", name, n)
		}
	}
}

func TestUnreachable(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	var waits []time.Duration
	e, err := NewOllama(Service{URL: s.URL, Retry: quick(&waits)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = e.Embed(context.Background(), []string{"a"}, Query); err == nil || !strings.Contains(err.Error(), "nothing listens there; start it") || len(waits) > 0 {
		t.Errorf("%v, waited %v", err, waits)
	}
}

func TestAnswerTooLong(t *testing.T) {
	s := serve(t)
	s.Fault = func(w http.ResponseWriter, _ *http.Request, _ int) bool {
		chunk := []byte(strings.Repeat("[", 1<<20))
		for {
			if _, err := w.Write(chunk); err != nil {
				return true
			}
		}
	}
	for name, e := range embedders(t, s, Service{Model: "m", Retry: quick(nil)}) {
		before := len(s.Requests())
		_, err := e.Embed(context.Background(), []string{"a"}, Query)
		if err == nil || !strings.Contains(err.Error(), "longer than") || len(s.Requests())-before != 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAddresses(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"localhost", "http://localhost:11434"}, {"10.0.0.1:80", "http://10.0.0.1:80"}, {"http://h/sub/", "http://h:11434/sub"},
		{"https://u:" + testKey + "@h", "https://h"}, {"ftp://x", ""}, {"", ""}, {"http://", ""}, {"http://a b", ""},
		{"http://u:" + testKey + "@%zz", ""},
	} {
		e, err := NewOllama(Service{URL: c.in})
		if (err == nil) != (c.want != "") || err == nil && e.Address() != c.want {
			t.Errorf("%q: %v, %v", c.in, e, err)
		}
		if err != nil && strings.Contains(err.Error(), testKey) {
			t.Errorf("%q: the password is told: %v", c.in, err)
		}
	}
}

func TestModelNotThere(t *testing.T) {
	s := serve(t)
	e, err := NewOllama(Service{URL: s.URL, Model: "missing"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.Embed(context.Background(), []string{"a"}, Query)
	if err == nil || !strings.HasSuffix(err.Error(), `not found, try pulling it first; fetch the model with: ollama pull missing`) {
		t.Error(err)
	}
}

func TestPrefixes(t *testing.T) {
	s := serve(t)
	for _, model := range []string{"nomic-embed-text:v1.5", "Snowflake-Arctic-Embed2", "all-minilm"} {
		e, _ := NewOllama(Service{URL: s.URL, Model: model})
		for _, p := range []Purpose{Document, Query} {
			if _, err := e.Embed(context.Background(), []string{"x"}, p); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := []string{"search_document: x", "search_query: x", "x", "query: x", "x", "x"}
	if got := s.Texts(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("sent %q, want %q", got, want)
	}
	for i, p := range prefixes[1:] {
		if strings.Contains(p.model, prefixes[i].model) {
			t.Errorf("%s is never reached: %s stands before it", p.model, prefixes[i].model)
		}
	}
}

func TestRerank(t *testing.T) {
	s := serve(t)
	s.Key = testKey
	docs := make([]string, 70)
	for i := range docs {
		docs[i] = fmt.Sprintf("document %c", 'a'+i%26)
	}
	docs[40] = "evict pods under memory pressure"
	for _, path := range []string{"", "/v1", "/v1/rerank", "/tei"} {
		r, err := NewReranker(Service{URL: s.URL + path, Key: testKey, Model: "m", Retry: quick(nil)})
		if err != nil {
			t.Fatal(err)
		}
		before := len(s.Requests())
		got, err := r.Rerank(context.Background(), "evict pods", docs)
		if err != nil || len(got) != len(docs) {
			t.Fatalf("%s: %v", path, err)
		}
		for i, v := range got {
			if i != 40 && v >= got[40] {
				t.Errorf("%s: text %d has %v, the wanted one %v", path, i, v, got[40])
			}
		}
		want := 3 // batches of 32
		if path == "/tei" {
			want++ // the first shape, once
		}
		if n := len(s.Requests()) - before; n != want {
			t.Errorf("%s: %d requests, want %d", path, n, want)
		}
	}
}

func TestScoresOf(t *testing.T) {
	for _, c := range []struct {
		answer string
		want   []float64 // nil: an error
	}{
		{`{"results":[{"index":1,"relevance_score":0.5},{"index":0,"relevance_score":-2}]}`, []float64{-2, 0.5}},
		{`[{"index":1,"score":0.5},{"index":0,"score":0.1}]`, []float64{0.1, 0.5}},
		{`[{"index":1,"score":0.5}]`, nil},
		{`[{"index":1,"score":0.5},{"index":1,"score":0.1}]`, nil},
		{`[{"index":2,"score":0.5},{"index":0,"score":0.1}]`, nil},
		{`[{"index":-1,"score":0.5},{"index":0,"score":0.1}]`, nil},
		{`[{"score":0.5},{"index":0,"score":0.1}]`, nil},
		{`[{"index":1,"score":null},{"index":0,"score":0.1}]`, nil},
		{`[{"index":1,"score":1e999},{"index":0,"score":0.1}]`, nil},
		{`{"results":[]}`, nil}, {`{}`, nil}, {``, nil}, {`[`, nil}, {`{"results":[`, nil}, {`null`, nil},
	} {
		got, err := scoresOf([]byte(c.answer), 2)
		if (err == nil) != (c.want != nil) || err == nil && fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, %v", c.answer, got, err)
		}
	}
}

func FuzzScoresOf(f *testing.F) {
	f.Add([]byte(`{"results":[{"index":1,"relevance_score":0.5},{"index":0,"relevance_score":-2}]}`))
	f.Add([]byte(`[{"index":1,"score":0.5},{"index":0,"score":0.1}]`))
	f.Fuzz(func(t *testing.T, answer []byte) {
		got, err := scoresOf(answer, 2)
		if err == nil && (len(got) != 2 || math.IsNaN(got[0]) || math.IsInf(got[1], 0)) {
			t.Errorf("%q: %v", answer, got)
		}
	})
}

func FuzzVectors(f *testing.F) {
	f.Add([]byte(`[[1,2],[3,4]]`))
	f.Fuzz(func(t *testing.T, answer []byte) {
		var rows []row
		if json.Unmarshal(answer, &rows) != nil {
			return
		}
		vectors := make([][]float32, len(rows))
		for i := range rows {
			vectors[i] = rows[i]
		}
		if checked(vectors, len(rows)) != nil {
			return
		}
		for _, v := range vectors {
			if c := Cosine(Quantize(v), Quantize(v)); !(math.Abs(c-1) < 1e-6) {
				t.Errorf("%v is like itself by %v", v, c)
			}
		}
	})
}

func TestPause(t *testing.T) {
	low := Retry{Jitter: func() float64 { return 0 }}.filled()
	for i, want := range []time.Duration{250 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 10 * time.Second, 10 * time.Second} {
		if got := low.pause(i+1, 0); got != want {
			t.Errorf("after %d tries %v, want %v", i+1, got, want)
		}
	}
	if got := low.pause(1, time.Hour); got != 20*time.Second {
		t.Errorf("asked for an hour: %v", got)
	}
}
