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

// dropFile stands in a remap for a file whose postings are not taken over.
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
		m.until(nil)
		return m.out, ctx.Err()
	}
	m.to, _ = p.remap()
	it := p.base.TermsFrom("")
	for it.Next() {
		m.until(it.Term())
		if err := m.old(it); err != nil {
			return nil, err
		}
	}
	m.until(nil)
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
}

// until emits the new terms that come before term; nil is after all.
func (m *merger) until(term []byte) {
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

// old emits a term of the base, with what is new for it.
func (m *merger) old(it *TermIter) error {
	if m.out.dict.n&0xfff == 0 && m.ctx.Err() != nil {
		return context.Cause(m.ctx)
	}
	post, err := it.Postings()
	if err != nil {
		return err
	}
	var fresh []posting
	if m.at < len(m.inv.terms) && bytes.Equal(m.inv.terms[m.at], it.Term()) {
		fresh = m.inv.list(m.at)
		m.at++
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
