package graph

import (
	"encoding/json"
	"path"
	"strings"
)

var javascriptRules = &rules{
	family:   "javascript",
	prepare:  prepareJS,
	imports:  importRules{reexported: true},
	names:    nameRules{unit: unitFile, builtin: oneOf(javascriptBuiltins), values: true},
	types:    typeRules{parameters: true},
	calls:    callRules{ctors: []string{"constructor"}},
	variants: variantRules{lastOf: true},
}

// javascriptBuiltins are the names that the language gives without an import.
const javascriptBuiltins = `Array ArrayBuffer BigInt Boolean Buffer DataView Date Error EvalError Float32Array Float64Array Function Int8Array
Int16Array Int32Array Intl JSON Map Math Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set String Symbol
SyntaxError TypeError URIError URL URLSearchParams Uint8Array Uint16Array Uint32Array WeakMap WeakRef WeakSet console document window
globalThis process require module exports setTimeout setInterval setImmediate clearTimeout clearInterval queueMicrotask parseInt
parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI fetch structuredClone super import
describe it test expect beforeEach afterEach beforeAll afterAll jest vi`

// jsResolver follows Node's and TypeScript's rules: relative paths with their
// usual extensions and index files; the paths and baseUrl of the nearest
// tsconfig.json or jsconfig.json; the names of the packages in the tree. What
// none of them gives is a dependency or built in.
type jsResolver struct {
	t        *tree
	configs  map[string]*tsConfig  // by directory
	packages map[string]*jsPackage // by name; nil when several have it
	dirs     map[string]*jsPackage // by directory

	extensions []string // tried for the current import, in this order
}

// jsPackage is a package.json with a name.
type jsPackage struct {
	dir   string
	entry []string // files that it names as its start, in order of preference
}

func prepareJS(t *tree) func(uint32, string, *targets) {
	r := &jsResolver{t: t, configs: map[string]*tsConfig{}, packages: map[string]*jsPackage{}, dirs: map[string]*jsPackage{}}
	for _, p := range t.named("package.json") {
		if strings.Contains("/"+p, "/node_modules/") {
			continue
		}
		var m struct {
			Name, Source, Types, Module string
			Main                        any
		}
		if json.Unmarshal(t.read(p), &m) != nil {
			continue
		}
		main, _ := m.Main.(string)
		pkg := &jsPackage{dir: dirOf(p)}
		for _, e := range []string{m.Source, m.Types, m.Module, main} {
			if e != "" {
				pkg.entry = append(pkg.entry, e)
			}
		}
		r.dirs[pkg.dir] = pkg
		if m.Name == "" {
			continue
		}
		if _, twice := r.packages[m.Name]; twice {
			pkg = nil
		}
		r.packages[m.Name] = pkg
	}
	for _, p := range t.named("jsconfig.json", "tsconfig.json") {
		if c := readTSConfig(t, p, 0); c != nil {
			r.configs[dirOf(p)] = c
		}
	}
	return r.resolve
}

func (r *jsResolver) resolve(from uint32, p string, to *targets) {
	dir := dirOf(r.t.in.Files[from].Path)
	if r.extensions = jsExtensions[:]; r.t.in.Files[from].Language == "javascript" {
		r.extensions = plainExtensions[:]
	}
	p, _, _ = strings.Cut(p, "?") // bundlers' queries: ./a.svg?raw
	if p == "." || p == ".." || strings.HasPrefix(p, "./") || strings.HasPrefix(p, "../") {
		if q, ok := join(dir, p); ok {
			r.module(q, to)
		}
		return
	}
	if p == "" || strings.HasPrefix(p, "node:") || strings.HasPrefix(p, "/") {
		return
	}
	mapped := ancestors(dir, func(d string) bool {
		c := r.configs[d]
		return c != nil && c.resolve(p, func(q string) bool { return r.module(q, to) })
	})
	if mapped || r.workspace(p, to) {
		return
	}
	// The habit of Vite, Next and Vue set-ups, which keep the alias in a script.
	for _, alias := range []string{"@/", "~/"} {
		if rest, ok := strings.CutPrefix(p, alias); ok {
			ancestors(dir, func(d string) bool {
				return r.dirs[d] != nil && (r.module(joinDir(d, "src/"+rest), to) || r.module(joinDir(d, rest), to))
			})
		}
	}
}

// workspace resolves the name of a package of the tree, with or without a path
// inside it.
func (r *jsResolver) workspace(p string, to *targets) bool {
	name, rest, _ := strings.Cut(p, "/")
	if strings.HasPrefix(p, "@") {
		sub, below, _ := strings.Cut(rest, "/")
		name, rest = name+"/"+sub, below
	}
	pkg := r.packages[name]
	if pkg == nil {
		return false
	}
	if rest != "" {
		return r.module(joinDir(pkg.dir, rest), to) || r.module(joinDir(pkg.dir, "src/"+rest), to) || r.module(joinDir(pkg.dir, "lib/"+rest), to)
	}
	return r.entry(pkg, to)
}

// entry resolves a package to its start. What package.json names is often
// built and not in the tree; the source then lies in src by habit.
func (r *jsResolver) entry(pkg *jsPackage, to *targets) bool {
	for _, e := range pkg.entry {
		if q, ok := join(pkg.dir, e); ok && q != pkg.dir && r.file(q, to) {
			return true
		}
	}
	return r.file(joinDir(pkg.dir, "src/index"), to) || r.file(joinDir(pkg.dir, "index"), to) || r.file(joinDir(pkg.dir, "lib/index"), to)
}

// module resolves a path without extension: a file, a package, an index file.
func (r *jsResolver) module(p string, to *targets) bool {
	if r.file(p, to) {
		return true
	}
	if pkg := r.dirs[p]; pkg != nil && p != "" && r.entry(pkg, to) {
		return true
	}
	return r.file(joinDir(p, "index"), to)
}

// What is added to a path, the first that is there: a compiler of TypeScript
// takes its own sources, JavaScript runs what is next to their declarations.
var (
	jsExtensions    = [...]string{".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".json", ".vue", ".svelte"}
	plainExtensions = [...]string{".js", ".jsx", ".mjs", ".cjs", ".json", ".ts", ".tsx", ".d.ts", ".mts", ".cts", ".vue", ".svelte"}
)

// file adds p as it is, with an extension added, or with the extension of the
// source that p is compiled from.
func (r *jsResolver) file(p string, to *targets) bool {
	if n, ok := r.t.number[p]; ok {
		to.file(n)
		return true
	}
	for _, e := range r.extensions {
		if n, ok := r.t.number[p+e]; ok {
			to.file(n)
			return true
		}
	}
	stem := strings.TrimSuffix(p, path.Ext(p))
	switch path.Ext(p) {
	case ".js", ".jsx":
		return r.t.addFirst(to, stem+".ts", stem+".tsx", stem+".d.ts")
	case ".mjs":
		return r.t.addFirst(to, stem+".mts", stem+".d.mts")
	case ".cjs":
		return r.t.addFirst(to, stem+".cts", stem+".d.cts")
	}
	return false
}
