package signal

import (
	"context"
	"math"
	"slices"

	"github.com/topo-dev/topo/chunk"
)

// Parameters of the BM25 of one definition. Its length counts less than that of
// a file: the function that does the work is long compared with the accessors
// that share its words. The norm is a constant, which makes the definitions of
// different files comparable.
const (
	chunkB     = 0.3
	chunkBytes = 900
)

// Chunks values the definitions inside files against one query. It is not safe
// for concurrent use.
type Chunks struct {
	*reader
	definitionHints
	total, title float64      // what all terms weigh, and those of the title by their rarity alone
	tf           []chunkCount // scratch, by term
	text         []byte       // of the file
}

// NewChunks prepares for a query.
func NewChunks(c Corpus, query string) (*Chunks, error) {
	m := &featureMatrix{ctx: context.Background(), corpus: c, q: parseQuery(query)}
	if err := m.chooseTerms(); err != nil {
		return nil, err
	}
	q := m.searchTargets()
	x := &Chunks{reader: newReader(q), definitionHints: parseDefinitionHints(m.q), total: q.total, title: 1e-9, tf: make([]chunkCount, len(m.terms))}
	for _, t := range m.terms {
		if t.title {
			x.title += t.idf
		}
	}
	return x, nil
}

// ChunkTable holds the values of a file's definitions.
type ChunkTable struct {
	At []int // places of the definitions in the list given; imports are not among them
	// Holds marks those that hold anything of the query.
	Holds    []bool
	Features []Feature // in comparable form, in the order of [ChunkSignals] without those of the file
}

// Of values the definitions of a file, given its text and what it defines.
func (x *Chunks) Of(text []byte, chunks []chunk.Chunk, path, language string) *ChunkTable {
	x.text = text
	x.lex(language)
	x.scan(text)
	f := &chunkFile{Chunks: x, path: path}
	for _, s := range ownSpans(chunks, len(text)) {
		f.spans = append(f.spans, x.count(s))
	}
	x.text = nil
	return f.table()
}

// chunkFile is one file with what its definitions hold.
type chunkFile struct {
	*Chunks
	path  string
	spans []chunkSpan
	cols  [][]float64 // by place in chunkKnown, and by span
}

func (f *chunkFile) table() *ChunkTable {
	t := &ChunkTable{}
	f.cols = make([][]float64, len(chunkKnown))
	room := make([]float64, len(chunkKnown)*len(f.spans))
	for k := range f.cols {
		f.cols[k], room = room[:len(f.spans):len(f.spans)], room[len(f.spans):]
	}
	f.words()
	f.names()
	f.shapes()
	for k := range f.spans {
		f.phrases(k)
		t.At = append(t.At, f.spans[k].at)
		t.Holds = append(t.Holds, len(f.spans[k].cells) > 0 || f.cols[cFrame][k] > 0)
	}
	f.holders()
	f.place(cPlaceByText, f.cols[cText])
	f.place(cPlaceByOwn, f.cols[cOwn])
	for k, known := range chunkKnown {
		t.Features = append(t.Features, Feature{known.Name, normalize(f.cols[k], known.kind)})
	}
	return t
}

// Scores sums the features by weight.
func (t *ChunkTable) Scores(weights map[string]float64) []float64 {
	out := make([]float64, len(t.At))
	for _, c := range t.Features {
		if w := weights[c.Name]; w != 0 {
			for i, x := range c.Values {
				out[i] += w * x
			}
		}
	}
	return out
}

// place is the order by a value: 1 for the first, then the reciprocal of the
// root of the place, 0 for what has no value.
func (f *chunkFile) place(col int, values []float64) {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case values[a] > values[b]:
			return -1
		case values[a] < values[b]:
			return 1
		}
		return 0
	})
	for n, i := range order {
		if values[i] > 0 {
			f.cols[col][i] = 1 / math.Sqrt(float64(n+1))
		}
	}
}

// shapes values what definitions are, whatever they hold.
func (f *chunkFile) shapes() {
	among := math.Log2(float64(len(f.spans) + 1))
	for i := range f.spans {
		c := &f.spans[i].chunk
		f.cols[cLines][i] = math.Log2(float64(max(c.EndLine-c.StartLine, 0) + 2))
		f.cols[cAmong][i] = among
		switch c.Kind {
		case chunk.Method:
			f.cols[cMethod][i] = 1
		case chunk.Type, chunk.Impl:
			f.cols[cType][i] = 1
		case chunk.Const, chunk.Var:
			f.cols[cValue][i] = 1
		}
	}
}
