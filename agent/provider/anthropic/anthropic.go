// Package anthropic is a client of Anthropic's Messages API, or to a server that
// offers the same.
//
// Requests are built and answers read by this package; the official SDK is the
// oracle of its tests. The SDK's reader takes the end of the body for the end of
// the message and skips events that carry no name, which an agent that runs
// commands cannot afford, and linking it would cost every command its start.
//
// What always holds:
//
//   - A message counts only when both its stop reason and message_stop came.
//   - Events, blocks and pieces of kinds that are not known are skipped.
//   - The same request gives the same bytes, and a longer transcript the same
//     bytes before what is new, except for the place of cache_control.
package anthropic

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/price"
	"github.com/topo-dev/topo/agent/provider/wire"
)

// Name is the provider's name.
const Name = "anthropic"

// BaseURL is where the API is.
const BaseURL = "https://api.anthropic.com"

// version is that of the API which requests are written in.
// https://docs.anthropic.com/en/api/versioning
const version = "2023-06-01"

// idle is the longest silence of this server: it sends a ping every few seconds
// while a model thinks.
const idle = 2 * time.Minute

// Provider is the adapter. It is safe for use by several goroutines.
type Provider struct {
	wire *wire.Client
}

// New makes an adapter; it sends nothing yet. An empty base URL is [BaseURL].
func New(cfg wire.Config) (*Provider, error) {
	if cfg.BaseURL == "" {
		cfg.BaseURL = BaseURL
	}
	c, err := wire.NewClient(Name, cfg, idle)
	if err != nil {
		return nil, err
	}
	return &Provider{wire: c}, nil
}

// Name returns "anthropic".
func (p *Provider) Name() string { return Name }

// Stream sends the request and reads the answer.
//
// Thinking is proof of a model about one conversation. A server refuses it after
// the model was changed or the transcript shortened; the request is then sent
// once more without any.
func (p *Provider) Stream(ctx context.Context, req agent.Request, emit func(agent.Delta)) (agent.Response, error) {
	res, err := p.stream(ctx, req, emit)
	var pe *agent.ProviderError
	if !errors.As(err, &pe) || pe.Kind != agent.ErrRequest || !strings.Contains(strings.ToLower(pe.Message), "thinking") {
		return res, err
	}
	bare, some := withoutThinking(req.Messages)
	if !some {
		return res, err
	}
	emit(agent.Delta{Kind: agent.DeltaRetry, Attempt: 2, Reason: "the thinking in the transcript is not accepted any more; sent again without it: " + pe.Message})
	req.Messages = bare
	return p.stream(ctx, req, emit)
}

func (p *Provider) stream(ctx context.Context, req agent.Request, emit func(agent.Delta)) (agent.Response, error) {
	body, err := p.wire.Body(params(req))
	if err != nil {
		return agent.Response{}, err
	}
	header := http.Header{"Anthropic-Version": {version}, "Accept": {"text/event-stream"}}
	if !p.wire.Key.Empty() {
		header.Set("X-Api-Key", p.wire.Key.Reveal())
	}
	return p.wire.Stream(ctx, emit, wire.Exchange{
		Types: []string{"text/event-stream"},
		Send: func(ctx context.Context) (*http.Response, error) {
			return p.wire.Post(ctx, "/v1/messages", body, header)
		},
		Read: newReader(p.wire, req).read,
	})
}

// usage makes the neutral count of tokens, with its price.
func (u tokens) usage(model string) agent.Usage {
	out := agent.Usage{Input: u.Input.n, Output: u.Output.n, CacheRead: u.CacheRead.n, CacheWrite: u.CacheWrite.n}
	out.USD = price.Of(Name, model, out)
	return out
}
