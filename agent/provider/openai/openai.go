// Package openai speaks chat completions: to OpenAI, and to the servers that
// offer the same, such as OpenRouter, DeepInfra, vLLM and llama.cpp.
//
// The official SDK builds the request, signs and sends it; the answer is read by
// this package, for the same reasons as in the package anthropic.
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

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

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
	// object, the price of a request, and caching for models that want to be told.
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
	sdk     openai.Client
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
	opts := []option.RequestOption{
		option.WithBaseURL(c.URL.String() + "/"),
		option.WithHTTPClient(c.HTTP),
		option.WithMaxRetries(0),
	}
	if !cfg.Key.Empty() {
		opts = append(opts, option.WithAPIKey(cfg.Key.Reveal()))
	}
	if cfg.Agent != "" {
		opts = append(opts, option.WithHeader("User-Agent", cfg.Agent))
	}
	// Not NewClient, which reads the environment; the services it would make are
	// not used.
	return &Provider{flavour: f, wire: c, sdk: openai.Client{Options: opts}}, nil
}

// Name is the flavour's name.
func (p *Provider) Name() string { return p.flavour.Name }

// Stream sends the request and reads the answer.
func (p *Provider) Stream(ctx context.Context, req agent.Request, emit func(agent.Delta)) (agent.Response, error) {
	body := p.flavour.params(req)
	return p.wire.Stream(ctx, emit, wire.Exchange{
		Types: []string{"text/event-stream"},
		Send: func(ctx context.Context) (*http.Response, error) {
			var res *http.Response
			err := p.sdk.Post(ctx, "chat/completions", body, &res, option.WithJSONSet("stream", true))
			if res != nil {
				return res, nil // also of an error status, whose text is read by us
			}
			return nil, err
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
