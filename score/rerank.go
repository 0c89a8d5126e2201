package score

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/topo-dev/topo/stream"
)

// Reranker judges how well each text answers a query, higher is better. Scores
// are compared within one call only.
type Reranker interface {
	Rerank(ctx context.Context, query string, docs []string) ([]float64, error)
}

const (
	// rerankFiles is how many of the best files are read again: a model that
	// reads query and text together takes some 10 ms a text.
	rerankFiles = 50
	// RerankBytes is the most that one text given to a [Reranker] holds; more
	// than the 512 tokens that common models read.
	RerankBytes = 2000
)

// rerank joins the ranks of the best files with those that m gives them by
// reciprocal ranks, which need no common scale: one model answers with
// probabilities, another with any number. The files exchange their scores, which
// keeps the scores of the whole ranking comparable.
func (r *run) rerank(m Reranker) error {
	if m == nil {
		return nil
	}
	if r.corpus == nil {
		return errors.New("score: reranking reads passages, and the preset reads no content")
	}
	var top []int
	for _, i := range r.order(nil) {
		if len(top) == rerankFiles || r.fused[i] == 0 {
			break
		}
		top = append(top, i)
	}
	if len(top) == 0 {
		return nil
	}
	docs, err := r.excerpts(top)
	if err != nil {
		return err
	}
	values, err := m.Rerank(r.ctx, r.q.Text, docs)
	if err != nil {
		return err
	}
	if len(values) != len(top) {
		return fmt.Errorf("score: the reranker gives %d values for %d texts", len(values), len(top))
	}
	r.reorder(top, values)
	return nil
}

// reorder sorts the files in top, best first so far, by both rankings and adds
// the signal.
func (r *run) reorder(top []int, values []float64) {
	at := make([]int, len(top)) // places in top, best first by the reranker
	for k := range at {
		at[k] = k
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
	sums := make([]float64, len(top))
	for place, k := range at {
		sums[k] = rrf(int32(place+1)) + rrf(int32(k+1))
	}
	slices.Sort(at)
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(sums[b], sums[a]) })
	raw, part := make([]float64, len(r.files)), make([]float64, len(r.files))
	scores := make([]float64, len(top))
	for k, i := range top {
		scores[k] = r.fused[i]
	}
	for place, k := range at {
		i := top[k]
		raw[i], part[i] = values[k], scores[place]-scores[k]
		r.fused[i] = scores[place]
	}
	r.addPart(SignalRerank, raw, part)
}

// excerpts are what a reranker reads of each file: its path and its best
// definition, or its beginning.
func (r *run) excerpts(files []int) ([]string, error) {
	p, err := NewPassages(r.corpus, r.q)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(files))
	for k, i := range files {
		if err := r.ctx.Err(); err != nil {
			return nil, err
		}
		text := ""
		if r.ids[i] >= 0 {
			if text, err = p.excerpt(int(r.ids[i]), r.files[i]); err != nil {
				return nil, err
			}
		}
		out[k] = clip(r.files[i].Path+"\n"+text, RerankBytes)
	}
	return out, nil
}

// excerpt is the text of the file's best definition, or else its beginning.
func (p *Passages) excerpt(id int, f stream.File) (string, error) {
	chunks, err := p.ofID(id, f)
	if err != nil {
		return "", err
	}
	if len(chunks) == 0 {
		if p.buf, err = p.corpus.Content(id, p.buf); err != nil {
			return "", err
		}
		return string(p.buf[:min(len(p.buf), RerankBytes)]), nil
	}
	text := lines(p.buf, chunks[0].StartLine, chunks[0].EndLine)
	return string(text[:min(len(text), RerankBytes)]), nil
}

// lines are the lines first to last of text, counted from 1, both included.
func lines(text []byte, first, last int) []byte {
	start, at := -1, 0
	for n := 1; n <= last && at < len(text); n++ {
		if n == first {
			start = at
		}
		next := bytes.IndexByte(text[at:], '\n')
		if next < 0 {
			at = len(text)
			break
		}
		at += next + 1
	}
	if start < 0 {
		return nil
	}
	return text[start:at]
}

// clip cuts s to at most n bytes of valid UTF-8.
func clip(s string, n int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) > n {
		s = strings.ToValidUTF8(s[:n], "")
	}
	return s
}
