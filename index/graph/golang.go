package graph

import (
	"strings"

	"github.com/topo-dev/topo/index"
)

var goRules = &rules{
	family:  "go",
	prepare: prepareGo,
	imports: importRules{clause: goClause},
	names:   nameRules{unit: unitPackage, builtin: oneOf(goBuiltins), flat: true, declared: true, hidden: "init", single: true},
	types:   typeRules{structural: true, embeds: true},
	calls:   callRules{conversions: true},
	// A file with the suffix of another system takes the place of this one.
	variants: variantRules{builds: true},
}

// goBuiltins are the names that the language gives without an import.
const goBuiltins = `append cap clear close complex copy delete imag len make max min new panic print println real recover
bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string
uint uint8 uint16 uint32 uint64 uintptr any true false iota nil`

// goModule is one go.mod of the tree.
type goModule struct {
	path string // as declared
	dir  string
}

// goResolver follows the module rules: an import belongs to the module with
// the longest path that is its prefix, and to the directory that is left below
// that module's own. What no module of the tree claims is the standard library
// or a dependency, and has no edge unless it is vendored here.
type goResolver struct {
	t       *tree
	group   map[string]uint32      // of a directory with non-test Go files
	own     map[string]*goModule   // innermost module of a directory
	modules map[string][]*goModule // by declared or replaced path
	found   map[goImport]uint32    // groups of the imports met so far, none for no package
}

// goImport is an import in a module.
type goImport struct {
	own  *goModule
	path string
}

func prepareGo(t *tree) func(uint32, string, *targets) {
	r := &goResolver{t: t, group: map[string]uint32{}, own: map[string]*goModule{}, modules: map[string][]*goModule{}, found: map[goImport]uint32{}}
	dirs, files := t.byDir(func(f *index.LinkFile) bool {
		return f.Language == "go" && !strings.HasSuffix(f.Path, "_test.go")
	})
	for _, d := range dirs {
		r.group[d] = t.newGroup(files[d])
	}
	byDir := map[string]*goModule{}
	var replaced [][2]string
	for _, p := range t.named("go.mod") {
		name, local := parseGoMod(string(t.read(p)))
		if name == "" {
			continue
		}
		m := &goModule{path: name, dir: dirOf(p)}
		byDir[m.dir] = m
		r.modules[name] = append(r.modules[name], m)
		for _, l := range local {
			if dir, ok := join(m.dir, l[1]); ok {
				replaced = append(replaced, [2]string{l[0], dir})
			}
		}
	}
	// A replacement by a directory gives that directory's module a second name.
	for _, l := range replaced {
		if m := byDir[l[1]]; m != nil && m.path != l[0] {
			r.modules[l[0]] = append(r.modules[l[0]], m)
		}
	}
	r.own[""] = byDir[""]
	for i := range t.in.Files {
		if t.in.Files[i].Language == "go" {
			r.moduleOf(byDir, dirOf(t.in.Files[i].Path))
		}
	}
	t.golang = r
	return r.resolve
}

// goPath is the import path of the package in a directory, "" when no go.mod
// says so.
func (t *tree) goPath(dir string) string {
	if t.golang == nil || t.golang.own[dir] == nil {
		return ""
	}
	m := t.golang.own[dir]
	rest := strings.TrimPrefix(strings.TrimPrefix(dir, m.dir), "/")
	if m.path == "std" {
		return rest
	}
	return joinDir(m.path, rest)
}

// moduleOf finds and keeps the innermost module of dir.
func (r *goResolver) moduleOf(byDir map[string]*goModule, dir string) *goModule {
	if m, ok := r.own[dir]; ok {
		return m
	}
	m := byDir[dir]
	if m == nil {
		m = r.moduleOf(byDir, dirOf(dir))
	}
	r.own[dir] = m
	return m
}

func (r *goResolver) resolve(from uint32, p string, to *targets) {
	dir := dirOf(r.t.in.Files[from].Path)
	own := r.own[dir]
	if strings.HasPrefix(p, "./") || strings.HasPrefix(p, "../") {
		if d, ok := join(dir, p); ok {
			if g := r.groupOf(d, own); g != none {
				to.group(g)
			}
		}
		return
	}
	if own == nil {
		return
	}
	key := goImport{own, p}
	g, ok := r.found[key]
	if !ok {
		g = r.find(own, p)
		r.found[key] = g
	}
	if g != none {
		to.group(g)
	}
}

// find is the group of the package that an import in a module leads to.
func (r *goResolver) find(own *goModule, p string) uint32 {
	if own.path == "std" { // the standard library's own sources
		return r.groupOf(joinDir(own.dir, p), own)
	}
	for m := p; m != ""; m = dirOf(m) {
		candidates := r.modules[m]
		if len(candidates) == 0 {
			continue
		}
		rest := strings.TrimPrefix(p[len(m):], "/")
		for _, c := range candidates {
			// Two modules of one name (test data) know only themselves.
			if c == own || len(candidates) == 1 {
				return r.groupOf(joinDir(c.dir, rest), c)
			}
		}
		return none
	}
	return r.groupOf(joinDir(own.dir, "vendor/"+p), own)
}

// groupOf is the package in dir, when it is a package of module m.
func (r *goResolver) groupOf(dir string, m *goModule) uint32 {
	if g, ok := r.group[dir]; ok && r.own[dir] == m {
		return g
	}
	return none
}

// parseGoMod reads the module path and the replacements by directories.
func parseGoMod(src string) (module string, local [][2]string) {
	block := ""
	for line := range strings.Lines(src) {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		verb := block
		switch {
		case block != "" && words[0] == ")":
			block = ""
			continue
		case block == "" && len(words) == 2 && words[1] == "(":
			block = words[0]
			continue
		case block == "":
			verb, words = words[0], words[1:]
		}
		for i := range words {
			words[i] = strings.Trim(words[i], "\"`")
		}
		switch {
		case verb == "module" && len(words) > 0:
			module = words[0]
		case verb == "replace":
			if name, dir, ok := localReplace(words); ok {
				local = append(local, [2]string{name, dir})
			}
		}
	}
	return module, local
}

// localReplace reads "name [version] => ./dir".
func localReplace(words []string) (name, dir string, ok bool) {
	for i, w := range words {
		if w == "=>" && i > 0 && i+1 < len(words) {
			dir = words[i+1]
			return words[0], dir, strings.HasPrefix(dir, "./") || strings.HasPrefix(dir, "../")
		}
	}
	return "", "", false
}

// goClause is the name that an import without one binds: that of the
// package clause, or, outside of the repository, what its path suggests.
func goClause(b *builder, path string, units []int32) string {
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
