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

// linking is one file whose imports are resolved.
type linking struct {
	*source
	b       *builder
	number  uint32
	resolve func(uint32, string, *targets)
	group   func(uint32) int32
	to      targets // of the last path
}

// follow resolves a path into its targets.
func (l *linking) follow(path string) *targets {
	l.to.files, l.to.groups = l.to.files[:0], l.to.groups[:0]
	l.resolve(l.number, path, &l.to)
	return &l.to
}

// units are those that a path leads to, and how many files it names by itself.
func (l *linking) units(path string) (units []int32, files int) {
	to := l.follow(path)
	return l.b.unitsOf(to, l.group, nil), len(to.files)
}

func (b *builder) linkFile(i uint32, f *source, resolve func(uint32, string, *targets), group func(uint32) int32) {
	l := &linking{source: f, b: b, number: i, resolve: resolve, group: group}
	for _, imp := range f.imports {
		if imp.Path == "" {
			continue
		}
		to := l.follow(imp.Path)
		b.importEdges(i, f, imp.Path, to, group)
		if f.rules.imports.includes {
			f.includes = append(f.includes, to.files...)
		}
	}
	slices.Sort(f.outers)
	f.binds = make(map[string]bind, len(f.facts.Binds))
	for n := range f.facts.Binds {
		d := &f.facts.Binds[n]
		if d.Name == chunk.ExportWhole {
			f.wholeExport = d.Member
		}
		if d.Name == "_" || d.Path == "" {
			continue
		}
		path := d.Path
		if star := f.rules.imports.star; d.Name == "*" && !strings.HasSuffix(path, "*") {
			path += star
		}
		l.bind(d, l.follow(path))
	}
	if linked := f.rules.imports.linked; linked != nil {
		linked(l)
	}
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
func (l *linking) bind(d *chunk.Bind, to *targets) {
	v := bind{member: d.Member, inside: len(to.files)+len(to.groups) > 0}
	v.units = l.b.unitsOf(to, l.group, v.units)
	how := &l.rules.imports
	if how.bound != nil {
		v = how.bound(l, d, v)
	}
	name := d.Name
	if name == "" {
		name = d.Path
		if how.clause != nil {
			name = how.clause(l.b, d.Path, v.units)
		}
	}
	if name == "." || name == "*" || d.Member == "*" && name == "" {
		l.stars = append(l.stars, v)
		return
	}
	name = strings.TrimPrefix(name, "export ") // a re-exported name, not bound here
	if _, ok := l.binds[name]; !ok || v.inside {
		l.binds[name] = v
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
