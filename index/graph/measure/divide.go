package measure

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Division is a set of files divided into groups that belong together.
type Division struct {
	Of         []int32 // the group of each file, −1 for a file without links
	Groups     []Group // the largest first
	Modularity float64 // −0.5 to 1; above 0.3 the division means something
}

// Group is one part of a division.
type Group struct {
	Label           string  // the folder that most of its files share, and its most linked files
	Files           []int32 // ascending
	Inside, Outside int64   // weight of the links between its files, and to others
}

// Divide divides the files by their links. The same seed gives the same groups.
func Divide(paths []string, l *Links, seed uint64) *Division {
	d := &Division{Of: make([]int32, len(paths))}
	for i := range d.Of {
		d.Of[i] = -1
	}
	if l.total == 0 {
		return d
	}
	found := louvain(l, seed)
	n := 0
	for _, g := range found {
		n = max(n, int(g)+1)
	}
	d.Modularity = l.modularity(found, n)
	groups := make([]Group, n)
	for i, g := range found {
		if l.degree[i] > 0 {
			groups[g].Files = append(groups[g].Files, int32(i))
		}
	}
	groups = slices.DeleteFunc(groups, func(g Group) bool { return len(g.Files) == 0 })
	slices.SortFunc(groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(len(b.Files), len(a.Files)), cmp.Compare(a.Files[0], b.Files[0]))
	})
	for id, g := range groups {
		for _, file := range g.Files {
			d.Of[file] = int32(id)
		}
	}
	for id := range groups {
		d.describe(&groups[id], int32(id), paths, l)
	}
	distinguish(groups)
	d.Groups = groups
	return d
}

// labelNames is how many of its most linked files a label names.
const labelNames = 2

// describe gives a group its figures and its label.
func (d *Division) describe(g *Group, id int32, paths []string, l *Links) {
	inside := make(map[int32]int64, len(g.Files)) // by file
	var names []string
	for _, i := range g.Files {
		names = append(names, paths[i])
		for k := l.start[i]; k < l.start[i+1]; k++ {
			if d.Of[l.to[k]] == id {
				inside[i] += l.weight[k]
			} else {
				g.Outside += l.weight[k]
			}
		}
		g.Inside += inside[i]
	}
	g.Inside /= 2
	central := slices.Clone(g.Files)
	slices.SortFunc(central, func(a, b int32) int {
		return cmp.Or(cmp.Compare(inside[b], inside[a]), cmp.Compare(paths[a], paths[b]))
	})
	var most []string
	for _, file := range central[:min(labelNames, len(central))] {
		most = append(most, path.Base(paths[file]))
	}
	if len(most) > 1 && most[0] == most[1] { // as types.go of two packages
		for i := range most {
			most[i] = path.Join(path.Base(path.Dir(paths[central[i]])), most[i])
		}
	}
	g.Label = strings.Join(most, ", ")
	if dir := sharedDir(names); dir != "." {
		g.Label = dir + ": " + g.Label
	}
}

// sharedDir is the deepest directory that holds more than half of the paths; "."
// when there is none below the root.
func sharedDir(paths []string) string {
	held := map[string]int{}
	for _, p := range paths {
		for dir := path.Dir(p); dir != "." && dir != "/"; dir = path.Dir(dir) {
			held[dir]++
		}
	}
	best, deep := ".", 0
	for dir, n := range held {
		// Two directories of one depth cannot both hold more than half.
		if d := 1 + strings.Count(dir, "/"); 2*n > len(paths) && d > deep {
			best, deep = dir, d
		}
	}
	return best
}

// distinguish numbers the labels that occur more than once.
func distinguish(groups []Group) {
	seen := map[string]int{}
	for i := range groups {
		label := groups[i].Label
		if seen[label]++; seen[label] > 1 {
			groups[i].Label = label + " #" + strconv.Itoa(seen[label])
		}
	}
}
