package index

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"math"
	"slices"
)

// termTable numbers the terms that one worker meets and counts them for one
// file at a time. It allocates nothing per occurrence of a term.
type termTable struct {
	seed  maphash.Seed // random, so no text can be made to collide
	slots []uint64     // high half of the hash, low half the term's number + 1; 0 is free
	mask  uint64
	terms []termInfo
	arena []byte // bytes of all terms

	file uint32    // counts files, to tell old marks from current ones
	cur  []posting // of the current file; posting.file is the term's number
	lens [3]uint32

	block []posting // finished files' postings are cut from it
}

// maxArena bounds the bytes of terms that one worker may meet before its next
// file, so offsets in the arena fit 32 bits.
const maxArena = 1 << 31

type termInfo struct {
	off  uint32 // in arena
	mark uint32 // the file that at belongs to
	at   uint32 // position in cur
	len  uint8
}

func newTermTable() *termTable {
	const slots = 1 << 15
	return &termTable{seed: maphash.MakeSeed(), slots: make([]uint64, slots), mask: slots - 1}
}

// begin starts a file.
func (t *termTable) begin() {
	t.file++
	t.cur = t.cur[:0]
	t.lens = [3]uint32{}
}

// add counts one occurrence of term in a field of the current file.
func (t *termTable) add(term []byte, field int) {
	if len(term) > maxTerm || len(term) == 0 {
		return
	}
	t.lens[field]++
	n := t.number(term)
	info := &t.terms[n]
	if info.mark != t.file {
		info.mark, info.at = t.file, uint32(len(t.cur))
		t.cur = append(t.cur, posting{file: n})
	}
	p := &t.cur[info.at]
	if p.tf&fieldMask[field] != fieldMask[field] {
		p.tf += fieldUnit[field]
	}
}

// number finds the number of term, a new one if it has none.
func (t *termTable) number(term []byte) uint32 {
	n, slot, hash := t.find(term)
	if slot >= 0 {
		return t.insert(uint64(slot), hash, term)
	}
	return n
}

// has tells whether term was met.
func (t *termTable) has(term []byte) bool {
	_, slot, _ := t.find(term)
	return slot < 0
}

// find finds the number of term; when it has none, slot is where it belongs,
// else -1.
func (t *termTable) find(term []byte) (n uint32, slot int, hash uint64) {
	h := maphash.Bytes(t.seed, term)
	for i := h & t.mask; ; i = (i + 1) & t.mask {
		s := t.slots[i]
		if s == 0 {
			return 0, int(i), h
		}
		if s>>32 == h>>32 {
			n := uint32(s) - 1
			if info := &t.terms[n]; int(info.len) == len(term) && string(t.arena[info.off:int(info.off)+len(term)]) == string(term) {
				return n, -1, h
			}
		}
	}
}

func (t *termTable) insert(slot, hash uint64, term []byte) uint32 {
	n := uint32(len(t.terms))
	t.terms = append(t.terms, termInfo{off: uint32(len(t.arena)), len: uint8(len(term))})
	t.arena = append(t.arena, term...)
	t.slots[slot] = hash&^(1<<32-1) | uint64(n+1)
	if len(t.terms)*2 > len(t.slots) {
		t.grow()
	}
	return n
}

func (t *termTable) grow() {
	t.slots = make([]uint64, 4*len(t.slots))
	t.mask = uint64(len(t.slots) - 1)
	for n := range t.terms {
		h := maphash.Bytes(t.seed, t.term(uint32(n)))
		i := h & t.mask
		for t.slots[i] != 0 {
			i = (i + 1) & t.mask
		}
		t.slots[i] = h&^(1<<32-1) | uint64(n+1)
	}
}

func (t *termTable) term(n uint32) []byte {
	info := t.terms[n]
	return t.arena[info.off : int(info.off)+int(info.len)]
}

// finish returns the current file's postings, to be kept.
func (t *termTable) finish() []posting {
	const block = 1 << 16 // half a megabyte at a time
	if len(t.cur) > cap(t.block)-len(t.block) {
		t.block = make([]posting, 0, max(block, len(t.cur)))
	}
	from := len(t.block)
	t.block = append(t.block, t.cur...)
	return t.block[from:len(t.block):len(t.block)]
}

// sorted returns the numbers of all terms in the order of their bytes.
func (t *termTable) sorted() []uint32 {
	type item struct {
		key uint64 // the first eight bytes
		n   uint32
	}
	items := make([]item, len(t.terms))
	for n := range items {
		items[n] = item{prefixKey(t.term(uint32(n))), uint32(n)}
	}
	slices.SortFunc(items, func(a, b item) int {
		if a.key != b.key {
			return cmp.Compare(a.key, b.key)
		}
		return bytes.Compare(t.term(a.n), t.term(b.n))
	})
	out := make([]uint32, len(items))
	for i, it := range items {
		out[i] = it.n
	}
	return out
}

func prefixKey(term []byte) uint64 {
	if len(term) >= 8 {
		return binary.BigEndian.Uint64(term)
	}
	var b [8]byte
	copy(b[:], term)
	return binary.BigEndian.Uint64(b[:])
}

// inverted holds the postings of the files that were counted again, by term.
type inverted struct {
	terms [][]byte // ascending
	off   []uint32 // list i is posts[off[i]:off[i+1]], sorted by file
	posts []posting
}

// counted is one file's postings in the numbering of table.
type counted struct {
	table *termTable
	posts []posting
}

// invert turns the files' postings, files[i] being file i's, into lists by term.
func invert(tables []*termTable, files []counted) (*inverted, error) {
	inv := &inverted{}
	total := uint64(0)
	for _, f := range files {
		total += uint64(len(f.posts))
	}
	if total > math.MaxUint32 {
		return nil, errTooLarge("postings")
	}
	global := mergeTerms(tables, inv)
	inv.off = make([]uint32, len(inv.terms)+1)
	for _, f := range files {
		if f.table == nil {
			continue
		}
		to := global[f.table]
		for _, p := range f.posts {
			inv.off[to[p.file]+1]++
		}
	}
	for i := range inv.terms {
		inv.off[i+1] += inv.off[i]
	}
	inv.posts = make([]posting, inv.off[len(inv.terms)])
	at := slices.Clone(inv.off)
	for id, f := range files {
		if f.table == nil {
			continue
		}
		to := global[f.table]
		for _, p := range f.posts {
			g := to[p.file]
			inv.posts[at[g]] = posting{uint32(id), p.tf}
			at[g]++
		}
	}
	return inv, nil
}

// mergeTerms collects the distinct terms of all tables in inv.terms and
// returns for each table its terms' positions there.
func mergeTerms(tables []*termTable, inv *inverted) map[*termTable][]uint32 {
	order := make([][]uint32, len(tables))
	done := make(chan struct{})
	global := map[*termTable][]uint32{}
	for i, t := range tables {
		global[t] = make([]uint32, len(t.terms))
		go func() {
			order[i] = t.sorted()
			done <- struct{}{}
		}()
	}
	for range tables {
		<-done
	}
	at := make([]int, len(tables))
	for {
		var least []byte
		for i, t := range tables {
			if at[i] < len(order[i]) {
				if term := t.term(order[i][at[i]]); least == nil || bytes.Compare(term, least) < 0 {
					least = term
				}
			}
		}
		if least == nil {
			return global
		}
		for i, t := range tables {
			if at[i] < len(order[i]) && bytes.Equal(t.term(order[i][at[i]]), least) {
				global[t][order[i][at[i]]] = uint32(len(inv.terms))
				at[i]++
			}
		}
		inv.terms = append(inv.terms, least)
	}
}
