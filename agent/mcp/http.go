package mcp

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Path is where the server answers over HTTP.
const Path = "/mcp"

// Limits of the server over HTTP.
const (
	maxRequests   = 256      // at a time
	maxHeader     = 32 << 10 // bytes
	headerTimeout = 10 * time.Second
	idleTimeout   = 2 * time.Minute
	shutdownWait  = 3 * time.Second
)

// HTTPOptions say who may use a server over HTTP.
type HTTPOptions struct {
	Token string // that each request sends as "Authorization: Bearer …"; at least 16 bytes
	// Hosts are names, without port, by which the server may be called besides
	// localhost and its loopback addresses.
	Hosts []string
	// Requests bounds those that are answered at a time; 0 is 256.
	Requests int
}

// NewToken makes a token that nobody can guess: 32 random bytes in base64url.
func NewToken() string {
	b := make([]byte, 32)
	rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// ErrShortToken is the error for a token that could be guessed.
var ErrShortToken = errors.New("mcp: the token is shorter than 16 bytes")

// Handler answers at [Path]. It keeps no sessions: each request stands for
// itself, as the protocol has it since 2026-07-28, and clients of older versions
// are served in the same way.
func (s *Server) Handler(o HTTPOptions) (http.Handler, error) {
	if len(o.Token) < 16 {
		return nil, ErrShortToken
	}
	if o.Requests == 0 {
		o.Requests = maxRequests
	}
	sdk := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.sdk }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxMessage, PropagateRequestCancellation: true,
		DisableLocalhostProtection: true, // guard does the same and more, for other names too
	})
	mux := http.NewServeMux()
	mux.Handle(Path, guard(o, sdk))
	return mux, nil
}

// guard lets through requests that come from where they should and carry the
// token, in this order: a page on another site learns nothing, not even whether
// a token was right.
func guard(o HTTPOptions, next http.Handler) http.Handler {
	want := sha256.Sum256([]byte("Bearer " + o.Token))
	places := make(chan struct{}, o.Requests)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !knownHost(r.Host, o.Hosts) {
			refuse(w, http.StatusForbidden, "the Host is not that of this server")
			return
		}
		if !sameOrigin(r) {
			refuse(w, http.StatusForbidden, "requests from other sites are not answered")
			return
		}
		got := sha256.Sum256([]byte(r.Header.Get("Authorization")))
		if subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			w.Header().Set("WWW-Authenticate", `Bearer realm="topo"`)
			refuse(w, http.StatusUnauthorized, "send the token that the server printed as: Authorization: Bearer TOKEN")
			return
		}
		select {
		case places <- struct{}{}:
			defer func() { <-places }()
		default:
			w.Header().Set("Retry-After", "1")
			refuse(w, http.StatusServiceUnavailable, fmt.Sprintf("%d requests are being answered already", o.Requests))
			return
		}
		next.ServeHTTP(w, r)
	})
}

func refuse(w http.ResponseWriter, status int, why string) {
	http.Error(w, "topo: "+why, status)
}

// knownHost reports whether a Host header names this machine, or one of the
// names that the user gave. A page that made its own name resolve to 127.0.0.1
// sends that name.
func knownHost(header string, names []string) bool {
	host := header
	if h, _, err := net.SplitHostPort(header); err == nil {
		host = h
	}
	host = strings.ToLower(strings.Trim(strings.TrimSuffix(host, "."), "[]"))
	if host == "localhost" || slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, host) }) {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// sameOrigin reports whether a request does not come from a page of another
// site. Programs send no Origin; a browser always does with a POST.
func sameOrigin(r *http.Request) bool {
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return r.Header.Get("Sec-Fetch-Site") == "" || r.Header.Get("Sec-Fetch-Site") == "none"
	}
	u, err := url.Parse(origins[0])
	return err == nil && len(origins) == 1 && u.Scheme == "http" && strings.EqualFold(u.Host, r.Host)
}

// Listen answers HTTP on a listener until ctx ends.
func (s *Server) Listen(ctx context.Context, l net.Listener, o HTTPOptions) error {
	h, err := s.Handler(o)
	if err != nil {
		return err
	}
	srv := &http.Server{Handler: h, ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		BaseContext: func(net.Listener) context.Context { return ctx }}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	end, cancel := context.WithTimeout(context.Background(), shutdownWait)
	defer cancel()
	if err := srv.Shutdown(end); err != nil {
		srv.Close() // a stream that its client keeps open
	}
	return ctx.Err()
}

// Loopback reports whether an address to listen on is reached from this machine
// only.
func Loopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}
