package graph

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/index/token"
)

// UnresolvedCalls are the calls in one node by the name of a definition that the
// graph could not resolve. They may call it.
type UnresolvedCalls struct {
	From int // the node that they are in
	Sites
}

// maxSameName is how many definitions may share a name before unresolved calls by
// it are left out: a call of Close says nothing about a certain Close.
const maxSameName = 8

// maxUnresolvedFiles bounds the files that are searched: a name that occurs in more
// is a common word.
const maxUnresolvedFiles = 4000

// UnresolvedCalls finds calls that no edge explains and that may be of the
// definitions. Such a call names a definition in a form that fits it, in a file of
// the same family of languages, and its node has no edge to anything of that
// name. In Rust the arguments of macros are searched too, because they may be
// code. The calls are sorted by path and line, with up to most lines each, all
// for 0. Definitions that share their name with many others have none.
func (g *Graph) UnresolvedCalls(ctx context.Context, of []int, most int) ([]UnresolvedCalls, error) {
	found := map[int][]spot{}
	done := map[string]bool{}
	for _, id := range of {
		n, err := g.Node(id)
		if err != nil {
			return nil, err
		}
		name := LastPart(n.Kind, n.Name)
		if n.Path == "" || n.Kind != NodeFunction && n.Kind != NodeMethod && n.Kind != NodeVar || done[name] {
			continue
		}
		done[name] = true
		l := &unresolvedFinder{g: g, name: name, sameName: map[int]bool{}, found: found}
		if err := l.find(ctx); err != nil {
			return nil, err
		}
	}
	return g.unresolvedSites(found, most)
}

// unresolvedFinder finds the unresolved calls by one name.
type unresolvedFinder struct {
	g        *Graph
	name     string
	sameName map[int]bool // the nodes of that name
	nodes    []Node       // likewise
	found    map[int][]spot
}

func (l *unresolvedFinder) find(ctx context.Context) error {
	ids, err := l.g.Named(l.name)
	if err != nil || len(ids) > maxSameName {
		return err
	}
	for _, id := range ids {
		n, err := l.g.Node(id)
		if err != nil {
			return err
		}
		l.sameName[id] = true
		l.nodes = append(l.nodes, n)
	}
	files, err := l.g.filesWith(l.name)
	if err != nil || len(files) > maxUnresolvedFiles {
		return err
	}
	for i, file := range files {
		if i%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := l.file(file); err != nil {
			return err
		}
	}
	return nil
}

// filesWith are the files that hold all words of a name.
func (g *Graph) filesWith(name string) (files []int, err error) {
	first := true
	var s token.Splitter
	s.Each([]byte(name), func(term []byte) {
		if err != nil || !first && len(files) == 0 {
			return
		}
		p, ok, e := g.x.Term(string(term))
		if err = e; !ok {
			files, first = nil, false
			return
		}
		var with []int
		for f, _, more := p.Next(); more; f, _, more = p.Next() {
			if _, held := slices.BinarySearch(files, f); first || held {
				with = append(with, f)
			}
		}
		files, first = with, false
		if err == nil {
			err = p.Err()
		}
	})
	return files, err
}

func (l *unresolvedFinder) file(file int) error {
	f, err := l.g.x.File(file)
	if err != nil {
		return err
	}
	if r := rulesOf(f.Language); r == nil || !r.calls.macros { // whose macros are looked at as text
		coded, err := l.g.x.Facts(file)
		if err != nil || !bytes.Contains(coded, []byte(l.name)) {
			return err // facts hold their strings as they are
		}
	}
	r, err := l.g.siteReader(EdgeCalls, file)
	if err != nil || r.rules == nil || r.rules.names.builtin != nil && r.rules.names.builtin(l.name) {
		return err
	}
	var callees []*calleeName
	for i := range l.nodes {
		f, ok := l.g.x.Lookup(l.nodes[i].Path)
		if !ok {
			continue
		}
		home, err := l.g.x.File(f)
		if err != nil {
			return err
		}
		if of := rulesOf(home.Language); of != nil && of.family == r.rules.family && !slices.Contains(of.calls.ctors, l.name) {
			callees = append(callees, r.nameOf(&l.nodes[i]))
		}
	}
	if len(callees) == 0 {
		return nil
	}
	at := &unresolvedInFile{unresolvedFinder: l, r: r, file: file}
	for _, from := range slices.Sorted(maps.Keys(r.calls)) {
		if err := at.node(from, callees); err != nil {
			return err
		}
	}
	if r.rules.calls.macros {
		return at.macros()
	}
	return nil
}

// unresolvedInFile is the search in one file.
type unresolvedInFile struct {
	*unresolvedFinder
	r       *siteReader
	file    int
	outside map[string]bool // the external packages that the file imports
	locals  map[string]bool // parameters and variables of its functions
}

// node looks at the calls of one node.
func (f *unresolvedInFile) node(from int, callees []*calleeName) error {
	var lines []int
	for _, c := range f.r.calls[from] {
		for _, w := range callees {
			if f.mayCall(w, c) {
				lines = append(lines, c.Line)
				break
			}
		}
	}
	if len(lines) == 0 {
		return nil
	}
	explained, err := f.explained(from)
	if err != nil || explained {
		return err
	}
	for _, line := range lines {
		f.found[from] = append(f.found[from], spot{f.file, line})
	}
	return nil
}

// mayCall reports whether a call's form fits a function and its first name is
// neither a local variable nor imported from outside. Methods are left out: the
// graph already guesses them where a guess is useful. So are qualified calls in
// Go, which are always known.
func (f *unresolvedInFile) mayCall(w *calleeName, c *chunk.Call) bool {
	if w.to.Kind == NodeMethod || lastName(c.Chain) != w.name || f.r.rules.names.declared && c.Chain != w.name {
		return false
	}
	named, fits := w.calledBy(c.Chain)
	if b := f.r.binds[c.Chain]; b != nil && b.Member == w.name {
		fits = true // re-exported by another file than the one that defines it
	}
	base := c.Chain
	if i := strings.IndexAny(base, ".([{"); i >= 0 {
		base = base[:i]
	}
	if !named || !fits || strings.Contains(base, "'") || base == c.Chain && f.local(base) {
		return false
	}
	b := f.r.binds[base]
	return b == nil || !f.imported(b.Path)
}

// local reports whether a function of the file has a parameter or local variable
// of that name.
func (f *unresolvedInFile) local(name string) bool {
	if f.locals == nil {
		f.locals = map[string]bool{}
		coded, err := f.g.x.Facts(f.file)
		if err != nil {
			return false
		}
		facts, err := chunk.DecodeFacts(coded)
		if err != nil {
			return false
		}
		for i := range facts.Funcs {
			for _, p := range facts.Funcs[i].Params {
				f.locals[p.Name] = true
			}
			for _, v := range facts.Funcs[i].Locals {
				f.locals[v.Name] = true
			}
		}
	}
	return f.locals[name] && f.r.binds[name] == nil
}

// imported reports whether a path leads out of the repository.
func (f *unresolvedInFile) imported(path string) bool {
	if f.outside == nil {
		f.outside = map[string]bool{}
		at, err := f.g.FileNode(f.file)
		if err != nil {
			return false
		}
		edges, err := f.g.Out(at)
		if err != nil {
			return false
		}
		for _, e := range edges {
			if n, err := f.g.Node(e.Other); err == nil && e.Kind == EdgeImports && n.Kind == NodeExternal {
				f.outside[n.Name] = true
			}
		}
	}
	for name := range f.outside {
		if rest, ok := strings.CutPrefix(path, name); ok && (rest == "" || strings.IndexByte("./:", rest[0]) >= 0) {
			return true
		}
	}
	return false
}

// explained reports whether an edge leads from a node to something of the name,
// or the node is that itself.
func (f *unresolvedInFile) explained(from int) (bool, error) {
	if f.sameName[from] {
		return true, nil
	}
	edges, err := f.g.Out(from)
	return slices.ContainsFunc(edges, func(e Edge) bool {
		return f.sameName[e.Other] && (e.Kind == EdgeCalls || e.Kind == EdgeReferences)
	}), err
}

// macros finds calls in what the file's macros are given, by their text.
func (f *unresolvedInFile) macros() error {
	src, err := f.g.x.Content(f.file, nil)
	if err != nil {
		return err
	}
	at, err := f.g.FileNode(f.file)
	if err != nil {
		return err
	}
	known := map[int]bool{}
	for i := range f.r.facts.Calls {
		if c := &f.r.facts.Calls[i]; lastName(c.Chain) == f.name {
			known[c.Line] = true
		}
	}
	methods := slices.ContainsFunc(f.nodes, func(n Node) bool { return n.Kind == NodeMethod })
	line := 0
	for text := range strings.Lines(string(src)) {
		line++
		if known[line] || !callsInMacro(text, f.name, methods) {
			continue
		}
		from, err := f.g.innermost(at, line)
		if err != nil {
			return err
		}
		if explained, err := f.explained(from); err != nil {
			return err
		} else if !explained {
			f.found[from] = append(f.found[from], spot{f.file, line})
		}
	}
	return nil
}

// callsInMacro reports whether a line of Rust calls a name and is neither a
// comment nor its definition; a call on a value counts where methods are asked
// for.
func callsInMacro(line, name string, methods bool) bool {
	line = strings.TrimSpace(line)
	i := strings.Index(line, name)
	if i < 0 || strings.HasPrefix(line, "//") || i > 0 && wordByte(line[i-1]) || !strings.HasPrefix(line[i+len(name):], "(") {
		return false
	}
	before := line[:i]
	if strings.HasSuffix(before, ".") {
		return methods
	}
	for _, other := range []string{"fn ", "std::mem::", "std::cmp::", "core::mem::", "mem::"} {
		if strings.HasSuffix(before, other) {
			return false
		}
	}
	return true
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// innermost is the smallest definition of a file around a line, else the file.
func (g *Graph) innermost(file, line int) (int, error) {
	best, size := file, 0
	for id := file + 1; id < g.n; id++ {
		n, err := g.Node(id)
		if err != nil {
			return 0, err
		}
		if n.Kind == NodeFile || n.Kind == NodeModule || n.Kind == NodeExternal {
			break
		}
		if n.Line <= line && line <= n.EndLine && (best == file || n.EndLine-n.Line <= size) {
			best, size = id, n.EndLine-n.Line
		}
	}
	return best, nil
}

// unresolvedSites fetches the lines.
func (g *Graph) unresolvedSites(found map[int][]spot, most int) ([]UnresolvedCalls, error) {
	out := make([]UnresolvedCalls, 0, len(found))
	for from, list := range found {
		slices.SortFunc(list, func(a, b spot) int { return cmp.Compare(a.line, b.line) })
		list = slices.Compact(list)
		l := UnresolvedCalls{From: from}
		if most > 0 && len(list) > most {
			l.More, list = len(list)-most, list[:most]
		}
		for _, s := range list {
			f, err := g.x.File(s.file)
			if err != nil {
				return nil, err
			}
			l.List = append(l.List, Site{Path: f.Path, Line: s.line})
		}
		out = append(out, l)
	}
	slices.SortFunc(out, func(a, b UnresolvedCalls) int {
		return cmp.Or(strings.Compare(a.List[0].Path, b.List[0].Path), cmp.Compare(a.List[0].Line, b.List[0].Line), cmp.Compare(a.From, b.From))
	})
	return out, g.fillTexts(out)
}

// fillTexts adds the text of the lines, file by file.
func (g *Graph) fillTexts(list []UnresolvedCalls) (err error) {
	asked := map[string][]siteText{}
	for i := range list {
		for k := range list[i].List {
			s := &list[i].List[k]
			asked[s.Path] = append(asked[s.Path], siteText{s.Line, s})
		}
	}
	var buf []byte
	for _, path := range slices.Sorted(maps.Keys(asked)) {
		if file, ok := g.x.Lookup(path); ok && err == nil {
			buf, err = g.siteTexts(file, asked[path], buf)
		}
	}
	return err
}
