package signal

import (
	"runtime"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/index/token"
	"github.com/topo-dev/topo/scan/lang"
)

// maxRead is how much of a candidate is read, in bytes.
const maxRead = 256 << 10

// Weights of a term in a definition's name and in that of its scope, compared
// with one in its text; another form of a word counts formFreq.
const (
	nameFreq  = 3
	scopeFreq = 1.5
	formFreq  = 0.3
)

// targets is what is looked for in every candidate.
type targets struct {
	*featureMatrix
	pairs     map[[2]int32]int32 // adjacent terms of the query
	pairTerms [][2]int32
	byFirst   map[int32][]phrase
	names     map[string]int // identifiers in lower case
	identTerm [][]int        // by identifier: its terms, those the corpus holds
	total     float64
	spelled   [256]bool // by [spellingHash]: that of some identifier
}

// phrase is an identifier of several terms.
type phrase struct {
	parts []int32
	ident int
}

// reading is what one candidate holds.
type reading struct {
	length        [3]float64   // terms by class
	freq          [][3]float64 // by term and class
	pairs, idents []cell
	defs          []cell
	spans         []span
	spanBytes     float64
	spanCount     int
	run           float64
	window        float64
	namePrecise   float64
}

type span struct {
	kind  chunk.Kind
	bytes float64
	freq  []cell
}

type hit struct {
	term  int32 // -1-k for another form of term k
	seq   int32
	off   int32
	class uint8
}

func (m *featureMatrix) searchTargets() *targets {
	q := &targets{featureMatrix: m, pairs: map[[2]int32]int32{}, byFirst: map[int32][]phrase{}, names: map[string]int{}, total: 1e-9}
	of := make([]int32, len(m.q.terms)) // term of the query → term of the corpus
	for k, t := range m.q.terms {
		of[k] = -1
		if i, ok := m.term[t.text]; ok {
			of[k] = int32(i)
		}
	}
	for k := 0; k+1 < len(m.q.seq) && len(q.pairTerms) < maxPairs; k++ {
		if m.q.seq[k] < 0 || m.q.seq[k+1] < 0 {
			continue
		}
		p := [2]int32{of[m.q.seq[k]], of[m.q.seq[k+1]]}
		if _, ok := q.pairs[p]; ok || p[0] < 0 || p[1] < 0 || p[0] == p[1] {
			continue
		}
		q.pairs[p] = int32(len(q.pairTerms))
		q.pairTerms = append(q.pairTerms, p)
	}
	q.identTerm = make([][]int, len(m.q.idents))
	q.spelled[0] = true
	for k, id := range m.q.idents {
		lower := strings.ToLower(id.name)
		q.names[lower] = k
		q.spelled[spellingHash(lower)] = true
		p := phrase{ident: k}
		for _, part := range id.parts {
			if of[part] >= 0 {
				q.identTerm[k] = append(q.identTerm[k], int(of[part]))
				p.parts = append(p.parts, of[part])
			}
		}
		if len(p.parts) > 1 && len(p.parts) == len(id.parts) {
			q.byFirst[p.parts[0]] = append(q.byFirst[p.parts[0]], p)
		}
	}
	for _, t := range m.terms {
		q.total += t.weight * t.idf
	}
	return q
}

// readAll reads the candidates, several at a time.
func (q *targets) readAll(candidates []int) ([]reading, error) {
	out := make([]reading, len(candidates))
	workers := min(runtime.GOMAXPROCS(0), 8, max(1, len(candidates)))
	errs := make([]error, workers)
	var next atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			r := newReader(q)
			for q.ctx.Err() == nil && errs[w] == nil {
				k := int(next.Add(1)) - 1
				if k >= len(candidates) {
					return
				}
				out[k], errs[w] = r.read(candidates[k])
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, q.ctx.Err()
}

// reader reads one file after the other.
type reader struct {
	*targets
	scanner
	nameSplitter
	lexers map[string]*lexer // by language
	buf    []byte
	count  []int     // scratch, by term
	sum    []float64 // scratch, by term
}

func newReader(q *targets) *reader {
	r := &reader{targets: q, lexers: map[string]*lexer{}, count: make([]int, len(q.terms)), sum: make([]float64, len(q.terms))}
	r.nameSplitter.set, r.scanner.set, r.scanner.split = q.set, q.set, &r.nameSplitter.split
	return r
}

func (r *reader) read(i int) (out reading, err error) {
	id := r.ids[i]
	if id < 0 || r.files[i].Skipped != "" {
		return out, nil
	}
	if r.buf, err = r.corpus.Content(int(id), r.buf); err != nil {
		return out, err
	}
	chunks, err := r.corpus.Chunks(int(id))
	if err != nil {
		return out, err
	}
	text := r.buf[:min(len(r.buf), maxRead)]
	r.find(text, r.files[i].Language, &out)
	r.phrases(&out)
	r.bestWindow(&out)
	r.definitions(chunks, &out)
	r.passages(chunks, len(text), &out)
	return out, nil
}

// lex prepares for texts of a language.
func (r *reader) lex(language string) {
	if r.lexer = r.lexers[language]; r.lexer == nil {
		r.lexer = newLexer(lang.SyntaxOf(language))
		r.lexers[language] = r.lexer
	}
}

// find finds the query's terms.
func (r *reader) find(text []byte, language string, out *reading) {
	r.lex(language)
	r.scan(text)
	for c, n := range r.length {
		out.length[c] = float64(n)
	}
	out.freq = make([][3]float64, len(r.terms))
	for _, h := range r.hits {
		if h.term >= 0 {
			out.freq[h.term][h.class]++
		} else {
			out.freq[-1-h.term][h.class] += formFreq
		}
	}
}

// phrases finds adjacent words of the query that are adjacent in the file,
// identifiers of several words, and runs of three words and more.
func (r *reader) phrases(out *reading) {
	var pairs, idents sparseRow
	weight, n := 0.0, 0
	for h := range r.hits {
		a := r.hits[h]
		matched := false
		if h+1 < len(r.hits) && a.term >= 0 {
			b := r.hits[h+1]
			if b.term >= 0 && b.seq-a.seq <= 1 {
				if p, ok := r.pairs[[2]int32{a.term, b.term}]; ok {
					pairs.add(p, 1)
					matched = true
					if n == 0 {
						weight = r.terms[a.term].idf
					}
					weight += r.terms[b.term].idf
					n++
				}
			}
		}
		if !matched {
			if n >= 2 {
				out.run = max(out.run, weight)
			}
			n = 0
		}
		if a.term >= 0 {
			for _, p := range r.byFirst[a.term] {
				if r.phraseAt(h, p.parts) {
					idents.add(int32(p.ident), 1)
				}
			}
		}
	}
	out.pairs, out.idents = pairs.sorted(), idents.sorted()
}

func (r *reader) phraseAt(h int, parts []int32) bool {
	if h+len(parts) > len(r.hits) {
		return false
	}
	for k, p := range parts {
		if r.hits[h+k].term != p || r.hits[h+k].seq != r.hits[h].seq+int32(k) {
			return false
		}
	}
	return true
}

// bestWindow finds the stretch of windowTerms terms that holds most of the query.
func (r *reader) bestWindow(out *reading) {
	const windowTerms = 50
	clear(r.count)
	sum, from := 0.0, 0
	for _, h := range r.hits {
		if h.term < 0 {
			continue
		}
		if r.count[h.term]++; r.count[h.term] == 1 {
			sum += r.terms[h.term].weight * r.terms[h.term].idf
		}
		for ; h.seq-r.hits[from].seq > windowTerms; from++ {
			if b := r.hits[from].term; b >= 0 {
				if r.count[b]--; r.count[b] == 0 {
					sum -= r.terms[b].weight * r.terms[b].idf
				}
			}
		}
		out.window = max(out.window, sum)
	}
}

// passages counts the terms of each definition.
func (r *reader) passages(chunks []chunk.Chunk, n int, out *reading) {
	for _, s := range ownSpans(chunks, n) {
		out.spanBytes += float64(s.end - s.start)
		out.spanCount++
		sp := span{kind: s.chunk.Kind, bytes: float64(s.end - s.start)}
		var touched []int32
		add := func(k int, x float64) {
			if r.sum[k] == 0 {
				touched = append(touched, int32(k))
			}
			r.sum[k] += x
		}
		from := sort.Search(len(r.hits), func(h int) bool { return int(r.hits[h].off) >= s.start })
		for h := from; h < len(r.hits) && int(r.hits[h].off) < s.end; h++ {
			if t := r.hits[h].term; t >= 0 {
				add(int(t), 1)
			} else {
				add(int(-1-t), formFreq)
			}
		}
		r.eachTerm(s.chunk.Name, func(k int32) {
			if k >= 0 {
				add(int(k), nameFreq)
			} else if k != token.None {
				add(int(-1-k), 1)
			}
		})
		r.eachTerm(s.chunk.Scope, func(k int32) {
			if k >= 0 {
				add(int(k), scopeFreq)
			}
		})
		for _, k := range touched {
			sp.freq = append(sp.freq, cell{k, r.sum[k]})
			r.sum[k] = 0
		}
		if len(sp.freq) > 0 {
			out.spans = append(out.spans, sp)
		}
	}
}

// sparseRow sums by column.
type sparseRow []cell

func (s *sparseRow) add(col int32, x float64) {
	for k := range *s {
		if (*s)[k].col == col {
			(*s)[k].x += x
			return
		}
	}
	*s = append(*s, cell{col, x})
}

func (s sparseRow) sorted() []cell {
	sort.Slice(s, func(a, b int) bool { return s[a].col < s[b].col })
	return s
}
