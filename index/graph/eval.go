package graph

import (
	"slices"
	"strconv"
	"strings"

	"github.com/topo-dev/topo/chunk"
)

// worker resolves the names of one file after the other.
type worker struct {
	b      *builder
	f      *source
	cached *source // whose types the cache holds
	cache  map[string]typ

	fn      *chunk.FuncFact // the function around, nil at file level
	chunk   int             // of what is around, −1
	scope   string          // qualified name of what is around
	locals  []typ           // of fn.Locals, by position; known tells which are evaluated
	known   []uint8
	qual    map[string]uint32 // nested definitions of the file by qualified name
	touched []int32           // definitions that the chain mentions on its way
	calling bool              // what the chain ends in is called
	targets []target          // of the last call

	reachOf *source  // whose includes reach holds
	reach   []uint32 // the file and what it includes, the nearest first
}

const maxDepth = 8 // locals made from locals, variables from variables

// eval resolves a chain.
func (w *worker) eval(chain string, depth int) found {
	if depth > maxDepth {
		return found{}
	}
	i := 0
	for i < len(chain) && !strings.ContainsRune(".([{#", rune(chain[i])) {
		i++
	}
	r := found{}
	if w.f.rules == jvmRules && (i == len(chain) && w.calling && depth == 0 || i < len(chain) && chain[i] == '(') {
		r = w.method(chain[:i], depth)
	} else {
		r = w.base(chain[:i], depth)
	}
	if chain[:i] == "super" && strings.HasPrefix(chain[i:], "().") { // Python calls it
		i += 2
	}
	for i < len(chain) && r.ok() {
		if depth == 0 && r.tier == tierResolved && (r.t.form != formFunc || chain[i] != '(') {
			w.touched = append(w.touched, r.nodes...)
		}
		switch chain[i] {
		case '.':
			j := i + 1
			for j < len(chain) && !strings.ContainsRune(".([{#", rune(chain[j])) {
				j++
			}
			r = w.member(r, chain[i+1:j], depth)
			i = j
		case '(':
			n := 0
			if i += 2; i < len(chain) && chain[i] == '#' {
				j := i + 1
				for j < len(chain) && chain[j] >= '0' && chain[j] <= '9' {
					j++
				}
				n, _ = strconv.Atoi(chain[i+1 : j])
				i = j
			}
			r = w.called(r, n, depth)
		case '[':
			j := strings.IndexByte(chain[i:], ']')
			if j < 0 {
				return found{}
			}
			r = w.element(r, chain[i:i+j+1] == "[key]")
			i += j + 1
		case '{':
			if r.t.form == formType {
				r = found{t: typ{form: formValue, id: r.t.id}}
			} else if r.t.form != formExternal {
				r = found{}
			}
			i += 2
		default:
			return found{}
		}
	}
	return r
}

// base resolves the name that a chain begins with.
func (w *worker) base(name string, depth int) found {
	if name == "" || name == "?" {
		return found{}
	}
	holder := ""
	if w.chunk >= 0 && w.f.rules == jsRules {
		holder = w.f.chunks[w.chunk].Qualified()
	}
	for fn, scope := w.fn, w.scope; fn != nil; {
		if r, ok := w.local(fn, scope, name, depth); ok {
			if n, ok := w.functionOf(fn, holder, name); ok {
				return w.definition(n, depth)
			}
			if r.t.form == formValue && r.t.id < 0 && r.t.wraps == 0 { // maybe a function defined here
				if n := w.nested(name, depth); n.ok() && w.f.rules != goRules {
					return n
				}
			}
			return r
		}
		if w.f.rules == goRules {
			break
		}
		if holder != "" {
			holder = scope
		}
		fn, scope = w.enclosing(scope)
	}
	if name == "super" {
		return w.super()
	}
	if name == "this" || name == "self" || name == "Self" || name == "static" || name == "cls" {
		if t := w.around(); t >= 0 {
			r := found{t: typ{form: formValue, id: t}, tier: tierKnown}
			if name == "Self" || name == "static" || name == "cls" {
				r.t.form = formType
			}
			return r
		}
	}
	if w.chunk >= 0 && w.f.rules != goRules {
		if r := w.nested(name, depth); r.ok() {
			return r
		}
	}
	r := w.global(w.f, name, depth)
	if !r.ok() && w.f.rules == goRules {
		return external // every name is declared: this one by an import of another name than its path's
	}
	return r
}

// functionOf finds the function that a local of JavaScript is: one that is
// defined under its name in the function that is called holder, as in "const f:
// F = () => …", or around it. Of the locals of those around it has the type.
func (w *worker) functionOf(fn *chunk.FuncFact, holder, name string) (int32, bool) {
	is := func(l chunk.Local) bool { return l.Name == name }
	i := slices.IndexFunc(fn.Locals, is)
	if holder == "" || i < 0 || slices.ContainsFunc(fn.Params, func(p chunk.NameType) bool { return p.Name == name }) {
		return 0, false
	}
	for h := holder; h != ""; h = outerScope(h) {
		if h != holder {
			around, _ := w.enclosing(h)
			if around == nil {
				continue
			}
			if k := slices.IndexFunc(around.Locals, is); k < 0 || around.Locals[k].Type != fn.Locals[i].Type {
				continue
			}
		}
		if n, ok := w.qual[h+"."+name]; ok && w.b.nodes[n].kind == NodeFunction {
			return int32(n), true
		}
	}
	return 0, false
}

// method resolves the bare name of what is called, in a language where a local
// of that name is something else.
func (w *worker) method(name string, depth int) found {
	fn := w.fn
	w.fn = nil
	r := w.base(name, depth)
	w.fn = fn
	return r
}

// local is the receiver, a parameter or a local of a function.
func (w *worker) local(fn *chunk.FuncFact, scope, name string, depth int) (found, bool) {
	if name == fn.Recv {
		if t := w.around(); t >= 0 {
			r := found{t: typ{form: formValue, id: t}, tier: tierKnown}
			if name == "cls" { // the class itself
				r.t.form = formType
			}
			return r, true
		}
		return found{}, true
	}
	for i := range fn.Params {
		if fn.Params[i].Name == name {
			return w.value(w.typeNamed(w.f, scope, fn.Params[i].Type, 0)), true
		}
	}
	for i := range fn.Locals {
		l := &fn.Locals[i]
		if l.Name != name {
			continue
		}
		if fn != w.fn {
			return w.value(w.origin(scope, l.Type, l.Expr, depth+1)), true
		}
		if w.known[i] == 0 {
			w.known[i] = 1 // a local made from itself stays unknown
			w.locals[i] = w.origin(scope, l.Type, l.Expr, depth+1)
		}
		return w.value(w.locals[i]), true
	}
	return found{}, false
}

// value is a value of unknown origin whose type is known, or not.
func (w *worker) value(t typ) found {
	if t.form == formNone {
		t = typ{form: formValue, id: -1}
	}
	return found{t: t, tier: tierKnown}
}

// origin is the type of a variable: its declared one or that of its chain.
func (w *worker) origin(scope, typeText, expr string, depth int) typ {
	if typeText != "" {
		return w.typeNamed(w.f, scope, typeText, 0)
	}
	if expr == "" {
		return typ{}
	}
	return w.eval(expr, depth).t
}

// varType is the type of a top-level variable.
func (w *worker) varType(n int32, depth int) typ {
	d := &w.b.nodes[n]
	f := &w.b.files[d.file]
	if d.fact < 0 || int(d.fact) >= len(f.vars) {
		return typ{}
	}
	if t := f.vars[d.fact]; t.form != formNone {
		return t
	}
	v := &f.facts.Vars[d.fact]
	if v.Expr == "" || depth >= maxDepth || v.Type != "" {
		return typ{}
	}
	// The chain is of another file: look at it from there.
	other := worker{b: w.b, f: f, chunk: v.Chunk, scope: f.chunks[v.Chunk].Scope}
	return other.eval(v.Expr, depth+1).t
}

// around is the type around the current place, −1 for none.
func (w *worker) around() int32 {
	for s := w.scope; s != ""; s = outerScope(s) {
		if t, ok := w.b.units[w.f.unit].types[s]; ok {
			return t
		}
		if t := w.typeNamed(w.f, "", s, 0); t.form == formValue && t.wraps == 0 && t.id >= 0 {
			return t.id
		}
	}
	return -1
}

func (w *worker) super() found {
	t := w.around()
	if t < 0 {
		return found{}
	}
	for _, base := range w.b.types[t].bases {
		if base.form == formValue || base.form == formExternal {
			return found{t: base, tier: tierKnown}
		}
	}
	return found{}
}

// enclosing is the function around a scope.
func (w *worker) enclosing(scope string) (*chunk.FuncFact, string) {
	n, ok := w.qual[scope]
	if !ok {
		return nil, ""
	}
	d := &w.b.nodes[n]
	if d.fact < 0 || d.kind == NodeVar {
		return nil, ""
	}
	return &w.f.facts.Funcs[d.fact], w.f.chunks[d.chunk].Scope
}

// nested finds a bare name among the definitions around the current place and,
// where the language says so, among the members of the types around.
func (w *worker) nested(name string, depth int) found {
	own := ""
	if w.chunk >= 0 {
		own = w.f.chunks[w.chunk].Qualified()
	}
	for s := own; s != ""; s = outerScope(s) {
		if n, ok := w.qual[s+"."+name]; ok {
			if w.b.nodes[n].kind != NodeMethod {
				r := w.definition(int32(n), depth)
				r.nodes = r.nodes[:min(1, len(r.nodes))]
				return r
			}
		}
		if !w.f.rules.implicit {
			continue
		}
		if t, ok := w.b.units[w.f.unit].types[s]; ok && s[strings.LastIndexByte(s, '.')+1:] != name {
			if r := w.memberOf(t, name, false, depth); r.ok() && r.t.form != formExternal {
				return r
			}
		}
	}
	return found{}
}

// member is a member of what was found.
func (w *worker) member(r found, name string, depth int) found {
	t := w.plain(r.t)
	switch t.form {
	case formExternal:
		return external
	case formUnit:
		if m := w.inUnit(t.id, name, depth); m.ok() {
			return m
		}
		return found{}
	case formType:
		if name == "this" && w.f.rules == jvmRules { // the value around
			return found{t: typ{form: formValue, id: t.id}, tier: tierKnown}
		}
		if n, ok := w.nestedType(t.id, name); ok {
			return found{t: typ{form: formType, id: n}, nodes: []int32{w.b.types[n].node}}
		}
		m := w.memberOf(t.id, name, true, depth)
		if name == "new" && w.f.rules == rubyRules && (!m.ok() || m.t.form == formExternal) {
			return found{t: t, nodes: []int32{w.b.types[t.id].node}}
		}
		if !m.ok() || m.t.form == formValue && m.t.id < 0 && w.b.types[t.id].kind == "enum" {
			if w.b.types[t.id].kind == "enum" {
				return found{t: typ{form: formValue, id: t.id}}
			}
		}
		if !m.ok() {
			return w.beside(w.b.types[t.id].node, name, depth)
		}
		return m
	case formFunc:
		return w.beside(t.id, name, depth)
	case formValue:
		if t.wraps != 0 || t.id < 0 {
			return found{}
		}
		return w.memberOf(t.id, name, false, depth)
	}
	return found{}
}

// beside is what a file of JavaScript hands on as a member of what it hands on
// as a whole: "module.exports = f; module.exports.g = g".
func (w *worker) beside(n int32, name string, depth int) found {
	d := &w.b.nodes[n]
	if f := &w.b.files[d.file]; f.rules == jsRules && f.whole != "" && f.whole == w.b.nameOf(n) && depth < maxDepth {
		return w.inUnit(f.unit, name, depth+1)
	}
	return found{}
}

// nestedType is a type declared inside of another.
func (w *worker) nestedType(id int32, name string) (int32, bool) {
	i := &w.b.types[id]
	f := &w.b.files[i.file]
	outer := f.chunks[w.b.nodes[i.node].chunk].Qualified()
	t, ok := w.b.units[f.unit].types[outer+"."+name]
	return t, ok
}

// called is the n-th result of calling what was found.
func (w *worker) called(r found, n, depth int) found {
	t := w.plain(r.t)
	switch t.form {
	case formExternal:
		if r.t.wraps == 0 && w.f.rules == jvmRules {
			return found{t: r.t} // the making of a value, if a class was named
		}
		return external
	case formType: // a constructor, or a conversion
		return found{t: typ{form: formValue, id: t.id}, tier: tierKnown}
	case formFunc:
		d := &w.b.nodes[t.id]
		f := &w.b.files[d.file]
		if d.fact < 0 || int(d.fact) >= len(f.result) || n >= len(f.result[d.fact]) {
			return found{}
		}
		return w.value(f.result[d.fact][n])
	case formValue:
		if t.outer() == wrapFunc && n == 0 {
			return w.value(t.unwrap())
		}
		if t.wraps == 0 && t.id >= 0 {
			if u := w.b.types[t.id].under; u.outer() == wrapFunc && n == 0 {
				return w.value(u.unwrap())
			}
		}
	}
	return found{}
}

// element is an element of what was found, or its key.
func (w *worker) element(r found, key bool) found {
	t := w.plain(r.t)
	if t.form == formValue && t.wraps == 0 && t.id >= 0 {
		if u := w.b.types[t.id].under; u.form == formValue {
			t = u
		}
	}
	switch {
	case t.form == formExternal && t.wraps == 0:
		return external
	case t.form == formFunc || t.form == formType: // type arguments
		return r
	case t.form != formValue && t.form != formExternal || t.wraps == 0:
		if t.form == formValue && t.id >= 0 { // a dereference
			return r
		}
		return found{}
	case key && t.outer() == wrapChan, !key && t.outer() != wrapFunc:
		return w.value(t.unwrap())
	case key:
		return external
	}
	return found{}
}
