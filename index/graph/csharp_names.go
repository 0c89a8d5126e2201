package graph

import (
	"strings"

	"github.com/topo-dev/topo/chunk"
)

// Names of C# are looked up by namespace: in that of the file and those around it,
// then in those that using directives name. A namespace is no unit, since one may
// be there only for what is in it.

// namespace is one namespace of the tree.
type namespace struct {
	parent int32 // −1 of the global one
	types  map[string]int32
	inner  map[string]int32
}

// csharpScope is what a file of C# sees beyond its own definitions.
type csharpScope struct {
	home    int32 // its namespace
	usings  []int32
	statics []int32        // types whose members it may name alone
	aliases map[string]typ // by "using X = …"
}

// makeNamespaces enters the types of C# by namespace. The first is the global one.
func (b *builder) makeNamespaces() {
	for i := range b.files {
		f := &b.files[i]
		if f.rules == nil || f.rules.names.find == nil {
			continue
		}
		if b.namespaces == nil {
			b.namespaces = []namespace{{parent: -1}}
		}
		f.csharp.home = b.addNamespace(f.facts.Package)
		types := b.units[f.unit].types
		for c := range f.chunks {
			k := &f.chunks[c]
			if k.Kind != chunk.Type || f.nodeOf[c] == none {
				continue
			}
			if _, nested := types[k.Scope]; nested {
				continue
			}
			s := &b.namespaces[b.addNamespace(k.Scope)]
			if s.types == nil {
				s.types = map[string]int32{}
			}
			if _, ok := s.types[k.Name]; !ok {
				s.types[k.Name] = b.nodes[f.nodeOf[c]].typ
			}
		}
	}
}

func (b *builder) addNamespace(path string) int32 {
	at := int32(0)
	for name := range strings.SplitSeq(path, ".") {
		if name == "" {
			continue
		}
		next, ok := b.namespaces[at].inner[name]
		if !ok {
			next = int32(len(b.namespaces))
			b.namespaces = append(b.namespaces, namespace{parent: at})
			if b.namespaces[at].inner == nil {
				b.namespaces[at].inner = map[string]int32{}
			}
			b.namespaces[at].inner[name] = next
		}
		at = next
	}
	return at
}

// csharpLinked finds what the using directives of a file name.
func csharpLinked(l *linking) {
	s := &l.source.csharp
	s.usings, s.statics, s.aliases = nil, nil, nil
	w := worker{b: l.b, f: l.source, chunk: -1}
	for i := range l.facts.Binds {
		d := &l.facts.Binds[i]
		first, rest, more := strings.Cut(d.Path, ".")
		r := w.inNamespaces(first)
		for more && r.ok() {
			first, rest, more = strings.Cut(rest, ".")
			r = w.resolveMember(r, first, 0)
		}
		switch t := r.t; {
		case d.Name != "*" && t.form == formNone:
			s.alias(d.Name, typ{form: formExternal})
		case d.Name != "*":
			s.alias(d.Name, t)
		case t.form == formSpace && d.Member == "":
			s.usings = append(s.usings, t.id)
		case t.form == formType && d.Member != "":
			s.statics = append(s.statics, t.id)
		}
	}
}

func (s *csharpScope) alias(name string, t typ) {
	if s.aliases == nil {
		s.aliases = map[string]typ{}
	}
	s.aliases[name] = t
}

// inNamespaces finds a name in the namespace of the file and those around it.
func (w *worker) inNamespaces(name string) found {
	if name == "global" {
		return found{t: typ{form: formSpace}}
	}
	for at := w.f.csharp.home; at >= 0; at = w.b.namespaces[at].parent {
		if r := w.inNamespace(at, name); r.ok() {
			return r
		}
	}
	return found{}
}

// inNamespace finds a type or namespace in a namespace.
func (w *worker) inNamespace(id int32, name string) found {
	s := &w.b.namespaces[id]
	if t, ok := s.types[name]; ok {
		return found{t: typ{form: formType, id: t}, nodes: []int32{w.b.types[t].node}}
	}
	if n, ok := s.inner[name]; ok {
		return found{t: typ{form: formSpace, id: n}}
	}
	return found{}
}

// csharpFind finds a bare name as a file of C# sees it.
func csharpFind(w *worker, f *source, name string, depth int) found {
	if alias, member, ok := strings.Cut(name, "::"); ok {
		r := csharpFind(w, f, alias, depth)
		if !r.ok() {
			return r
		}
		return w.resolveMember(r, member, depth)
	}
	if w.f != f {
		w = &worker{b: w.b, f: f, chunk: -1}
	}
	s := &f.csharp
	if t, ok := s.aliases[name]; ok {
		r := found{t: t}
		if t.form == formType {
			r.nodes = []int32{w.b.types[t.id].node}
		}
		return r
	}
	if r := w.inNamespaces(name); r.ok() {
		return r
	}
	for _, n := range s.usings {
		if t, ok := w.b.namespaces[n].types[name]; ok {
			return found{t: typ{form: formType, id: t}, nodes: []int32{w.b.types[t].node}}
		}
	}
	for _, t := range s.statics {
		if r := w.memberOf(t, name, true, depth); r.ok() && r.t.form != formExternal {
			return r
		}
	}
	if csharpKeywordType(name) || strings.HasSuffix(name, "?") || name == "nameof" || name == "null" || name != "" && name[0] >= 'A' && name[0] <= 'Z' && !csharpVariable(name) {
		return found{t: typ{form: formExternal, id: w.b.externals.id(name)}} // no directive says where it is from
	}
	return found{}
}

// csharpVariable reports whether a name is that of a type parameter by custom: T, TKey.
func csharpVariable(name string) bool {
	return len(name) == 1 || name[0] == 'T' && name[1] >= 'A' && name[1] <= 'Z'
}

// extensionTarget finds the extension methods of a name that a value of type t may
// be asked for, in the namespaces that the file sees.
func (w *worker) extensionTarget(t typ, name string) found {
	var yes, maybe []int32
	for _, n := range w.b.extensions[name] {
		d := &w.b.nodes[n]
		f := &w.b.files[d.file]
		if f.test && !w.f.test || !w.seesNamespace(f.csharp.home) {
			continue
		}
		params, fact := w.b.paramTypes(n), w.b.functionFact(n)
		if len(params) == 0 {
			continue
		}
		switch acceptsCSharp(w.b, params[0], fact.Params[0].Type, t) {
		case fitYes, fitBoxed:
			yes = append(yes, n)
		case fitMaybe:
			maybe = append(maybe, n)
		}
	}
	tier := tierKnown
	if len(yes) == 0 {
		yes, tier = maybe, tierName
	}
	if len(yes) == 0 || len(yes) > maxTargets {
		return found{}
	}
	return found{t: typ{form: formFunc, id: yes[0]}, tier: tier, nodes: yes}
}

// seesNamespace reports whether the file sees the types of a namespace by bare name.
func (w *worker) seesNamespace(id int32) bool {
	for at := w.f.csharp.home; at >= 0; at = w.b.namespaces[at].parent {
		if at == id {
			return true
		}
	}
	for _, n := range w.f.csharp.usings {
		if n == id {
			return true
		}
	}
	return false
}

func (w *worker) isProperty(r found) bool {
	if r.t.form != formFunc || !w.f.rules.names.properties || len(r.nodes) == 0 {
		return false
	}
	fact := w.b.functionFact(r.t.id)
	return fact != nil && fact.Form == chunk.FormProperty
}

// propertyValue is the value of a property that a chain names; other things stay
// what they are.
func (w *worker) propertyValue(r found) found {
	if !w.isProperty(r) {
		return r
	}
	if r.tier <= tierKnown {
		w.touched = append(w.touched, r.nodes[0])
	}
	d := &w.b.nodes[r.t.id]
	v := typ{}
	if f := &w.b.files[d.file]; int(d.fact) < len(f.result) && len(f.result[d.fact]) > 0 {
		v = f.result[d.fact][0]
	}
	return w.value(v)
}

// propertyOrType is the type that a property has the name of, where the chain ends
// there and is called: "new Color()" in a type with "Color Color".
func (w *worker) propertyOrType(r found, chain string) found {
	if r.t.form != formFunc || !w.isProperty(r) || strings.IndexByte(chain, '.') >= 0 {
		return r
	}
	t := w.typeNamed(w.f, w.scope, chain, 0)
	if t.form != formValue || t.wraps != 0 || t.id < 0 {
		return r
	}
	return found{t: typ{form: formType, id: t.id}, nodes: []int32{w.b.types[t.id].node}}
}

// nullableMember is a member of a type from outside; that of "int?" may be the int.
func (w *worker) nullableMember(t typ, name string) found {
	if of, ok := strings.CutSuffix(w.b.externals.name(t), "?"); ok && t.wraps == 0 {
		switch name {
		case "Value":
			return w.value(typ{form: formExternal, id: w.b.externals.id(of)})
		case "GetValueOrDefault":
			return found{t: typ{form: formExternal, id: w.b.externals.id(of)}}
		}
	}
	return external
}

// callable leaves out of the methods of a name those that no code calls by it.
func (b *builder) callable(ms []method) []method {
	for i := range ms {
		if !b.isCallable(ms[i].node) {
			out := append([]method(nil), ms[:i]...)
			for _, m := range ms[i+1:] {
				if b.isCallable(m.node) {
					out = append(out, m)
				}
			}
			return out
		}
	}
	return ms
}

func (b *builder) isCallable(n int32) bool {
	fact := b.functionFact(n)
	return fact == nil || fact.Form != chunk.FormExplicit && fact.Form != chunk.FormInitializer
}
