package index

import (
	"encoding/binary"
	"math"
)

// byteReader decodes a sequence of variable-length numbers and byte strings.
// After the first defect bad is set, nothing is left and every result is zero.
// It keeps a position, not a shrinking slice: writing a pointer costs more.
type byteReader struct {
	b   []byte
	i   int
	bad bool
}

// left is the number of bytes that are not read yet.
func (r *byteReader) left() int { return len(r.b) - r.i }

func (r *byteReader) fail() {
	r.i, r.bad = len(r.b), true
}

func (r *byteReader) byte() byte {
	if r.i >= len(r.b) {
		r.bad = true
		return 0
	}
	v := r.b[r.i]
	r.i++
	return v
}

func (r *byteReader) uvarint() uint64 {
	if i := r.i; i < len(r.b) && r.b[i] < 0x80 {
		r.i = i + 1
		return uint64(r.b[i])
	}
	return r.long()
}

func (r *byteReader) long() uint64 {
	v, n := binary.Uvarint(r.b[r.i:])
	if n <= 0 {
		r.fail()
		return 0
	}
	r.i += n
	return v
}

func (r *byteReader) varint() int64 {
	v := r.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

// int reads a number that fits in 32 bits, so sums of a few cannot overflow.
func (r *byteReader) int() int {
	v := r.varint()
	if v > math.MaxInt32 || v < math.MinInt32 {
		r.fail()
		return 0
	}
	return int(v)
}

// capped reads a number of at most limit.
func (r *byteReader) capped(limit uint64) uint32 {
	v := r.uvarint()
	if v > limit {
		r.fail()
		return 0
	}
	return uint32(v)
}

// bytes reads n bytes; they point into what is read.
func (r *byteReader) bytes(n uint64) []byte {
	if n > uint64(r.left()) {
		r.fail()
		return nil
	}
	out := r.b[r.i : r.i+int(n) : r.i+int(n)]
	r.i += int(n)
	return out
}
