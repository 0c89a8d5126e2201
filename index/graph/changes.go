package graph

import (
	"fmt"
	"slices"
	"strings"

	"github.com/topo-dev/topo/chunk"
)

// changedNames are the names whose declarations changed, or are written in terms
// of one that did.
type changedNames struct {
	b          *builder
	list       []string // in the order found
	seen       map[string]bool
	allMembers map[string]bool // types whose members may all have changed
	all        bool            // too many, or a change that reaches further than names
}

// maxNames is how many names are followed. With more of them a whole build is not
// slower.
const maxNames = 24

func (n *changedNames) add(name string) {
	if n.seen[name] {
		return
	}
	n.seen[name] = true
	n.list = append(n.list, name)
	// A name this short occurs everywhere.
	n.all = n.all || len(name) < 3 || len(n.list) > maxNames
}

// addType adds a type with all its members.
func (n *changedNames) addType(name string) {
	if n.allMembers[name] {
		return
	}
	n.allMembers[name] = true
	n.seen[name] = false // its members have not been looked for
	n.add(name)
}

// compare adds what two states of file i declare differently.
func (n *changedNames) compare(i uint32, old, now *source) {
	if now.rules == nil {
		return
	}
	a, b := declarations(old), declarations(now)
	sameBinds := equalBinds(old.facts.Binds, now.facts.Binds)
	if old.facts.Package != now.facts.Package ||
		!now.rules.names.single && (!sameBinds || !equalImports(old.imports, now.imports) || !equalDeclared(a, b)) {
		n.all = true
		return
	}
	for _, name := range union(a, b) {
		if a[name] != b[name] {
			n.addChanged(name, old, now)
		}
	}
	if !sameBinds {
		n.compareBinds(i, old, now)
	}
}

// compareBinds adds what a file of Go declares in terms of an import that was
// removed or added.
func (n *changedNames) compareBinds(i uint32, old, now *source) {
	resolve := n.b.resolve[now.Language]
	if resolve == nil {
		return
	}
	n.b.linkFile(i, old, resolve, n.b.group)
	n.all = n.all || len(old.stars)+len(now.stars) > 0
	a, b := goImports(old), goImports(now)
	for _, name := range union(a, b) {
		if a[name] != b[name] { // maybe both outside of the repository
			n.addDependents(old, name+".")
			n.addDependents(now, name+".")
		}
	}
	for _, name := range union(old.binds, now.binds) {
		x, was := old.binds[name]
		y, is := now.binds[name]
		if was != is || x.member != y.member || x.inside != y.inside || !slices.Equal(x.units, y.units) {
			n.addDependents(old, name+".")
			n.addDependents(now, name+".")
		}
	}
}

// addChanged adds a name of Go that a file declares differently.
func (n *changedNames) addChanged(name string, old, now *source) {
	x, y := typeFact(old, name), typeFact(now, name)
	if x == nil && y == nil && !hasType(old, name) && !hasType(now, name) {
		n.add(name)
		return
	}
	if x != nil && y != nil && x.Kind == "struct" && y.Kind == "struct" && slices.Equal(x.Bases, y.Bases) &&
		onlyScope(old, name) == onlyScope(now, name) && onlyScope(now, name) != severalScopes {
		for _, f := range append(slices.Clone(x.Fields), y.Fields...) {
			if f.Name == "" || !slices.Equal(fieldsNamed(x, f.Name), fieldsNamed(y, f.Name)) {
				n.add(f.Name)
			}
		}
		return
	}
	n.addType(name)
	n.addMembers(old, name)
	n.addMembers(now, name)
}

// addMentioning adds what f declares in terms of a name.
func (n *changedNames) addMentioning(f *source, name string) {
	if f.rules == nil || !f.rules.names.single {
		return // no language finds names of another
	}
	n.addDependents(f, name)
	for i := range f.facts.Types {
		t := &f.facts.Types[i]
		own := f.chunks[t.Chunk].Name
		for _, m := range t.Fields {
			if t.Kind == "interface" && m.Name == name { // who has the method may now implement it
				n.addType(own)
			}
		}
	}
	if n.allMembers[name] {
		n.addMembers(f, name)
	}
}

// addDependents adds what f declares by a text that holds part.
func (n *changedNames) addDependents(f *source, part string) {
	has := func(text string) bool { return strings.Contains(text, part) }
	for i := range f.facts.Funcs {
		u := &f.facts.Funcs[i]
		takes := func(p chunk.NameType) bool { return has(p.Type) }
		if slices.ContainsFunc(u.Results, has) || f.chunks[u.Chunk].Scope != "" && slices.ContainsFunc(u.Params, takes) {
			n.add(f.chunks[u.Chunk].Name)
		}
	}
	for i := range f.facts.Vars {
		if v := &f.facts.Vars[i]; has(v.Type) || has(v.Expr) {
			n.add(f.chunks[v.Chunk].Name)
		}
	}
	for i := range f.facts.Types {
		t := &f.facts.Types[i]
		if slices.ContainsFunc(t.Bases, has) {
			n.addType(f.chunks[t.Chunk].Name)
		}
		for _, m := range t.Fields {
			switch {
			case !has(m.Type):
			case m.Name == "" || t.Kind != "struct":
				n.addType(f.chunks[t.Chunk].Name)
			default:
				n.add(m.Name)
			}
		}
	}
}

// addMembers adds the members that f declares of a type, and what it is made of.
func (n *changedNames) addMembers(f *source, name string) {
	for c := range f.chunks {
		if k := &f.chunks[c]; lastName(k.Scope) == name {
			n.add(k.Name)
		}
	}
	for i := range f.facts.Types {
		t := &f.facts.Types[i]
		if f.chunks[t.Chunk].Name != name {
			continue
		}
		for _, text := range t.Bases {
			_, base := splitType(text)
			n.addType(lastName(base))
		}
		for _, m := range t.Fields {
			if m.Name != "" {
				n.add(m.Name)
				continue
			}
			if _, base := splitType(m.Type); base != "" {
				n.addType(lastName(base))
			}
		}
	}
}

func lastName(s string) string { return s[strings.LastIndexByte(s, '.')+1:] }

// declarations is what a file declares under each name, in order, as far as other
// files can tell.
func declarations(f *source) map[string]string {
	text := make([]string, len(f.chunks))
	for c := range f.chunks {
		k := &f.chunks[c]
		text[c] = fmt.Sprintf("%d %q %v", k.Kind, k.Scope, k.SigEnd < k.EndByte)
	}
	for i := range f.facts.Types {
		t := &f.facts.Types[i]
		text[t.Chunk] += fmt.Sprintf(" type %q %q %q", t.Kind, t.Bases, t.Fields)
	}
	for i := range f.facts.Funcs {
		u := &f.facts.Funcs[i]
		text[u.Chunk] += fmt.Sprintf(" func %q %q %d %v %d", u.Params, u.Results, u.Optional, u.Variadic, u.Form)
	}
	for i := range f.facts.Vars {
		v := &f.facts.Vars[i]
		text[v.Chunk] += fmt.Sprintf(" var %q %q", v.Type, v.Expr)
	}
	out := map[string]string{}
	for c := range f.chunks {
		if k := &f.chunks[c]; k.Kind != chunk.Import {
			out[k.Name] += text[c] + "\n"
		}
	}
	return out
}

func equalDeclared(a, b map[string]string) bool {
	for _, name := range union(a, b) {
		if a[name] != b[name] {
			return false
		}
	}
	return true
}

// union are the keys of both, sorted.
func union[V any](a, b map[string]V) []string {
	keys := append(sortedKeys(a), sortedKeys(b)...)
	slices.Sort(keys)
	return slices.Compact(keys)
}

func equalBinds(a, b []chunk.Bind) bool {
	return slices.EqualFunc(a, b, func(x, y chunk.Bind) bool {
		return x.Name == y.Name && x.Path == y.Path && x.Member == y.Member
	})
}

func equalImports(a, b []chunk.ImportRef) bool {
	return slices.EqualFunc(a, b, func(x, y chunk.ImportRef) bool { return x.Path == y.Path })
}

func typeFact(f *source, name string) *chunk.TypeFact {
	for i := range f.facts.Types {
		if t := &f.facts.Types[i]; f.chunks[t.Chunk].Name == name {
			return t
		}
	}
	return nil
}

// hasType tells whether a file declares a type of that name; of one with syntax
// errors nothing more may be known.
func hasType(f *source, name string) bool {
	return slices.ContainsFunc(f.chunks, func(k chunk.Chunk) bool {
		return k.Name == name && (k.Kind == chunk.Type || k.Kind == chunk.Impl)
	})
}

// severalScopes is no scope.
const severalScopes = "\x00"

// onlyScope is the scope of the only definition of a name.
func onlyScope(f *source, name string) string {
	scope := severalScopes
	for c := range f.chunks {
		if k := &f.chunks[c]; k.Name == name && k.Kind != chunk.Import {
			if scope != severalScopes {
				return severalScopes
			}
			scope = k.Scope
		}
	}
	return scope
}

func fieldsNamed(t *chunk.TypeFact, name string) (out []string) {
	for _, m := range t.Fields {
		if m.Name == name {
			out = append(out, m.Type)
		}
	}
	return out
}
