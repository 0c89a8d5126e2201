package graph

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/topo-dev/topo/chunk"
)

// enterFile makes the worker look from a file.
func (w *worker) enterFile(f *source) {
	w.f, w.cached, w.fn, w.chunk, w.scope = f, f, nil, -1, ""
	if w.cache == nil {
		w.cache = map[string]typ{}
	}
	clear(w.cache)
}

// signatures resolves the declared types of a file: results of
// functions and types of variables. Types' own declarations are for members.
func (b *builder) signatures(f *source, w *worker) {
	if f.rules == nil {
		return
	}
	w.enterFile(f)
	f.made.result = make([][]typ, len(f.facts.Funcs))
	for i := range f.facts.Funcs {
		fn := &f.facts.Funcs[i]
		if len(fn.Results) == 0 {
			continue
		}
		list := make([]typ, len(fn.Results))
		for k, text := range fn.Results {
			list[k] = w.typeNamed(f, f.chunks[fn.Chunk].Scope, text, 0)
		}
		f.made.result[i] = list
	}
	if f.rules.calls.overloads == overloadTypes {
		f.made.params = make([][]typ, len(f.facts.Funcs))
		for i := range f.facts.Funcs {
			fn := &f.facts.Funcs[i]
			list := make([]typ, len(fn.Params))
			for k := range fn.Params {
				list[k] = w.typeNamed(f, f.chunks[fn.Chunk].Scope, fn.Params[k].Type, 0)
			}
			f.made.params[i] = list
		}
	}
	f.made.vars = make([]typ, len(f.facts.Vars))
	for i := range f.facts.Vars {
		v := &f.facts.Vars[i]
		f.made.vars[i] = w.typeNamed(f, f.chunks[v.Chunk].Scope, v.Type, 0)
	}
}

// publish lets all files see what signatures found.
func (b *builder) publish() {
	for i := range b.files {
		f := &b.files[i]
		f.result, f.vars, f.params = f.made.result, f.made.vars, f.made.params
	}
}

// members sets the bases, fields and methods of every type. One goroutine: parts
// of a type may be in several files.
func (b *builder) members() {
	b.byName = map[string][]int32{}
	w := &worker{b: b}
	for i := range b.files {
		f := &b.files[i]
		if f.rules == nil {
			continue
		}
		w.enterFile(f)
		for k := range f.facts.Types {
			b.typeFact(f, w, &f.facts.Types[k])
		}
	}
	for i := range b.files {
		f := &b.files[i]
		if f.rules == nil {
			continue
		}
		w.enterFile(f)
		for c := range f.chunks {
			if n := f.nodeOf[c]; n != none {
				b.container(f, w, c, n)
			}
		}
	}
	for i := range b.types {
		slices.SortFunc(b.types[i].methods, func(a, b method) int {
			return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.node, b.node))
		})
	}
}

func (b *builder) typeFact(f *source, w *worker, fact *chunk.TypeFact) {
	k := &f.chunks[fact.Chunk]
	var id int32
	if n := f.nodeOf[fact.Chunk]; n != none && b.nodes[n].typ >= 0 {
		id = b.nodes[n].typ
	} else { // a Rust impl: of a type declared elsewhere
		t := w.typeNamed(f, k.Scope, k.Name, 0)
		if t.form != formValue || t.wraps != 0 || t.id < 0 {
			return
		}
		id = t.id
	}
	i := &b.types[id]
	kind, expected := strings.CutPrefix(fact.Kind, "expect ")
	switch {
	case i.kind == "" && fact.Kind != "impl":
		i.kind, i.expected = kind, expected
	case i.expected && !expected: // of the platform
		i.kind, i.expected = kind, false
		i.node, i.file = int32(f.nodeOf[fact.Chunk]), int32(b.nodes[f.node].file)
	}
	if kind == "companion" {
		if outer, ok := b.units[f.unit].types[k.Scope]; ok {
			b.types[outer].companion = typ{form: formValue, id: id}
		}
	}
	scope := k.Qualified()
	for _, base := range fact.Bases {
		t := w.typeNamed(f, scope, base, 0)
		i.unknownBases = i.unknownBases || t.form == formNone
		if t.form != formNone && len(i.bases) < maxBases && !slices.Contains(i.bases, t) && t != (typ{form: formValue, id: id}) {
			i.bases = append(i.bases, t)
		}
	}
	for _, m := range fact.Fields {
		t := w.fieldType(f, scope, fact.Chunk, m.Type)
		if m.Name == "" {
			i.underlying = t
			continue
		}
		sign := int32(0)
		if f.rules.types.structural && i.kind == "interface" && strings.HasPrefix(m.Type, "func(") {
			b.asked = append(b.asked, signature{f, m.Type})
			sign = int32(len(b.asked))
		}
		i.fields = append(i.fields, field{m.Name, t, sign})
	}
}

// fieldType is the type of a field: declared, or that of the chain that it is
// made from, which ends in a call.
func (w *worker) fieldType(f *source, scope string, c int, text string) typ {
	if !strings.HasSuffix(text, ")") || strings.HasPrefix(text, "func(") || strings.HasSuffix(text, "func()") {
		return w.typeNamed(f, scope, text, 0)
	}
	w.fn, w.chunk, w.scope = nil, c, scope
	return w.eval(text, 1).t
}

// container draws the edge from what holds a definition, and gives methods to
// their type.
func (b *builder) container(f *source, w *worker, c int, n uint32) {
	k := &f.chunks[c]
	if k.Scope == "" {
		f.edges = append(f.edges, edge{f.node, n, EdgeContains, tierResolved})
		return
	}
	id := int32(-1)
	if t, ok := b.units[f.unit].types[k.Scope]; ok {
		id = w.includedType(t, k.Scope)
	} else if t := w.typeNamed(f, "", k.Scope, 0); t.form == formValue && t.wraps == 0 {
		id = t.id
	}
	if id < 0 {
		f.edges = append(f.edges, edge{b.holder(f, c), n, EdgeContains, tierResolved})
		return
	}
	i := &b.types[id]
	if fact := b.nodes[n].fact; f.rules.types.parameters && slices.Contains(f.rules.calls.ctors, k.Name) && fact >= 0 {
		// TypeScript's "constructor(private a: A)" declares a field. The
		// declared ones come first and win.
		for _, p := range f.facts.Funcs[fact].Params {
			if t := w.typeNamed(f, k.Scope, p.Type, 0); t.form != formNone {
				i.fields = append(i.fields, field{name: p.Name, t: t})
			}
		}
	}
	if kind := b.nodes[n].kind; (kind == NodeMethod || kind == NodeFunction) && (i.expected || !f.expects(k.Scope)) {
		i.methods = append(i.methods, method{k.Name, int32(n)})
		if kind == NodeMethod {
			b.byName[k.Name] = append(b.byName[k.Name], int32(n))
		}
	}
	b.extra = append(b.extra, edge{uint32(i.node), n, EdgeContains, tierResolved})
	if b.nodes[i.node].file != b.nodes[f.node].file {
		f.edges = append(f.edges, edge{f.node, n, EdgeContains, tierResolved})
	}
}

// holder is the definition of the same file around chunk c, or the file.
func (b *builder) holder(f *source, c int) uint32 {
	k := &f.chunks[c]
	for p := c - 1; p >= 0 && p > c-200; p-- {
		if o := &f.chunks[p]; o.StartByte <= k.StartByte && o.EndByte >= k.EndByte && f.nodeOf[p] != none {
			return f.nodeOf[p]
		}
	}
	return f.node
}

// dispatch finds, for each interface, the types that a call of one of its
// methods may reach, and for each type those that name it as their base.
func (b *builder) dispatch(ctx context.Context) error {
	w := &worker{b: b}
	for i := range b.types {
		queue := []int32{int32(i)}
		for at := 0; at < len(queue) && at < maxBases; at++ {
			for _, t := range b.types[queue[at]].bases {
				w.inherit(t, &queue)
			}
		}
		for _, q := range queue[1:] {
			if b.types[q].abstract() {
				b.types[q].subtypes = append(b.types[q].subtypes, int32(i))
			}
		}
	}
	having := map[string][]int32{} // types with a method of that name, ascending
	for i := range b.types {
		t := &b.types[i]
		if !b.files[t.file].rules.types.structural {
			continue
		}
		for k, m := range t.methods {
			if k == 0 || t.methods[k-1].name != m.name {
				having[m.name] = append(having[m.name], int32(i))
			}
		}
	}
	return b.parallel(ctx, len(b.types), func(i int, w *worker) error {
		if t := &b.types[i]; t.kind == "interface" && b.files[t.file].rules.types.structural {
			t.implementers = b.implementers(int32(i), having, w)
		}
		return nil
	})
}

// methodSet are the methods of a Go interface with their first results.
func (b *builder) methodSet(id int32, w *worker) []field {
	var set []field
	queue := []int32{id}
	for at := 0; at < len(queue) && at < maxBases; at++ {
		i := &b.types[queue[at]]
		for _, m := range i.fields {
			if m.t.outer() == wrapFunc && i.kind == "interface" {
				set = append(set, m)
			}
		}
		for _, t := range i.bases {
			w.inherit(t, &queue)
		}
		w.inherit(i.underlying, &queue)
	}
	return set
}

// implementers are the types of Go that have all methods of an interface. They
// are found from the method that the fewest types have; types that get that
// one by embedding are followed from there.
func (b *builder) implementers(id int32, having map[string][]int32, w *worker) []int32 {
	set := b.methodSet(id, w)
	if len(set) == 0 {
		return nil
	}
	rare := having[set[0].name]
	for _, m := range set[1:] {
		if l := having[m.name]; len(l) < len(rare) {
			rare = l
		}
	}
	var out []int32
	for _, t := range rare {
		if b.hasAllMethods(t, set, w) {
			out = append(out, t)
		}
		if len(out) > maxTargets {
			break
		}
	}
	return out
}

func (b *builder) hasAllMethods(t int32, set []field, w *worker) bool {
	for _, m := range set {
		ms := w.concreteMethods(t, m.name)
		if len(ms) == 0 {
			return false
		}
		d := &b.nodes[ms[0].node]
		f := &b.files[d.file]
		want := m.t.unwrap()
		var got typ
		if d.fact >= 0 && int(d.fact) < len(f.result) && len(f.result[d.fact]) > 0 {
			got = f.result[d.fact][0]
		}
		if w.followAliases(want) != w.followAliases(got) || m.sign > 0 && !b.matchesSignature(ms[0].node, &b.asked[m.sign-1], w) {
			return false
		}
	}
	return true
}
