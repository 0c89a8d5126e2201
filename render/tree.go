package render

import (
	"path"
	"sort"
	"strings"
)

// appendTree appends the paths of docs as a tree: each folder that holds one of
// them on a line with its full path, its files below it, all sorted. Full paths
// cost fewer tokens than a line for every level.
func appendTree(b []byte, docs []*Doc) []byte {
	paths := make([]string, len(docs))
	for i, d := range docs {
		paths[i] = d.File.Path
	}
	sort.Slice(paths, func(i, j int) bool {
		di, dj := path.Dir(paths[i]), path.Dir(paths[j])
		if di != dj {
			return di < dj
		}
		return paths[i] < paths[j]
	})
	last := "."
	for _, p := range paths {
		dir, name := path.Split(p)
		indent := ""
		if dir = strings.TrimSuffix(dir, "/"); dir == "" {
			dir = "."
		} else {
			indent = "  "
		}
		if dir != last {
			b = append(b, safePath(dir)...)
			b = append(b, "/\n"...)
			last = dir
		}
		b = append(b, indent...)
		b = append(b, safePath(name)...)
		b = append(b, '\n')
	}
	return b
}
