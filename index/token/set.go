package token

import "encoding/binary"

// Numbers that a [Set] returns in addition to those of its terms.
const (
	None = -1 << 31 // a term that the set does not hold
	Stop = None + 1 // no term at all: too short, too long, or a stop word
)

// Set is a set of terms that texts are searched for, each with a number. It
// tells what a part of a text is without lower-casing or copying it, and is
// read-only once made.
type Set struct {
	slots []setSlot // open addressing, at most a quarter full
	shift uint8     // 64 less the bits of a place in slots
	long  []string  // terms of more than 8 bytes
	// marks has a bit for the hash of each term: nearly all parts of a text end
	// here, in 8 KiB that stay in the processor's nearest cache.
	marks [1 << (markBits - 6)]uint64
}

const markBits = 16

type setSlot struct {
	head uint64 // the first 8 bytes; 0 is an empty slot, as no term holds a zero byte
	long int32  // place in long, -1 for terms of at most 8 bytes
	k    int32
}

// NewSet makes a set of the terms, which are lower case as [Each] gives them.
// number gives the number of each, not negative or small: any but [None] and
// [Stop]. Of equal terms the first counts. Stop words are held as [Stop].
func NewSet(terms []string, number func(i int) int32) *Set {
	s := &Set{shift: 64 - 8}
	for 1<<(64-s.shift) < 4*(len(terms)+len(StopWords)) {
		s.shift--
	}
	s.slots = make([]setSlot, 1<<(64-s.shift))
	for _, w := range StopWords {
		s.add(w, Stop)
	}
	for i, t := range terms {
		if len(t) > 0 {
			s.add(t, number(i))
		}
	}
	return s
}

func (s *Set) add(term string, k int32) {
	head := headOf(term)
	h := spread(head, len(term))
	at := h >> s.shift
	for ; s.slots[at].head != 0; at = (at + 1) % uint64(len(s.slots)) {
		if s.same(&s.slots[at], head, term) {
			return
		}
	}
	s.slots[at] = setSlot{head, -1, k}
	if len(term) > 8 {
		s.slots[at].long = int32(len(s.long))
		s.long = append(s.long, term)
	}
	m := h >> (64 - markBits)
	s.marks[m/64] |= 1 << (m % 64)
}

func (s *Set) same(slot *setSlot, head uint64, term string) bool {
	if slot.head != head {
		return false
	}
	if len(term) <= 8 {
		return slot.long < 0
	}
	return slot.long >= 0 && s.long[slot.long] == term
}

// headOf packs the first eight bytes of a term, the first one lowest.
func headOf[T string | []byte](term T) (head uint64) {
	for i := 0; i < len(term) && i < 8; i++ {
		head |= uint64(term[i]) << (8 * i)
	}
	return head
}

// spread hashes by Fibonacci.
func spread(head uint64, length int) uint64 {
	return (head ^ uint64(length)<<59) * 0x9E3779B97F4A7C15
}

// Term is the number of a term as [Each] gives it; None when the set does not
// hold it.
func (s *Set) Term(term []byte) int32 {
	if len(term) == 0 {
		return None
	}
	return s.find(headOf(term), term, 0)
}

// Part is the number of the term that text[from:to] is, a part of a word as
// [Part] finds it: letters and digits of ASCII, in any case.
func (s *Set) Part(text []byte, from, to int) int32 {
	n := to - from
	if n < 2 || n > MaxTerm {
		return Stop
	}
	var head uint64
	if from+8 <= len(text) {
		head = binary.LittleEndian.Uint64(text[from:])
		if n < 8 {
			head &= 1<<(8*n) - 1
			head |= toLower & (1<<(8*n) - 1)
		} else {
			head |= toLower
		}
	} else {
		head = headOf(text[from:to])
		head |= toLower & (1<<(8*min(n, 8)) - 1)
	}
	m := spread(head, n) >> (64 - markBits)
	if s.marks[m/64]&(1<<(m%64)) == 0 {
		return None
	}
	return s.find(head, text[from:to], 0x20)
}

// toLower makes eight ASCII letters lower case and leaves digits as they are.
const toLower = 0x2020202020202020

// find looks up the term that has that head, once every byte has been or-ed
// with lower.
func (s *Set) find(head uint64, term []byte, lower byte) int32 {
	at := spread(head, len(term)) >> s.shift
	for ; s.slots[at].head != 0; at = (at + 1) % uint64(len(s.slots)) {
		slot := &s.slots[at]
		if slot.head != head {
			continue
		}
		if slot.long < 0 {
			if len(term) <= 8 {
				return slot.k
			}
		} else if equalTail(s.long[slot.long], term, lower) {
			return slot.k
		}
	}
	return None
}

// equalTail compares what follows the first eight bytes.
func equalTail(a string, b []byte, lower byte) bool {
	if len(a) != len(b) {
		return false
	}
	for i := 8; i < len(a); i++ {
		if a[i] != b[i]|lower {
			return false
		}
	}
	return true
}

// Kinds of a byte where a text is cut by hand, see [Kind].
const (
	KindCut   = 0 // no part of any word
	KindASCII = 1 // a letter or digit: [Part] finds what starts here
	KindOther = 2 // part of a longer rune: [Splitter.Other] does
)

// Kind tells what a byte of a text is.
func Kind(c byte) uint8 {
	switch classes[c] {
	case sep:
		return KindCut
	case multi:
		return KindOther
	}
	return KindASCII
}

// Part finds the end of the part of a word that starts at i, a byte of
// [KindASCII]. ok is false when a byte that decides is not ASCII; then
// [Splitter.Other] takes the part. A caller that goes on at end finds the
// parts that [Each] finds.
func Part(text []byte, i int) (end int, ok bool) { return asciiPart(text, i) }

// Other finds the term that starts at i, nil when there is none, and where to
// go on. The term is valid until the next call.
func (s *Splitter) Other(text []byte, i int) (term []byte, next int) {
	next = s.runePart(text, i, func(t []byte) { term = t })
	return term, next
}
