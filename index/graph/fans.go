package graph

import "slices"

// fans count what each node is used by and uses.
type fans struct {
	in, out *rows
	files   [2][]uint32 // of each file: other files that use it, and that it uses
}

// fans counts for every file the other files that import it or use what it
// defines. In languages that import packages no edge but such a use leads to a
// file, and in those that load by name not even an import is in the source.
// Calls through an interface and matches by name alone are no dependency
// between files.
func (b *builder) fans(out, in *rows) *fans {
	f := &fans{in: in, out: out}
	for dir, r := range []*rows{in, out} {
		f.files[dir] = make([]uint32, len(b.files))
		seen := make([]uint32, len(b.files)) // 1 + the file that last counted it
		for id := range b.first {
			file := b.nodes[id].file
			for _, e := range r.row(int(id)) {
				other := b.nodes[e.to()].file
				if other == noFile || other == file || e.tier() > tierKnown || !depends(e.kind()) || seen[other] == file+1 {
					continue
				}
				seen[other] = file + 1
				f.files[dir][file]++
			}
		}
	}
	return f
}

// depends reports whether an edge of that kind makes its file need the other.
func depends(k EdgeKind) bool {
	return k == EdgeImports || k == EdgeCalls || k == EdgeInherits || k == EdgeReferences
}

// of is the fan-in and fan-out of a node: files of a file, imports of a module
// or external package, calls of a function, whatever uses a type or variable.
func (f *fans) of(id int, d *nodeInfo) (in, out uint32) {
	switch d.kind {
	case NodeFile:
		return f.files[0][d.file], f.files[1][d.file]
	case NodeModule, NodeExternal:
		return f.in.degree(id, EdgeImports), f.out.degree(id, EdgeImports)
	case NodeType, NodeVar:
		return f.in.degree(id, EdgeCalls, EdgeInherits, EdgeReferences), f.out.degree(id, EdgeCalls, EdgeInherits, EdgeReferences)
	}
	return f.in.degree(id, EdgeCalls), f.out.degree(id, EdgeCalls)
}

// degree is the number of other nodes that edges of those kinds lead to.
func (r *rows) degree(id int, kinds ...EdgeKind) uint32 {
	var n uint32
	var few [8]uint32
	to := few[:0] // with several kinds: one node may be reached by more than one
	for _, e := range r.row(id) {
		if e.to() == uint32(id) || !slices.Contains(kinds, e.kind()) {
			continue
		}
		if n++; len(kinds) > 1 {
			to = append(to, e.to())
		}
	}
	if len(to) > 1 {
		slices.Sort(to)
		n = uint32(len(slices.Compact(to)))
	}
	return n
}
