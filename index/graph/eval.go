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

	fn      *chunk.FuncFact // the enclosing function, nil at file level
	chunk   int             // of the enclosing definition, −1 for none
	scope   string          // qualified name of the enclosing definition
	locals  []typ           // of fn.Locals, by position; known tells which are evaluated
	known   []uint8
	qual    map[string]uint32 // nested definitions of the file by qualified name
	touched []int32           // definitions that the chain mentions on its way
	calling bool              // what the chain ends in is called
	plain   bool              // the name looked for is not called, where that tells fields from methods
	within  *chunk.FuncFact   // the function of chunk, nil at file level
	on      typ               // what the last function is called on, where extensions are
	targets []target          // of the last call
	part    part              // which members are looked for

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
	called := w.isCalled(chain, i, depth)
	if w.f.rules.names.extensions {
		r = w.resolveName(chain[:i], called, depth)
		if r.t.form == formValue && strings.HasPrefix(chain, "this'") && i < len(chain) && chain[i] == '.' {
			if r, ok := w.onReceiver(r, chain[i+1:], depth); ok {
				return r
			}
			return w.eval(chain[i+1:], depth)
		}
	} else if w.f.rules.calls.methods && called {
		r = w.resolveMethod(chain[:i], depth)
	} else {
		r = w.resolveBase(chain[:i], depth)
	}
	return w.follow(r, chain, i, depth)
}

// isCalled tells whether the name that ends at i of a chain is called.
func (w *worker) isCalled(chain string, i, depth int) bool {
	return i == len(chain) && w.calling && depth == 0 || i < len(chain) && chain[i] == '('
}

// follow resolves what a chain goes on with at i, from what stands before.
func (w *worker) follow(r found, chain string, i, depth int) found {
	if i == len("super") && chain[:i] == "super" && strings.HasPrefix(chain[i:], "().") { // Python calls it
		i += 2
	}
	var on typ // what the last member is of
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
			on = w.receiverType(r)
			w.part = w.partOf(chain, j, depth)
			if w.f.rules.names.extensions {
				r = w.kotlinMember(r, chain[i+1:j], w.isCalled(chain, j, depth), depth)
			} else {
				r = w.resolveMember(r, chain[i+1:j], depth)
			}
			w.part, i = anyPart, j
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
			if r.t.form == formFunc && on.form != formNone && w.b.returnsReceiver(r.t.id) {
				r = found{t: on, tier: tierKnown}
			} else {
				r = w.callResult(r, n, depth)
			}
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

// part says which members of a type are meant.
type part uint8

const (
	anyPart part = iota
	fieldPart
	methodPart
)

// partOf says what the member is that ends at chain[end], in a language where a
// field and a method may have one name.
func (w *worker) partOf(chain string, end, depth int) part {
	switch {
	case !w.f.rules.types.apart:
		return anyPart
	case end < len(chain) && chain[end] == '(' || end == len(chain) && depth == 0 && w.calling:
		return methodPart
	}
	return fieldPart
}

// receiverType is the type of a value that a method is called on, also of the type
// that a method of itself is called on.
func (w *worker) receiverType(r found) typ {
	if !w.f.rules.types.fluent || r.t.form != formValue && r.t.form != formType || r.t.wraps != 0 || r.t.id < 0 {
		return typ{}
	}
	return typ{form: formValue, id: r.t.id}
}

// returnsReceiver tells whether the result of a method has the type of what it is
// called on.
func (b *builder) returnsReceiver(n int32) bool {
	f := b.functionFact(n)
	return f != nil && len(f.Results) > 0 && f.Results[0] == "static"
}

// resolveBase resolves the first name of a chain.
func (w *worker) resolveBase(name string, depth int) found {
	if name == "" || name == "?" {
		return found{}
	}
	holder := ""
	if w.chunk >= 0 && w.f.rules.names.values {
		holder = w.f.chunks[w.chunk].Qualified()
	}
	for fn, scope := w.fn, w.scope; fn != nil; {
		if r, ok := w.resolveLocal(fn, scope, name, depth); ok {
			if n, ok := w.localFunction(fn, holder, name); ok {
				return w.definition(n, depth)
			}
			if r.t.form == formValue && r.t.id < 0 && r.t.wraps == 0 { // maybe a function defined here
				if n := w.enclosingDefinition(name, depth); n.ok() && !w.f.rules.names.flat {
					return n
				}
			}
			return r
		}
		if w.f.rules.names.flat {
			break
		}
		if holder != "" {
			holder = scope
		}
		fn, scope = w.enclosingFunction(scope)
	}
	if name == "super" {
		return w.superType()
	}
	if name == "this" || name == "self" || name == "Self" || name == "static" || name == "cls" {
		if t := w.enclosingType(); t >= 0 {
			r := found{t: typ{form: formValue, id: t}, tier: tierKnown}
			if name == "Self" || name == "static" || name == "cls" {
				r.t.form = formType
			}
			return r
		}
	}
	if w.f.rules.names.extensions {
		if r := w.extendedMember(name, depth); r.ok() {
			return r
		}
	}
	if w.chunk >= 0 && !w.f.rules.names.flat {
		if r := w.enclosingDefinition(name, depth); r.ok() {
			return r
		}
	}
	r := w.global(w.f, name, depth)
	if !r.ok() && w.f.rules.names.declared {
		return external // every name is declared: this one by an import of another name than its path's
	}
	return r
}

// localFunction finds the function that a JavaScript local holds: one that is
// defined under its name in the function called holder, as in "const f: F = () =>
// …", or in an enclosing function where a local of that name has the same type.
func (w *worker) localFunction(fn *chunk.FuncFact, holder, name string) (int32, bool) {
	is := func(l chunk.Local) bool { return l.Name == name }
	i := slices.IndexFunc(fn.Locals, is)
	if holder == "" || i < 0 || slices.ContainsFunc(fn.Params, func(p chunk.NameType) bool { return p.Name == name }) {
		return 0, false
	}
	for h := holder; h != ""; h = outerScope(h) {
		if h != holder {
			outer, _ := w.enclosingFunction(h)
			if outer == nil {
				continue
			}
			if k := slices.IndexFunc(outer.Locals, is); k < 0 || outer.Locals[k].Type != fn.Locals[i].Type {
				continue
			}
		}
		if n, ok := w.qual[h+"."+name]; ok && w.b.nodes[n].kind == NodeFunction {
			return int32(n), true
		}
	}
	return 0, false
}

// resolveMethod resolves the bare name of a call in a language where a local of
// that name is something else.
func (w *worker) resolveMethod(name string, depth int) found {
	fn := w.fn
	w.fn = nil
	r := w.resolveBase(name, depth)
	w.fn = fn
	return r
}

// resolveLocal resolves a name to the receiver, a parameter or a local of fn.
func (w *worker) resolveLocal(fn *chunk.FuncFact, scope, name string, depth int) (found, bool) {
	if name == fn.Recv {
		if t := w.enclosingType(); t >= 0 {
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
			return w.value(w.variableType(scope, l.Type, l.Expr, depth+1)), true
		}
		if w.known[i] == 0 {
			w.known[i] = 1 // a local made from itself stays unknown
			w.locals[i] = w.variableType(scope, l.Type, l.Expr, depth+1)
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

// variableType is the declared type of a variable, or that of its chain.
func (w *worker) variableType(scope, typeText, expr string, depth int) typ {
	if typeText != "" {
		return w.typeNamed(w.f, scope, typeText, 0)
	}
	if expr == "" {
		return typ{}
	}
	return w.eval(expr, depth).t
}

// globalType is the type of a top-level variable.
func (w *worker) globalType(n int32, depth int) typ {
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

// enclosingType is the innermost type that encloses the current scope, −1 for none.
func (w *worker) enclosingType() int32 {
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

func (w *worker) superType() found {
	t := w.enclosingType()
	if t < 0 {
		return found{}
	}
	if w.f.rules.names.extensions { // a class is before the interfaces
		for _, base := range w.b.types[t].bases {
			if base := w.followAliases(base); base.form == formValue && base.wraps == 0 && base.id >= 0 && !w.b.types[base.id].abstract() {
				return found{t: base, tier: tierKnown}
			}
		}
	}
	for _, base := range w.b.types[t].bases {
		if base.form == formValue && base.wraps == 0 && base.id >= 0 && w.b.types[base.id].kind == "mixin" {
			continue
		}
		if base.form == formValue || base.form == formExternal {
			return found{t: base, tier: tierKnown}
		}
	}
	return found{}
}

// enclosingFunction is the function of a scope, and the scope that encloses it.
func (w *worker) enclosingFunction(scope string) (*chunk.FuncFact, string) {
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

// enclosingDefinition finds a bare name among the enclosing definitions and, where
// the language has implicit members, among the members of the enclosing types.
func (w *worker) enclosingDefinition(name string, depth int) found {
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
		if !w.f.rules.names.implicit {
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

// resolveMember finds a member of r.
func (w *worker) resolveMember(r found, name string, depth int) found {
	t := w.followAliases(r.t)
	switch t.form {
	case formExternal:
		return external
	case formUnit:
		if m := w.inUnit(t.id, name, depth); m.ok() {
			return m
		}
		return found{}
	case formType:
		if name == "this" && w.f.rules.names.outer { // the value around
			return found{t: typ{form: formValue, id: t.id}, tier: tierKnown}
		}
		if n, ok := w.nestedType(t.id, name); ok {
			return found{t: typ{form: formType, id: n}, nodes: []int32{w.b.types[n].node}}
		}
		m := w.memberOf(t.id, name, true, depth)
		if name != "" && name == w.f.rules.calls.make && (!m.ok() || m.t.form == formExternal) {
			return found{t: t, nodes: []int32{w.b.types[t.id].node}}
		}
		if !m.ok() || m.t.form == formValue && m.t.id < 0 && w.b.types[t.id].kind == "enum" {
			if w.b.types[t.id].kind == "enum" {
				return found{t: typ{form: formValue, id: t.id}}
			}
		}
		if !m.ok() {
			return w.exportedMember(w.b.types[t.id].node, name, depth)
		}
		return m
	case formFunc:
		return w.exportedMember(t.id, name, depth)
	case formValue:
		if t.wraps != 0 || t.id < 0 {
			return found{}
		}
		return w.memberOf(t.id, name, false, depth)
	}
	return found{}
}

// exportedMember is a member that a JavaScript file sets on its whole export:
// "module.exports = f; module.exports.g = g".
func (w *worker) exportedMember(n int32, name string, depth int) found {
	d := &w.b.nodes[n]
	if f := &w.b.files[d.file]; f.wholeExport != "" && f.wholeExport == w.b.nameOf(n) && depth < maxDepth {
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

// callResult is the n-th result of calling r.
func (w *worker) callResult(r found, n, depth int) found {
	t := w.followAliases(r.t)
	switch t.form {
	case formExternal:
		if w.f.rules.names.extensions && r.t.outer() == wrapFunc && n == 0 {
			return w.value(r.t.unwrap())
		}
		if r.t.wraps == 0 && w.f.rules.types.outside {
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
		if text := f.facts.Funcs[d.fact].Results[n]; text[0] == '=' {
			return w.value(w.b.expressionResult(t.id, text[1:], depth))
		}
		return w.value(f.result[d.fact][n])
	case formValue:
		if t.outer() == wrapFunc && n == 0 {
			return w.value(t.unwrap())
		}
		if t.wraps == 0 && t.id >= 0 {
			if u := w.b.types[t.id].underlying; u.outer() == wrapFunc && n == 0 {
				return w.value(u.unwrap())
			}
		}
	}
	return found{}
}

// element is an element of what was found, or its key.
func (w *worker) element(r found, key bool) found {
	t := w.followAliases(r.t)
	if t.form == formValue && t.wraps == 0 && t.id >= 0 {
		if u := w.b.types[t.id].underlying; u.form == formValue {
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
