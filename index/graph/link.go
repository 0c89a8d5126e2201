package graph

import (
	"slices"

	"github.com/topo-dev/topo/index"
)

// Version changes whenever [Link] may give other edges or ranks than before.
const Version = 6

// targets gathers what the imports of one file lead to.
type targets struct {
	files  []uint32
	groups []uint32 // numbers of tree.groups
}

func (to *targets) file(n uint32)  { to.files = append(to.files, n) }
func (to *targets) group(n uint32) { to.groups = append(to.groups, n) }

// Link resolves the imports of all files and ranks the files by them. It has
// the type of [index.Linker].
func Link(in index.LinkInput) index.Links {
	t := newTree(in)
	resolve := t.resolvers()
	all := make([]targets, len(in.Files))
	for i := range in.Files {
		f := &in.Files[i]
		r := resolve[f.Language]
		if r == nil {
			continue
		}
		for _, imp := range f.Imports {
			if imp.Path != "" {
				r(uint32(i), imp.Path, &all[i])
			}
		}
		all[i].files = distinct(all[i].files, uint32(i))
		all[i].groups = distinct(all[i].groups, none)
	}
	links := edges(all, t.groups)
	links.PageRank = pageRank(all, t.groups)
	return links
}

// resolvers prepares those of the tree's languages, in the order of the registry.
func (t *tree) resolvers() map[string]func(uint32, string, *targets) {
	resolve := make(map[string]func(uint32, string, *targets))
	families := make(map[string][]string) // languages of the tree
	for i := range t.in.Files {
		if l := t.in.Files[i].Language; t.rules[i] != nil && !slices.Contains(families[t.rules[i].family], l) {
			families[t.rules[i].family] = append(families[t.rules[i].family], l)
		}
	}
	for _, r := range registry {
		languages := families[r.family]
		if r.prepare == nil || len(languages) == 0 || resolve[languages[0]] != nil {
			continue
		}
		f := r.prepare(t)
		for _, l := range languages {
			resolve[l] = f
		}
	}
	return resolve
}

// none is no file.
const none = ^uint32(0)

// distinct sorts ns and drops repeats and the number without.
func distinct(ns []uint32, without uint32) []uint32 {
	slices.Sort(ns)
	ns = slices.Compact(ns)
	if i, ok := slices.BinarySearch(ns, without); ok {
		ns = slices.Delete(ns, i, i+1)
	}
	return ns
}

// Bounds against trees made to burst the edges: a package of thousands of files
// that thousands import. Real packages stay far below (the largest of the Go
// standard library and of Kubernetes have about a hundred). The rank has no such
// edges and no such bound.
const (
	maxMembers = 512     // of a group that become edges of one importer
	maxEdges   = 8 << 20 // after that, one member stands for a group
)

// edges writes the targets as rows of file numbers, groups as their members.
func edges(all []targets, groups [][]uint32) index.Links {
	links := index.Links{Off: make([]uint32, len(all)+1)}
	seen := make([]uint32, len(all)) // 1 + the file that last had it as a target
	for i := range all {
		start := len(links.To)
		add := func(n uint32) {
			if n != uint32(i) && seen[n] != uint32(i)+1 {
				seen[n] = uint32(i) + 1
				links.To = append(links.To, n)
			}
		}
		for _, n := range all[i].files {
			add(n)
		}
		for _, g := range all[i].groups {
			members := groups[g]
			if len(links.To) > maxEdges {
				members = members[:1]
			}
			for _, n := range members[:min(len(members), maxMembers)] {
				add(n)
			}
		}
		slices.Sort(links.To[start:])
		links.Off[i+1] = uint32(len(links.To))
	}
	if len(links.To) == 0 {
		links.Off = nil
	}
	return links
}
