package score

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/index/token"
)

const (
	// passageFiles is how many of the leading files are read for their best
	// passage.
	passageFiles = 50
	// nameWeight counts a term in a definition's own name, scopeWeight one in
	// the name of what holds it, beside 1 in its text.
	nameWeight  = 3
	scopeWeight = 1
	// passageB normalises by length less than whole files are: the function
	// that does the work is long beside the accessors that share its words.
	passageB = 0.3
	// maxSignature is the longest signature in bytes.
	maxSignature = 240
)

// kindFactors prefer what does something over what declares something.
var kindFactors = map[chunk.Kind]float64{
	chunk.Function: 1, chunk.Method: 1, chunk.Type: 1, chunk.Impl: 0.9,
	chunk.Const: 0.7, chunk.Var: 0.7, chunk.Section: 0.9, chunk.Other: 0.6,
}

// Passages ranks the definitions inside files against one query.
type Passages struct {
	corpus Corpus
	terms  map[string]int
	weight []float64
	split  token.Splitter
	buf    []byte
	tf     []float64 // scratch, by term
}

// NewPassages prepares for a query. The result is not safe for concurrent use.
func NewPassages(c Corpus, q *Query) (*Passages, error) {
	terms, err := q.choose(c)
	if err != nil {
		return nil, err
	}
	return newPassages(c, terms), nil
}

func newPassages(c Corpus, terms []weighted) *Passages {
	p := &Passages{corpus: c, terms: make(map[string]int, len(terms)), tf: make([]float64, len(terms))}
	for i, t := range terms {
		p.terms[t.Text] = i
		p.weight = append(p.weight, t.Weight*t.idf)
	}
	return p
}

// Of returns the definitions of the file with that path, most relevant first,
// each with its lines (doc comment included), signature and score. Imports and
// definitions that hold nothing of the query come last with score 0. Of a type
// that holds other definitions only the part before the first of them counts
// and is spanned: what it holds is listed by itself.
func (p *Passages) Of(path string) ([]topo.Chunk, error) {
	ids, err := p.corpus.Match(func(int) string { return path }, 1)
	if err != nil || ids[0] < 0 {
		return nil, err
	}
	return p.ofID(int(ids[0]))
}

func (p *Passages) ofID(id int) ([]topo.Chunk, error) {
	chunks, err := p.corpus.Chunks(id)
	if err != nil || len(chunks) == 0 {
		return nil, err
	}
	if p.buf, err = p.corpus.Content(id, p.buf); err != nil {
		return nil, err
	}
	spans := spansOf(chunks, len(p.buf))
	if len(spans) == 0 {
		return nil, nil
	}
	total := 0
	for _, s := range spans {
		total += s.end - s.start
	}
	avg := max(float64(total)/float64(len(spans)), 1)
	out := make([]topo.Chunk, len(spans))
	for i, s := range spans {
		out[i] = record(s, p.buf)
		out[i].Score = p.value(s, float64(s.end-s.start)/avg)
	}
	slices.SortStableFunc(out, func(a, b topo.Chunk) int { return cmp.Compare(b.Score, a.Score) })
	return out, nil
}

// span is a chunk with the part of it that is its own.
type span struct {
	chunk.Chunk
	start, end int // bytes, doc comment included
	endLine    int
}

// spansOf cuts each chunk that holds others at the first of them. Chunks
// outside of n bytes are dropped: the file changed under the corpus.
func spansOf(chunks []chunk.Chunk, n int) []span {
	out := make([]span, 0, len(chunks))
	var open []int // positions in out of the chunks that hold the current one
	for _, c := range chunks {
		if c.StartByte < 0 || c.StartByte >= c.EndByte || c.EndByte > n || c.DocStart < 0 || c.DocEnd > n {
			continue
		}
		s := span{c, c.StartByte, c.EndByte, c.EndLine}
		if c.DocEnd > c.DocStart && c.DocStart < c.StartByte {
			s.start = c.DocStart
		}
		for len(open) > 0 && out[open[len(open)-1]].EndByte <= c.StartByte {
			open = open[:len(open)-1]
		}
		for _, at := range open {
			h := &out[at]
			if cuts(h.Kind) && s.start > h.StartByte && s.start < h.end && firstLine(s) > h.StartLine {
				h.end, h.endLine = s.start, firstLine(s)-1
			}
		}
		out = append(out, s)
		open = append(open, len(out)-1)
	}
	return out
}

// cuts tells the kinds that are known by their head once their parts are
// listed: a function keeps the functions inside it.
func cuts(k chunk.Kind) bool {
	return k == chunk.Type || k == chunk.Impl || k == chunk.Section || k == chunk.Other
}

func firstLine(s span) int {
	if s.start < s.StartByte && s.DocLine > 0 {
		return s.DocLine
	}
	return s.StartLine
}

// record is the span as it stands in the stream.
func record(s span, content []byte) topo.Chunk {
	return topo.Chunk{Kind: s.Kind.String(), Name: s.Qualified(), StartLine: firstLine(s), EndLine: max(s.endLine, firstLine(s)),
		Signature: Signature(s.Chunk, content)}
}

// Signature is a definition without its body on one line of at most 240 bytes,
// cut between runes.
func Signature(c chunk.Chunk, content []byte) string {
	if c.StartByte < 0 || c.SigEnd > len(content) || c.SigEnd <= c.StartByte {
		return ""
	}
	raw := content[c.StartByte:min(c.SigEnd, c.StartByte+4*maxSignature)]
	s := strings.ToValidUTF8(string(bytes.Join(bytes.Fields(raw), []byte(" "))), "")
	if len(s) > maxSignature {
		s = strings.ToValidUTF8(s[:maxSignature], "")
	}
	return s
}

// value is BM25 over the span's text, its names counting more; length is the
// span's over the average of the file.
func (p *Passages) value(s span, length float64) float64 {
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
func (p *Passages) Text(text []byte, length float64) float64 {
	clear(p.tf)
	p.count(text, 1)
	return p.sum(length) * kindFactors[chunk.Section]
}

// sum is BM25 of the frequencies counted.
func (p *Passages) sum(length float64) (sum float64) {
	norm := 1 - passageB + passageB*length
	for i, tf := range p.tf {
		if tf > 0 {
			sum += p.weight[i] * tf / (tf + bm25K1*norm)
		}
	}
	return sum
}

func (p *Passages) count(text []byte, weight float64) {
	p.split.Each(text, func(term []byte) {
		if i, ok := p.terms[string(term)]; ok {
			p.tf[i] += weight
		}
	})
}

// passages is the signal: the best definition of each leading file.
func (r *run) passages() ([]float64, error) {
	out := make([]float64, len(r.files))
	p := newPassages(r.corpus, r.terms)
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
