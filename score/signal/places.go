package signal

import "github.com/topo-dev/topo/index/token"

// Place is where a text holds a term of the query.
type Place struct {
	Start, End int // bytes
	Term       int // its number in the query
	Weight     float64
}

// maxPlaces bounds the places of one text: a query of a common word and a file of
// tens of megabytes.
const maxPlaces = 1 << 18

// Places finds the query's terms in a text, in its order. Other forms of a term
// weigh less.
func (x *Chunks) Places(text []byte) (out []Place) {
	x.each(text, func(from, to int, k int32) {
		if k == token.None || len(out) == maxPlaces {
			return
		}
		share := 1.0
		if k < 0 {
			k, share = -1-k, formFreq
		}
		t := &x.terms[k]
		out = append(out, Place{from, to, int(k), share * t.weight * t.idf})
	})
	return out
}
