package index

import (
	"bytes"
	"context"
)

// termSections are TIDX, TERM and POST of a new index.
type termSections struct {
	dict dictWriter
	post []byte
	raw  uint64 // postings, not bytes
}

// dropFile is in a remap for a file whose postings are not taken over.
const dropFile = 1<<32 - 1

// remap gives the new number of each file of the base. It is ascending apart
// from the dropped ones, because files of both are sorted by path. same is
// true when every file keeps its number.
func (p *plan) remap() (to []uint32, same bool) {
	to = make([]uint32, p.base.NumFiles())
	for i := range to {
		to[i] = dropFile
	}
	same = len(to) == len(p.docs)
	for i := range p.docs {
		if old := p.docs[i].old; old >= 0 {
			to[old] = uint32(i)
			same = same && old == i
		}
	}
	return to, same
}

// merge makes the term sections from the base's, renumbered, and the newly
// counted files.
func (p *plan) merge(ctx context.Context, inv *inverted) (*termSections, error) {
	m := &merger{ctx: ctx, inv: inv, out: &termSections{}}
	if p.base == nil {
		m.emitBefore(nil)
		return m.out, ctx.Err()
	}
	same := false
	if m.to, same = p.remap(); same {
		var err error
		if m.touched, err = p.removedTerms(m.to); err != nil {
			return nil, err
		}
	}
	it := p.base.TermsFrom("")
	for it.Next() {
		m.emitBefore(it.Term())
		if err := m.mergeBaseTerm(it); err != nil {
			return nil, err
		}
	}
	m.emitBefore(nil)
	if err := it.Err(); err != nil {
		return nil, err
	}
	return m.out, ctx.Err()
}

type merger struct {
	ctx  context.Context
	inv  *inverted
	at   int // next term of inv
	to   []uint32
	list []posting
	out  *termSections

	// touched, when not nil, are all terms of the files that are not taken
	// over, and no file changes its number: other lists need not be decoded.
	touched *termTable
}

// removedTerms counts the files of the base that are not taken over, to learn which
// lists they are in. It gives nil when that would cost more than it saves.
func (p *plan) removedTerms(to []uint32) (*termTable, error) {
	const worth = 1.0 / 32 // of all terms; counting is some ten times the work of decoding
	w, err := newWorker(&Input{})
	if err != nil {
		return nil, err
	}
	defer w.close()
	terms := uint64(0)
	limit := uint64(worth * float64(p.base.head.lens[FieldBody]))
	for id, n := range to {
		if n != dropFile {
			continue
		}
		f, err := p.base.File(id)
		if err != nil {
			return nil, err
		}
		if terms += uint64(f.Len[FieldBody]); terms > limit+1000 {
			return nil, nil
		}
		text, err := p.base.Content(id, w.buf)
		if err != nil {
			return nil, err
		}
		chunks, err := p.base.Chunks(id)
		if err != nil {
			return nil, err
		}
		w.buf = text
		w.file(&doc{file: f.Record()}, text, chunks)
	}
	return w.table, nil
}

// emitBefore emits the new terms that come before term; nil is after all.
func (m *merger) emitBefore(term []byte) {
	for ; m.at < len(m.inv.terms) && (term == nil || bytes.Compare(m.inv.terms[m.at], term) < 0); m.at++ {
		m.emit(m.inv.terms[m.at], m.inv.list(m.at))
	}
}

func (inv *inverted) list(i int) []posting { return inv.posts[inv.off[i]:inv.off[i+1]] }

func (m *merger) emit(term []byte, list []posting) {
	from := len(m.out.post)
	m.out.post = appendPostings(m.out.post, list)
	m.out.dict.add(term, len(list), len(m.out.post)-from)
	m.out.raw += uint64(len(list))
}

// mergeBaseTerm emits a term of the base, with what is new for it.
func (m *merger) mergeBaseTerm(it *TermIter) error {
	if m.out.dict.n&0xfff == 0 && m.ctx.Err() != nil {
		return context.Cause(m.ctx)
	}
	var fresh []posting
	isNew := m.at < len(m.inv.terms) && bytes.Equal(m.inv.terms[m.at], it.Term())
	if !isNew && m.touched != nil && !m.touched.has(it.Term()) {
		return m.copyList(it)
	}
	if isNew {
		fresh = m.inv.list(m.at)
		m.at++
	}
	post, err := it.Postings()
	if err != nil {
		return err
	}
	m.list = m.list[:0]
	for {
		file, tf, ok := post.packed()
		if !ok {
			break
		}
		to := m.to[file]
		if to == dropFile {
			continue
		}
		for len(fresh) > 0 && fresh[0].file < to {
			m.list = append(m.list, fresh[0])
			fresh = fresh[1:]
		}
		m.list = append(m.list, posting{to, tf})
	}
	if err := post.Err(); err != nil {
		return err
	}
	m.list = append(m.list, fresh...)
	if len(m.list) > 0 {
		m.emit(it.Term(), m.list)
	}
	return nil
}

// copyList takes over a list as it is.
func (m *merger) copyList(it *TermIter) error {
	list, err := it.list()
	if err != nil {
		return err
	}
	m.out.post = append(m.out.post, list...)
	m.out.dict.add(it.Term(), int(it.df), len(list))
	m.out.raw += it.df
	return nil
}
