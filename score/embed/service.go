package embed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/topo-dev/topo/internal/backoff"
)

// Service is how a model is reached.
type Service struct {
	URL   string // base address, with or without a path
	Key   string // sent as a bearer token; empty for none
	Model string
	// Client makes the requests; nil is one of its own without a proxy. Its
	// redirects are not followed.
	Client  *http.Client
	Retry   Retry
	Timeout time.Duration // of one try; 0 is 2 minutes
}

// defaultTimeout of one try: a batch takes a small machine without a graphics
// card up to half of it.
const defaultTimeout = 2 * time.Minute

// maxAnswer bounds an answer in bytes: 64 vectors of 16,384 dimensions as text.
const maxAnswer = 32 << 20

// caller makes the requests of one service.
type caller struct {
	name   string // "Ollama"
	base   *url.URL
	s      Service
	client *http.Client
	hint   func(status int) string // what to do about a status; may be nil
}

// newCaller checks the address. An address without a scheme is of this machine
// or network and gets http.
func newCaller(name string, s Service) (*caller, error) {
	raw := strings.TrimSpace(s.URL)
	if raw != "" && !strings.Contains(raw, "://") {
		raw = "http://" + raw
	}
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%s: address %q: want http://host:port or https://host", name, scrub(redacted(s.URL), s.Key))
	}
	u.Path = strings.TrimRight(u.Path, "/")
	if s.Timeout == 0 {
		s.Timeout = defaultTimeout
	}
	c := &caller{name: name, base: u, s: s}
	own := http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 4, TLSHandshakeTimeout: 10 * time.Second, ForceAttemptHTTP2: true}}
	if s.Client != nil {
		own = *s.Client
	}
	// A redirect would take the repository's text to where nobody sent it.
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	own.Transport = bounded{own.Transport}
	c.client = &own
	return c, nil
}

// redacted hides a password in an address, well formed or not.
func redacted(raw string) string {
	if at := strings.LastIndexByte(raw, '@'); at >= 0 {
		return "[key]" + raw[at:]
	}
	return raw
}

// address is the service's, without user and password.
func (c *caller) address() string {
	u := *c.base
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

func (c *caller) secrets() []string {
	out := []string{c.s.Key}
	if p, ok := c.base.User.Password(); ok {
		out = append(out, p)
	}
	return out
}

// fail makes the error of a call.
func (c *caller) fail(op string, status int, reason string, err error) *Error {
	e := &Error{Service: c.name + " at " + c.address(), Op: op, Status: status, Reason: scrub(reason, c.secrets()...), err: err}
	if c.hint != nil {
		e.Hint = c.hint(status)
	}
	return e
}

// network is the error of a request that got no whole answer.
func (c *caller) network(ctx context.Context, op string, err error) *Error {
	var tooLong *answerTooLong
	e := c.fail(op, 0, withoutRequest(err), err)
	switch {
	case errors.As(err, &tooLong):
	case errors.Is(err, syscall.ECONNREFUSED):
		e.Reason, e.Hint = "nothing listens there", "start it, or correct the address"
	case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		e.Reason, e.retry, e.err = fmt.Sprintf("no answer within %s", c.s.Timeout), true, nil
	default:
		e.retry = true
	}
	return e
}

// withoutRequest is an error of the network without the request that it repeats.
func withoutRequest(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err.Error()
	}
	return err.Error()
}

// post sends in as JSON to a path below the base and returns the answer. It
// tries again as the service's [Retry] says.
func (c *caller) post(ctx context.Context, op, path string, in any) (out []byte, err error) {
	body, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	err = c.s.Retry.do(ctx, func(ctx context.Context) error {
		out, err = c.once(ctx, op, path, body)
		return err
	})
	return out, err
}

func (c *caller) once(outer context.Context, op, path string, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(outer, c.s.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base.JoinPath(path).String(), bytes.NewReader(body))
	if err != nil {
		return nil, c.fail(op, 0, withoutRequest(err), err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "topo")
	if c.s.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.s.Key)
	}
	res, err := c.client.Do(req)
	if err != nil {
		return nil, c.network(outer, op, err)
	}
	return c.read(outer, op, res)
}

// read takes the whole answer. ctx is the caller's, not that of the try.
func (c *caller) read(ctx context.Context, op string, res *http.Response) ([]byte, error) {
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, c.network(ctx, op, err)
	}
	if res.StatusCode != http.StatusOK {
		e := c.fail(op, res.StatusCode, words(answer), nil)
		e.retry, e.after = passing(res.StatusCode), backoff.After(res.Header, time.Now())
		return nil, e
	}
	return answer, nil
}

// words finds what an answer that reports a failure says: {"error":"…"},
// {"error":{"message":"…"}}, {"detail":"…"}, {"message":"…"}, or plain text.
func words(answer []byte) string {
	var o struct{ Error, Detail, Message json.RawMessage }
	if json.Unmarshal(answer, &o) != nil {
		return string(answer)
	}
	for _, raw := range []json.RawMessage{o.Error, o.Message, o.Detail} {
		var s string
		if json.Unmarshal(raw, &s) == nil && s != "" {
			return s
		}
		var inner struct{ Message string }
		if json.Unmarshal(raw, &inner) == nil && inner.Message != "" {
			return inner.Message
		}
	}
	return string(answer)
}

// bounded is a transport whose answers end at maxAnswer bytes with an error.
type bounded struct{ http.RoundTripper }

func (b bounded) RoundTrip(req *http.Request) (*http.Response, error) {
	t := b.RoundTripper
	if t == nil {
		t = http.DefaultTransport
	}
	res, err := t.RoundTrip(req)
	if err == nil {
		res.Body = &boundedBody{res.Body, maxAnswer}
	}
	return res, err
}

type boundedBody struct {
	io.ReadCloser
	left int64
}

// answerTooLong says that a service sent more than any answer holds.
type answerTooLong struct{}

func (*answerTooLong) Error() string {
	return fmt.Sprintf("the answer is longer than %d bytes", maxAnswer)
}

func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, &answerTooLong{}
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.ReadCloser.Read(p)
	b.left -= int64(n)
	return n, err
}
