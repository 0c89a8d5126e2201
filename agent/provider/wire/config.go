package wire

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/topo-dev/topo/agent/provider/retry"
)

// Config is what an adapter is made of. Only BaseURL is required, and a key
// where the server wants one.
type Config struct {
	Key     Secret
	BaseURL string // of the API, such as https://api.anthropic.com
	Agent   string // of the User-Agent header, such as "topo/1.0"
	Limits  Limits
	Retry   retry.Policy
	Context int // tokens of the context window to ask for, where a client chooses it; 0 is the adapter's default

	// Proxy chooses the proxy of a request; nil is none. The environment's is
	// [http.ProxyFromEnvironment].
	Proxy func(*http.Request) (*url.URL, error)
	// Transport replaces the connections to the server, in tests.
	Transport http.RoundTripper
}

// Limits bound one request. Zero fields are the defaults.
type Limits struct {
	Connect time.Duration // until a connection is established
	Idle    time.Duration // without a byte, also before the first
	Total   time.Duration // for one attempt
	Bytes   int64         // of one answer
	Line    int           // bytes of one line of it
}

// Defaults of [Limits]. Idle is long because a server may be silent while a
// model thinks or is loaded from disk; adapters whose server sends signs of life
// shorten it.
const (
	DefaultConnect = 20 * time.Second
	DefaultIdle    = 5 * time.Minute
	DefaultTotal   = 30 * time.Minute
	DefaultBytes   = 64 << 20
	DefaultLine    = 16 << 20
)

// Filled replaces what is not set by the defaults.
func (l Limits) Filled() Limits {
	def := func(d *time.Duration, v time.Duration) {
		if *d <= 0 {
			*d = v
		}
	}
	def(&l.Connect, DefaultConnect)
	def(&l.Idle, DefaultIdle)
	def(&l.Total, DefaultTotal)
	if l.Bytes <= 0 {
		l.Bytes = DefaultBytes
	}
	if l.Line <= 0 {
		l.Line = DefaultLine
	}
	return l
}

// ErrInsecure means that a key would travel where others can read it.
var ErrInsecure = errors.New("a key is not sent over plain http beyond this machine and private networks; use https")

// check refuses a configuration that cannot work or would give the key away.
func (c Config) check() (*url.URL, error) {
	u, err := url.Parse(c.BaseURL)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, fmt.Errorf("base URL %q: want http or https and a host, such as https://api.example.com/v1", redactURL(c.BaseURL))
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("base URL %q: user, query and fragment have no place in it; give the key as a key", redactURL(c.BaseURL))
	}
	if u.Scheme == "http" && !c.Key.Empty() && !private(u.Hostname()) {
		return nil, fmt.Errorf("base URL %q: %w", redactURL(c.BaseURL), ErrInsecure)
	}
	if strings.ContainsFunc(c.Key.Reveal(), func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("the key holds white space or characters that no header can carry; set it again")
	}
	return u, nil
}

// redactURL shows a URL without what may be secret in it.
func redactURL(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return "(not a URL)"
	}
	u.RawQuery, u.Fragment = "", ""
	return u.Redacted()
}

// private reports whether a host is this machine or on a private network: an
// address of RFC 1918 or 4193, or a name without a dot, which is one of a local
// network or of a compose file.
func private(host string) bool {
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast()
	}
	return !strings.Contains(host, ".") || strings.HasSuffix(host, ".localhost") || strings.HasSuffix(host, ".local") ||
		strings.HasSuffix(host, ".internal")
}

// client makes the HTTP client of an adapter. It follows no redirect: one would
// take the key and the repository's text to another host.
func (c Config) client() *http.Client {
	rt := c.Transport
	if rt == nil {
		dial := &net.Dialer{Timeout: c.Limits.Connect, KeepAlive: 30 * time.Second}
		rt = &http.Transport{
			Proxy:               c.Proxy,
			DialContext:         dial.DialContext,
			TLSHandshakeTimeout: c.Limits.Connect,
			ForceAttemptHTTP2:   true,
			MaxIdleConnsPerHost: 4,
			IdleConnTimeout:     90 * time.Second,

			MaxResponseHeaderBytes: 1 << 20,
		}
	}
	return &http.Client{Transport: rt, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}
