package chunk

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// goFacts gathers the facts of one Go file from the tree that its chunks were
// read from.
type goFacts struct {
	*goFile
	facts  Facts
	chunks []Chunk
	next   int // no chunk before this one is still to be met
	names  interner
	line   lineCursor
	outer  map[string]uint8 // names of the file: a local of that name gets a suffix
	seen   map[string]int32 // chain → last chunk + 1 that has it among its refs
	buf    []byte           // the text being written
	fn     goFunc
}

// factsOfGo reads the facts of f, whose chunks are r.
func factsOfGo(g *goFile, f *ast.File, r Result) Facts {
	w := &goFacts{goFile: g, chunks: r.Chunks, names: interner{map[string]string{}},
		line: lineCursor{x: g.lines}, outer: map[string]uint8{}, seen: map[string]int32{}}
	w.facts.Package = w.names.bytes([]byte(f.Name.Name))
	w.declared(f)
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			w.function(d)
		case *ast.GenDecl:
			w.genDecl(d)
		}
	}
	return w.facts
}

// Values of goFacts.outer.
const (
	outerName uint8 = iota + 1
	outerType
)

// declared gathers the names of the file.
func (w *goFacts) declared(f *ast.File) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				w.outer[d.Name.Name] = outerName
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if i, ok := s.(*ast.ImportSpec); ok {
					w.bind(i)
				}
				for _, id := range specNames(s) {
					w.outer[id.Name] = outerName
					if d.Tok == token.TYPE {
						w.outer[id.Name] = outerType
					}
				}
			}
		}
	}
}

func (w *goFacts) bind(i *ast.ImportSpec) {
	path, err := strconv.Unquote(i.Path.Value)
	if err != nil || path == "" || len(path) > maxName || len(w.facts.Binds) >= maxFacts {
		return
	}
	b := Bind{Path: path, Line: w.line.at(w.offset(i.Path.Pos()))}
	if i.Name != nil {
		b.Name = i.Name.Name
	}
	w.facts.Binds = append(w.facts.Binds, b)
	name := b.Name
	if name == "" {
		name = path[strings.LastIndexByte(path, '/')+1:]
	}
	w.outer[name] = outerName
}

// chunkAt is the chunk of the definition that starts at p, -1 for none. The
// definitions must be asked for in source order.
func (w *goFacts) chunkAt(p token.Pos, name string) int {
	start := w.offset(p)
	for i := w.next; i < len(w.chunks) && w.chunks[i].StartByte <= start; i++ {
		if w.chunks[i].StartByte < start {
			w.next = i + 1
		} else if w.chunks[i].Name == name || (len(name) > maxName && w.chunks[i].Name == clip(name)) {
			if w.next == i {
				w.next++
			}
			return i
		}
	}
	return -1
}

func (w *goFacts) genDecl(d *ast.GenDecl) {
	if d.Tok == token.IMPORT {
		return
	}
	names := 0
	for _, s := range d.Specs {
		names += len(specNames(s))
	}
	for _, s := range d.Specs {
		from := s.Pos()
		if names == 1 {
			from = d.Pos()
		}
		switch s := s.(type) {
		case *ast.TypeSpec:
			w.typeSpec(s, w.chunkAt(from, s.Name.Name))
		case *ast.ValueSpec:
			w.valueSpec(s, from)
		}
	}
}

func (w *goFacts) typeSpec(s *ast.TypeSpec, chunk int) {
	if chunk < 0 {
		return
	}
	w.open(chunk)
	w.typeParams(s.TypeParams)
	w.typeRefs(s.Type)
	t := TypeFact{Chunk: chunk, Kind: "named"}
	switch u := s.Type.(type) {
	case *ast.StructType:
		t.Kind = "struct"
		w.members(&t, u.Fields)
	case *ast.InterfaceType:
		t.Kind = "interface"
		w.members(&t, u.Methods)
	default:
		if s.Assign.IsValid() {
			t.Kind = "alias"
		}
		t.Fields = []NameType{{"", w.typeText(u)}}
	}
	if len(w.facts.Types) < maxFacts {
		w.facts.Types = append(w.facts.Types, t)
	}
}

// members reads fields, embedded types and the methods of an interface.
func (w *goFacts) members(t *TypeFact, list *ast.FieldList) {
	for _, f := range list.List {
		text := ""
		if m, ok := f.Type.(*ast.FuncType); ok && t.Kind == "interface" {
			text = w.signature(m)
		} else {
			text = w.typeText(f.Type)
		}
		if len(f.Names) == 0 {
			switch f.Type.(type) {
			case *ast.Ident, *ast.SelectorExpr, *ast.StarExpr, *ast.IndexExpr, *ast.IndexListExpr:
				t.Bases = append(t.Bases, text)
			}
			continue
		}
		for _, id := range f.Names {
			t.Fields = append(t.Fields, NameType{id.Name, text})
		}
	}
}

// signature is the text of a method of an interface, with all its parameters.
func (w *goFacts) signature(m *ast.FuncType) string {
	b := append(make([]byte, 0, 64), "func("...)
	for _, p := range m.Params.List {
		for range max(1, len(p.Names)) {
			if b[len(b)-1] != '(' {
				b = append(b, ',')
			}
			b = w.appendType(b, p.Type, 0)
		}
		if len(b) > maxName {
			return w.typeText(m)
		}
	}
	if b = append(b, ')'); m.Results != nil && len(m.Results.List) > 0 {
		b = w.appendType(b, m.Results.List[0].Type, 0)
	}
	return w.names.bytes(b)
}

// valueSpec reads "var a, b T = x, y": a fact for each name, and what the
// values call and refer to.
func (w *goFacts) valueSpec(s *ast.ValueSpec, from token.Pos) {
	first := -1
	for i, id := range s.Names {
		chunk := w.chunkAt(from, id.Name)
		if first < 0 && chunk >= 0 {
			first = chunk
			w.open(first)
		}
		if chunk < 0 {
			continue
		}
		v := VarFact{Chunk: chunk}
		v.Type, v.Expr, _ = w.origin(s.Type, s.Values, i, len(s.Names))
		if (v.Type != "" || v.Expr != "") && len(w.facts.Vars) < maxFacts {
			w.facts.Vars = append(w.facts.Vars, v)
		}
	}
	if first < 0 {
		return
	}
	w.typeRefs(s.Type)
	for i, v := range s.Values {
		if i > 0 && len(s.Values) == len(s.Names) { // each value belongs to its name
			if c := w.sibling(first, s.Names[i].Name); c >= 0 {
				w.fn.chunk = c
			}
		}
		w.value(v)
	}
}

// sibling is the chunk named name that starts where chunk first does.
func (w *goFacts) sibling(first int, name string) int {
	for i := w.fn.chunk; i < len(w.chunks) && w.chunks[i].StartByte == w.chunks[first].StartByte; i++ {
		if w.chunks[i].Name == name {
			return i
		}
	}
	return -1
}

func (w *goFacts) function(d *ast.FuncDecl) {
	chunk := w.chunkAt(d.Pos(), d.Name.Name)
	if chunk < 0 || len(w.facts.Funcs) >= maxFacts {
		return
	}
	w.open(chunk)
	f := FuncFact{Chunk: chunk}
	if d.Recv != nil && len(d.Recv.List) > 0 {
		r := d.Recv.List[0]
		w.receiverParams(r.Type)
		if len(r.Names) > 0 && r.Names[0].Name != "_" {
			f.Recv = r.Names[0].Name
			w.declare(f.Recv, "", "", -1, false)
		}
		w.fn.recv = f.Recv
	}
	w.fn.name, w.fn.method = d.Name.Name, d.Recv != nil
	w.typeParams(d.Type.TypeParams)
	if d.Type.Params != nil {
		for _, p := range d.Type.Params.List {
			text := w.typeText(p.Type)
			for _, id := range p.Names {
				f.Params = append(f.Params, NameType{id.Name, text})
				w.declare(id.Name, "", "", -1, false)
			}
			if len(p.Names) == 0 {
				f.Params = append(f.Params, NameType{"", text})
			}
			w.typeRefs(p.Type)
		}
	}
	f.Results = w.results(d.Type.Results)
	f.Metrics = Metrics{Params: len(f.Params), Lines: w.chunks[chunk].EndLine - w.chunks[chunk].StartLine + 1}
	if d.Body != nil {
		w.block(d.Body.List)
	}
	f.Metrics.Cyclomatic, f.Metrics.Nesting = w.fn.cyclomatic+1, w.fn.deepest
	f.Metrics.Cognitive = w.fn.cognitive + w.fn.recursive
	f.Locals = w.usedLocals()
	w.facts.Funcs = append(w.facts.Funcs, f)
}

// results reads the result types and declares named results.
func (w *goFacts) results(list *ast.FieldList) []string {
	if list == nil {
		return nil
	}
	var out []string
	for _, r := range list.List {
		text := w.typeText(r.Type)
		for _, id := range r.Names {
			out = append(out, text)
			w.declare(id.Name, text, "", -1, true)
		}
		if len(r.Names) == 0 {
			out = append(out, text)
		}
		w.typeRefs(r.Type)
	}
	return out
}
