package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/retry"
)

// Client sends requests to one server.
type Client struct {
	Name string // of the provider, for errors
	Config
	HTTP *http.Client
	URL  *url.URL // the base URL, without a slash at its end
}

// NewClient checks the configuration. Idle is the adapter's own default for the
// longest silence of its server.
func NewClient(name string, cfg Config, idle time.Duration) (*Client, error) {
	if cfg.Limits.Idle <= 0 {
		cfg.Limits.Idle = idle
	}
	cfg.Limits = cfg.Limits.Filled()
	u, err := cfg.check()
	if err != nil {
		return nil, fmt.Errorf("provider %s: %w", name, err)
	}
	u.Path = strings.TrimRight(u.Path, "/")
	return &Client{Name: name, Config: cfg, HTTP: cfg.client(), URL: u}, nil
}

// Exchange is one attempt: Send makes the request, Read takes the answer.
type Exchange struct {
	Send  func(ctx context.Context) (*http.Response, error)
	Types []string // media types of an answer that is a stream
	Read  func(body io.Reader, emit func(agent.Delta)) (agent.Response, error)
}

// Stream runs exchanges under the retry machine and the watchdog.
func (c *Client) Stream(ctx context.Context, emit func(agent.Delta), x Exchange) (agent.Response, error) {
	return c.Retry.Do(ctx, emit, func(ctx context.Context, emit func(agent.Delta)) (agent.Response, error) {
		w := watch(ctx, c.Limits)
		defer w.stop()
		res, err := c.exchange(w, emit, x)
		if err != nil {
			return agent.Response{}, c.explain(ctx, w, err)
		}
		return res, nil
	})
}

func (c *Client) exchange(w *watchdog, emit func(agent.Delta), x Exchange) (agent.Response, error) {
	res, err := x.Send(w.ctx)
	if err != nil {
		return agent.Response{}, err
	}
	body := w.body(res.Body, c.Limits.Bytes)
	defer func() { _ = res.Body.Close() }()
	if err := c.refused(res, body, x.Types); err != nil {
		return agent.Response{}, err
	}
	return x.Read(body, emit)
}

// maxFault bounds what is read of an answer that is an error.
const maxFault = 64 << 10

// refused returns the error of an answer that is no stream.
func (c *Client) refused(res *http.Response, body io.Reader, types []string) error {
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	ok := kind == ""
	for _, t := range types {
		ok = ok || kind == t
	}
	if ok && res.StatusCode == http.StatusOK {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(body, maxFault))
	if err != nil && len(text) == 0 {
		return err
	}
	f, isFault := ReadFault(text)
	f.Header = res.Header
	switch {
	case res.StatusCode >= 300 && res.StatusCode < 400:
		f.Message = "the server redirects, which is not followed with a key; set the base URL to where the API is"
		f.Types = nil
	case res.StatusCode >= 400:
	case isFault && kind == "application/json": // an error that forgot its status
		f.Inside = true
		return c.Error(f)
	default:
		return &agent.ProviderError{Provider: c.Name, Kind: agent.ErrRequest, Status: res.StatusCode,
			Message: fmt.Sprintf("the answer is no stream but %q; is the base URL that of the API?", kind)}
	}
	if kind == "text/html" {
		f.Message = "the answer is a web page, from a proxy or a wrong base URL"
	}
	f.Status = res.StatusCode
	return c.Error(f)
}

// Protocol is the error of a stream that ended early or made no sense.
func (c *Client) Protocol(format string, args ...any) error {
	return &agent.ProviderError{Provider: c.Name, Kind: agent.ErrProtocol, Message: Clean(fmt.Sprintf(format, args...), c.Key)}
}

// explain makes of any error what the caller of Stream may see: the context's
// own error, or an error of a provider without a key or an address in it.
func (c *Client) explain(ctx context.Context, w *watchdog, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var cause *expired
	if errors.As(context.Cause(w.ctx), &cause) {
		pe := &agent.ProviderError{Provider: c.Name, Kind: agent.ErrNetwork, Message: cause.Error(), Err: cause}
		if cause.total {
			return retry.Never(pe) // the next attempt would take as long
		}
		return pe
	}
	var pe *agent.ProviderError
	if errors.As(err, &pe) {
		return err
	}
	if errors.Is(err, ErrLine) || errors.Is(err, errBytes) {
		return retry.Never(&agent.ProviderError{Provider: c.Name, Kind: agent.ErrProtocol, Message: err.Error(), Err: err})
	}
	return c.network(err)
}

// network is the error of a connection. It is wrapped without the URL error
// around it, which repeats the address.
func (c *Client) network(err error) error {
	var ue *url.Error
	if errors.As(err, &ue) {
		err = ue.Err
	}
	msg := "the connection broke: " + err.Error()
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" {
		msg = fmt.Sprintf("no connection to %s: %v", c.URL.Host, op.Err)
	}
	return &agent.ProviderError{Provider: c.Name, Kind: agent.ErrNetwork, Message: Clean(msg, c.Key), Err: err}
}
