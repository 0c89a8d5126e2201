package graph

import (
	"strings"

	"github.com/topo-dev/topo/chunk"
)

// walk resolves what a file calls, mentions and inherits from.
func (b *builder) walk(f *source, w *worker) {
	if f.rules == nil {
		return
	}
	b.addInheritance(f)
	if b.reused.canReuse(f) {
		f.edges = append(f.edges, b.reused.edges[b.nodes[f.node].file]...)
		return
	}
	w.enterFile(f)
	w.qual = b.nestedNames(f)
	own := newFunctions(f)
	for i := range f.facts.Calls {
		c := &f.facts.Calls[i]
		if c.Chunk != w.chunk || i == 0 {
			w.enter(c.Chunk, own)
		}
		b.addCalls(f, w, c)
	}
	for i := range f.facts.Refs {
		c := &f.facts.Refs[i]
		if c.Chunk != w.chunk || i == 0 {
			w.enter(c.Chunk, own)
		}
		w.touched = w.touched[:0]
		if r := w.eval(c.Chain, 0); r.ok() && r.t.form != formUnit && r.tier <= tierResolved {
			w.touched = append(w.touched, r.nodes...)
		}
		b.addReferences(f, w, c.Chunk, nil)
	}
	if f.test {
		b.conventions(f, w)
	}
}

// nestedNames are the definitions of a file that are in others.
func (b *builder) nestedNames(f *source) map[string]uint32 {
	m := map[string]uint32{}
	for c := range f.chunks {
		if n := f.nodeOf[c]; n != none {
			if q := f.chunks[c].Qualified(); !f.rules.names.flat {
				if old, ok := m[q]; !ok || b.overloads(old, n) {
					m[q] = n
				}
			}
		}
	}
	return m
}

// overloads reports whether definition n takes the place of an earlier one of
// its name: one without a body, or any in Python.
func (b *builder) overloads(old, n uint32) bool {
	f := &b.files[b.nodes[n].file]
	k := &f.chunks[b.nodes[old].chunk]
	return f.rules.variants.redefines || k.SigEnd >= k.EndByte
}

// functions gives the facts of the function that a chunk is.
type functions map[int]*chunk.FuncFact

func newFunctions(f *source) functions {
	m := make(functions, len(f.facts.Funcs))
	for i := range f.facts.Funcs {
		m[f.facts.Funcs[i].Chunk] = &f.facts.Funcs[i]
	}
	return m
}

// enter makes the worker look from inside a chunk.
func (w *worker) enter(c int, own functions) {
	w.chunk, w.fn, w.scope = c, own[c], ""
	w.within = w.fn
	if c >= 0 {
		w.scope = w.f.chunks[c].Scope
		if k := w.f.chunks[c].Kind; k == chunk.Type || k == chunk.Impl {
			w.scope = w.f.chunks[c].Qualified()
		}
	}
	w.locals, w.known = w.locals[:0], w.known[:0]
	if w.fn != nil {
		for range w.fn.Locals {
			w.locals, w.known = append(w.locals, typ{}), append(w.known, 0)
		}
	}
}

// addCalls draws the edges of one call.
func (b *builder) addCalls(f *source, w *worker, c *chunk.Call) {
	from := f.caller(c.Chunk)
	w.touched = w.touched[:0]
	w.calling, w.on = true, typ{}
	r := w.eval(c.Chain, 0)
	w.calling = false
	var nodes []int32
	if (c.Chain == "super" || c.Chain == "this") && r.t.form == formValue && r.t.wraps == 0 && r.t.id >= 0 && !f.rules.calls.super {
		r.t.form, r.tier = formType, tierResolved
	}
	switch {
	case r.tier == tierDispatched:
		nodes = r.nodes
	case r.t.form == formFunc && len(r.nodes) == 0: // a variable that holds it
		nodes, r.tier = []int32{r.t.id}, tierKnown
	case r.t.form == formFunc && len(r.nodes) == 1 && r.nodes[0] != r.t.id && b.nodes[r.nodes[0]].kind == NodeVar:
		// A variable of the file that was made from it: checked = maker.checked.
		w.touched = append(w.touched, r.nodes...)
		nodes, r.tier = []int32{r.t.id}, tierKnown
	case r.t.form == formFunc:
		nodes = r.nodes
	case r.t.form == formType:
		if nodes = b.constructor(w, r); len(nodes) == 0 {
			b.addReferences(f, w, c.Chunk, nil)
			return
		}
	case r.t.form == formExternal:
		b.addReferences(f, w, c.Chunk, nil)
		return
	default: // a value is called: what it holds is not known
		w.touched = append(w.touched, r.nodes...)
	}
	if len(nodes) == 0 {
		nodes, r.tier = b.guessTargets(f, w, c.Chain, r), tierName
	}
	if len(nodes) == 0 {
		if !r.ok() || r.t.form == formValue && r.t.outer() != wrapFunc {
			b.nodes[from].unknown++
		}
	}
	if f.rules.variants.copies && len(nodes) > 0 {
		nodes, r.tier = w.copies(nodes, r.tier)
	}
	targets := w.overloads(nodes, r.tier, c)
	if len(targets) > maxTargets {
		b.nodes[from].unknown++
		nodes, targets = nil, nil
	}
	test := b.testAt(f, from)
	for _, t := range targets {
		f.edges = append(f.edges, edge{from, uint32(t.node), EdgeCalls, t.tier})
		if test != none && !b.inTests(t.node) {
			f.edges = append(f.edges, edge{test, uint32(t.node), EdgeTests, t.tier})
		}
	}
	b.addReferences(f, w, c.Chunk, nodes)
}

// constructor is what the making of a value calls: the type's constructor, or
// the type itself when it has none. In Go it is a conversion and calls nothing.
func (b *builder) constructor(w *worker, r found) []int32 {
	if w.f.rules.calls.conversions {
		w.touched = append(w.touched, r.nodes...)
		return nil
	}
	i := &b.types[r.t.id]
	if rules := b.files[i.file].rules; rules.calls.primary {
		return b.kotlinConstructors(w, r)
	}
	for _, name := range w.f.rules.calls.ctors {
		if name == "." {
			name = b.nameOf(i.node)
		}
		if m := w.memberOf(r.t.id, name, true, 0); m.t.form == formFunc {
			return m.nodes
		}
	}
	return []int32{i.node}
}

// nameOf is the bare name of a definition.
func (b *builder) nameOf(n int32) string {
	d := &b.nodes[n]
	if d.chunk < 0 {
		return d.name
	}
	return b.files[d.file].chunks[d.chunk].Name
}

// guessTargets are the methods that have the name that a chain ends in, when that are
// few and nothing else is known.
func (b *builder) guessTargets(f *source, w *worker, chain string, r found) []int32 {
	i := strings.LastIndexByte(chain, '.')
	if i < 0 || r.ok() {
		return nil
	}
	all := b.byName[chain[i+1:]]
	if len(all) > 64 {
		return nil
	}
	var out []int32
	for _, n := range all {
		g := &b.files[b.nodes[n].file]
		if g.rules.family == f.rules.family && (f.test || !g.test) {
			out = append(out, n)
		}
	}
	if len(out) > maxGuesses {
		return nil
	}
	return out
}

// addReferences draws the references to what the chain touched.
func (b *builder) addReferences(f *source, w *worker, c int, but []int32) {
	from := f.caller(c)
next:
	for _, n := range w.touched {
		for _, o := range but {
			if o == n {
				continue next
			}
		}
		if uint32(n) != from {
			f.edges = append(f.edges, edge{from, uint32(n), EdgeReferences, tierResolved})
		}
	}
}

// addInheritance draws the edges of the types that a file declares first.
func (b *builder) addInheritance(f *source) {
	for c := range f.chunks {
		n := f.nodeOf[c]
		if n == none || b.nodes[n].typ < 0 || b.types[b.nodes[n].typ].node != int32(n) {
			continue
		}
		for _, t := range b.types[b.nodes[n].typ].bases {
			if t.form == formValue && t.wraps == 0 && t.id >= 0 {
				f.edges = append(f.edges, edge{n, uint32(b.types[t.id].node), EdgeInherits, tierResolved})
			}
		}
		if list := b.types[b.nodes[n].typ].implementers; len(list) <= maxTargets {
			for _, t := range list {
				f.edges = append(f.edges, edge{uint32(b.types[t].node), n, EdgeInherits, tierDispatched})
			}
		}
	}
}
