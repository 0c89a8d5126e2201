package index

import (
	"fmt"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"
)

// section gives out bytes of one section of a mapped file. Bytes are checked
// against their page's checksum when they are first given out, so a
// reader hashes what it touches and nothing else. Safe for concurrent use.
type section struct {
	path    string
	row     tableRow
	data    []byte // the section with its padding
	sums    []byte // one checksum a page
	sumsOK  atomic.Bool
	checked []atomic.Uint32 // one bit a page
}

func newSection(path string, row tableRow, data, sums []byte) *section {
	s := &section{path: path, row: row, data: data, sums: sums}
	s.checked = make([]atomic.Uint32, (row.pages()+31)/32)
	return s
}

// corrupt is the error for anything that does not fit in this section.
func (s *section) corrupt(format string, args ...any) error {
	return &CorruptError{s.path, s.row.tag, fmt.Sprintf(format, args...)}
}

func (s *section) len() uint64 { return s.row.length }

// span returns n bytes at off, verified.
func (s *section) span(off, n uint64) ([]byte, error) {
	if off > s.row.length || n > s.row.length-off {
		return nil, s.corrupt("%d bytes at %d lie outside of its %d bytes", n, off, s.row.length)
	}
	if n == 0 {
		return nil, nil
	}
	for p := off / pageSize; p <= (off+n-1)/pageSize; p++ {
		if s.checked[p/32].Load()&(1<<(p%32)) == 0 {
			if err := s.verify(p); err != nil {
				return nil, err
			}
		}
	}
	return s.data[off : off+n : off+n], nil
}

func (s *section) verify(p uint64) error {
	if !s.sumsOK.Load() {
		if xxhash.Sum64(s.sums) != s.row.sum {
			return s.corrupt("its checksums in %s are damaged", secSums)
		}
		s.sumsOK.Store(true)
	}
	page := s.data[p*pageSize : min((p+1)*pageSize, uint64(len(s.data)))]
	if xxhash.Sum64(page) != le.Uint64(s.sums[8*p:]) {
		return s.corrupt("checksum of the 16 KiB at %d differs", p*pageSize)
	}
	s.checked[p/32].Or(1 << (p % 32))
	return nil
}

// check verifies every page, the padding, and the checksums themselves.
func (s *section) check() error {
	if xxhash.Sum64(s.sums) != s.row.sum {
		return s.corrupt("its checksums in %s are damaged", secSums)
	}
	for p := range s.row.pages() {
		if err := s.verify(p); err != nil {
			return err
		}
	}
	for _, b := range s.data[s.row.length:] {
		if b != 0 {
			return s.corrupt("padding is not zero")
		}
	}
	return nil
}

// u32 returns the i-th of a section of 32-bit numbers.
func (s *section) u32(i uint64) (uint32, error) {
	b, err := s.span(i*4, 4)
	if err != nil {
		return 0, err
	}
	return le.Uint32(b), nil
}
