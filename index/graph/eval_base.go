package graph

import (
	"slices"
	"strings"

	"github.com/topo-dev/topo/chunk"
)

// What the first name of a chain is: a local variable, a definition around, an import.

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
			if r := w.memberOf(t, name, false, depth); r.ok() && (r.t.form != formExternal || r.t.id > 0 && w.f.rules.names.properties) {
				return r
			}
		}
	}
	return found{}
}
