package graph

import (
	"slices"
	"sort"
	"strings"

	"github.com/topo-dev/topo/chunk"
)

// found is what a name or a chain stands for.
type found struct {
	t    typ
	tier uint8
	// nodes are the definitions it may be: several for overloads, build
	// variants and what an interface dispatches to.
	nodes []int32
}

func (r found) ok() bool { return r.t.form != formNone }

var external = found{t: typ{form: formExternal}}

// Bounds of the search for one name.
const (
	maxBases   = 64 // types looked at for one member
	maxReexp   = 6  // files that hand a name on to each other
	maxAlias   = 6
	maxTargets = 24 // definitions that one call may reach
	maxGuesses = 5  // methods of a name, when nothing but the name is known
)

// inUnit finds a name at the top level of a unit, or what the file that the
// unit is has imported under that name.
func (w *worker) inUnit(u int32, name string, depth int) found {
	f := &w.b.files[w.b.units[u].files[0]]
	if n, ok := w.b.units[u].names[name]; ok && !w.b.isRequired(f, n, name) {
		return w.definition(n, depth)
	}
	if depth >= maxReexp || f.rules.names.unit != unitFile {
		return found{}
	}
	if r := w.importedName(f, name, depth+1); r.ok() {
		return r
	}
	return w.starImport(f, name, depth+1)
}

// importedName is what f imports under a name.
func (w *worker) importedName(f *source, name string, depth int) found {
	v, ok := f.binds[name]
	if !ok {
		return found{}
	}
	if !v.inside {
		return w.externalName(f, name)
	}
	for _, u := range v.units {
		if v.member == "" || v.member == "*" {
			return found{t: typ{form: formUnit, id: u}}
		}
		if v.member == chunk.WholeModule || v.member == "default" {
			if r := w.wholeExport(u, depth); r.ok() {
				return r
			}
			if v.member == chunk.WholeModule {
				return found{t: typ{form: formUnit, id: u}}
			}
		}
		member, rest, static := strings.Cut(v.member, ".")
		if r := w.inUnit(u, member, depth); r.ok() {
			for static && r.ok() {
				member, rest, static = strings.Cut(rest, ".")
				r = w.resolveMember(r, member, depth)
			}
			return r
		}
		if member == "default" {
			if r := w.defaultExport(u, name, depth); r.ok() {
				return r
			}
		}
	}
	return found{}
}

// wholeExport is what a JavaScript file exports as a whole.
func (w *worker) wholeExport(u int32, depth int) found {
	f := &w.b.files[w.b.units[u].files[0]]
	if f.wholeExport == "" || depth >= maxReexp {
		return found{}
	}
	return w.global(f, f.wholeExport, depth+1)
}

// isRequired tells whether definition n of a file of JavaScript only names
// what it imports.
func (b *builder) isRequired(f *source, n int32, name string) bool {
	if !f.rules.imports.reexported || b.nodes[n].kind != NodeVar {
		return false
	}
	_, ok := f.binds[name]
	return ok
}

// isMock tells whether function n is what tests put in the place of another, which f
// does not see.
func (b *builder) isMock(f *source, n int32) bool {
	d := &b.nodes[n]
	return f.rules.variants.copies && !f.test && d.kind == NodeFunction && b.files[d.file].test
}

// defaultExport guesses the default export of a file: the definition that bears
// the name it is imported by, or the file's only one.
func (w *worker) defaultExport(u int32, name string, depth int) found {
	names := w.b.units[u].names
	if n, ok := names[name]; ok {
		return w.definition(n, depth)
	}
	if len(names) == 1 {
		for _, n := range names {
			return w.definition(n, depth)
		}
	}
	return found{}
}

// starImport finds a name among what f imports whole.
func (w *worker) starImport(f *source, name string, depth int) found {
	outside := false
	for _, v := range f.stars {
		for _, u := range v.units {
			if depth < maxReexp {
				if r := w.inUnit(u, name, depth); r.ok() {
					return r
				}
			}
		}
		outside = outside || !v.inside
	}
	if outside && f.rules.names.declared {
		return external
	}
	if platform := f.rules.types.platform; outside && platform != nil && platform(name) { // of java.io.*, java.util.* and the like
		return w.externalName(f, name)
	}
	return found{}
}

// global finds a bare name as f sees it: in its unit, its imports, the language.
func (w *worker) global(f *source, name string, depth int) found {
	if find := f.rules.names.find; find != nil {
		return find(w, f, name, depth)
	}
	if f.rules.imports.first { // a single import hides what the package declares
		if r := w.importedName(f, name, depth); r.ok() {
			return r
		}
	}
	if f.unit >= 0 {
		if n, ok := w.b.units[f.unit].names[name]; ok && !w.b.isRequired(f, n, name) && !w.b.isMock(f, n) {
			return w.definition(n, depth)
		}
	}
	if r := w.importedName(f, name, depth); r.ok() {
		return r
	}
	if r := w.starImport(f, name, depth); r.ok() {
		return r
	}
	is := &f.rules.names
	if is.builtin != nil && is.builtin(name) || is.free {
		return w.externalName(f, name)
	}
	if is.rest != nil {
		return is.rest(w, f, name, depth)
	}
	return found{}
}

// externalName is a name from outside; in Java it has a number when it may be a type.
func (w *worker) externalName(f *source, name string) found {
	r := external
	if f.rules.types.outside && name[0] < 'a' {
		r.t.id = w.b.externals.id(name)
	}
	return r
}

// typeNamed resolves the text of a type as it is in f, inside scope.
func (w *worker) typeNamed(f *source, scope, text string, depth int) typ {
	if text == "" || depth > maxAlias {
		return typ{}
	}
	key := text
	if scope != "" && !f.rules.names.flat {
		key = scope + "\x00" + text
	}
	if t, ok := w.cache[key]; ok && w.cached == f {
		return t
	}
	wraps, base := splitType(text)
	t := w.plainType(f, scope, base, depth)
	for i := len(wraps) - 1; i >= 0; i-- {
		t = t.wrapped(wraps[i])
	}
	if w.cached == f {
		w.cache[key] = t
	}
	return t
}

// plainType resolves a type without containers.
func (w *worker) plainType(f *source, scope, base string, depth int) typ {
	if base == "" {
		return typ{}
	}
	if w.f == nil { // types are compared before any file is walked
		w.f = f
		defer func() { w.f = nil }()
	}
	if strings.Contains(base, "::") {
		base = strings.ReplaceAll(base, "::", ".")
	}
	name, rest, more := strings.Cut(base, ".")
	var r found
	if f.unit >= 0 {
		for s := scope; s != ""; s = outerScope(s) {
			if t, ok := w.b.units[f.unit].types[s+"."+name]; ok {
				r.t = typ{form: formType, id: t}
				break
			}
			if t, ok := w.b.units[f.unit].types[s]; ok && (name == "Self" || name == "self" || name == "static") {
				r.t = typ{form: formType, id: t}
				break
			}
		}
	}
	if !r.ok() {
		r = w.global(f, name, depth+1)
	}
	for more && r.ok() {
		name, rest, more = strings.Cut(rest, ".")
		r = w.resolveMember(r, name, depth+1)
	}
	switch r.t.form {
	case formType:
		t := r.t
		t.form = formValue
		return t
	case formExternal:
		t := typ{form: formExternal}
		if f.rules.types.outside {
			t.id = w.b.externals.id(lastName(base))
		}
		return t
	case formSpace, formNone:
		if f.rules.names.declared && len(base) > 1 { // every type is declared: this one elsewhere
			return typ{form: formExternal}
		}
	}
	return typ{}
}

func outerScope(s string) string {
	if i := strings.LastIndexByte(s, '.'); i >= 0 {
		return s[:i]
	}
	return ""
}

// followAliases resolves a type that is an alias to the type it stands for.
func (w *worker) followAliases(t typ) typ {
	for range maxAlias {
		if t.form != formValue && t.form != formType || t.wraps != 0 || t.id < 0 || w.b.types[t.id].kind != "alias" {
			break
		}
		u := w.b.types[t.id].underlying
		if u.form == formNone {
			break
		}
		if t.form == formType && u.form == formValue && u.wraps == 0 {
			u.form = formType
		}
		t = u
	}
	return t
}

// methodsOf are the methods of a type that have a name, without inherited ones.
func (i *typeInfo) methodsOf(name string) []method {
	from := sort.Search(len(i.methods), func(k int) bool { return i.methods[k].name >= name })
	to := from
	for to < len(i.methods) && i.methods[to].name == name {
		to++
	}
	return i.methods[from:to]
}

// hasField tells whether a type declares a field of that name.
func (i *typeInfo) hasField(name string) bool {
	return slices.ContainsFunc(i.fields, func(f field) bool { return f.name == name })
}

// memberOf finds a member of a type, or of what it inherits from or embeds.
func (w *worker) memberOf(id int32, name string, static bool, depth int) found {
	queue := []int32{id}
	outside := false
	for at := 0; at < len(queue) && at < maxBases; at++ {
		i := &w.b.types[queue[at]]
		if ms := w.b.callable(i.methodsOf(name)); len(ms) > 0 && w.part != fieldPart && !(w.plain && i.hasField(name)) {
			if w.f != nil && w.f.rules.variants.copies {
				ms = ms[:min(len(ms), maxTargets)]
			}
			nodes := w.b.liveMethods(ms)
			r := found{t: typ{form: formFunc, id: nodes[0]}, tier: tierKnown, nodes: nodes[:min(len(nodes), maxTargets)]}
			if static {
				r.tier = tierResolved
			}
			if !static && i.abstract() {
				r.tier = tierDispatched
				if to := &w.b.types[id]; to.abstract() {
					i = to
				}
				r.nodes = w.dispatchTargets(i, name, r.nodes)
			}
			return r
		}
		for k := range i.fields {
			if i.fields[k].name != name || w.part == methodPart {
				continue
			}
			r := found{t: i.fields[k].t}
			if i.kind == "interface" && r.t.outer() == wrapFunc {
				if to := &w.b.types[id]; to.kind == "interface" {
					i = to
				}
				r.tier = tierDispatched
				r.nodes = w.dispatchTargets(i, name, nil)
			}
			if !r.ok() {
				r.t = typ{form: formValue, id: -1}
			}
			return r
		}
		for _, t := range i.bases {
			if w.f != nil && w.f.rules.types.embeds && t.form == formValue && t.wraps == 0 && t.id >= 0 && w.b.nameOf(w.b.types[t.id].node) == name {
				return found{t: t, tier: tierKnown} // an embedded type is a field of its name
			}
			outside = w.inherit(t, &queue) || outside
		}
		if i.underlying.form != formNone {
			outside = w.inherit(i.underlying, &queue) || outside
		}
		if i.companion.form != formNone {
			w.inherit(i.companion, &queue)
		}
	}
	if outside {
		return external
	}
	return found{}
}

// inherit appends the type of a base to queue; it reports whether that lies
// outside of the repository.
func (w *worker) inherit(t typ, queue *[]int32) (outside bool) {
	t = w.followAliases(t)
	if t.form == formExternal {
		return true
	}
	if t.form != formValue || t.wraps != 0 || t.id < 0 {
		return false
	}
	for _, q := range *queue {
		if q == t.id {
			return false
		}
	}
	*queue = append(*queue, t.id)
	return false
}

// dispatchTargets adds to nodes the methods that a call of an interface's method
// may reach. What tests put in its place is reached from tests alone.
func (w *worker) dispatchTargets(i *typeInfo, name string, nodes []int32) []int32 {
	for _, list := range [][]int32{i.implementers, i.subtypes} {
		if len(list) > maxTargets {
			continue
		}
		for _, t := range list {
			all := w.concreteMethods(t, name)
			if w.f == nil || w.f.rules.calls.overloads != overloadTypes { // one of a name
				all = all[:min(1, len(all))]
			}
			for _, m := range all {
				if w.f == nil || w.f.test || !w.b.files[w.b.nodes[m.node].file].test {
					nodes = append(nodes, m.node)
				}
			}
		}
	}
	return nodes
}

// concreteMethods are the methods of a type by name, its own or inherited.
func (w *worker) concreteMethods(id int32, name string) []method {
	queue := []int32{id}
	for at := 0; at < len(queue) && at < maxBases; at++ {
		i := &w.b.types[queue[at]]
		if ms := i.methodsOf(name); len(ms) > 0 {
			return ms
		}
		for _, t := range i.bases {
			w.inherit(t, &queue)
		}
	}
	return nil
}
