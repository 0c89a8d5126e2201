package score

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/score/signal"
	"github.com/topo-dev/topo/stream"
)

// maxSignature is the longest signature in bytes.
const maxSignature = 240

// Passages ranks the definitions inside files against one query, by the learned
// weights of package signal.
type Passages struct {
	corpus Corpus
	values *signal.Chunks
	buf    []byte

	// Of the file whose windows were asked for last.
	textOf string
	text   []byte
	places []signal.Place
}

// NewPassages prepares for a query. The result is not safe for concurrent use.
func NewPassages(c Corpus, q *Query) (*Passages, error) {
	v, err := signal.NewChunks(c, q.Text)
	if err != nil {
		return nil, err
	}
	return &Passages{corpus: c, values: v}, nil
}

// Of returns the definitions of a file, or the sections of a document or data
// file ([chunk.Sections]), most relevant first, each with its lines
// (doc comment included), signature and score: 1 for the best, for the others
// the odds of being wanted relative to it. Imports and definitions that hold nothing
// of the query come last with score 0. A type that holds other definitions
// counts and spans only up to the first of them: what it holds is listed by
// itself. After the best definition comes a window of the lines outside of all of
// them when more of the query is near there than anywhere inside: statements,
// constants and comments between definitions.
func (p *Passages) Of(f stream.File) ([]stream.Chunk, error) {
	id, err := lookup(p.corpus, f.Path)
	if err != nil || id < 0 {
		return nil, err
	}
	return p.ofID(id, f)
}

func (p *Passages) ofID(id int, f stream.File) ([]stream.Chunk, error) {
	chunks, err := p.corpus.Chunks(id)
	if err != nil {
		return nil, err
	}
	if p.buf, err = p.corpus.Content(id, p.buf); err != nil {
		return nil, err
	}
	out := p.value(chunk.Parts(f.Language, f.Path, p.buf, chunks), f)
	best := math.Inf(-1)
	for _, c := range out {
		best = max(best, c.Score)
	}
	for i := range out {
		out[i].Score = odds(out[i].Score, best)
	}
	slices.SortStableFunc(out, func(a, b stream.Chunk) int { return cmp.Compare(b.Score, a.Score) })
	if len(out) > 0 && out[0].Score > 0 {
		out = slices.Insert(out, 1, outside(p.buf, p.values.Places(p.buf), out)...)
	}
	return out, nil
}

// odds are those of a sum of weighted signals relative to the best one, rounded
// to be equal on every machine; 0 for no sum.
func odds(sum, best float64) float64 {
	if math.IsInf(sum, -1) {
		return 0
	}
	return max(math.Round(math.Exp(sum-best)*1e6)/1e6, 1e-6)
}

// logits are the definitions in the order of the file, with the sums of their
// weighted signals as scores, minus infinity for what holds nothing of the query.
func (p *Passages) logits(id int, f stream.File) ([]stream.Chunk, error) {
	chunks, err := readChunks(p.corpus, id, &p.buf)
	if err != nil || len(chunks) == 0 {
		return nil, err
	}
	return p.value(chunks, f), nil
}

// value is logits of the chunks given, of the file in buf.
func (p *Passages) value(chunks []chunk.Chunk, f stream.File) []stream.Chunk {
	if len(chunks) == 0 {
		return nil
	}
	spans := spansOf(chunks, len(p.buf))
	t := p.values.Of(p.buf, chunks, f.Path, f.Language)
	score := make(map[int]float64, len(t.At))
	for i, v := range t.Scores(signal.ChunkWeights) {
		if t.Holds[i] {
			score[t.At[i]] = v
		}
	}
	out := make([]stream.Chunk, len(spans))
	for i, s := range spans {
		out[i] = record(s, p.buf)
		out[i].Score = math.Inf(-1)
		if v, ok := score[s.at]; ok {
			out[i].Score = v
		}
	}
	return out
}

// lookup is the number of a path, -1 for none.
func lookup(c Corpus, path string) (int, error) {
	ids, err := c.Match(func(int) string { return path }, 1)
	if err != nil {
		return -1, err
	}
	return int(ids[0]), nil
}

// readChunks reads a file and its definitions; the text is left in buf.
func readChunks(c Corpus, id int, buf *[]byte) ([]chunk.Chunk, error) {
	chunks, err := c.Chunks(id)
	if err != nil || len(chunks) == 0 {
		return nil, err
	}
	*buf, err = c.Content(id, *buf)
	return chunks, err
}

// span is a chunk with the part of it that is its own.
type span struct {
	chunk.Chunk
	at         int // place of the chunk in its file
	start, end int // bytes, doc comment included
	endLine    int
}

// spansOf cuts each chunk that holds others at the first of them. Chunks
// outside of n bytes are dropped: the file changed under the corpus.
func spansOf(chunks []chunk.Chunk, n int) []span {
	out := make([]span, 0, len(chunks))
	var open []int // positions in out of the chunks that hold the current one
	for at, c := range chunks {
		if c.StartByte < 0 || c.StartByte >= c.EndByte || c.EndByte > n || c.DocStart < 0 || c.DocEnd > n {
			continue
		}
		s := span{c, at, c.StartByte, c.EndByte, c.EndLine}
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

// cuts reports whether a kind is shown by its head once their parts are
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

// record is the span as a record of the stream.
func record(s span, content []byte) stream.Chunk {
	return stream.Chunk{Kind: s.Kind.String(), Name: s.Qualified(), StartLine: firstLine(s), EndLine: max(s.endLine, firstLine(s)),
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
