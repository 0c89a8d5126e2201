package graph

import (
	"encoding/binary"
	"errors"
	"slices"
)

// edge is one edge while the graph is built.
type edge struct {
	from, to uint32
	kind     EdgeKind
	tier     uint8 // index into tiers
}

// tiers are the confidences an edge can have, the surest first. Their order is
// part of the index format.
var tiers = [...]Confidence{Resolved, KnownType, Dispatched, Overloaded, NameOnly}

const (
	tierResolved uint8 = iota
	tierKnown
	tierDispatched
	tierOverloaded
	tierName
)

// link is an edge without its first node: kind, second node and tier, so
// links compare as the edges of a row are sorted.
type link uint64

func newLink(e edge) link { return link(e.kind)<<40 | link(e.to)<<8 | link(e.tier) }

func (l link) kind() EdgeKind { return EdgeKind(l >> 40) }
func (l link) to() uint32     { return uint32(l >> 8) }
func (l link) tier() uint8    { return uint8(l) }

// rows are edges by their first node.
type rows struct {
	off  []uint32 // one more than there are nodes
	list []link   // of each node sorted by kind, to; each (from, kind, to) once
}

// newRows sorts the edges of n nodes. Of equal edges the surest
// stays. Edges of a node to itself are kept for calls alone: recursion.
func newRows(n int, lists ...[]edge) rows {
	r := rows{off: make([]uint32, n+1)}
	for _, l := range lists {
		for i := range l {
			r.off[l[i].from+1]++
		}
	}
	for i := range n {
		r.off[i+1] += r.off[i]
	}
	r.list = make([]link, r.off[n])
	at := slices.Clone(r.off)
	for _, l := range lists {
		for _, e := range l {
			r.list[at[e.from]] = newLink(e)
			at[e.from]++
		}
	}
	kept := uint32(0)
	for i := range n {
		row := r.list[r.off[i]:r.off[i+1]]
		slices.Sort(row)
		start := kept
		for _, e := range row {
			if e.to() == uint32(i) && e.kind() != EdgeCalls {
				continue
			}
			if kept > start && r.list[kept-1]>>8 == e>>8 {
				continue
			}
			r.list[kept] = e
			kept++
		}
		r.off[i] = start
	}
	r.off[n] = kept
	r.list = r.list[:kept]
	return r
}

// transpose are the same edges by their second node.
func (r *rows) transpose() rows {
	const kinds = len(edgeKinds)
	n := len(r.off) - 1
	at := make([]uint32, n*kinds+1) // of each node and kind
	for _, e := range r.list {
		at[int(e.to())*kinds+int(e.kind())+1]++
	}
	for i := range n * kinds {
		at[i+1] += at[i]
	}
	back := rows{off: make([]uint32, n+1), list: make([]link, len(r.list))}
	for i := range back.off {
		back.off[i] = at[i*kinds]
	}
	for i := range n {
		for _, e := range r.row(i) {
			k := int(e.to())*kinds + int(e.kind())
			back.list[at[k]] = newLink(edge{to: uint32(i), kind: e.kind(), tier: e.tier()})
			at[k]++
		}
	}
	return back
}

// row are the edges of one node.
func (r *rows) row(i int) []link { return r.list[r.off[i]:r.off[i+1]] }

// encode codes the rows as doc.go says under GOUT.
func (r *rows) encode() ([]byte, error) {
	n := len(r.off) - 1
	out := make([]byte, 4*(n+1), 4*(n+1)+3*len(r.list))
	head := 4 * (n + 1)
	for i := range n {
		le.PutUint32(out[4*i:], uint32(len(out)-head))
		out = encodeRow(out, i, r.row(i))
	}
	if len(out)-head > 1<<32-1 {
		return nil, errors.New("graph: too many edges for the format; index a part of the tree")
	}
	le.PutUint32(out[4*n:], uint32(len(out)-head))
	return out, nil
}

func encodeRow(out []byte, id int, row []link) []byte {
	for len(row) > 0 {
		k := 1
		for k < len(row) && row[k].kind() == row[0].kind() {
			k++
		}
		out = append(out, byte(row[0].kind()))
		out = binary.AppendUvarint(out, uint64(k))
		prev := int64(id)
		for j, e := range row[:k] {
			d := int64(e.to()) - prev
			if j == 0 {
				d = d<<1 ^ d>>63
			}
			out = binary.AppendUvarint(out, uint64(d)*uint64(len(tiers))+uint64(e.tier()))
			prev = int64(e.to())
		}
		row = row[k:]
	}
	return out
}

// decodeRow appends the edges that b codes for node id of n to buf.
func decodeRow(b []byte, id, n int, buf []Edge) ([]Edge, bool) {
	last := -1
	for len(b) > 0 {
		kind := int(b[0])
		count, k := binary.Uvarint(b[1:])
		if kind <= last || kind >= len(edgeKinds) || k <= 0 || count == 0 || count > uint64(len(b)-1-k) {
			return nil, false
		}
		last, b = kind, b[1+k:]
		prev := int64(id)
		for j := range count {
			v, k := binary.Uvarint(b)
			if k <= 0 || v > 1<<36 {
				return nil, false
			}
			b = b[k:]
			d, t := int64(v/uint64(len(tiers))), v%uint64(len(tiers))
			if j == 0 {
				d = d>>1 ^ -(d & 1)
			} else if d == 0 {
				return nil, false
			}
			prev += d
			if prev < 0 || prev >= int64(n) {
				return nil, false
			}
			buf = append(buf, Edge{EdgeKind(kind), int(prev), tiers[t]})
		}
	}
	return buf, true
}
