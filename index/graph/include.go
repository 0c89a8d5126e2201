package graph

// maxReach bounds how many headers are looked at around one file of C.
const maxReach = 1000

// sameType finds the type that a further declaration of a name in C is part
// of: one of the same file, as a struct and its typedef. Types of one name in
// different files have nothing to do with each other.
func (b *builder) sameType(u *unit, name string, first, file int32) (int32, bool) {
	if b.types[first].file == file {
		return first, true
	}
	for _, t := range u.others[name] {
		if b.types[t].file == file {
			return t, true
		}
	}
	return 0, false
}

// addType enters a further type of a name.
func (u *unit) addType(name string, first, t int32) {
	if u.others == nil {
		u.others = map[string][]int32{}
	}
	if len(u.others[name]) == 0 {
		u.others[name] = []int32{first}
	}
	u.others[name] = append(u.others[name], t)
}

// visibleType is the type that a definition stands for, seen from the current file.
func (w *worker) visibleType(n int32) int32 {
	d := &w.b.nodes[n]
	if !w.b.files[d.file].rules.imports.includes {
		return d.typ
	}
	return w.includedType(d.typ, w.b.files[d.file].chunks[d.chunk].Qualified())
}

// includedType chooses the type of a name in C that the current file declares or
// includes, the nearest first; t when it is the only one or none is.
func (w *worker) includedType(t int32, name string) int32 {
	if w.f == nil || w.f.unit < 0 || !w.f.rules.imports.includes {
		return t
	}
	all := w.b.units[w.f.unit].others[name]
	if len(all) == 0 {
		return t
	}
	for _, file := range w.includedFiles() {
		for _, o := range all {
			if w.b.types[o].file == int32(file) {
				return o
			}
		}
	}
	return t
}

// includedFiles are the current file and what it includes, itself or through others.
func (w *worker) includedFiles() []uint32 {
	if w.reachOf == w.f {
		return w.reach
	}
	own := w.b.nodes[w.f.node].file
	seen := map[uint32]bool{own: true}
	w.reachOf, w.reach = w.f, append(w.reach[:0], own)
	for at := 0; at < len(w.reach) && len(w.reach) < maxReach; at++ {
		for _, to := range w.b.files[w.reach[at]].includes {
			if !seen[to] {
				seen[to] = true
				w.reach = append(w.reach, to)
			}
		}
	}
	return w.reach
}
