package embed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

// OpenAI embeds by OpenAI or by any server that speaks as it does, among them
// llama.cpp, vLLM, TEI and LM Studio: POST /embeddings.
// https://platform.openai.com/docs/api-reference/embeddings
type OpenAI struct {
	call *caller
	svc  openai.EmbeddingService
}

// Defaults of OpenAI, used when nothing else is named.
const (
	DefaultOpenAIURL   = "https://api.openai.com/v1"
	DefaultOpenAIModel = openai.EmbeddingModelTextEmbedding3Small
)

// noKey stands for the key of a server that asks for none; the client refuses
// to send a request without one.
const noKey = "none"

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
	key := s.Key
	if key == "" {
		key = noKey
	}
	// Of the client's own retries none: one policy holds for all services.
	svc := openai.NewEmbeddingService(option.WithBaseURL(c.base.String()+"/"), option.WithAPIKey(key),
		option.WithHTTPClient(c.client), option.WithMaxRetries(0))
	return &OpenAI{c, svc}, nil
}

// Model implements [Embedder].
func (o *OpenAI) Model() string { return o.call.s.Model }

// Address is where texts are sent.
func (o *OpenAI) Address() string { return o.call.address() }

// Embed implements [Embedder].
func (o *OpenAI) Embed(ctx context.Context, texts []string, p Purpose) (out [][]float32, err error) {
	if len(texts) == 0 {
		return nil, nil
	}
	op := "embed with " + o.call.s.Model
	params := openai.EmbeddingNewParams{
		Model:          o.call.s.Model,
		Input:          openai.EmbeddingNewParamsInputUnion{OfArrayOfStrings: prefixed(o.call.s.Model, texts, p)},
		EncodingFormat: openai.EmbeddingNewParamsEncodingFormatFloat,
	}
	err = o.call.s.Retry.do(ctx, func(ctx context.Context) error {
		out, err = o.once(ctx, op, params, len(texts))
		return err
	})
	return out, err
}

func (o *OpenAI) once(outer context.Context, op string, params openai.EmbeddingNewParams, n int) ([][]float32, error) {
	ctx, cancel := context.WithTimeout(outer, o.call.s.Timeout)
	defer cancel()
	// The client takes an answer of any status for JSON of OpenAI's own kind,
	// and others say what failed in other words: failures are read before it.
	var failure error
	res, err := o.svc.New(ctx, params, option.WithMiddleware(func(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
		res, err := next(req)
		if err != nil {
			failure = o.call.network(outer, op, err)
			return nil, failure
		}
		answer, err := o.call.read(outer, op, res)
		if err != nil {
			failure = err
			return nil, failure
		}
		res.Body = io.NopCloser(bytes.NewReader(answer))
		return res, nil
	}))
	switch {
	case failure != nil:
		return nil, failure
	case err != nil:
		return nil, o.call.fail(op, 0, "the answer is no list of vectors: "+err.Error(), nil)
	}
	out, err := ordered(res.Data, n)
	if err == nil {
		err = checked(out, n)
	}
	if err != nil {
		return nil, o.call.fail(op, 0, err.Error(), nil)
	}
	return out, nil
}

// ordered puts the vectors in the order of the texts.
func ordered(data []openai.Embedding, n int) ([][]float32, error) {
	if len(data) != n {
		return nil, fmt.Errorf("%d vectors for %d texts", len(data), n)
	}
	out := make([][]float32, n)
	for _, d := range data {
		if d.Index < 0 || d.Index >= int64(n) || out[d.Index] != nil {
			return nil, errors.New("a vector of no text, or two of one")
		}
		if raw := d.JSON.Embedding.Raw(); !numbers([]byte(raw)) {
			return nil, errors.New("a vector holds something else than numbers")
		}
		v := make([]float32, len(d.Embedding))
		for i, x := range d.Embedding {
			v[i] = float32(x)
		}
		out[d.Index] = v
	}
	return out, nil
}
