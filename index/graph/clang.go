package graph

import "strings"

// cResolver follows what the preprocessor can see without the build's flags: a
// quoted include is looked for beside the file first; then every include is
// looked for below the directories that compilers are usually pointed to; last
// a path that only one file of the tree ends in. An include in angles without a
// directory may be the system's and needs an include directory.
type cResolver struct {
	t      *tree
	byBase map[string][]string // base name → paths
}

func prepareC(t *tree) func(uint32, string, *targets) {
	r := &cResolver{t: t, byBase: map[string][]string{}}
	for i := range t.in.Files {
		f := &t.in.Files[i]
		switch f.Language {
		case "c", "cpp", "objc", "objcpp", "cuda":
			base := f.Path[strings.LastIndexByte(f.Path, '/')+1:]
			r.byBase[base] = append(r.byBase[base], f.Path)
		}
	}
	return r.resolve
}

func (r *cResolver) resolve(from uint32, p string, to *targets) {
	angle := strings.HasPrefix(p, "<")
	p = strings.Trim(p, "<>")
	candidates := r.byBase[p[strings.LastIndexByte(p, '/')+1:]]
	if len(candidates) == 0 || len(candidates) > maxCandidates {
		return
	}
	dir := dirOf(r.t.in.Files[from].Path)
	if !angle {
		if q, ok := join(dir, p); ok && r.t.first(to, q) {
			return
		}
	}
	for strings.HasPrefix(p, "../") || strings.HasPrefix(p, "./") {
		_, p, _ = strings.Cut(p, "/")
	}
	system := angle && !strings.Contains(p, "/")
	found := ancestors(dir, func(d string) bool {
		if r.t.first(to, under(d, "include/"+p), under(d, "inc/"+p)) {
			return true
		}
		return !system && r.t.first(to, under(d, p), under(d, "src/"+p), under(d, "lib/"+p))
	})
	if !found && !system {
		r.ending(candidates, p, to)
	}
}

// ending adds the only candidate that ends in the path.
func (r *cResolver) ending(candidates []string, p string, to *targets) {
	only := ""
	for _, c := range candidates {
		if c == p || strings.HasSuffix(c, "/"+p) {
			if only != "" {
				return
			}
			only = c
		}
	}
	r.t.first(to, only)
}
