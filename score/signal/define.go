package signal

import (
	"math"
	"strings"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/index/token"
)

// definitions finds what the query names among the names the file defines, and
// the single name that holds most of the query.
func (r *reader) definitions(chunks []chunk.Chunk, out *reading) {
	var defs sparseRow
	for _, c := range chunks {
		if c.Kind == chunk.Import {
			continue
		}
		r.nameOf(c, out)
		if c.Name == "" || !r.spelled[spellingHash(c.Name)] {
			continue
		}
		k, ok := r.names[strings.ToLower(c.Name)]
		if !ok {
			continue
		}
		w := 1.0
		if c.Name == r.q.idents[k].name {
			w = 1.5
		}
		if c.Scope != "" { // Server.Close, where both are named
			if _, ok := r.names[strings.ToLower(c.Scope[strings.LastIndexByte(c.Scope, '.')+1:])]; ok {
				w++
			}
		}
		setMax(&defs, int32(k), w)
	}
	out.defs = defs.sorted()
}

// spellingHash is a cheap hash of a name that is the same for any case of it, as
// far as ASCII goes; 0 for all others, whose length may change with the case.
func spellingHash(name string) uint8 {
	h := uint8(len(name)) * 31
	for i := 0; i < len(name); i++ {
		if name[i] >= 0x80 {
			return 0
		}
		h = h*5 + (name[i] | 0x20)
	}
	return max(h, 1)
}

func setMax(s *sparseRow, col int32, x float64) {
	for k := range *s {
		if (*s)[k].col == col {
			(*s)[k].x = max((*s)[k].x, x)
			return
		}
	}
	*s = append(*s, cell{col, x})
}

func (r *reader) nameOf(c chunk.Chunk, out *reading) {
	sum, n := 0.0, 0.0
	r.eachTerm(c.Name, func(k int32) {
		n++
		if k >= 0 {
			sum += r.terms[k].idf * r.terms[k].weight
		} else if k != token.None {
			sum += 0.6 * r.terms[-1-k].idf * r.terms[-1-k].weight
		}
	})
	if n > 0 {
		out.namePrecise = max(out.namePrecise, sum/(n+1)*math.Sqrt(n))
	}
}

// ownSpan is a chunk with the part of the text that is its own.
type ownSpan struct {
	chunk      chunk.Chunk
	at         int // place of the chunk in its file
	start, end int // bytes, doc comment included
}

// ownSpans cuts each type, section and the like at the first chunk that it
// holds, since what it holds is listed by itself. Chunks outside of n bytes,
// and imports, are dropped.
func ownSpans(chunks []chunk.Chunk, n int) []ownSpan {
	out := make([]ownSpan, 0, len(chunks))
	var open []int // positions in out of the chunks that hold the current one
	for at, c := range chunks {
		if c.StartByte < 0 || c.StartByte >= c.EndByte || c.EndByte > n || c.DocStart < 0 || c.DocEnd > n {
			continue
		}
		s := ownSpan{c, at, c.StartByte, c.EndByte}
		if c.DocEnd > c.DocStart && c.DocStart < c.StartByte {
			s.start = c.DocStart
		}
		for len(open) > 0 && out[open[len(open)-1]].chunk.EndByte <= c.StartByte {
			open = open[:len(open)-1]
		}
		for _, at := range open {
			h := &out[at]
			if isContainer(h.chunk.Kind) && s.start > h.chunk.StartByte && s.start < h.end {
				h.end = s.start
			}
		}
		out = append(out, s)
		open = append(open, len(out)-1)
	}
	kept := out[:0]
	for _, s := range out {
		if s.chunk.Kind != chunk.Import {
			kept = append(kept, s)
		}
	}
	return kept
}

func isContainer(k chunk.Kind) bool {
	return k == chunk.Type || k == chunk.Impl || k == chunk.Section || k == chunk.Other
}
