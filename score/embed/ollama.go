package embed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
)

// Ollama embeds by an Ollama server: POST /api/embed.
// https://docs.ollama.com/api/embed
type Ollama struct{ call *caller }

// DefaultOllamaModel is used when no model is named.
const DefaultOllamaModel = "nomic-embed-text"

// NewOllama checks the address. An address without a port is of port 11434.
func NewOllama(s Service) (*Ollama, error) {
	if s.Model == "" {
		s.Model = DefaultOllamaModel
	}
	c, err := newCaller("Ollama", s)
	if err != nil {
		return nil, err
	}
	if c.base.Port() == "" && c.base.Scheme == "http" {
		c.base.Host += ":11434"
	}
	c.hint = func(status int) string {
		if status == http.StatusNotFound {
			return "fetch the model with: ollama pull " + s.Model
		}
		return ""
	}
	return &Ollama{c}, nil
}

// Model implements [Embedder].
func (o *Ollama) Model() string { return o.call.s.Model }

// Address is where texts are sent.
func (o *Ollama) Address() string { return o.call.address() }

// Embed implements [Embedder].
func (o *Ollama) Embed(ctx context.Context, texts []string, p Purpose) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	op := "embed with " + o.call.s.Model
	answer, err := o.call.post(ctx, op, "api/embed", struct {
		Model    string   `json:"model"`
		Input    []string `json:"input"`
		Truncate bool     `json:"truncate"` // what is longer than the model reads
	}{o.call.s.Model, prefixed(o.call.s.Model, texts, p), true})
	if err != nil {
		return nil, err
	}
	var out struct{ Embeddings []row }
	if err := json.Unmarshal(answer, &out); err != nil {
		return nil, o.call.fail(op, 0, "the answer is no list of vectors: "+err.Error(), nil)
	}
	vectors := make([][]float32, len(out.Embeddings))
	for i, v := range out.Embeddings {
		vectors[i] = v
	}
	if err := checked(vectors, len(texts)); err != nil {
		return nil, o.call.fail(op, 0, err.Error(), nil)
	}
	return vectors, nil
}

// row is a vector that holds numbers only. A plain slice would take null, which
// some servers write for what is not a number, for 0.
type row []float32

// UnmarshalJSON implements [json.Unmarshaler].
func (r *row) UnmarshalJSON(text []byte) error {
	if !numbers(text) {
		return errors.New("a vector holds something else than numbers")
	}
	return json.Unmarshal(text, (*[]float32)(r))
}

// numbers reports whether JSON is a list without null.
func numbers(text []byte) bool {
	return len(text) > 0 && text[0] == '[' && !bytes.Contains(text, []byte("n"))
}
