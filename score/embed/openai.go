package embed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// OpenAI embeds by OpenAI or by any server with the same API, among them
// llama.cpp, vLLM, TEI and LM Studio: POST /embeddings.
// https://platform.openai.com/docs/api-reference/embeddings
type OpenAI struct{ call *caller }

// Defaults of OpenAI, used when nothing else is named.
const (
	DefaultOpenAIURL   = "https://api.openai.com/v1"
	DefaultOpenAIModel = "text-embedding-3-small"
)

// NewOpenAI checks the address.
func NewOpenAI(s Service) (*OpenAI, error) {
	if s.URL == "" {
		s.URL = DefaultOpenAIURL
	}
	if s.Model == "" {
		s.Model = DefaultOpenAIModel
	}
	c, err := newCaller("OpenAI-compatible service", s)
	if err != nil {
		return nil, err
	}
	c.hint = func(status int) string {
		if status == http.StatusUnauthorized || status == http.StatusForbidden {
			return "check its key"
		}
		return ""
	}
	return &OpenAI{c}, nil
}

// Model implements [Embedder].
func (o *OpenAI) Model() string { return o.call.s.Model }

// Address is where texts are sent.
func (o *OpenAI) Address() string { return o.call.address() }

// Embed implements [Embedder].
func (o *OpenAI) Embed(ctx context.Context, texts []string, p Purpose) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	op := "embed with " + o.call.s.Model
	answer, err := o.call.post(ctx, op, "embeddings", struct {
		Model    string   `json:"model"`
		Input    []string `json:"input"`
		Encoding string   `json:"encoding_format"`
	}{o.call.s.Model, prefixed(o.call.s.Model, texts, p), "float"})
	if err != nil {
		return nil, err
	}
	var list struct{ Data []embedding }
	if err := json.Unmarshal(answer, &list); err != nil {
		return nil, o.call.fail(op, 0, "the answer is no list of vectors: "+err.Error(), nil)
	}
	out, err := byIndex(list.Data, len(texts))
	if err == nil {
		err = checked(out, len(texts))
	}
	if err != nil {
		return nil, o.call.fail(op, 0, err.Error(), nil)
	}
	return out, nil
}

// embedding is the vector of one text.
type embedding struct {
	Index     int
	Embedding row
}

// byIndex puts the vectors in the order of the texts.
func byIndex(data []embedding, n int) ([][]float32, error) {
	if len(data) != n {
		return nil, fmt.Errorf("%d vectors for %d texts", len(data), n)
	}
	out := make([][]float32, n)
	for _, d := range data {
		if d.Index < 0 || d.Index >= n || out[d.Index] != nil {
			return nil, errors.New("a vector of no text, or two of one")
		}
		out[d.Index] = d.Embedding
	}
	return out, nil
}
