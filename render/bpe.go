package render

import (
	"fmt"
	"sync"

	"github.com/topo-dev/topo/render/vocab"
)

// maxPiece bounds what is merged at once, in bytes. Longer runs without a
// break, which no program has, are counted in blocks of this size,
// which bounds memory. A block boundary can add one token to the count.
const maxPiece = 64 << 10

// bpe counts the tokens of a byte-pair vocabulary. It gives the same counts as
// tiktoken (a test compares them) but does not run its pattern on a
// backtracking engine, and merges in O(n log n) where that takes O(n²).
type bpe struct {
	vocab  *vocab.Vocabulary
	cutter func(text []byte) int // length of the first piece of a text that is not empty
}

// loadOnce loads a vocabulary at the first call of what it returns.
func loadOnce(name string, cutter func([]byte) int) func() (Counter, error) {
	return sync.OnceValues(func() (Counter, error) {
		v, err := vocab.Load(name)
		if err != nil {
			return nil, fmt.Errorf("render: %w", err)
		}
		return &bpe{v, cutter}, nil
	})
}

// Count implements [Counter].
func (c *bpe) Count(text []byte) int {
	var m merger
	total := 0
	for len(text) > 0 {
		n := c.cutter(text)
		for piece := text[:n]; len(piece) > 0; {
			block := piece[:min(len(piece), maxPiece)]
			if _, ok := c.vocab.Rank(block); ok {
				total++
			} else {
				total += m.count(block, c.vocab)
			}
			piece = piece[len(block):]
		}
		text = text[n:]
	}
	return total
}

// merger merges the pairs of one piece, the lowest rank first and of equal
// ranks the leftmost. Its memory is used again from piece to piece.
type merger struct {
	next []int32 // start of the part after the one that starts here
	prev []int32
	gone []bool // no part starts here any more
	heap []pair
}

// pair is a candidate for merging: the part at start and the next one, which
// together end at end.
type pair struct{ rank, start, end int32 }

func (a pair) before(b pair) bool {
	return a.rank < b.rank || a.rank == b.rank && a.start < b.start
}

func (m *merger) count(piece []byte, v *vocab.Vocabulary) int {
	n := len(piece)
	m.reset(n)
	push := func(start int32) {
		mid := m.next[start]
		if int(mid) >= n {
			return
		}
		end := m.next[mid]
		if rank, ok := v.Rank(piece[start:end]); ok {
			m.push(pair{int32(rank), start, end})
		}
	}
	for i := range n - 1 {
		push(int32(i))
	}
	parts := n
	for len(m.heap) > 0 {
		p := m.pop()
		if m.gone[p.start] {
			continue
		}
		mid := m.next[p.start]
		if int(mid) >= n || m.next[mid] != p.end {
			continue // one of the two has grown since
		}
		m.gone[mid] = true
		m.next[p.start] = p.end
		if int(p.end) < n {
			m.prev[p.end] = p.start
		}
		parts--
		push(p.start)
		if p.start > 0 {
			push(m.prev[p.start])
		}
	}
	return parts
}

func (m *merger) reset(n int) {
	m.next, m.prev, m.gone, m.heap = m.next[:0], m.prev[:0], m.gone[:0], m.heap[:0]
	for i := range n {
		m.next = append(m.next, int32(i+1))
		m.prev = append(m.prev, int32(i-1))
		m.gone = append(m.gone, false)
	}
}

func (m *merger) push(p pair) {
	m.heap = append(m.heap, p)
	i := len(m.heap) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !m.heap[i].before(m.heap[up]) {
			return
		}
		m.heap[i], m.heap[up] = m.heap[up], m.heap[i]
		i = up
	}
}

func (m *merger) pop() pair {
	h := m.heap
	top, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	m.heap = h
	for i := 0; ; {
		first := i
		for child := 2*i + 1; child <= 2*i+2 && child < last; child++ {
			if h[child].before(h[first]) {
				first = child
			}
		}
		if first == i {
			return top
		}
		h[i], h[first] = h[first], h[i]
		i = first
	}
}
