package graph

import (
	"slices"
	"strings"

	"github.com/topo-dev/topo/chunk"
)

// bind is what a name that a file imports stands for.
type bind struct {
	units  []int32 // it, or its member, is of one of these
	member string  // "" for the unit itself
	inside bool    // it is of the repository
}

// link resolves the imports and the names they bind, and draws the edges of
// imports.
func (b *builder) link() {
	groups := make([]int32, len(b.tree.groups))
	for i := range groups {
		groups[i] = -2 // not looked at
	}
	b.group = func(g uint32) int32 {
		for int(g) >= len(groups) { // made while resolving
			groups = append(groups, -2)
		}
		if groups[g] == -2 {
			groups[g] = b.groupUnit(b.tree.groups[g])
		}
		return groups[g]
	}
	for i := range b.files {
		f := &b.files[i]
		if resolve := b.resolve[f.Language]; resolve != nil {
			b.linkFile(uint32(i), f, resolve, b.group)
		}
	}
}

// groupUnit is the unit that most files of a group are in.
func (b *builder) groupUnit(files []uint32) int32 {
	best, most := int32(-1), 0
	count := map[int32]int{}
	for _, f := range files {
		u := b.files[f].unit
		if u < 0 {
			continue
		}
		if count[u]++; count[u] > most {
			best, most = u, count[u]
		}
	}
	return best
}

func (b *builder) linkFile(i uint32, f *source, resolve func(uint32, string, *targets), group func(uint32) int32) {
	var to targets
	for _, imp := range f.imports {
		if imp.Path == "" {
			continue
		}
		to.files, to.groups = to.files[:0], to.groups[:0]
		resolve(i, imp.Path, &to)
		b.importEdges(i, f, imp.Path, &to, group)
		if f.rules == cRules {
			f.includes = append(f.includes, to.files...)
		}
	}
	slices.Sort(f.outers)
	if f.rules == pythonRules { // "from a import b" names a and, maybe, a.b
		whole := map[string]bool{}
		for _, o := range f.outers {
			whole[o] = true
		}
		f.outers = slices.DeleteFunc(f.outers, func(o string) bool {
			i := strings.LastIndexByte(o, '.')
			return i > 0 && whole[o[:i]]
		})
	}
	f.binds = make(map[string]bind, len(f.facts.Binds))
	for n := range f.facts.Binds {
		d := &f.facts.Binds[n]
		if d.Name == chunk.ExportWhole {
			f.wholeExport = d.Member
		}
		if d.Name == "_" || d.Path == "" {
			continue
		}
		to.files, to.groups = to.files[:0], to.groups[:0]
		path := d.Path
		if d.Name == "*" && f.rules == jvmRules && !strings.HasSuffix(path, "*") {
			path += ".*"
		}
		resolve(i, path, &to)
		b.bind(i, f, d, &to, resolve, group)
	}
	if f.rules == rustRules {
		for _, imp := range f.imports {
			name, ok := strings.CutPrefix(imp.Path, "mod ")
			if !ok {
				continue
			}
			name, _, _ = strings.Cut(name, "=")
			to.files, to.groups = to.files[:0], to.groups[:0]
			if resolve(i, imp.Path, &to); len(to.files) == 1 {
				f.binds[name] = bind{units: b.unitsOf(&to, group, nil), inside: true}
			}
		}
	}
}

// isModule tells whether the unit, a file, is the module of that name.
func (b *builder) isModule(u int32, name string) bool {
	p := strings.TrimSuffix(b.files[b.units[u].files[0]].Path, ".rs")
	for _, s := range []string{"/mod", "/lib", "/main"} {
		p = strings.TrimSuffix(p, s)
	}
	return p[strings.LastIndexByte(p, '/')+1:] == name
}

// importEdges draws the edges of one import.
func (b *builder) importEdges(i uint32, f *source, path string, to *targets, group func(uint32) int32) {
	if len(to.files)+len(to.groups) == 0 {
		if f.rules != nil && !strings.HasPrefix(path, ".") && !strings.HasPrefix(path, "crate::") && !strings.HasPrefix(path, "/") {
			f.outers = append(f.outers, path)
		}
		return
	}
	for _, t := range to.files {
		f.edges = append(f.edges, edge{f.node, b.files[t].node, EdgeImports, tierResolved})
	}
	for _, g := range to.groups {
		if u := group(g); u >= 0 && b.module(u) != "" {
			f.edges = append(f.edges, edge{f.node, uint32(u), EdgeImports, toModule})
			continue
		}
		for _, t := range b.tree.groups[g][:min(len(b.tree.groups[g]), maxMembers)] {
			f.edges = append(f.edges, edge{f.node, b.files[t].node, EdgeImports, tierResolved})
		}
	}
}

// toModule marks an edge whose far end is a unit, not yet a node.
const toModule uint8 = 255

// bind enters what one declaration binds.
func (b *builder) bind(i uint32, f *source, d *chunk.Bind, to *targets, resolve func(uint32, string, *targets), group func(uint32) int32) {
	v := bind{member: d.Member, inside: len(to.files)+len(to.groups) > 0}
	v.units = b.unitsOf(to, group, v.units)
	if d.Member != "" && d.Member != "*" && f.rules == pythonRules {
		// The member may be a module of the package.
		to.files, to.groups = to.files[:0], to.groups[:0]
		sub := d.Path + "." + d.Member
		if strings.HasSuffix(d.Path, ".") {
			sub = d.Path + d.Member
		}
		if resolve(i, sub, to); len(to.files) > 0 {
			if units := b.unitsOf(to, group, nil); len(units) > 0 && !slices.Equal(units, v.units) {
				if b.hasName(v.units, d.Member) {
					units = nil
				}
				if units != nil {
					v = bind{units: units, inside: true}
				}
			}
		}
	}
	if f.rules == rustRules && v.member == "" && len(v.units) > 0 {
		if last := d.Path[strings.LastIndexByte(d.Path, ':')+1:]; !b.isModule(v.units[0], last) {
			v.member = last
		}
	}
	name := d.Name
	if name == "" {
		name = b.clauseName(f, d.Path, v.units)
	}
	if name == "." || name == "*" || d.Member == "*" && name == "" {
		f.stars = append(f.stars, v)
		return
	}
	if f.rules == jvmRules && v.inside {
		last := d.Path[strings.LastIndexByte(d.Path, '.')+1:]
		if v.member == "" {
			v.member = last
		} else if v.member != last { // a static member of a class
			v.member = last + "." + v.member
		}
	}
	name = strings.TrimPrefix(name, "export ") // a re-exported name, not bound here
	if _, ok := f.binds[name]; !ok || v.inside {
		f.binds[name] = v
	}
}

func (b *builder) unitsOf(to *targets, group func(uint32) int32, units []int32) []int32 {
	for _, t := range to.files {
		if u := b.files[t].unit; u >= 0 {
			units = append(units, u)
		}
	}
	for _, g := range to.groups {
		if u := group(g); u >= 0 {
			units = append(units, u)
		}
	}
	if len(units) > 1 {
		slices.Sort(units)
		units = slices.Compact(units)
	}
	return units
}

func (b *builder) hasName(units []int32, name string) bool {
	for _, u := range units {
		if _, ok := b.units[u].names[name]; ok {
			return true
		}
	}
	return false
}

// clauseName is the name that an import without one binds in Go: that of the
// package clause, or, outside of the repository, what its path suggests.
func (b *builder) clauseName(f *source, path string, units []int32) string {
	if f.rules != goRules {
		return path
	}
	if len(units) > 0 {
		return b.files[b.units[units[0]].files[0]].facts.Package
	}
	last := path[strings.LastIndexByte(path, '/')+1:]
	if len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" {
		path = strings.TrimSuffix(path, "/"+last)
		last = path[strings.LastIndexByte(path, '/')+1:]
	}
	if i := strings.LastIndex(last, ".v"); i > 0 {
		last = last[:i]
	}
	return strings.TrimSuffix(strings.TrimPrefix(last, "go-"), "-go")
}
