package graph

import (
	"strings"

	"github.com/topo-dev/topo/chunk"
)

var rustRules = &rules{
	family:  "rust",
	prepare: prepareRust,
	imports: importRules{bound: rustBound, linked: rustLinked},
	names:   nameRules{unit: unitFile, builtin: oneOf(rustBuiltins)},
	calls:   callRules{ctors: []string{"new"}, macros: true},
}

// rustBuiltins are the names that the language gives without an import.
const rustBuiltins = `Vec String Option Some None Result Ok Err Box Default Clone Iterator IntoIterator From Into TryFrom TryInto AsRef
AsMut Drop Fn FnMut FnOnce ToString ToOwned Copy Send Sync Sized PartialEq Eq PartialOrd Ord Extend drop std core alloc str char
bool u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 println print eprintln eprint format panic assert assert_eq
assert_ne debug_assert debug_assert_eq vec write writeln todo unimplemented unreachable matches`

// rustResolver follows the module tree as rustc builds it from file names and
// what the roots of crates re-export. What is left is an item of the last file.
type rustResolver struct {
	t       *tree
	crates  map[string][]string            // crate name → directories of its Cargo.toml
	own     map[string]string              // directory → the directory of its Cargo.toml
	exports map[string]map[string][]string // root → name → path, see reexports
	hops    int                            // re-exports followed so far
}

func prepareRust(t *tree) func(uint32, string, *targets) {
	r := &rustResolver{t: t, crates: map[string][]string{}, own: map[string]string{}, exports: map[string]map[string][]string{}}
	for _, p := range t.named("Cargo.toml") {
		if name := crateName(string(t.read(p))); name != "" {
			name = strings.ReplaceAll(name, "-", "_")
			r.crates[name] = append(r.crates[name], dirOf(p))
			r.own[dirOf(p)] = dirOf(p)
		}
	}
	return r.resolve
}

// crateName is the name in the [package] table of a Cargo.toml, or in [lib].
func crateName(toml string) string {
	section, pkg, lib := "", "", ""
	for line := range strings.Lines(toml) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = line
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok || strings.TrimSpace(key) != "name" {
			continue
		}
		value, _, _ = strings.Cut(value, "#")
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		switch section {
		case "[package]":
			pkg = value
		case "[lib]":
			lib = value
		}
	}
	if lib != "" {
		return lib
	}
	return pkg
}

func (r *rustResolver) resolve(from uint32, p string, to *targets) {
	file := r.t.in.Files[from].Path
	if name, ok := strings.CutPrefix(p, "mod "); ok {
		d := moduleDir(file)
		if _, elsewhere, ok := strings.Cut(name, "="); ok { // by #[path]
			if p, ok := join(dirOf(file), elsewhere); ok {
				r.t.addFirst(to, p)
			}
			return
		}
		r.t.addFirst(to, joinDir(d, name+".rs"), joinDir(d, name+"/mod.rs"))
		return
	}
	r.path(file, strings.Split(strings.TrimPrefix(p, "::"), "::"), strings.HasPrefix(p, "::"), to)
}

// path resolves a path that a file names; whole tells whether every segment of
// it is a module.
func (r *rustResolver) path(file string, segments []string, absolute bool, to *targets) (whole bool) {
	switch segments[0] {
	case "crate":
		root := r.crateRoot(file)
		return r.descend(dirOf(root), root, segments[1:], to)
	case "self", "super":
		dir := moduleDir(file)
		at := file
		for len(segments) > 0 && (segments[0] == "self" || segments[0] == "super") {
			if segments[0] == "super" {
				if dir == "" {
					return false
				}
				dir = dirOf(dir)
				at = r.fileOf(dir)
			}
			segments = segments[1:]
		}
		return r.descend(dir, at, segments, to)
	}
	return r.external(file, segments, absolute, to)
}

// external resolves a path that starts with a crate of the workspace or, since
// 2018, with a child module.
func (r *rustResolver) external(file string, segments []string, absolute bool, to *targets) (whole bool) {
	if !absolute && len(segments) > 1 {
		d := joinDir(moduleDir(file), segments[0])
		if r.has(d+".rs") || r.has(d+"/mod.rs") {
			return r.descend(moduleDir(file), "", segments, to)
		}
	}
	switch segments[0] {
	case "std", "core", "alloc", "proc_macro", "test":
		return false
	}
	dirs := r.crates[segments[0]]
	if len(dirs) != 1 {
		return false // unknown, or several crates of one name
	}
	src := joinDir(dirs[0], "src")
	return r.descend(src, joinDir(src, "lib.rs"), segments[1:], to)
}

func (r *rustResolver) has(p string) bool { _, ok := r.t.number[p]; return ok }

// descend follows modules from the module with directory dir and file at; whole
// tells whether all segments are modules.
func (r *rustResolver) descend(dir, at string, segments []string, to *targets) (whole bool) {
	for i, s := range segments {
		d := joinDir(dir, s)
		switch {
		case r.has(d + ".rs"):
			at = d + ".rs"
		case r.has(d + "/mod.rs"):
			at = d + "/mod.rs"
		default:
			if last, ok := r.followExport(at, segments[i:], to); ok {
				return last
			}
			r.t.addFirst(to, at)
			return false
		}
		dir = d
	}
	r.t.addFirst(to, at)
	return true
}

// moduleDir is the directory of a file's child modules.
func moduleDir(file string) string {
	dir, base := dirOf(file), file[strings.LastIndexByte(file, '/')+1:]
	switch base {
	case "lib.rs", "main.rs", "mod.rs", "build.rs":
		return dir
	}
	if isCrateRoot(file) {
		return dir
	}
	return joinDir(dir, strings.TrimSuffix(base, ".rs"))
}

// isCrateRoot knows the files that Cargo compiles as crates of their own.
func isCrateRoot(file string) bool {
	dir := dirOf(file)
	switch dir[strings.LastIndexByte(dir, '/')+1:] {
	case "tests", "benches", "examples":
		return !strings.Contains(dir, "src/")
	case "bin":
		return dir == "src/bin" || strings.HasSuffix(dir, "/src/bin")
	}
	return false
}

// fileOf is the file of the module with directory dir.
func (r *rustResolver) fileOf(dir string) string {
	for _, p := range []string{dir + ".rs", joinDir(dir, "mod.rs"), joinDir(dir, "lib.rs"), joinDir(dir, "main.rs")} {
		if r.has(p) {
			return p
		}
	}
	return ""
}

// crateRoot is the root file of the crate that file belongs to.
func (r *rustResolver) crateRoot(file string) string {
	if isCrateRoot(file) {
		return file
	}
	root := ""
	ancestors(dirOf(file), func(d string) bool {
		for _, p := range []string{"lib.rs", "main.rs"} {
			if p = joinDir(d, p); r.has(p) {
				root = p
				return true
			}
		}
		_, manifest := r.own[d]
		return manifest
	})
	if root == "" {
		return file
	}
	return root
}

// rustBound binds the item that a path ends in, unless that is the module.
func rustBound(l *linking, d *chunk.Bind, v bind) bind {
	if v.member == "" && len(v.units) > 0 {
		if last := d.Path[strings.LastIndexByte(d.Path, ':')+1:]; !l.b.isModule(v.units[0], last) {
			v.member = last
		}
	}
	return v
}

// rustLinked binds the modules that a file declares.
func rustLinked(l *linking) {
	for _, imp := range l.imports {
		name, ok := strings.CutPrefix(imp.Path, "mod ")
		if !ok {
			continue
		}
		name, _, _ = strings.Cut(name, "=")
		if units, files := l.units(imp.Path); files == 1 {
			l.binds[name] = bind{units: units, inside: true}
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
