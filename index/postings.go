package index

import "encoding/binary"

// A posting packs the three frequencies of one term in one file into 32 bits.
// Frequencies beyond these widths are stored as the largest that fits; BM25F
// saturates long before, and [File.Len] counts all.
const (
	maxFilename = 1<<4 - 1
	maxSymbols  = 1<<12 - 1
	maxBody     = 1<<16 - 1

	symShift  = 16
	nameShift = 28
)

type posting struct {
	file uint32
	tf   uint32 // body | symbols<<16 | filename<<28
}

var (
	fieldUnit = [3]uint32{1 << nameShift, 1 << symShift, 1}
	fieldMask = [3]uint32{maxFilename << nameShift, maxSymbols << symShift, maxBody}
)

// How the frequencies of a posting are coded: the low two bits of its first number.
const (
	tfOne     = 0 // once, in the body
	tfBody    = 1 // in the body only: its frequency - 2 follows
	tfSymbols = 2 // not in the filename: body and symbols follow
	tfAll     = 3 // filename, symbols and body follow
)

// appendPostings codes list, which is sorted by file.
func appendPostings(b []byte, list []posting) []byte {
	next := uint32(0)
	for _, p := range list {
		b = appendPosting(b, p.file-next, p.tf)
		next = p.file + 1
	}
	return b
}

func appendPosting(b []byte, gap, tf uint32) []byte {
	v := uint64(gap) << 2
	body, sym, name := tf&maxBody, tf>>symShift&maxSymbols, tf>>nameShift
	switch {
	case tf == 1:
		if v < 0x80 {
			return append(b, byte(v))
		}
		return binary.AppendUvarint(b, v)
	case tf <= maxBody && tf > 1:
		b = binary.AppendUvarint(b, v|tfBody)
		return binary.AppendUvarint(b, uint64(body-2))
	case name == 0:
		b = binary.AppendUvarint(b, v|tfSymbols)
		b = binary.AppendUvarint(b, uint64(body))
		return binary.AppendUvarint(b, uint64(sym))
	}
	b = binary.AppendUvarint(b, v|tfAll)
	b = append(b, byte(name))
	b = binary.AppendUvarint(b, uint64(sym))
	return binary.AppendUvarint(b, uint64(body))
}

// Postings iterates over the files that hold a term, in the order of their
// numbers, without allocating. It reads the mapping: the index must stay open.
type Postings struct {
	DF int // number of files that hold the term

	sec  *section
	r    byteReader
	left int
	next uint64 // lowest number that the next file may have
	max  uint64 // number of files
}

// Next returns the next file and the term's frequency in its filename,
// symbols and body. After the last, or on damage, ok is false; see [Postings.Err].
func (p *Postings) Next() (file int, tf [3]uint32, ok bool) {
	f, t, ok := p.packed()
	return int(f), [3]uint32{t >> nameShift, t >> symShift & maxSymbols, t & maxBody}, ok
}

// packed is Next with the frequencies as they are in [posting].
func (p *Postings) packed() (file, tf uint32, ok bool) {
	if p.left <= 0 || p.r.bad {
		return 0, 0, false
	}
	v := p.r.uvarint()
	switch v & 3 {
	case tfOne:
		tf = 1
	case tfBody:
		tf = p.r.capped(maxBody-2) + 2
	case tfSymbols:
		tf = p.r.capped(maxBody) | p.r.capped(maxSymbols)<<symShift
	default:
		tf = p.r.capped(maxFilename)<<nameShift | p.r.capped(maxSymbols)<<symShift
		tf |= p.r.capped(maxBody)
	}
	at := p.next + v>>2
	if p.r.bad || at >= p.max || at < p.next {
		p.r.bad = true
		return 0, 0, false
	}
	p.next = at + 1
	p.left--
	return uint32(at), tf, true
}

// Err is the damage that ended the iteration early, nil when there was none.
func (p *Postings) Err() error {
	if p.r.bad || (p.left == 0 && p.r.left() != 0) {
		return p.sec.corrupt("a list of postings")
	}
	return nil
}
