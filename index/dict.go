package index

import "encoding/binary"

// The term dictionary: sorted terms, front-coded in blocks. The first term of
// a block is in full, so a lookup is a binary search over blocks and
// a scan of one.
const (
	termBlock     = 64 // terms; a block is about 600 bytes, a scan of it 0.3 µs
	termIdxRecord = 16
	maxTerm       = 255 // bytes; the tokenizer's own limit is lower
)

// dictWriter codes terms that arrive in ascending order.
type dictWriter struct {
	index []byte // TIDX
	terms []byte // TERM
	n     uint32
	post  uint64 // bytes of postings so far
	raw   uint64 // bytes of all terms
	prev  []byte
}

// add appends a term that df files hold and whose list is n bytes long.
func (d *dictWriter) add(term []byte, df int, n int) {
	shared := 0
	if d.n%termBlock == 0 {
		d.index = le.AppendUint64(d.index, uint64(len(d.terms)))
		d.index = le.AppendUint64(d.index, d.post)
	} else {
		for shared < len(term) && shared < len(d.prev) && term[shared] == d.prev[shared] {
			shared++
		}
	}
	suffix := len(term) - shared
	d.terms = append(d.terms, byte(min(shared, 15)<<4|min(suffix, 15)))
	if shared >= 15 {
		d.terms = append(d.terms, byte(shared-15))
	}
	if suffix >= 15 {
		d.terms = append(d.terms, byte(suffix-15))
	}
	d.terms = append(d.terms, term[shared:]...)
	d.terms = binary.AppendUvarint(d.terms, uint64(df))
	d.terms = binary.AppendUvarint(d.terms, uint64(n))
	d.prev = append(d.prev[:0], term...)
	d.n++
	d.post += uint64(n)
	d.raw += uint64(len(term))
}

// TermIter walks the dictionary in ascending order of terms' bytes.
type TermIter struct {
	x     *Index
	block uint64 // number of the next block
	r     byteReader
	left  int // terms left in the block
	term  []byte
	post  uint64 // offset of the next list
	held  bool   // Next shall stay on the current term once
	err   error

	off uint64 // of the current term's list
	len uint64
	df  uint64
}

// TermsFrom starts a walk at the first term that is not less than from.
func (x *Index) TermsFrom(from string) *TermIter {
	it := &TermIter{x: x}
	it.seek(from)
	return it
}

// Next moves to the next term. At the end, or on damage, it returns false; see
// [TermIter.Err].
func (it *TermIter) Next() bool {
	if it.held {
		it.held = false
		return true
	}
	if it.left == 0 && !it.load() {
		return false
	}
	it.left--
	head := it.r.byte()
	shared, suffix := int(head>>4), int(head&15)
	if shared == 15 {
		shared += int(it.r.byte())
	}
	if suffix == 15 {
		suffix += int(it.r.byte())
	}
	if shared > len(it.term) {
		it.r.bad = true
	} else {
		it.term = append(it.term[:shared], it.r.bytes(uint64(suffix))...)
	}
	it.df, it.len = it.r.uvarint(), it.r.uvarint()
	it.off = it.post
	it.post += it.len
	if it.r.bad || it.df > uint64(it.x.NumFiles()) || it.len > it.x.postings.len() || it.post > it.x.postings.len() {
		it.fail()
		return false
	}
	return true
}

func (it *TermIter) fail() {
	it.left, it.block = 0, 1<<63
	if it.err == nil {
		it.err = it.x.terms.corrupt("a block of terms")
	}
}

// load reads the next block.
func (it *TermIter) load() bool {
	blocks := it.x.termIdx.len() / termIdxRecord
	if it.block >= blocks {
		return false
	}
	b, post, err := it.x.termBytes(it.block)
	if err != nil {
		it.fail()
		it.err = err
		return false
	}
	it.left = min(termBlock, it.x.NumTerms()-int(it.block)*termBlock)
	it.block++
	it.r, it.post, it.term = byteReader{b: b}, post, it.term[:0]
	return true
}

// termBytes returns block i of TERM and the offset of its first list.
func (x *Index) termBytes(i uint64) (b []byte, post uint64, err error) {
	rec, err := x.termIdx.span(i*termIdxRecord, termIdxRecord)
	if err != nil {
		return nil, 0, err
	}
	from, to := le.Uint64(rec), x.terms.len()
	post = le.Uint64(rec[8:])
	if (i+1)*termIdxRecord < x.termIdx.len() {
		next, err := x.termIdx.span((i+1)*termIdxRecord, 8)
		if err != nil {
			return nil, 0, err
		}
		to = le.Uint64(next)
	}
	if from > to {
		return nil, 0, x.termIdx.corrupt("block %d ends before it starts", i)
	}
	b, err = x.terms.span(from, to-from)
	return b, post, err
}

// seek positions before the first term that is not less than from.
func (it *TermIter) seek(from string) {
	lo, hi := uint64(0), it.x.termIdx.len()/termIdxRecord // the last block whose first term is <= from
	for hi-lo > 1 {
		mid := lo + (hi-lo)/2
		it.block, it.left = mid, 0
		if !it.Next() {
			return
		}
		if string(it.term) <= from {
			lo = mid
		} else {
			hi = mid
		}
	}
	it.block, it.left = lo, 0
	for {
		if !it.Next() {
			return
		}
		if string(it.term) >= from {
			it.held = true
			return
		}
	}
}

// Term is the current term, valid until the next call of Next.
func (it *TermIter) Term() []byte { return it.term }

// Postings are the current term's.
func (it *TermIter) Postings() (Postings, error) {
	b, err := it.list()
	if err != nil {
		return Postings{}, err
	}
	return Postings{DF: int(it.df), sec: it.x.postings, r: byteReader{b: b}, left: int(it.df), max: uint64(it.x.head.files)}, nil
}

func (it *TermIter) list() ([]byte, error) { return it.x.postings.span(it.off, it.len) }

// Err is the damage that ended the walk early, nil when there was none.
func (it *TermIter) Err() error { return it.err }

// Term finds the files that hold a term. The error is a [*CorruptError].
func (x *Index) Term(term string) (p Postings, ok bool, err error) {
	it := x.TermsFrom(term)
	if !it.Next() || string(it.term) != term {
		return Postings{}, false, it.err
	}
	p, err = it.Postings()
	return p, err == nil, err
}
