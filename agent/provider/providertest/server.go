package providertest

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/topo-dev/topo/agent"
)

// maxBody bounds what the server reads of a request.
const maxBody = 64 << 20

// Style is how a server writes what its script says. Every client has to read
// all of them.
type Style struct {
	CRLF  bool // lines end in CR LF
	BOM   bool // the body begins with a byte order mark
	Bytes bool // every byte is flushed by itself
}

// Server plays a script to whoever asks.
type Server struct {
	// URL is the address without a path, for providers that want the host
	// (Anthropic, Ollama); see [Server.OpenAI] for the others.
	URL string

	next  func(Recorded) Turn
	style atomic.Pointer[Style]
	http  *httptest.Server

	mu   sync.Mutex
	seen []Recorded
}

// Recorded is a request that reached the server.
type Recorded struct {
	N      int // 0 for the first
	Path   string
	Header http.Header
	Body   []byte
}

// Holds reports whether the body contains s.
func (r Recorded) Holds(s string) bool { return strings.Contains(string(r.Body), s) }

// New starts a server on a loopback port that plays the turns in order.
func New(turns ...Turn) *Server {
	return NewFunc(func(r Recorded) Turn {
		if r.N < len(turns) {
			return turns[r.N]
		}
		return Turn{Step{HTTP: &Fault{Kind: agent.ErrRequest, Message: "the script of this server is over"}}}
	})
}

// NewFunc starts a server that asks next what to answer to each request. Next
// may be called from several goroutines.
func NewFunc(next func(Recorded) Turn) *Server {
	s := Offline(next)
	s.http = httptest.NewServer(s)
	s.URL = s.http.URL
	return s
}

// Offline makes a server that listens on no port; it is reached through
// [Server.Transport] alone, whatever the host in the URL.
func Offline(next func(Recorded) Turn) *Server {
	s := &Server{URL: "http://model.test", next: next}
	s.style.Store(&Style{})
	return s
}

// OpenAI is the base URL for clients of the OpenAI format.
func (s *Server) OpenAI() string { return s.URL + "/v1" }

// SetStyle changes how answers are written from now on.
func (s *Server) SetStyle(style Style) { s.style.Store(&style) }

// Requests returns what reached the server so far.
func (s *Server) Requests() []Recorded {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Recorded(nil), s.seen...)
}

// Close stops the server and breaks what is open.
func (s *Server) Close() {
	if s.http != nil {
		s.http.CloseClientConnections()
		s.http.Close()
	}
}

// ServeHTTP answers one request with the next turn.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f := formatOf(r.URL.Path)
	if f == nil || r.Method != http.MethodPost {
		http.Error(w, "no such endpoint: "+r.Method+" "+r.URL.Path, http.StatusNotFound)
		return
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	p := player{w: w, r: r, format: f(modelOf(body)), style: *s.style.Load()}
	p.play(s.next(s.record(r, body)))
}

func (s *Server) record(r *http.Request, body []byte) Recorded {
	s.mu.Lock()
	defer s.mu.Unlock()
	rec := Recorded{N: len(s.seen), Path: r.URL.Path, Header: r.Header.Clone(), Body: body}
	s.seen = append(s.seen, rec)
	return rec
}

// resetter breaks a connection without a proper end.
type resetter interface{ reset() }

// reset closes the connection under w so that the client sees a reset.
func reset(w http.ResponseWriter) {
	if r, ok := w.(resetter); ok {
		r.reset()
		return
	}
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}
