package chunk

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
)

// parseGo reads Go source with the standard library's parser, several times
// faster than the general one; ok is false when the source has syntax errors.
func parseGo(src []byte) (r Result, ok bool) {
	_, f, r := readGo(src)
	return r, f != nil
}

// readGo is parseGo with the syntax tree, nil when the source has errors.
func readGo(src []byte) (g *goFile, f *ast.File, r Result) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, Result{}
	}
	g = &goFile{builder: newBuilder(src, "go"), file: fset.File(f.FileStart)}
	g.out.Parser = howGo
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			g.function(d)
		case *ast.GenDecl:
			g.general(d)
		}
	}
	return g, f, g.result()
}

type goFile struct {
	*builder
	file *token.File
}

// offset ignores //line directives: spans are of the file itself.
func (g *goFile) offset(p token.Pos) int { return int(p) - g.file.Base() }

func (g *goFile) define(c Chunk, from, to token.Pos) {
	c.StartByte, c.EndByte = g.offset(from), g.offset(to)
	c.DocStart, c.DocEnd = g.comments.docBefore(g.src, c.StartByte)
	g.add(c)
}

func (g *goFile) function(d *ast.FuncDecl) {
	c := Chunk{Kind: Function, Name: d.Name.Name}
	if d.Recv != nil {
		c.Kind = Method
		c.Scope = receiverType(string(g.src[g.offset(d.Recv.Pos()):g.offset(d.Recv.End())]))
	}
	if d.Body != nil {
		c.SigEnd = g.offset(d.Body.Pos())
	}
	g.define(c, d.Pos(), d.End())
}

func (g *goFile) general(d *ast.GenDecl) {
	if d.Tok == token.IMPORT {
		for _, s := range d.Specs {
			spec := s.(*ast.ImportSpec)
			if path, err := strconv.Unquote(spec.Path.Value); err == nil {
				g.importAt(path, g.offset(spec.Path.Pos()))
			}
		}
		g.importChunk(g.offset(d.Pos()), g.offset(d.End()))
		return
	}
	names := 0
	for _, s := range d.Specs {
		names += len(specNames(s))
	}
	for _, s := range d.Specs {
		for _, id := range specNames(s) {
			from, to := s.Pos(), s.End()
			if names == 1 {
				from, to = d.Pos(), d.End()
			}
			g.define(Chunk{Kind: specKind(d.Tok), Name: id.Name, SigEnd: g.typeBody(s)}, from, to)
		}
	}
}

// typeBody is where the fields of a struct or the methods of an interface
// start, 0 for other declarations.
func (g *goFile) typeBody(s ast.Spec) int {
	if t, ok := s.(*ast.TypeSpec); ok {
		switch t := t.Type.(type) {
		case *ast.StructType:
			return g.offset(t.Fields.Opening)
		case *ast.InterfaceType:
			return g.offset(t.Methods.Opening)
		}
	}
	return 0
}

func specNames(s ast.Spec) []*ast.Ident {
	switch s := s.(type) {
	case *ast.TypeSpec:
		return []*ast.Ident{s.Name}
	case *ast.ValueSpec:
		return s.Names
	}
	return nil
}

func specKind(t token.Token) Kind {
	switch t {
	case token.TYPE:
		return Type
	case token.CONST:
		return Const
	}
	return Var
}
