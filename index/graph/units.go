package graph

import (
	"slices"
	"strings"

	"github.com/topo-dev/topo/chunk"
)

// unit is a scope whose names its files see without an import: a Go or Java
// package, a Python or JavaScript file, all of a C program.
type unit struct {
	files []uint32
	// names are the definitions at its top level, by bare name; others of the
	// same name follow by nodeInfo.next.
	names map[string]int32
	// types are its types by their qualified name.
	types map[string]int32
	// others are, where a name has types in several files that are not one, all
	// of them; see sameType.
	others map[string][]int32
	// space is the namespace of a unit whose files are mostly of others.
	space string
}

// unitOf says what is one unit in a language.
type unitOf uint8

const (
	unitFile    unitOf = iota // each file
	unitPackage               // files of one directory and one package clause
	unitSpace                 // files of one package or namespace, wherever they are
	unitAll                   // all files of the language
)

// makeUnits gathers the files by unit and fills the units' names. Units are
// numbered in the order of their first file.
func (b *builder) makeUnits() {
	number := map[string]int32{}
	b.spaces = number
	for i := range b.files {
		f := &b.files[i]
		f.unit = -1
		if f.rules == nil {
			continue
		}
		key := f.rules.family + "\x00"
		switch f.rules.names.unit {
		case unitFile:
			key += f.Path
		case unitPackage:
			key += dirOf(f.Path) + "\x00" + f.facts.Package
		case unitSpace:
			if key += f.facts.Package; f.facts.Package == "" && !f.rules.names.root {
				key += "\x00" + dirOf(f.Path)
			}
		}
		u, ok := number[key]
		if !ok {
			u = int32(len(b.units))
			number[key] = u
			b.units = append(b.units, unit{})
		}
		f.unit = u
		b.units[u].files = append(b.units[u].files, uint32(i))
	}
	for u := range b.units {
		b.fillUnit(int32(u))
	}
	for i := range b.files {
		if f := &b.files[i]; f.unit >= 0 {
			b.addToNamespaces(uint32(i), f)
		}
	}
}

// addToNamespaces enters the definitions of a file that lie in other namespaces
// than that of the file in theirs, unless another has the name.
func (b *builder) addToNamespaces(number uint32, f *source) {
	var own map[string]int32 // top-level definitions of the file
	for i := range f.facts.Binds {
		d := &f.facts.Binds[i]
		if !strings.HasPrefix(d.Name, chunk.InNamespace) {
			continue
		}
		if own == nil {
			own = map[string]int32{}
			for c := range f.chunks {
				if k := &f.chunks[c]; k.Scope == "" && f.nodeOf[c] != none {
					own[k.Name] = int32(f.nodeOf[c])
				}
			}
		}
		names := b.namesOf(f, strings.TrimPrefix(d.Path, `\`), number)
		if _, taken := names[d.Member]; !taken {
			if n, ok := own[d.Member]; ok {
				names[d.Member] = n
			}
		}
	}
}

// namesOf are the names of a namespace that a file has a part of.
func (b *builder) namesOf(f *source, space string, number uint32) map[string]int32 {
	key := spaceKey(f.rules, space)
	u, ok := b.spaces[key]
	if !ok {
		u = int32(len(b.units))
		b.spaces[key] = u
		b.units = append(b.units, unit{files: []uint32{number}, names: map[string]int32{}, types: map[string]int32{}, space: space})
	}
	return b.units[u].names
}

// spaceKey is the key in builder.spaces of a package or namespace.
func spaceKey(r *rules, space string) string { return r.family + "\x00" + space }

// fillUnit enters the definitions of a unit's files, in order.
func (b *builder) fillUnit(number int32) {
	u := &b.units[number]
	u.names, u.types = map[string]int32{}, map[string]int32{}
	last := map[string]int32{}
	for _, file := range u.files {
		f := &b.files[file]
		for c := range f.chunks {
			n := f.nodeOf[c]
			if n == none {
				continue
			}
			k := &f.chunks[c]
			if k.Kind == chunk.Type {
				b.addType(u, f, file, n, k)
			}
			if k.Scope != "" && (k.Kind == chunk.Method || !b.inNamespace(f, k)) {
				continue
			}
			if k.Name == "_" || k.Name == f.rules.names.hidden && k.Kind == chunk.Function {
				continue
			}
			prev, ok := last[k.Name]
			if head := u.names[k.Name]; ok && f.rules.imports.includes && b.nodes[head].kind == NodeVar && b.nodes[n].kind == NodeFunction {
				// A macro of one header that renames another's function
				// hides it only there.
				b.nodes[n].next, u.names[k.Name] = head, int32(n)
				continue
			}
			if ok {
				b.nodes[prev].next = int32(n)
			} else {
				u.names[k.Name] = int32(n)
			}
			last[k.Name] = int32(n)
		}
	}
}

// inNamespace tells whether a definition with a scope is in nothing but
// namespaces and modules, so its bare name may reach it.
func (b *builder) inNamespace(f *source, k *chunk.Chunk) bool {
	return f.rules.names.unit == unitAll || f.rules.names.unit == unitSpace && k.Kind == chunk.Type
}

// addType enters a type. Declarations of one name in a unit are one type: they
// are its parts, or variants for different builds.
func (b *builder) addType(u *unit, f *source, file uint32, n uint32, k *chunk.Chunk) {
	name := k.Qualified()
	t, ok := u.types[name]
	if ok && f.rules.imports.includes {
		t, ok = b.sameType(u, name, t, int32(file))
	}
	if ok {
		b.types[t].several = true
	} else {
		t = int32(len(b.types))
		b.types = append(b.types, typeInfo{node: int32(n), file: int32(file)})
		if first, ok := u.types[name]; ok {
			u.addType(name, first, t)
		} else {
			u.types[name] = t
		}
	}
	b.nodes[n].typ = t
}

// module names the module that a unit is, "" for none: Go packages, and
// packages and namespaces of languages that declare them.
func (b *builder) module(number int32) string {
	u := &b.units[number]
	f := &b.files[u.files[0]]
	switch f.rules.names.unit {
	case unitPackage:
		dir := dirOf(f.Path)
		path := b.tree.goPath(dir)
		if path == "" {
			if path = dir; dir == "" {
				path = "."
			}
		}
		if strings.HasSuffix(f.facts.Package, "_test") && strings.HasSuffix(f.Path, "_test.go") {
			path += "_test"
		}
		return path
	case unitSpace:
		if u.space != "" {
			return u.space
		}
		return f.facts.Package
	}
	return ""
}

// external makes the nodes of modules and of what lies outside.
func (b *builder) external() {
	for u := range b.units {
		name := b.module(int32(u))
		if name == "" {
			continue
		}
		b.modules[int32(u)] = uint32(len(b.nodes))
		n := uint32(len(b.nodes))
		b.nodes = append(b.nodes, nodeInfo{file: noFile, chunk: -1, kind: NodeModule, name: name, typ: -1, fact: -1, next: -1})
		for _, f := range b.units[u].files {
			b.extra = append(b.extra, edge{n, b.files[f].node, EdgeContains, tierResolved})
		}
	}
	names := map[string]bool{}
	for i := range b.files {
		for _, o := range b.files[i].outers {
			names[o] = true
		}
	}
	for _, name := range sortedKeys(names) {
		b.outside[name] = uint32(len(b.nodes))
		b.nodes = append(b.nodes, nodeInfo{file: noFile, chunk: -1, kind: NodeExternal, name: name, typ: -1, fact: -1, next: -1})
	}
	for i := range b.files {
		f := &b.files[i]
		for _, o := range slices.Compact(f.outers) {
			f.edges = append(f.edges, edge{f.node, b.outside[o], EdgeImports, tierResolved})
		}
	}
}
