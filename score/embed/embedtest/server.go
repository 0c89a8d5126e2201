// Package embedtest holds what tests of embeddings share: a server that speaks
// the documented wire formats of Ollama, OpenAI and the rerankers, a server of
// Qdrant's points, and the suite that every vector store must pass. Only tests
// import it.
//
// What always holds: the servers answer the same request in the same way, and remember
// what they were sent.
package embedtest

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"unicode"
)

// Dims is the number of dimensions of the server's vectors.
const Dims = 64

// Request is one request that arrived.
type Request struct {
	Path   string
	Header http.Header
	Body   string
}

// Server serves /api/embed as Ollama does, /v1/embeddings as OpenAI, /rerank as
// llama.cpp and Jina, and /tei/rerank as text-embeddings-inference.
type Server struct {
	*httptest.Server

	// Fault, when not nil, may answer a request in place of the server: it
	// returns true when it has. n counts the requests from 1.
	Fault func(w http.ResponseWriter, r *http.Request, n int) bool
	// Key, when not empty, is the bearer token that requests need.
	Key string

	mu       sync.Mutex
	requests []Request
}

// NewServer starts a server, which the caller closes.
func NewServer() *Server {
	s := &Server{}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	return s
}

// Requests lists what arrived so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Texts lists the texts that were embedded so far, in order of arrival.
func (s *Server) Texts() (out []string) {
	for _, r := range s.Requests() {
		var body struct{ Input []string }
		if json.Unmarshal([]byte(r.Body), &body) == nil {
			out = append(out, body.Input...)
		}
	}
	return out
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.requests = append(s.requests, Request{r.URL.Path, r.Header.Clone(), string(body)})
	n := len(s.requests)
	s.mu.Unlock()
	if s.Fault != nil && s.Fault(w, r, n) {
		return
	}
	if s.Key != "" && r.Header.Get("Authorization") != "Bearer "+s.Key {
		// Some servers repeat the key that they were given.
		fail(w, http.StatusUnauthorized, map[string]any{"error": map[string]any{"message": "bad key " + r.Header.Get("Authorization"), "type": "invalid_request_error"}})
		return
	}
	var in query
	if err := json.Unmarshal(body, &in); err != nil {
		fail(w, http.StatusBadRequest, map[string]any{"error": err.Error()})
		return
	}
	for _, e := range endpoints {
		if strings.HasSuffix(r.URL.Path, e.path) {
			e.serve(w, &in)
			return
		}
	}
	fail(w, http.StatusNotFound, map[string]any{"error": "not found"})
}

// query is what any of the requests holds.
type query struct {
	Model, Query     string
	Input            []string
	Documents, Texts *[]string
}

// endpoints by the end of their paths, the longer before the shorter.
var endpoints = []struct {
	path  string
	serve func(http.ResponseWriter, *query)
}{
	{"/api/embed", serveOllama}, {"/v1/embeddings", serveOpenAI}, {"/tei/rerank", serveTEI}, {"/rerank", serveRerank},
}

func serveOllama(w http.ResponseWriter, in *query) {
	if in.Model == "missing" {
		fail(w, http.StatusNotFound, map[string]any{"error": `model "missing" not found, try pulling it first`})
		return
	}
	reply(w, map[string]any{"model": in.Model, "embeddings": vectors(in.Input), "total_duration": 14143917, "prompt_eval_count": 8})
}

func serveOpenAI(w http.ResponseWriter, in *query) {
	var data []map[string]any
	for i, v := range vectors(in.Input) { // the order is the server's
		data = append([]map[string]any{{"object": "embedding", "index": i, "embedding": v}}, data...)
	}
	reply(w, map[string]any{"object": "list", "data": data, "model": in.Model, "usage": map[string]int{"prompt_tokens": 8, "total_tokens": 8}})
}

func serveTEI(w http.ResponseWriter, in *query) {
	if in.Texts == nil {
		w.WriteHeader(http.StatusUnprocessableEntity)
		fmt.Fprint(w, "Failed to deserialize the JSON body into the target type: missing field `texts` at line 1 column 58")
		return
	}
	reply(w, sorted(in.Query, *in.Texts, "score", func(x float64) float64 { return x }))
}

func serveRerank(w http.ResponseWriter, in *query) {
	if in.Documents == nil {
		fail(w, http.StatusBadRequest, map[string]any{"error": map[string]any{"code": 400, "message": `"documents" must be a non-empty string array`, "type": "invalid_request_error"}})
		return
	}
	logit := func(x float64) float64 { return 12*x - 9 } // llama.cpp gives raw scores
	reply(w, map[string]any{"model": in.Model, "object": "list", "results": sorted(in.Query, *in.Documents, "relevance_score", logit)})
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

func fail(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// sorted judges the texts, best first as the servers answer.
func sorted(query string, docs []string, field string, scale func(float64) float64) []map[string]any {
	q := Vector(query)
	out := make([]map[string]any, 0, len(docs))
	for i, d := range docs {
		sum := 0.0
		for k, x := range Vector(d) {
			sum += float64(x) * float64(q[k])
		}
		out = append(out, map[string]any{"index": i, field: scale(sum)})
		for k := len(out) - 1; k > 0 && out[k][field].(float64) > out[k-1][field].(float64); k-- {
			out[k], out[k-1] = out[k-1], out[k]
		}
	}
	return out
}

func vectors(texts []string) [][]float32 {
	out := make([][]float32, len(texts))
	for i, t := range texts {
		out[i] = Vector(t)
	}
	return out
}

// Vector counts the words of a text by their hashes: texts that share words are
// alike.
func Vector(text string) []float32 {
	v := make([]float32, Dims)
	v[0] = 0.1 // no text is zero
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		h := fnv.New32a()
		h.Write([]byte(w))
		v[1+h.Sum32()%(Dims-1)]++
	}
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}
