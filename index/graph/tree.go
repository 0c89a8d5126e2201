package graph

import (
	"path"
	"slices"
	"strings"

	"github.com/topo-dev/topo/index"
)

// tree is the repository as the resolvers see it.
type tree struct {
	in     index.LinkInput
	number map[string]uint32 // of a path
	rules  []*rules          // of each file
	groups [][]uint32        // files that are imported together, never empty
	golang *goResolver       // nil without Go
}

func newTree(in index.LinkInput) *tree {
	t := &tree{in: in, number: make(map[string]uint32, len(in.Files)), rules: make([]*rules, len(in.Files))}
	for i := range in.Files {
		t.number[in.Files[i].Path] = uint32(i)
		t.rules[i] = rulesOf(in.Files[i].Language)
	}
	return t
}

// maxManifest is the largest manifest that is read, in bytes.
const maxManifest = 1 << 20

// read is the content of a manifest, nil when it cannot be had.
func (t *tree) read(p string) []byte {
	if t.in.Read == nil {
		return nil
	}
	b, err := t.in.Read(p)
	if err != nil || len(b) > maxManifest {
		return nil
	}
	return b
}

// named lists the files with one of the base names, in order of path.
func (t *tree) named(bases ...string) []string {
	var out []string
	for i := range t.in.Files {
		if p := t.in.Files[i].Path; slices.Contains(bases, p[strings.LastIndexByte(p, '/')+1:]) {
			out = append(out, p)
		}
	}
	return out
}

// addFirst adds the first of the paths that is in the tree.
func (t *tree) addFirst(to *targets, paths ...string) bool {
	for _, p := range paths {
		if n, ok := t.number[p]; ok {
			to.file(n)
			return true
		}
	}
	return false
}

// newGroup makes a group of the files; there must be one at least.
func (t *tree) newGroup(files []uint32) uint32 {
	t.groups = append(t.groups, files)
	return uint32(len(t.groups) - 1)
}

// byDir lists the files that keep accepts by their directory, and the
// directories in order of their first file.
func (t *tree) byDir(keep func(f *index.LinkFile) bool) (dirs []string, files map[string][]uint32) {
	files = map[string][]uint32{}
	for i := range t.in.Files {
		f := &t.in.Files[i]
		if !keep(f) {
			continue
		}
		d := dirOf(f.Path)
		if files[d] == nil {
			dirs = append(dirs, d)
		}
		files[d] = append(files[d], uint32(i))
	}
	return dirs, files
}

// dirOf is the directory of a path, empty at the root.
func dirOf(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return ""
}

// join joins below a directory and cleans; ok is false when the result leaves
// the tree.
func join(dir, rel string) (string, bool) {
	p := path.Join(dir, rel)
	if p == "." {
		return "", true
	}
	if p == ".." || strings.HasPrefix(p, "../") || strings.HasPrefix(p, "/") {
		return "", false
	}
	return p, true
}

// joinDir is dir + "/" + rest without cleaning; dir may be empty.
func joinDir(dir, rest string) string {
	if dir == "" {
		return rest
	}
	if rest == "" {
		return dir
	}
	return dir + "/" + rest
}

// isWithin reports whether p is dir or lies below it.
func isWithin(p, dir string) bool {
	return dir == "" || p == dir || len(p) > len(dir) && p[len(dir)] == '/' && p[:len(dir)] == dir
}

// maxCandidates bounds the files or roots of one name that an import is compared
// with. A name that more of them share says nothing, and a hostile tree could
// make every import meet every file.
const maxCandidates = 2000

// nearest is the candidate that shares the longest run of directories with
// from; ok is false when there is none or the first place is shared.
func nearest(from string, candidates []string) (best string, ok bool) {
	most := -1
	for _, c := range candidates {
		switch n := sharedDirs(from, c); {
		case n > most:
			most, best, ok = n, c, true
		case n == most && c != best:
			ok = false
		}
	}
	return best, ok
}

// sharedDirs counts the leading directories that two paths have in common.
func sharedDirs(a, b string) int {
	n := 0
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n++
		}
	}
	return n
}

// ancestors calls fn with dir and each directory above it, the root ("") last,
// until fn returns true; it reports whether fn did.
func ancestors(dir string, fn func(dir string) bool) bool {
	for {
		if fn(dir) {
			return true
		}
		if dir == "" {
			return false
		}
		dir = dirOf(dir)
	}
}
