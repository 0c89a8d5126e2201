package graph

import (
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
	asked   typ               // the value that an extension method was found for, none for other members
	// extended are extension methods of the name of a member, meant where the member
	// does not take the arguments, and extendedOf is the value.
	extended   found
	extendedOf typ

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
	w.asked, w.extended = typ{}, found{}
	if i == len("super") && chain[:i] == "super" && strings.HasPrefix(chain[i:], "().") { // Python calls it
		i += 2
	}
	var on typ // what the last member is of
	for i < len(chain) && r.ok() {
		if depth == 0 && r.tier == tierResolved && (r.t.form != formFunc || chain[i] != '(') {
			w.touched = append(w.touched, r.nodes...)
		}
		if base := i; chain[i] == '(' && strings.IndexByte(chain[:base], '.') < 0 {
			r = w.propertyOrType(r, chain[:base])
		}
		r, w.asked, w.extended = w.propertyValue(r), typ{}, found{}
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
	if w.calling && depth == 0 {
		r = w.propertyOrType(r, chain)
	}
	if w.calling && depth == 0 || depth > 0 {
		r = w.propertyValue(r)
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

// resolveMember finds a member of r.
func (w *worker) resolveMember(r found, name string, depth int) found {
	t := w.followAliases(r.t)
	if t.form == formValue || t.form == formExternal {
		return w.valueMember(t, name, depth)
	}
	switch t.form {
	case formSpace:
		return w.inNamespace(t.id, name)
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
	}
	return found{}
}

// valueMember finds a member of a value, or what extends its type.
func (w *worker) valueMember(t typ, name string, depth int) (r found) {
	switch {
	case t.form == formValue && t.wraps == 0 && t.id < 0:
		return found{}
	case t.form == formExternal:
		if r = external; w.f.rules.names.properties {
			r = w.nullableMember(t, name)
		}
	case t.wraps == 0 && t.id >= 0:
		r = w.memberOf(t.id, name, false, depth)
	}
	if (!r.ok() || r.t.form == formExternal) && w.b.extensions[name] != nil && w.f.rules.names.properties {
		if e := w.extensionTarget(t, name); e.ok() {
			w.asked = t
			return e
		}
	} else if w.b.extensions[name] != nil && r.t.form == formFunc && w.f.rules.names.properties {
		w.extended, w.extendedOf = w.extensionTarget(t, name), t
	}
	return r
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
	if t.form == formValue && t.wraps == 0 && t.id >= 0 && w.f.rules.names.properties {
		return w.propertyValue(w.memberOf(t.id, "this", false, 0))
	}
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
