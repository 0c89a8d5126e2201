package algo

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
)

// labelNames is how many of its most linked files a label names.
const labelNames = 2

// links counts the weights of links: of communities within and to others, of
// files within their community.
type links struct{ inside, outside, file []int }

func (f *fileGraph) count(in []int32, groups int) *links {
	l := &links{make([]int, groups), make([]int, groups), make([]int, len(f.paths))}
	for link, w := range f.weight {
		a, b := in[link[0]], in[link[1]]
		switch {
		case a < 0 || b < 0: // of no confidence at all
		case a == b:
			l.inside[a] += w
			l.file[link[0]] += w
			l.file[link[1]] += w
		default:
			l.outside[a] += w
			l.outside[b] += w
		}
	}
	return l
}

// describe gives a community its label and figures.
func (f *fileGraph) describe(id int, group []int, l *links) Community {
	c := Community{ID: id, Size: len(group), Inside: l.inside[id], Outside: l.outside[id]}
	var paths []string
	for _, file := range group {
		c.Files = append(c.Files, f.refs[file])
		paths = append(paths, f.paths[file])
	}
	central := slices.Clone(group)
	slices.SortFunc(central, func(a, b int) int {
		return cmp.Or(cmp.Compare(l.file[b], l.file[a]), cmp.Compare(f.paths[a], f.paths[b]))
	})
	var names []string
	for _, file := range central[:min(labelNames, len(central))] {
		names = append(names, path.Base(f.paths[file]))
	}
	c.Label = strings.Join(names, ", ")
	if dir := sharedDir(paths); dir != "." {
		c.Label = dir + ": " + c.Label
	}
	return c
}

// sharedDir is the deepest directory that holds more than half of the paths, of
// equally deep ones the one with more; "." when there is none below the root.
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
func distinguish(list []Community) {
	seen := map[string]int{}
	for i := range list {
		label := list[i].Label
		if seen[label]++; seen[label] > 1 {
			list[i].Label = label + " #" + strconv.Itoa(seen[label])
		}
	}
}
