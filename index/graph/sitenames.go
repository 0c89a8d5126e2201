package graph

import (
	"slices"
	"strings"

	"github.com/topo-dev/topo/chunk"
)

// siteReader knows what one file calls and imports, and where.
type siteReader struct {
	kind    EdgeKind
	rules   *rules
	facts   chunk.Facts
	imports []chunk.ImportRef
	calls   map[int][]*chunk.Call // by the node they are in
	binds   map[string]*chunk.Bind
}

func (g *Graph) siteReader(kind EdgeKind, file int) (*siteReader, error) {
	f, err := g.x.File(file)
	if err != nil {
		return nil, err
	}
	r := &siteReader{kind: kind, rules: rulesOf(f.Language)}
	if kind == EdgeImports {
		r.imports, err = g.x.Imports(file)
	}
	if err != nil || r.rules == nil || kind != EdgeCalls && kind != EdgeImports {
		return r, err
	}
	coded, err := g.x.Facts(file)
	if err != nil {
		return nil, err
	}
	if r.facts, err = chunk.DecodeCalls(coded); err != nil {
		r.facts = chunk.Facts{} // as Build takes them
	}
	r.binds = make(map[string]*chunk.Bind, len(r.facts.Binds))
	for i := range r.facts.Binds {
		r.binds[r.facts.Binds[i].Name] = &r.facts.Binds[i]
	}
	if kind == EdgeCalls {
		err = g.placeCalls(file, r)
	}
	return r, err
}

// chunkNodes are the node of a file and those of its chunks, as [builder.number]
// numbers them and [source.caller] chooses.
func (g *Graph) chunkNodes(file int) (at int, nodes []int, err error) {
	if at, err = g.FileNode(file); err != nil {
		return 0, nil, err
	}
	chunks, err := g.x.Chunks(file)
	if err != nil {
		return 0, nil, err
	}
	nodes, next := make([]int, len(chunks)), at+1
	for c := range chunks {
		if nodes[c] = at; isNode(chunks[c].Kind) {
			nodes[c] = next
			next++
		}
	}
	return at, nodes, nil
}

// placeCalls finds the node that each call is in.
func (g *Graph) placeCalls(file int, r *siteReader) error {
	at, nodes, err := g.chunkNodes(file)
	if err != nil {
		return err
	}
	r.calls = make(map[int][]*chunk.Call)
	for i := range r.facts.Calls {
		c := &r.facts.Calls[i]
		n := at
		if c.Chunk >= 0 && c.Chunk < len(nodes) {
			n = nodes[c.Chunk]
		}
		r.calls[n] = append(r.calls[n], c)
	}
	return nil
}

func isNode(k chunk.Kind) bool { _, ok := nodeKind(k); return ok }

// lines are where node from calls or imports node to.
func (r *siteReader) lines(from int, to *Node) []int {
	if r.kind == EdgeImports {
		return r.importLines(to)
	}
	var sure, maybe []int
	w := r.nameOf(to)
	for _, c := range r.calls[from] {
		switch named, fits := w.calledBy(c.Chain); {
		case named && fits:
			sure = append(sure, c.Line)
		case named:
			maybe = append(maybe, c.Line)
		}
	}
	if len(sure) > 0 {
		return sure
	}
	return maybe
}

// calleeName is what a definition is called by in one file.
type calleeName struct {
	r            *siteReader
	to           *Node
	name, holder string // "Close", "Server"
	ctor         bool   // calling the type, or its super, calls it
}

func (r *siteReader) nameOf(to *Node) *calleeName {
	w := &calleeName{r: r, to: to, name: LastPart(to.Kind, to.Name)}
	scope := strings.TrimSuffix(strings.TrimSuffix(to.Name, w.name), ".")
	w.holder = LastPart(to.Kind, scope)
	if to.Kind == NodeType {
		w.ctor, w.holder = true, w.name
	} else if r.rules != nil && !r.rules.calls.conversions {
		w.ctor = slices.Contains(r.rules.calls.ctors, w.name) || w.holder != "" && w.name == w.holder
	}
	return w
}

// calledBy reports whether a chain names the definition, and whether its form
// fits: a function is called by its bare name or through what is imported, a
// method on something.
func (w *calleeName) calledBy(chain string) (named, fits bool) {
	for {
		short := strings.TrimSuffix(strings.TrimSuffix(chain, "[]"), "[key]") // type arguments
		if short == chain {
			break
		}
		chain = short
	}
	before, last := "", chain
	if i := strings.LastIndexByte(chain, '.'); i >= 0 {
		before, last = chain[:i], chain[i+1:]
	}
	last = last[strings.LastIndexByte(last, '\\')+1:] // of a full name of PHP
	bind := w.r.binds[last]
	switch {
	case last == w.name:
	case before == "" && bind != nil && lastName(bind.Member) == w.name: // imported under another name
		return true, true
	case before == "" && bind != nil && bind.Member == "default":
		return true, w.from(bind)
	case before == "" && bind != nil && bind.Member == chunk.WholeModule:
		// A whole export may be bound to any name here; mostly it is its own.
		return w.from(bind) && (w.ctor || w.to.Kind != NodeMethod), last == w.name || last == w.holder
	case w.ctor && (last == w.holder || last == "super" || last == "Self" || last == "this" || before == "super()" || chain == "this" && w.r.rules.calls.primary):
		return true, true
	case w.ctor && before == "" && bind != nil && lastName(bind.Member) == w.holder:
		return true, true
	case w.ctor && last == "new":
		return true, lastName(before) == w.holder
	default:
		return false, false
	}
	base, _, _ := strings.Cut(before, ".")
	through := w.r.binds[base]
	switch {
	case w.to.Kind != NodeMethod && before == "":
		return true, bind == nil || bind.Member == "" || w.from(bind)
	case w.to.Kind != NodeMethod:
		return true, through != nil && w.from(through) || lastName(before) == w.holder
	case before == "":
		return true, w.r.rules.names.implicit
	case w.ctor: // A::new of Rust, super().__init__ of Python
		return true, lastName(before) == w.holder || before == "Self" || before == "super" || before == "super()"
	}
	return true, through == nil || strings.Contains(before, ".") || lastName(before) == w.holder || through.Member != ""
}

// from reports whether an import may lead to the file of the definition: the
// last part of it is the name of the file or of its folder.
func (w *calleeName) from(b *chunk.Bind) bool {
	last := lastOfImport(b.Path)
	return last == "" || slices.Contains(fileNames(w.to.Path), last) || slices.Contains(fileNames(w.to.Path), b.Member)
}

// importLines are the lines that import a file, module or package.
func (r *siteReader) importLines(to *Node) (lines []int) {
	var names []string
	if to.Kind == NodeFile {
		names = fileNames(to.Path)
		if stem := names[1]; len(names) > 2 && stem != "index" && stem != "__init__" && stem != "mod" {
			names = names[:2] // its folder is another place
		}
	}
	fits := func(path, member string) bool {
		path = strings.Trim(path, `<>"`)
		if to.Kind != NodeFile {
			rest, ok := strings.CutPrefix(path, to.Name)
			return ok && (rest == "" || strings.IndexByte("./:", rest[0]) >= 0)
		}
		return slices.Contains(names, lastOfImport(path)) || member != "" && slices.Contains(names, member)
	}
	for _, i := range r.imports {
		if fits(i.Path, "") {
			lines = append(lines, i.Line)
		}
	}
	for i := range r.facts.Binds {
		if b := &r.facts.Binds[i]; fits(b.Path, b.Member) {
			lines = append(lines, b.Line)
		}
	}
	return lines
}

// fileNames are what imports may call a file: its name with and without what
// follows a dot, and its folder's.
func fileNames(path string) []string {
	dir, base := "", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		dir, base = path[:i], path[i+1:]
	}
	stem, _, _ := strings.Cut(base, ".")
	names := []string{base, stem}
	if dir != "" {
		names = append(names, dir[strings.LastIndexByte(dir, '/')+1:])
	}
	return names
}

// lastOfImport is the last part of what is imported: "client" of "./client",
// "client.h" of "net/client.h", "b" of "..a.b" and "crate::a::b".
func lastOfImport(path string) string {
	path = strings.Trim(path, `<>"`)
	if i := strings.LastIndexAny(path, "/:\\"); i >= 0 {
		return path[i+1:]
	}
	if strings.HasSuffix(path, ".h") || strings.HasSuffix(path, ".hpp") {
		return path
	}
	return lastName(path)
}
