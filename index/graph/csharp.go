package graph

import (
	"strings"

	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/scan/lang"
	"github.com/topo-dev/topo/stream"
)

var csharpRules = &rules{
	family:  "csharp",
	prepare: prepareCSharp,
	imports: importRules{linked: csharpLinked},
	names:   nameRules{unit: unitSpace, implicit: true, find: csharpFind, properties: true},
	types:   typeRules{outside: true},
	calls:   callRules{ctors: []string{"."}, overloads: overloadTypes, accepts: acceptsCSharp, inherited: true},
}

// csharpResolver leads a using directive to the files that declare a type of its
// namespace, and one of a type to the files that declare that.
type csharpResolver struct {
	t          *tree
	namespaces map[string]*csharpFiles
	types      map[string]*csharpFiles
	home       []string // namespace of each file
}

// csharpFiles are files with something in common, as libraries and as tests see
// them: what tests declare is there for tests alone.
type csharpFiles struct {
	all, library       []uint32
	forTests, forOther int64 // number of the group, −1 before it is made
}

func prepareCSharp(t *tree) func(uint32, string, *targets) {
	r := &csharpResolver{t: t, namespaces: map[string]*csharpFiles{}, types: map[string]*csharpFiles{}, home: make([]string, len(t.in.Files))}
	for i := range t.in.Files {
		f := &t.in.Files[i]
		if t.rules[i] == nil || t.rules[i].family != "csharp" || f.Types == nil {
			continue
		}
		types := f.Types()
		own := make(map[string]bool, len(types))
		for _, name := range types {
			own[name] = true
		}
		for _, name := range types {
			scope := outerScope(name)
			if !own[scope] {
				r.add(r.namespaces, scope, uint32(i))
				if r.home[i] == "" {
					r.home[i] = scope
				}
			}
			r.add(r.types, name, uint32(i))
		}
	}
	return r.resolve
}

func (r *csharpResolver) add(to map[string]*csharpFiles, name string, file uint32) {
	c := to[name]
	if c == nil {
		c = &csharpFiles{forTests: -1, forOther: -1}
		to[name] = c
	}
	if n := len(c.all); n > 0 && c.all[n-1] == file {
		return
	}
	c.all = append(c.all, file)
	if !csharpTest(&r.t.in.Files[file]) {
		c.library = append(c.library, file)
	}
}

func csharpTest(f *index.LinkFile) bool {
	return lang.RoleOf(f.Path, f.Language, nil) == stream.RoleTest
}

// group is the number of the group that a file sees, −1 for one without files.
func (r *csharpResolver) group(c *csharpFiles, from uint32) int64 {
	number, files := &c.forOther, c.library
	if csharpTest(&r.t.in.Files[from]) {
		number, files = &c.forTests, c.all
	}
	if *number < 0 && len(files) > 0 {
		*number = int64(r.t.newGroup(files))
	}
	return *number
}

func (r *csharpResolver) resolve(from uint32, p string, to *targets) {
	p, _, _ = strings.Cut(p, "<")
	p, absolute := strings.CutPrefix(strings.TrimSpace(p), "global::")
	home := ""
	if !absolute {
		home = r.home[from]
	}
	for ; ; home = outerScope(home) {
		name := p
		if home != "" {
			name = home + "." + p
		}
		if c := r.namespaces[name]; c != nil && name != "" {
			if g := r.group(c, from); g >= 0 {
				to.group(uint32(g))
			}
			return
		}
		if c := r.types[name]; c != nil {
			files := c.library
			if csharpTest(&r.t.in.Files[from]) {
				files = c.all
			}
			to.files = append(to.files, files[:min(len(files), maxMembers)]...)
			return
		}
		if home == "" {
			return
		}
	}
}
