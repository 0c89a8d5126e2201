package graph

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/topo-dev/topo/chunk"
)

var phpRules = &rules{
	family:   "php",
	prepare:  preparePHP,
	imports:  importRules{bound: phpBound, first: true},
	names:    nameRules{unit: unitSpace, root: true, rest: phpRest, builtin: oneOf(phpBuiltins)},
	types:    typeRules{apart: true, fluent: true},
	calls:    callRules{ctors: []string{"__construct"}},
	variants: variantRules{copies: true},
}

// phpBuiltins are the types that need no import, and "null".
const phpBuiltins = `string int float bool array iterable object mixed callable void never null true false resource`

// phpBound binds a class, function or constant by its full name: any file may
// declare it. A further namespace of the file is one that it sees.
func phpBound(l *linking, d *chunk.Bind, v bind) bind {
	space := strings.TrimPrefix(d.Path, `\`)
	if strings.HasPrefix(d.Name, chunk.InNamespace) {
		u, ok := l.b.spaces[spaceKey(l.rules, space)]
		seen := func(v bind) bool { return v.units[0] == u }
		if ok && len(l.stars) < maxSpaces && !slices.ContainsFunc(l.stars, seen) {
			l.stars = append(l.stars, bind{units: []int32{u}, inside: true})
		}
		return bind{}
	}
	u, ok := l.b.spaces[spaceKey(l.rules, space)]
	if !ok || !l.b.hasName([]int32{u}, d.Member) {
		return bind{}
	}
	if !v.inside { // the path of the file did not say so
		path := strings.TrimPrefix(space+`\`+d.Member, `\`)
		l.outers = slices.DeleteFunc(l.outers, func(o string) bool { return o == path })
		if n := &l.b.nodes[l.b.units[u].names[d.Member]]; n.file != l.number {
			l.edges = append(l.edges, edge{l.node, l.b.files[n.file].node, EdgeImports, tierResolved})
		}
	}
	return bind{units: []int32{u}, member: d.Member, inside: true}
}

// maxSpaces bounds the further namespaces of a file that its names are looked for in.
const maxSpaces = 16

// splitSpace cuts a full name into its namespace and the rest.
func splitSpace(path string) (space, name string) {
	if i := strings.LastIndexByte(path, '\\'); i >= 0 {
		return path[:i], path[i+1:]
	}
	return "", path
}

// phpRest is what a name stands for that neither the namespace nor the imports of
// the file have: one written in full, or a function or constant of no namespace.
// Every other is of PHP itself or from outside.
func phpRest(w *worker, f *source, name string, depth int) found {
	if name[0] == '$' {
		return found{}
	}
	full := name[0] == '\\'
	space, last := splitSpace(strings.TrimPrefix(name, `\`))
	if u, ok := w.b.spaces[spaceKey(f.rules, space)]; ok {
		if n, ok := w.b.units[u].names[last]; ok && (full || w.b.nodes[n].kind != NodeType) && !w.b.isMock(f, n) {
			return w.definition(n, depth)
		}
	}
	return external
}

// phpResolver finds the file of a class by composer.json, which says where the
// classes of a namespace lie (PSR-4, PSR-0), or by a path that is the whole name of
// the class. An include leads to the path that it names.
type phpResolver struct {
	t       *tree
	spaces  map[string][]string // folders of a namespace, "\" behind it
	classes map[string][]string // class name → files called so
}

func preparePHP(t *tree) func(uint32, string, *targets) {
	r := &phpResolver{t: t, spaces: map[string][]string{}, classes: map[string][]string{}}
	for _, p := range t.named("composer.json") {
		r.addComposer(p)
	}
	for i := range t.in.Files {
		if f := &t.in.Files[i]; f.Language == "php" {
			name, _, _ := strings.Cut(f.Path[strings.LastIndexByte(f.Path, '/')+1:], ".")
			r.classes[name] = append(r.classes[name], f.Path)
		}
	}
	return r.resolve
}

// addComposer reads the namespaces of a composer.json.
func (r *phpResolver) addComposer(p string) {
	type autoload struct {
		PSR4 map[string]any `json:"psr-4"`
		PSR0 map[string]any `json:"psr-0"`
	}
	var file struct {
		Autoload    autoload `json:"autoload"`
		AutoloadDev autoload `json:"autoload-dev"`
	}
	if json.Unmarshal(r.t.read(p), &file) != nil {
		return
	}
	for _, a := range []autoload{file.Autoload, file.AutoloadDev} {
		for space, dirs := range a.PSR4 {
			r.addSpace(dirOf(p), space, dirs, "")
		}
		for space, dirs := range a.PSR0 {
			r.addSpace(dirOf(p), space, dirs, strings.ReplaceAll(space, `\`, "/"))
		}
	}
}

// addSpace adds the folders of a namespace, given as one or as a list.
func (r *phpResolver) addSpace(root, space string, dirs any, below string) {
	list, ok := dirs.([]any)
	if !ok {
		list = []any{dirs}
	}
	if space != "" && !strings.HasSuffix(space, `\`) {
		return // names with underscores, which no namespace has
	}
	for _, d := range list {
		text, ok := d.(string)
		if !ok {
			continue
		}
		dir, ok := join(root, text+"/"+below)
		if ok && len(r.spaces[space]) < maxCandidates && !slices.Contains(r.spaces[space], dir) {
			r.spaces[space] = append(r.spaces[space], dir)
		}
	}
}

func (r *phpResolver) resolve(from uint32, p string, to *targets) {
	own := r.t.in.Files[from].Path
	if strings.ContainsAny(p, "/.") {
		if strings.IndexByte(p, '\\') < 0 {
			r.include(own, p, to)
		}
		return
	}
	for i := len(p); i > 0; {
		i = 1 + strings.LastIndexByte(p[:max(i-1, 0)], '\\') // the longest namespace first
		if q, ok := nearest(own, r.inSpace(p[:i], p[i:])); ok {
			r.t.addFirst(to, q)
			return
		}
	}
	r.byPath(own, p, to)
}

// inSpace lists the files that a class may lie in, by the folders of a namespace.
func (r *phpResolver) inSpace(space, rest string) (files []string) {
	for _, dir := range r.spaces[space] {
		q := joinDir(dir, strings.ReplaceAll(rest, `\`, "/")+".php")
		if _, ok := r.t.number[q]; ok {
			files = append(files, q)
		}
	}
	return files
}

// byPath looks for a file whose path ends in the whole name of a class.
func (r *phpResolver) byPath(own, p string, to *targets) {
	space, name := splitSpace(p)
	files := r.classes[name]
	if space == "" || len(files) > maxCandidates {
		return
	}
	want := strings.ReplaceAll(space, `\`, "/")
	var fit []string
	for _, q := range files {
		if d := dirOf(q); d == want || strings.HasSuffix(d, "/"+want) {
			fit = append(fit, q)
		}
	}
	if q, ok := nearest(own, fit); ok {
		r.t.addFirst(to, q)
	}
}

// include adds the file that an include names: beside the file itself, or, as
// when run from there, below the root of the tree.
func (r *phpResolver) include(own, p string, to *targets) {
	if strings.HasPrefix(p, "/") {
		return
	}
	var paths []string
	if q, ok := join(dirOf(own), p); ok {
		paths = append(paths, q)
	}
	if !strings.HasPrefix(p, ".") {
		paths = append(paths, p)
	}
	r.t.addFirst(to, paths...)
}
