package chunk

import (
	"bytes"
	"go/ast"
	"go/token"
)

func (w *goFacts) values(list []ast.Expr) {
	for _, e := range list {
		w.value(e)
	}
}

// value walks an expression whose value is used.
func (w *goFacts) value(e ast.Expr) { w.expr(e, false) }

// expr walks an expression; counted is set inside a sequence of && and ||
// whose cognitive complexity is counted.
func (w *goFacts) expr(e ast.Expr, counted bool) {
	switch e := e.(type) {
	case *ast.Ident:
		w.identRef(e)
	case *ast.SelectorExpr:
		w.selector(e)
	case *ast.CallExpr:
		w.call(e)
	case *ast.BinaryExpr:
		if e.Op == token.LAND || e.Op == token.LOR {
			w.fn.cyclomatic++
			if !counted {
				w.fn.cognitive += operatorRuns(e)
				counted = true
			}
		}
		w.expr(e.X, counted)
		w.expr(e.Y, counted)
	case *ast.ParenExpr:
		w.expr(e.X, counted)
	case *ast.UnaryExpr:
		w.value(e.X)
	case *ast.StarExpr:
		w.value(e.X)
	case *ast.CompositeLit:
		w.composite(e)
	case *ast.FuncLit:
		w.lambda(e)
	case *ast.IndexExpr:
		w.value(e.X)
		w.value(e.Index)
	case *ast.IndexListExpr:
		w.value(e.X)
		for _, i := range e.Indices {
			w.typeRefs(i)
		}
	case *ast.SliceExpr:
		w.value(e.X)
		w.values([]ast.Expr{e.Low, e.High, e.Max})
	case *ast.TypeAssertExpr:
		w.value(e.X)
		w.typeRefs(e.Type)
	case *ast.KeyValueExpr:
		w.value(e.Key)
		w.value(e.Value)
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.InterfaceType, *ast.StructType, *ast.Ellipsis:
		w.typeRefs(e)
	}
}

// operatorRuns counts the runs of like operators in a sequence of && and ||.
func operatorRuns(e ast.Expr) int {
	count, last := 0, token.ILLEGAL
	var walk func(ast.Expr)
	walk = func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.ParenExpr:
			walk(e.X)
		case *ast.BinaryExpr:
			walk(e.X)
			if (e.Op == token.LAND || e.Op == token.LOR) && e.Op != last {
				count++
				last = e.Op
			}
			walk(e.Y)
		}
	}
	walk(e)
	return count
}

// call records a call and walks its parts.
func (w *goFacts) call(e *ast.CallExpr) {
	if t := w.conversion(e.Fun); t != nil {
		w.typeRefs(t)
		w.values(e.Args)
		return
	}
	if name := w.builtin(e.Fun); name != "" {
		if (name == "new" || name == "make") && len(e.Args) > 0 {
			w.typeRefs(e.Args[0])
			w.values(e.Args[1:])
			return
		}
		w.values(e.Args)
		return
	}
	w.callee(e.Fun)
	if _, lambda := e.Fun.(*ast.FuncLit); !lambda && len(w.facts.Calls) < maxFacts {
		w.recursion(e.Fun)
		b, from := w.chain(e.Fun)
		w.buf = b
		w.use(from)
		at := e.Fun.Pos()
		if s, ok := e.Fun.(*ast.SelectorExpr); ok {
			at = s.Sel.Pos()
		}
		w.facts.Calls = append(w.facts.Calls, Call{Chunk: w.fn.chunk, Line: w.line.at(w.offset(at)), Chain: w.names.bytes(b)})
	}
	w.values(e.Args)
}

func (w *goFacts) use(local int) {
	if local >= 0 {
		w.fn.locals[local].used = true
	}
}

// recursion notes a call of the function by itself.
func (w *goFacts) recursion(e ast.Expr) {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			if !w.fn.method && x.Name == w.fn.name && w.find(x.Name) == nil {
				w.fn.recursive = 1
			}
			return
		case *ast.SelectorExpr:
			if id, ok := x.X.(*ast.Ident); ok && w.fn.method && id.Name == w.fn.recv && x.Sel.Name == w.fn.name {
				w.fn.recursive = 1
			}
			return
		default:
			return
		}
	}
}

// callee walks what a chain begins with: the chain itself says the rest.
func (w *goFacts) callee(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Ident:
	case *ast.SelectorExpr:
		w.callee(e.X)
	case *ast.ParenExpr:
		w.callee(e.X)
	case *ast.StarExpr:
		w.callee(e.X)
	case *ast.IndexExpr:
		w.callee(e.X)
		w.value(e.Index)
	case *ast.IndexListExpr:
		w.callee(e.X)
		for _, i := range e.Indices {
			w.typeRefs(i)
		}
	default:
		w.value(e)
	}
}

// selector records a member used as a value: of a package or of a name of the
// package, or of the receiver, for it may be a method.
func (w *goFacts) selector(e *ast.SelectorExpr) {
	w.callee(e.X)
	base := ast.Expr(e)
	for {
		switch x := base.(type) {
		case *ast.SelectorExpr:
			base = x.X
			continue
		case *ast.IndexExpr:
			base = x.X
			continue
		case *ast.Ident:
			n := w.find(x.Name)
			if n != nil && (n.typ != "" || x.Name != w.fn.recv || n.local >= 0) {
				return
			}
			b, _ := w.chain(e)
			w.ref(b, e.Sel.Pos())
			w.buf = b
		}
		return
	}
}

func (w *goFacts) identRef(e *ast.Ident) {
	if n := w.find(e.Name); n != nil {
		return
	}
	if e.Name == "_" || (predeclared[e.Name] != 0 && w.outer[e.Name] == 0) {
		return
	}
	w.buf = append(w.buf[:0], e.Name...)
	w.ref(w.buf, e.Pos())
}

// ref records a reference, once a chunk.
func (w *goFacts) ref(b []byte, at token.Pos) {
	if len(w.facts.Refs) >= maxFacts || bytes.HasPrefix(b, []byte("?")) || w.seen[string(b)] == int32(w.fn.chunk)+2 {
		return
	}
	s := w.names.bytes(b)
	w.seen[s] = int32(w.fn.chunk) + 2
	w.facts.Refs = append(w.facts.Refs, Ref{w.fn.chunk, w.line.at(w.offset(at)), s})
}

// composite walks a literal. Bare names before a colon are taken for fields
// unless the type is written out as a map or an array.
func (w *goFacts) composite(e *ast.CompositeLit) {
	w.typeRefs(e.Type)
	keyed := false
	switch e.Type.(type) {
	case *ast.MapType, *ast.ArrayType:
		keyed = true
	}
	for _, x := range e.Elts {
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			if _, name := kv.Key.(*ast.Ident); !name || keyed {
				w.value(kv.Key)
			}
			x = kv.Value
		}
		w.value(x)
	}
}

// lambda walks a function literal: what it does is done by the definition
// that holds it.
func (w *goFacts) lambda(e *ast.FuncLit) {
	outer := w.enter()
	if e.Type.Params != nil {
		for _, p := range e.Type.Params.List {
			text := w.typeText(p.Type)
			w.typeRefs(p.Type)
			for _, id := range p.Names {
				w.declare(id.Name, text, "", -1, true)
			}
		}
	}
	w.results(e.Type.Results)
	w.addNesting(1, 0)
	w.block(e.Body.List)
	w.addNesting(-1, 0)
	w.leave(outer)
}

// typeRefs records the types that a type expression names.
func (w *goFacts) typeRefs(e ast.Expr) {
	switch t := e.(type) {
	case *ast.Ident:
		w.identRef(t)
	case *ast.SelectorExpr:
		w.selector(t)
	case *ast.StarExpr:
		w.typeRefs(t.X)
	case *ast.ParenExpr:
		w.typeRefs(t.X)
	case *ast.UnaryExpr:
		w.typeRefs(t.X)
	case *ast.BinaryExpr:
		w.typeRefs(t.X)
		w.typeRefs(t.Y)
	case *ast.Ellipsis:
		w.typeRefs(t.Elt)
	case *ast.ArrayType:
		w.value(t.Len)
		w.typeRefs(t.Elt)
	case *ast.MapType:
		w.typeRefs(t.Key)
		w.typeRefs(t.Value)
	case *ast.ChanType:
		w.typeRefs(t.Value)
	case *ast.FuncType:
		w.fieldRefs(t.Params)
		w.fieldRefs(t.Results)
	case *ast.InterfaceType:
		w.fieldRefs(t.Methods)
	case *ast.StructType:
		w.fieldRefs(t.Fields)
	case *ast.IndexExpr:
		w.typeRefs(t.X)
		w.typeRefs(t.Index)
	case *ast.IndexListExpr:
		w.typeRefs(t.X)
		for _, i := range t.Indices {
			w.typeRefs(i)
		}
	}
}

func (w *goFacts) fieldRefs(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		w.typeRefs(f.Type)
	}
}
