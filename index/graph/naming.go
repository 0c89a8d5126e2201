package graph

import (
	"encoding/binary"
	"strings"
)

// naming holds the names of the graph's nodes. It depends on no edge and is made
// in parallel with them.
type naming struct {
	text        *stringTable
	name, scope []uint32 // offsets in GSTR, by node
	coded       []byte   // GNAM
}

// nameNodes makes the naming. The strings are in GSTR in the order of the
// nodes that use them first, the name of each before its scope.
func (b *builder) nameNodes() *naming {
	n := &naming{newStrings(len(b.nodes)), make([]uint32, len(b.nodes)), make([]uint32, len(b.nodes)), nil}
	t := nameTable{of: make([]uint32, len(b.nodes)), number: make(map[string]uint32, len(b.nodes))}
	scope, at := "", uint32(0) // of the last one: neighbours share it
	for id := range b.nodes {
		d := &b.nodes[id]
		r := called{kind: d.kind, name: d.name}
		if d.kind == NodeFile {
			r.name = b.files[d.file].Path
		} else if d.chunk >= 0 {
			k := &b.files[d.file].chunks[d.chunk]
			r.name, r.scope = k.Name, k.Scope
		}
		n.name[id] = t.add(id, &r, n.text)
		if r.scope != scope {
			scope, at = r.scope, n.text.put(r.scope)
		}
		n.scope[id] = at
	}
	n.coded = t.encode(n.text)
	return n
}

// called is the name of a node.
type called struct {
	kind        NodeKind
	name, scope string
}

// lastPart is [LastPart] of the qualified name, which is most often the bare one.
func (r *called) lastPart() string {
	if r.scope == "" {
		return LastPart(r.kind, r.name)
	}
	if r.name != "" && !strings.ContainsAny(r.name, ".:") {
		return r.name
	}
	return LastPart(r.kind, r.scope+"."+r.name)
}

// stringTable holds each string once, in the order of their first use.
type stringTable struct {
	data []byte
	at   map[string]uint32
}

// newStrings makes a table for about that many nodes.
func newStrings(nodes int) *stringTable {
	t := &stringTable{data: make([]byte, 1, 1+16*nodes), at: make(map[string]uint32, nodes)}
	t.at[""] = 0
	return t
}

func (t *stringTable) put(s string) uint32 {
	off, ok := t.at[s]
	if !ok {
		off = uint32(len(t.data))
		t.at[s] = off
		t.data = append(binary.AppendUvarint(t.data, uint64(len(s))), s...)
	}
	return off
}

// nameTable gathers nodes by name.
type nameTable struct {
	number map[string]uint32 // of each name, in the order of first use
	count  []uint32          // of nodes, by number
	text   []uint32          // offset of the name in GSTR, by number; 0 when it is not there yet
	of     []uint32          // number of each node's name
}

// add enters a node and returns the offset of its bare name, none for a file.
func (t *nameTable) add(id int, r *called, text *stringTable) uint32 {
	last := r.lastPart()
	n, ok := t.number[last]
	if !ok {
		n = uint32(len(t.count))
		t.number[last] = n
		t.count, t.text = append(t.count, 0), append(t.text, 0)
	}
	t.count[n]++
	t.of[id] = n
	switch {
	case r.kind == NodeFile:
		return 0
	case r.name != last:
		return text.put(r.name)
	case t.text[n] == 0:
		t.text[n] = text.put(last)
	}
	return t.text[n]
}

// encode codes GNAM.
func (t *nameTable) encode(text *stringTable) []byte {
	keys := sortedKeys(t.number)
	out := make([]byte, 0, 4+8*(len(keys)+1)+4*len(t.of))
	out = le.AppendUint32(out, uint32(len(keys)))
	at, next := uint32(0), make([]uint32, len(keys)) // where the next node of each name goes
	for _, k := range keys {
		n := t.number[k]
		if t.text[n] == 0 {
			t.text[n] = text.put(k)
		}
		out = le.AppendUint32(le.AppendUint32(out, t.text[n]), at)
		next[n] = at
		at += t.count[n]
	}
	out = le.AppendUint32(le.AppendUint32(out, 0), at)
	lists := make([]byte, 4*len(t.of))
	for id, n := range t.of {
		le.PutUint32(lists[4*next[n]:], uint32(id))
		next[n]++
	}
	return append(out, lists...)
}
