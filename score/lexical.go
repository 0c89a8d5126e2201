package score

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/stream"
)

// Reader reads the files of the tree that is ranked. It appends the content to
// buf[:0] and must be safe for concurrent use.
type Reader interface {
	ReadFile(path string, buf []byte) ([]byte, error)
}

// Parser cuts a source file into definitions, as [chunk.Parse] does.
type Parser func(ctx context.Context, language, path string, src []byte) chunk.Result

// LexicalOptions is how to make a [Lexical] corpus.
type LexicalOptions struct {
	Reader  Reader
	Parse   Parser
	Workers int // 0 is GOMAXPROCS
	// Candidates is how many of the best files are parsed for their symbols;
	// 0 is 100.
	Candidates int
}

const (
	defaultCandidates = 100
	// maxParse is the largest candidate parsed for its symbols, in bytes: what
	// is larger is a table or generated, and costs more than all the others.
	maxParse = 512 << 10
)

// Lexical is a [Corpus] for one query, made by one pass over the files' text
// without an index: it counts the query's terms and nothing else. Symbols are
// known of the best candidates only; for the others their length is taken to
// be average. A file that cannot be read counts by its path alone.
type Lexical struct {
	files   []stream.File
	byPath  []int32 // numbers of files sorted by path
	reader  Reader
	parse   Parser
	terms   map[string]int
	df      []int
	posts   [][]posting // by term, ascending by file
	lens    [][3]uint32
	total   [3]uint64
	chunks  map[int][]chunk.Chunk
	workers int
	mu      sync.Mutex // guards chunks
}

type posting struct {
	file int32
	tf   [3]uint32
}

// NewLexical reads the files. The error is the context's.
func NewLexical(ctx context.Context, files []stream.File, q *Query, o LexicalOptions) (*Lexical, error) {
	l := &Lexical{files: files, reader: o.Reader, parse: o.Parse, terms: map[string]int{},
		lens: make([][3]uint32, len(files)), chunks: map[int][]chunk.Chunk{}, workers: o.Workers}
	if l.workers <= 0 {
		l.workers = runtime.GOMAXPROCS(0)
	}
	for _, t := range q.Terms {
		l.terms[t.Text] = len(l.terms)
	}
	l.df, l.posts = make([]int, len(l.terms)), make([][]posting, len(l.terms))
	l.sortPaths()
	found := make([][]hit, len(files))
	if err := l.readAll(ctx, found); err != nil {
		return nil, err
	}
	for id, hits := range found {
		for _, h := range hits {
			l.posts[h.term] = append(l.posts[h.term], posting{int32(id), h.tf})
			l.df[h.term]++
		}
		for f, n := range l.lens[id] {
			l.total[f] += uint64(n)
		}
	}
	n := o.Candidates
	if n == 0 {
		n = defaultCandidates
	}
	return l, l.learnSymbols(ctx, q, n)
}

func (l *Lexical) sortPaths() {
	l.byPath = make([]int32, len(l.files))
	for i := range l.byPath {
		l.byPath[i] = int32(i)
	}
	less := func(a, b int32) int { return cmp.Compare(l.files[a].Path, l.files[b].Path) }
	if !slices.IsSortedFunc(l.byPath, less) {
		slices.SortFunc(l.byPath, less)
	}
}

// each calls fn for the numbers 0..n-1 on all workers, in no order. fn is made
// once a worker.
func (l *Lexical) each(ctx context.Context, n int, worker func() func(i int)) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(l.workers, max(n, 1)) {
		wg.Go(func() {
			fn := worker()
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				fn(i)
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

func (l *Lexical) readAll(ctx context.Context, found [][]hit) error {
	// Files in groups: workers then rarely contend for the counter.
	const group = 16
	return l.each(ctx, (len(l.files)+group-1)/group, func() func(int) {
		c := newCounter(l.terms)
		var buf []byte
		return func(g int) {
			for id := g * group; id < min((g+1)*group, len(l.files)); id++ {
				f := &l.files[id]
				c.text([]byte(f.Path), 0)
				if f.Skipped == "" {
					if b, err := l.reader.ReadFile(f.Path, buf); err == nil {
						buf = b
						c.text(b, 2)
					}
				}
				found[id], l.lens[id] = c.take()
			}
		}
	})
}

// learnSymbols parses the best candidates.
func (l *Lexical) learnSymbols(ctx context.Context, q *Query, n int) error {
	if l.parse == nil {
		return nil
	}
	terms, err := q.choose(l)
	if err != nil {
		return err
	}
	values, err := bm25f(ctx, l, terms)
	if err != nil {
		return err
	}
	order := l.best(values, n)
	found := make([][]hit, len(order))
	symbols := make([]uint32, len(order))
	err = l.each(ctx, len(order), func() func(int) {
		c := newCounter(l.terms)
		var buf []byte
		return func(k int) {
			id := order[k]
			var chunks []chunk.Chunk
			chunks, buf = l.parseFile(ctx, id, buf)
			for _, ch := range chunks {
				if ch.Kind != chunk.Import {
					c.text([]byte(ch.Name), 1)
				}
			}
			hits, lens := c.take()
			found[k], symbols[k] = hits, lens[1]
		}
	})
	if err != nil {
		return err
	}
	l.mergeSymbols(order, found, symbols)
	return nil
}

// best numbers the n best files by value, among those with a parser's interest.
func (l *Lexical) best(values []float64, n int) []int {
	order := make([]int, 0, len(values))
	for id, v := range values {
		f := &l.files[id]
		if v > 0 && f.Skipped == "" && f.Language != "" && f.Size <= maxParse {
			order = append(order, id)
			values[id] *= quality(f)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		if c := cmp.Compare(values[b], values[a]); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
	return order[:min(n, len(order))]
}

func (l *Lexical) parseFile(ctx context.Context, id int, buf []byte) ([]chunk.Chunk, []byte) {
	f := &l.files[id]
	b, err := l.reader.ReadFile(f.Path, buf)
	if err != nil {
		return nil, buf
	}
	chunks := l.parse(ctx, f.Language, f.Path, b).Chunks
	l.mu.Lock()
	l.chunks[id] = chunks
	l.mu.Unlock()
	return chunks, b
}

// mergeSymbols adds what was learned to the postings, and the average length
// for all other files.
func (l *Lexical) mergeSymbols(order []int, found [][]hit, symbols []uint32) {
	sum := uint64(0)
	for _, n := range symbols {
		sum += uint64(n)
	}
	avg := uint32(sum / uint64(max(len(order), 1)))
	for id := range l.lens {
		l.lens[id][1] = avg
	}
	for k, id := range order {
		l.lens[id][1] = symbols[k]
		for _, h := range found[k] {
			list := l.posts[h.term]
			if at, ok := slices.BinarySearchFunc(list, int32(id), func(p posting, id int32) int { return cmp.Compare(p.file, id) }); ok {
				list[at].tf[1] = h.tf[1]
			}
		}
	}
	l.total[1] = 0
	for _, n := range l.lens {
		l.total[1] += uint64(n[1])
	}
}

// NumFiles implements [Corpus].
func (l *Lexical) NumFiles() int { return len(l.files) }

// TotalLen implements [Corpus].
func (l *Lexical) TotalLen() [3]uint64 { return l.total }

// FileLen implements [Corpus].
func (l *Lexical) FileLen(id int) ([3]uint32, error) { return l.lens[id], nil }

// Match implements [Corpus].
func (l *Lexical) Match(paths func(i int) string, n int) ([]int32, error) {
	out := make([]int32, n)
	next := 0
	for i := range out {
		p := paths(i)
		if next >= len(l.byPath) || l.files[l.byPath[next]].Path != p {
			next, _ = slices.BinarySearchFunc(l.byPath, p, func(id int32, p string) int { return cmp.Compare(l.files[id].Path, p) })
		}
		out[i] = -1
		if next < len(l.byPath) && l.files[l.byPath[next]].Path == p {
			out[i] = l.byPath[next]
			next++
		}
	}
	return out, nil
}

// DF implements [Corpus]; it knows the terms of its query only.
func (l *Lexical) DF(term string) (int, error) {
	i, ok := l.terms[term]
	if !ok {
		return 0, nil
	}
	return l.df[i], nil
}

// Each implements [Corpus].
func (l *Lexical) Each(term string, fn func(id int, tf [3]uint32)) error {
	if i, ok := l.terms[term]; ok {
		for _, p := range l.posts[i] {
			fn(int(p.file), p.tf)
		}
	}
	return nil
}

// Chunks implements [Corpus]; a file that was no candidate is parsed now.
func (l *Lexical) Chunks(id int) ([]chunk.Chunk, error) {
	l.mu.Lock()
	chunks, ok := l.chunks[id]
	l.mu.Unlock()
	if f := &l.files[id]; !ok && l.parse != nil && f.Skipped == "" {
		chunks, _ = l.parseFile(context.Background(), id, nil)
	}
	return chunks, nil
}

// Content implements [Corpus]. A file that cannot be read is empty.
func (l *Lexical) Content(id int, buf []byte) ([]byte, error) {
	if l.files[id].Skipped != "" {
		return buf[:0], nil
	}
	b, err := l.reader.ReadFile(l.files[id].Path, buf)
	if err != nil {
		return buf[:0], nil
	}
	return b, nil
}
