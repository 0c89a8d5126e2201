package score

import (
	"slices"

	"github.com/topo-dev/topo/index/token"
)

// hit is a query term found in a file.
type hit struct {
	term int32
	tf   [3]uint32
}

// counter counts the query's terms in one file at a time.
type counter struct {
	split token.Splitter
	terms map[string]int
	maybe [1 << 12]bool // by hash of length and ends of a term: false is surely none
	tf    [][3]uint32
	seen  []int32
	lens  [3]uint32
}

func newCounter(terms map[string]int) *counter {
	c := &counter{terms: terms, tf: make([][3]uint32, len(terms))}
	for t := range terms {
		c.maybe[sketch([]byte(t))] = true
	}
	return c
}

// sketch hashes what is cheap to read of a term, which has a byte or more.
func sketch(t []byte) uint32 {
	n := len(t)
	h := uint32(t[0]) | uint32(t[n-1])<<8 | uint32(t[n/2])<<16 | uint32(n)<<24
	return h * 0x9E3779B1 >> 20
}

func (c *counter) text(text []byte, field int) {
	n := uint32(0)
	c.split.Each(text, func(term []byte) {
		n++
		if !c.maybe[sketch(term)] {
			return
		}
		i, ok := c.terms[string(term)]
		if !ok {
			return
		}
		if c.tf[i] == ([3]uint32{}) {
			c.seen = append(c.seen, int32(i))
		}
		c.tf[i][field]++
	})
	c.lens[field] += n
}

// take returns what was counted since the last call.
func (c *counter) take() ([]hit, [3]uint32) {
	lens := c.lens
	c.lens = [3]uint32{}
	if len(c.seen) == 0 {
		return nil, lens
	}
	slices.Sort(c.seen)
	hits := make([]hit, len(c.seen))
	for k, i := range c.seen {
		hits[k] = hit{i, c.tf[i]}
		c.tf[i] = [3]uint32{}
	}
	c.seen = c.seen[:0]
	return hits, lens
}
