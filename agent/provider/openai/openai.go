// Package openai is a client of chat completions: of OpenAI, and of the servers
// that offer the same, such as OpenRouter, DeepInfra, vLLM and llama.cpp.
//
// Requests are built and answers read by this package, and the official SDK is
// the oracle of its tests, for the same reasons as in the package anthropic.
//
// What always holds:
//
//   - A message counts only when its finish reason came.
//   - What servers differ in is a value of [Flavour]; no code asks for a
//     server's name.
//   - Thinking that a server wants back is kept as it came, in the signature of
//     its block: a JSON array, which no signature of another API is.
package openai

import (
	"context"
	"net/http"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/price"
	"github.com/topo-dev/topo/agent/provider/wire"
)

// Flavour is what a server does in its own way.
type Flavour struct {
	Name    string
	BaseURL string

	// MaxCompletion names the limit of output max_completion_tokens, as OpenAI
	// does since its models think, rather than max_tokens.
	MaxCompletion bool
	// CacheKey sends a key by which requests of one session reach the same cache.
	CacheKey bool
	// Router sends what OpenRouter understands beyond OpenAI's own: effort as an
	// object, the price of a request, and caching for models that need a request for it.
	Router bool
}

// The servers that are known. [Compatible] is any other.
var (
	OpenAI     = Flavour{Name: "openai", BaseURL: "https://api.openai.com/v1", MaxCompletion: true, CacheKey: true}
	OpenRouter = Flavour{Name: "openrouter", BaseURL: "https://openrouter.ai/api/v1", Router: true}
	DeepInfra  = Flavour{Name: "deepinfra", BaseURL: "https://api.deepinfra.com/v1/openai"}
	VLLM       = Flavour{Name: "vllm", BaseURL: "http://127.0.0.1:8000/v1"}
	LlamaCPP   = Flavour{Name: "llamacpp", BaseURL: "http://127.0.0.1:8080/v1"}
	Compatible = Flavour{Name: "openai-compatible"}
)

// Provider is the adapter. It is safe for use by several goroutines.
type Provider struct {
	flavour Flavour
	wire    *wire.Client
}

// New makes an adapter; it sends nothing yet. An empty base URL is the
// flavour's.
func New(f Flavour, cfg wire.Config) (*Provider, error) {
	if cfg.BaseURL == "" {
		cfg.BaseURL = f.BaseURL
	}
	c, err := wire.NewClient(f.Name, cfg, wire.DefaultIdle)
	if err != nil {
		return nil, err
	}
	return &Provider{flavour: f, wire: c}, nil
}

// Name is the flavour's name.
func (p *Provider) Name() string { return p.flavour.Name }

// Stream sends the request and reads the answer.
func (p *Provider) Stream(ctx context.Context, req agent.Request, emit func(agent.Delta)) (agent.Response, error) {
	body, err := p.wire.Body(p.flavour.params(req))
	if err != nil {
		return agent.Response{}, err
	}
	header := p.wire.Bearer("text/event-stream")
	return p.wire.Stream(ctx, emit, wire.Exchange{
		Types: []string{"text/event-stream"},
		Send: func(ctx context.Context) (*http.Response, error) {
			return p.wire.Post(ctx, "/chat/completions", body, header)
		},
		Read: newReader(p.wire, req).read,
	})
}

// usage makes the neutral count of tokens. The prompt's count includes the cached
// part. A server that says what it charged knows better than the table.
func (u tokens) usage(provider, model string) agent.Usage {
	read := max(0, u.Details.Cached)
	if read == 0 {
		read = max(0, u.CacheHit)
	}
	write := max(0, u.Details.Written)
	out := agent.Usage{Input: max(0, u.Prompt-read-write), Output: max(0, u.Completion), CacheRead: read, CacheWrite: write}
	switch {
	case u.Cost != nil && *u.Cost >= 0:
		out.USD = u.Cost
	case u.Estimated != nil && *u.Estimated >= 0:
		out.USD = u.Estimated
	default:
		out.USD = price.Of(provider, model, out)
	}
	return out
}
