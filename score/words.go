package score

import (
	"cmp"
	"slices"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/index/token"
	"github.com/topo-dev/topo/stream"
)

const (
	// passageFiles is how many of the best files are read for their best
	// passage.
	passageFiles = 50
	// nameWeight counts a term in a definition's own name, scopeWeight one in
	// the name of what holds it, compared with 1 in its text.
	nameWeight  = 3
	scopeWeight = 1
	// passageB normalises by length less than whole files are: the function
	// that does the work is long compared with the accessors that share its words.
	passageB = 0.3
)

// kindFactors prefer what does something over what declares something.
var kindFactors = map[chunk.Kind]float64{
	chunk.Function: 1, chunk.Method: 1, chunk.Type: 1, chunk.Impl: 0.9,
	chunk.Const: 0.7, chunk.Var: 0.7, chunk.Section: 0.9, chunk.Other: 0.6,
}

// Words values definitions and other passages by BM25 alone: for texts that no
// parser cuts, and for reciprocal rank fusion. [Passages] ranks better.
type Words struct {
	corpus Corpus
	terms  map[string]int
	weight []float64
	split  token.Splitter
	buf    []byte
	tf     []float64 // scratch, by term
}

// NewWords prepares for a query. The result is not safe for concurrent use.
func NewWords(c Corpus, q *Query) (*Words, error) {
	terms, err := q.choose(c)
	if err != nil {
		return nil, err
	}
	return newWords(c, terms), nil
}

func newWords(c Corpus, terms []weighted) *Words {
	p := &Words{corpus: c, terms: make(map[string]int, len(terms)), tf: make([]float64, len(terms))}
	for i, t := range terms {
		p.terms[t.Text] = i
		p.weight = append(p.weight, t.Weight*t.idf)
	}
	return p
}

// Of returns the definitions of the file with that path as [Passages.Of] does;
// scores compare between files.
func (p *Words) Of(path string) ([]stream.Chunk, error) {
	id, err := lookup(p.corpus, path)
	if err != nil || id < 0 {
		return nil, err
	}
	return p.ofID(id)
}

func (p *Words) ofID(id int) ([]stream.Chunk, error) {
	chunks, err := readChunks(p.corpus, id, &p.buf)
	if err != nil {
		return nil, err
	}
	spans := spansOf(chunks, len(p.buf))
	total := 0
	for _, s := range spans {
		total += s.end - s.start
	}
	avg := max(float64(total)/float64(len(spans)), 1)
	out := make([]stream.Chunk, len(spans))
	for i, s := range spans {
		out[i] = record(s, p.buf)
		out[i].Score = p.value(s, float64(s.end-s.start)/avg)
	}
	slices.SortStableFunc(out, func(a, b stream.Chunk) int { return cmp.Compare(b.Score, a.Score) })
	return out, nil
}

// value is BM25 over the span's text, its names counting more; length is the
// span's over the average of the file.
func (p *Words) value(s span, length float64) float64 {
	factor := kindFactors[s.Kind]
	if factor == 0 {
		return 0
	}
	clear(p.tf)
	p.count(p.buf[s.start:s.end], 1)
	p.count([]byte(s.Name), nameWeight)
	p.count([]byte(s.Scope), scopeWeight)
	return p.sum(length) * factor
}

// Text values any passage as the definitions of a file are valued; length is
// the passage's over the average of those it is compared with.
func (p *Words) Text(text []byte, length float64) float64 {
	clear(p.tf)
	p.count(text, 1)
	return p.sum(length) * kindFactors[chunk.Section]
}

// sum is BM25 of the frequencies counted.
func (p *Words) sum(length float64) (sum float64) {
	norm := 1 - passageB + passageB*length
	for i, tf := range p.tf {
		if tf > 0 {
			sum += p.weight[i] * tf / (tf + bm25K1*norm)
		}
	}
	return sum
}

func (p *Words) count(text []byte, weight float64) {
	p.split.Each(text, func(term []byte) {
		if i, ok := p.terms[string(term)]; ok {
			p.tf[i] += weight
		}
	})
}

// passages is the signal: the best definition of each of the best files.
func (r *run) passages() ([]float64, error) {
	out := make([]float64, len(r.files))
	p := newWords(r.corpus, r.terms)
	for k, i := range r.order(nil) {
		if k == passageFiles || r.fused[i] == 0 {
			break
		}
		if err := r.ctx.Err(); err != nil {
			return nil, err
		}
		if r.ids[i] < 0 {
			continue
		}
		chunks, err := p.ofID(int(r.ids[i]))
		if err != nil {
			return nil, err
		}
		if len(chunks) > 0 {
			out[i] = chunks[0].Score
		}
	}
	return out, nil
}
