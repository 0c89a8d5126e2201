package graph

import "strings"

// definition is the node n and, when they are variants of each other, all nodes
// of its name in its unit.
func (w *worker) definition(n int32, depth int) found {
	if w.f != nil && w.f.rules.variants.overloads {
		return w.overloaded(n, depth)
	}
	d := &w.b.nodes[n]
	switch d.kind {
	case NodeType:
		t := w.visibleType(n)
		return found{t: typ{form: formType, id: t}, nodes: []int32{w.b.types[t].node}}
	case NodeVar:
		r := found{t: w.globalType(n, depth), nodes: []int32{n}}
		if r.t.form == formNone {
			r.t = typ{form: formValue, id: -1}
		}
		return r
	}
	r := found{t: typ{form: formFunc, id: n}, nodes: []int32{n}}
	for m := d.next; m >= 0 && len(r.nodes) < maxTargets; m = w.b.nodes[m].next {
		if w.b.nodes[m].kind == NodeFunction {
			r.nodes = append(r.nodes, m)
		}
	}
	if len(r.nodes) > 1 {
		w.variants(&r)
	}
	return r
}

// variants chooses among definitions of one name: those with a body, that of
// the same file, else those for the same build.
func (w *worker) variants(r *found) {
	if !w.f.rules.variants.builds {
		r.nodes = w.b.withBody(r.nodes)
		r.t.id = r.nodes[0]
		if len(r.nodes) == 1 {
			return
		}
	}
	if w.f.rules.names.unit == unitFile { // the last definition is the one that holds
		r.nodes = r.nodes[len(r.nodes)-1:]
		r.t.id = r.nodes[0]
		return
	}
	own := w.b.nodes[w.f.node].file
	for _, n := range r.nodes {
		if w.b.nodes[n].file == own {
			r.nodes = w.definitionsInFile(r.nodes, own)
			r.t.id = n
			return
		}
	}
	if w.f.rules.names.unit == unitAll { // no unit in truth: nothing says which
		var near []int32
		for _, n := range r.nodes {
			if dirOf(w.b.files[w.b.nodes[n].file].Path) == dirOf(w.f.Path) {
				near = append(near, n)
			}
		}
		if len(near) == 1 {
			r.nodes, r.t.id, r.tier = near, near[0], tierKnown
			return
		}
		r.tier = tierName
		if len(r.nodes) > maxGuesses {
			*r = found{}
		}
		return
	}
	if tag := buildTag(w.f.Path); tag != "" {
		for _, n := range r.nodes {
			if buildTag(w.b.files[w.b.nodes[n].file].Path) == tag {
				r.nodes, r.t.id = []int32{n}, n
				return
			}
		}
	}
}

// definitionsInFile are the definitions in a file: the first of them, except in C++, where
// functions of one name are overloads.
func (w *worker) definitionsInFile(nodes []int32, file uint32) (out []int32) {
	for _, n := range nodes {
		if w.b.nodes[n].file == file && (len(out) == 0 || w.f.rules.variants.sameFile) {
			out = append(out, n)
		}
	}
	return out
}

// liveMethods are the methods of one name that hold: where a later definition takes
// the place of an earlier one, as after the overloads of Python, the last of a
// file.
func (b *builder) liveMethods(ms []method) []int32 {
	nodes := make([]int32, 0, len(ms))
	for _, m := range ms {
		nodes = append(nodes, m.node)
	}
	f := &b.files[b.nodes[nodes[0]].file]
	if len(nodes) == 1 || !f.rules.variants.lastOf {
		return nodes
	}
	nodes = b.withBody(nodes)
	out := nodes[:0]
	for i, n := range nodes { // ascending, so those of a file stand together
		if i+1 == len(nodes) || b.nodes[nodes[i+1]].file != b.nodes[n].file {
			out = append(out, n)
		}
	}
	return out
}

// withBody leaves out declarations without a body when others have one:
// prototypes of C, signatures of overloads in TypeScript.
func (b *builder) withBody(nodes []int32) []int32 {
	var out []int32
	for _, n := range nodes {
		d := &b.nodes[n]
		if k := &b.files[d.file].chunks[d.chunk]; k.SigEnd < k.EndByte {
			out = append(out, n)
		}
	}
	if len(out) == 0 {
		return nodes
	}
	return out
}

// buildTag is the build constraint in a Go file's name: "linux" of "a_linux.go".
func buildTag(path string) string {
	path = strings.TrimSuffix(strings.TrimSuffix(path, ".go"), "_test")
	i, j := strings.LastIndexByte(path, '_'), strings.LastIndexByte(path, '/')
	if i <= j {
		return ""
	}
	return path[i+1:]
}

// copies chooses among the copies of a definition that a call may lead to: those of
// the current file, else those that are not of tests. Where several remain, or the
// copies of a type leave one without a constructor, the tier says so.
func (w *worker) copies(nodes []int32, tier uint8) ([]int32, uint8) {
	if tier == tierDispatched || tier == tierName {
		return nodes, tier
	}
	own := w.b.nodes[w.f.node].file
	if len(nodes) == 1 {
		if d := &w.b.nodes[nodes[0]]; d.typ >= 0 && w.b.types[d.typ].several && d.file != own {
			tier = tierOverloaded
		}
		return nodes, tier
	}
	for _, is := range []func(file uint32) bool{
		func(file uint32) bool { return file == own },
		func(file uint32) bool { return !w.b.files[file].test },
	} {
		var kept []int32
		for _, n := range nodes {
			if is(w.b.nodes[n].file) {
				kept = append(kept, n)
			}
		}
		if len(kept) > 0 {
			nodes = kept
			break
		}
	}
	if len(nodes) > 1 {
		tier = tierOverloaded
	}
	return nodes, tier
}
