package embed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
	"sync/atomic"
)

// Reranker judges texts by a server of POST /rerank. Two shapes are in use:
//
//	{"model":…,"query":…,"documents":[…]} → {"results":[{"index":0,"relevance_score":0.9}]}   llama.cpp, Jina
//	{"query":…,"texts":[…]} → [{"index":0,"score":0.9}]                                      text-embeddings-inference
//
// The first is tried first, the second when it is refused.
type Reranker struct {
	call *caller
	path string
	tei  atomic.Bool // the server wants the second shape
}

// rerankBatch is the most texts of one request: text-embeddings-inference
// takes 32 by default.
const rerankBatch = 32

// NewReranker checks the address: the service's base, or that of its /rerank.
func NewReranker(s Service) (*Reranker, error) {
	c, err := newCaller("reranker", s)
	if err != nil {
		return nil, err
	}
	c.hint = func(status int) string {
		switch status {
		case http.StatusUnauthorized, http.StatusForbidden:
			return "check its key"
		case http.StatusNotFound:
			return "give the address below which it serves /rerank"
		case http.StatusNotImplemented:
			return "start llama-server with --reranking"
		}
		return ""
	}
	path := "rerank"
	if strings.HasSuffix(c.base.Path, "/rerank") {
		path = ""
	}
	return &Reranker{call: c, path: path}, nil
}

// Model is the name of the model, empty when the server decides.
func (r *Reranker) Model() string { return r.call.s.Model }

// Address is where texts are sent.
func (r *Reranker) Address() string { return r.call.address() }

// Rerank returns how well each text answers the query, higher is better:
// finite, but of no common scale. Texts must not be empty.
func (r *Reranker) Rerank(ctx context.Context, query string, docs []string) ([]float64, error) {
	out := make([]float64, 0, len(docs))
	for at := 0; at < len(docs); at += rerankBatch {
		batch := docs[at:min(at+rerankBatch, len(docs))]
		scores, err := r.batch(ctx, query, batch)
		if err != nil {
			return nil, err
		}
		out = append(out, scores...)
	}
	return out, nil
}

func (r *Reranker) batch(ctx context.Context, query string, docs []string) ([]float64, error) {
	const op = "rerank"
	var answer []byte
	var err error
	if !r.tei.Load() {
		answer, err = r.call.post(ctx, op, r.path, struct {
			Model     string   `json:"model,omitempty"`
			Query     string   `json:"query"`
			Documents []string `json:"documents"`
			Return    bool     `json:"return_documents"`
		}{r.call.s.Model, query, docs, false})
	}
	if r.tei.Load() || refusedShape(err) {
		second, err2 := r.call.post(ctx, op, r.path, struct {
			Query    string   `json:"query"`
			Texts    []string `json:"texts"`
			Truncate bool     `json:"truncate"`
		}{query, docs, true})
		if err2 == nil || err == nil {
			answer, err = second, err2
		}
		if err2 == nil {
			r.tei.Store(true)
		}
	}
	if err != nil {
		return nil, err
	}
	scores, err := scoresOf(answer, len(docs))
	if err != nil {
		return nil, r.call.fail(op, 0, err.Error(), nil)
	}
	return scores, nil
}

// refusedShape reports whether a server did not understand a request.
func refusedShape(err error) bool {
	var e *Error
	return errors.As(err, &e) && (e.Status == http.StatusBadRequest || e.Status == http.StatusUnprocessableEntity)
}

// judgement is one text's score in either shape.
type judgement struct {
	Index          *int
	RelevanceScore *float64 `json:"relevance_score"`
	Score          *float64
}

// scoresOf reads either answer: every text must have one finite score.
func scoresOf(answer []byte, n int) ([]float64, error) {
	var list []judgement
	if len(answer) > 0 && answer[0] == '[' {
		if err := json.Unmarshal(answer, &list); err != nil {
			return nil, fmt.Errorf("the answer is no list of scores: %w", err)
		}
	} else {
		var o struct{ Results []judgement }
		if err := json.Unmarshal(answer, &o); err != nil {
			return nil, fmt.Errorf("the answer is no list of scores: %w", err)
		}
		list = o.Results
	}
	out, seen := make([]float64, n), make([]bool, n)
	for _, j := range list {
		score := j.RelevanceScore
		if score == nil {
			score = j.Score
		}
		if j.Index == nil || score == nil || *j.Index < 0 || *j.Index >= n || seen[*j.Index] {
			return nil, errors.New("a score of no text, or two of one")
		}
		if math.IsNaN(*score) || math.IsInf(*score, 0) {
			return nil, errors.New("a score is not finite")
		}
		out[*j.Index], seen[*j.Index] = *score, true
	}
	if len(list) != n {
		return nil, fmt.Errorf("%d scores for %d texts", len(list), n)
	}
	return out, nil
}
