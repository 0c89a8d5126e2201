package signal

import (
	"math"
	"sort"

	"github.com/topo-dev/topo/index/token"
)

// chunkCount is how often a term occurs in the parts of a definition; other
// forms of it count formFreq.
type chunkCount struct {
	body, code, sig, doc, name, scope float64
}

type chunkCell struct {
	term int
	chunkCount
}

// chunkSpan is a definition with the query's terms in it.
type chunkSpan struct {
	ownSpan
	hits  [2]int // from, to, in scanner.hits
	cells []chunkCell
}

// count counts the terms of a definition.
func (x *Chunks) count(s ownSpan) chunkSpan {
	// Pieces start at the end of the line before.
	from, to := x.before(s.start), s.end
	if to < s.chunk.EndByte {
		to = x.before(to)
	}
	out := chunkSpan{ownSpan: s, hits: [2]int{x.hitAt(from), x.hitAt(to)}}
	var touched []int
	at := func(k int32) (*chunkCount, float64) {
		w := 1.0
		if k < 0 {
			k, w = -1-k, formFreq
		}
		c := &x.tf[k]
		if *c == (chunkCount{}) {
			touched = append(touched, int(k))
		}
		return c, w
	}
	sig, doc := x.before(s.chunk.StartByte), x.before(s.chunk.DocStart)
	for _, h := range x.hits[out.hits[0]:out.hits[1]] {
		c, w := at(h.term)
		c.body += w
		if h.class == inCode {
			c.code += w
		}
		if o := int(h.off); o >= sig && o < s.chunk.SigEnd {
			c.sig += w
		} else if o >= doc && o < s.chunk.DocEnd {
			c.doc += w
		}
	}
	x.eachTerm(s.chunk.Name, func(k int32) {
		if k != token.None {
			c, w := at(k)
			c.name += w
		}
	})
	x.eachTerm(s.chunk.Scope, func(k int32) {
		if k >= 0 {
			c, w := at(k)
			c.scope += w
		}
	})
	for _, k := range touched {
		out.cells = append(out.cells, chunkCell{k, x.tf[k]})
		x.tf[k] = chunkCount{}
	}
	return out
}

// hitAt is the first hit whose piece starts at off or later.
func (x *Chunks) hitAt(off int) int {
	return sort.Search(len(x.hits), func(h int) bool { return int(x.hits[h].off) >= off })
}

// before is the end of the line before when only white space lies between.
func (x *Chunks) before(at int) int {
	for i := min(at, len(x.text)) - 1; i >= 0; i-- {
		switch x.text[i] {
		case '\n':
			return i
		case ' ', '\t':
		default:
			return at
		}
	}
	return at
}

// words is BM25 over the parts of each definition. Values that compare between
// files are shares of what the query weighs.
func (f *chunkFile) words() {
	rare := f.rarity()
	for i := range f.spans {
		s := &f.spans[i]
		norm := bm25K1 * (1 - chunkB + chunkB*float64(s.end-s.start)/chunkBytes)
		for _, c := range s.cells {
			t := &f.terms[c.term]
			w, title := t.weight*t.idf/f.total, 0.0
			if t.title {
				title = t.idf / f.title
			}
			full := c.body + nameFreq*c.name + c.scope
			all := full / (full + norm)
			f.cols[cText][i] += w * all
			f.cols[cBody][i] += w * c.body / (c.body + norm)
			f.cols[cCode][i] += w * c.code / (c.code + norm)
			f.cols[cSignature][i] += w * c.sig / (c.sig + bm25K1)
			f.cols[cDoc][i] += w * c.doc / (c.doc + bm25K1)
			f.cols[cOwn][i] += w * rare[c.term] * all
			f.cols[cOwnTitle][i] += title * rare[c.term] * all
			if c.body >= 1 || c.name >= 1 {
				f.cols[cShare][i] += w
				f.cols[cShareTitle][i] += title
			}
		}
	}
	copy(f.cols[cTextBest], f.cols[cText])
	copy(f.cols[cShareTitleBest], f.cols[cShareTitle])
}

// rarity is by term how few of the file's definitions hold it, 0 to 1.
func (f *chunkFile) rarity() []float64 {
	out := make([]float64, len(f.terms))
	for i := range f.spans {
		for _, c := range f.spans[i].cells {
			if c.body > 0 || c.name > 0 {
				out[c.term]++
			}
		}
	}
	n := float64(len(f.spans))
	for k, df := range out {
		if df > 0 {
			out[k] = max(0, math.Log((n+1)/(df+0.5))/math.Log(n+2))
		}
	}
	return out
}
