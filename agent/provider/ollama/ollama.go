// Package ollama is a client of an Ollama server: JSON over plain HTTP, one value a
// line. The client is our own, because the official one comes with the server's
// whole module.
//
// What always holds:
//
//   - The context window is set in every request. A server left to itself
//     takes a small one and silently forgets the beginning of a transcript that
//     does not fit.
//   - A request that does not fit is an error of kind context, never an answer to
//     a part of it: the server is told not to cut, and where it is too old for
//     that, what it says it read is compared with what was sent.
//   - A message counts only when its last line came.
package ollama

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/wire"
)

// Name is the provider's name.
const Name = "ollama"

// BaseURL is where a local server listens.
const BaseURL = "http://127.0.0.1:11434"

// DefaultContext is the context window that is requested, in tokens. A
// transcript with tools does not fit into the 4,096 of a server left to itself;
// twice as much as this takes more memory than many graphics cards have next to a
// model.
const DefaultContext = 32768

// idle is the longest silence: a server loads a model from disk, and reads a long
// prompt, before it sends a byte.
const idle = 10 * time.Minute

// Provider is the adapter. It is safe for use by several goroutines.
type Provider struct {
	wire    *wire.Client
	context int
}

// New makes an adapter; it sends nothing yet. An empty base URL is [BaseURL]. A
// key is needed only for servers that ask for one, such as Ollama's own.
func New(cfg wire.Config) (*Provider, error) {
	if cfg.BaseURL == "" {
		cfg.BaseURL = BaseURL
	}
	c, err := wire.NewClient(Name, cfg, idle)
	if err != nil {
		return nil, err
	}
	p := &Provider{wire: c, context: cfg.Context}
	if p.context <= 0 {
		p.context = DefaultContext
	}
	return p, nil
}

// Name returns "ollama".
func (p *Provider) Name() string { return Name }

// Stream sends the request and reads the answer.
func (p *Provider) Stream(ctx context.Context, req agent.Request, emit func(agent.Delta)) (agent.Response, error) {
	body, err := p.wire.Body(p.request(req))
	if err != nil {
		return agent.Response{}, err
	}
	header := p.wire.Bearer("application/x-ndjson")
	if lower := minTokens(req); lower > p.context {
		return agent.Response{}, p.tooLong(fmt.Sprintf("at least %d tokens", lower))
	}
	res, err := p.wire.Stream(ctx, emit, wire.Exchange{
		Types: []string{"application/x-ndjson", "application/json"},
		Send:  func(ctx context.Context) (*http.Response, error) { return p.wire.Post(ctx, "/api/chat", body, header) },
		Read:  newReader(p, req).read,
	})
	return res, addHint(err, req.Model)
}

// addHint adds what to do to the two errors that everybody meets first.
func addHint(err error, model string) error {
	var pe *agent.ProviderError
	if !errors.As(err, &pe) {
		return err
	}
	out := *pe
	switch {
	case pe.Status == http.StatusNotFound && strings.Contains(pe.Message, "not found"):
		out.Message += "; get it with: ollama pull " + wire.Clean(model, wire.Secret{})
	case strings.HasPrefix(pe.Message, "no connection"):
		out.Message += "; start the server with: ollama serve"
	}
	return &out
}

// tooLong is the error of a request that does not fit.
func (p *Provider) tooLong(what string) error {
	return &agent.ProviderError{Provider: Name, Kind: agent.ErrContext, Message: fmt.Sprintf(
		"the request does not fit into the context window of %d tokens (num_ctx): %s; ask for a larger window if the model and the memory allow", p.context, what)}
}

// maxBytesPerToken is the most bytes of text that a token represents, on average over
// a whole transcript. Source code and prose have three to five bytes a token
// with the tokenizers of models that Ollama runs; only long runs of one
// character have more than eight.
const maxBytesPerToken = 8

// minTokens is a lower bound of the request's number of tokens.
func minTokens(req agent.Request) int {
	n := len(req.System)
	for _, m := range req.Messages {
		for _, b := range m.Blocks {
			switch {
			case b.Kind == agent.BlockText:
				n += dense(b.Text)
			case b.Call != nil:
				n += len(b.Call.Input)
			case b.Result != nil:
				n += dense(b.Result.Content)
			}
		}
	}
	return n / maxBytesPerToken
}

// dense is the length of a text without runs of one character, which tokenizers
// pack into few tokens.
func dense(s string) (n int) {
	for i := range len(s) {
		if i < 2 || s[i] != s[i-1] || s[i] != s[i-2] {
			n++
		}
	}
	return n
}
