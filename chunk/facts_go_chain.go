package chunk

import (
	"go/ast"
	"go/token"
)

// chain writes the chain of e into the buffer; from is the local that it
// begins with, -1 for none.
func (w *goFacts) chain(e ast.Expr) (b []byte, from int) {
	c := goChain{w: w, b: w.buf[:0], from: -1}
	c.write(e, 0)
	return c.b, c.from
}

type goChain struct {
	w    *goFacts
	b    []byte
	from int
}

func (c *goChain) unknown() { c.b, c.from = append(c.b[:0], '?'), -1 }

// add appends one step; a chain that gets too long loses what was before it.
func (c *goChain) add(parts ...string) {
	for _, p := range parts {
		if len(c.b)+len(p) > maxChain-8 {
			c.unknown()
		}
		if len(p) <= maxChain-8 {
			c.b = append(c.b, p...)
		}
	}
}

func (c *goChain) typed(t ast.Expr) {
	c.b = append(c.w.appendType(c.b[:0], t, 0), "{}"...)
	c.from = -1
}

func (c *goChain) write(e ast.Expr, steps int) {
	if steps++; steps > maxChainSteps {
		c.unknown()
		return
	}
	switch e := e.(type) {
	case *ast.Ident:
		c.ident(e)
	case *ast.SelectorExpr:
		c.write(e.X, steps)
		c.add(".", e.Sel.Name)
	case *ast.CallExpr:
		c.call(e, steps)
	case *ast.IndexExpr:
		c.write(e.X, steps)
		if !c.w.instance(e) {
			c.add("[]")
		}
	case *ast.IndexListExpr:
		c.write(e.X, steps)
	case *ast.ParenExpr:
		c.write(e.X, steps)
	case *ast.StarExpr:
		c.write(e.X, steps)
	case *ast.SliceExpr:
		c.write(e.X, steps)
	case *ast.UnaryExpr:
		c.unary(e, steps)
	case *ast.BinaryExpr:
		c.binary(e, steps)
	case *ast.TypeAssertExpr:
		if e.Type == nil {
			c.write(e.X, steps)
			return
		}
		c.typed(e.Type)
	case *ast.CompositeLit:
		if e.Type == nil {
			c.unknown()
			return
		}
		c.typed(e.Type)
	case *ast.FuncLit:
		c.typed(e.Type)
	case *ast.BasicLit:
		c.b = append(c.b[:0], basicTypes[e.Kind]...)
	default:
		c.unknown()
	}
}

var basicTypes = map[token.Token]string{
	token.INT: "int{}", token.FLOAT: "float64{}", token.IMAG: "complex128{}", token.CHAR: "rune{}", token.STRING: "string{}",
}

func (c *goChain) ident(e *ast.Ident) {
	n := c.w.find(e.Name)
	switch {
	case n == nil && (e.Name == "true" || e.Name == "false"):
		c.b = append(c.b[:0], "bool{}"...)
	case n == nil && e.Name == "nil", e.Name == "_":
		c.unknown()
	case n == nil:
		c.add(e.Name)
	case n.typ != "":
		c.add(n.typ)
	default:
		c.add(n.text)
		c.from = n.local
	}
}

func (c *goChain) unary(e *ast.UnaryExpr, steps int) {
	switch e.Op {
	case token.AND, token.ADD, token.SUB, token.XOR, token.TILDE:
		c.write(e.X, steps)
	case token.ARROW:
		c.write(e.X, steps)
		c.add("[]")
	case token.NOT:
		c.b, c.from = append(c.b[:0], "bool{}"...), -1
	default:
		c.unknown()
	}
}

func (c *goChain) binary(e *ast.BinaryExpr, steps int) {
	switch e.Op {
	case token.LAND, token.LOR, token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		c.b, c.from = append(c.b[:0], "bool{}"...), -1
	default:
		if _, untyped := e.X.(*ast.BasicLit); untyped {
			c.write(e.Y, steps)
		} else {
			c.write(e.X, steps)
		}
	}
}

func (c *goChain) call(e *ast.CallExpr, steps int) {
	if t := c.w.conversion(e.Fun); t != nil {
		c.typed(t)
		return
	}
	switch name := c.w.builtin(e.Fun); name {
	case "":
	case "new", "make":
		if len(e.Args) > 0 {
			c.typed(e.Args[0])
			return
		}
		c.unknown()
		return
	case "append", "min", "max":
		if len(e.Args) > 0 {
			c.write(e.Args[0], steps)
			return
		}
		c.unknown()
		return
	case "len", "cap", "copy":
		c.b, c.from = append(c.b[:0], "int{}"...), -1
		return
	case "recover":
		c.b, c.from = append(c.b[:0], "any{}"...), -1
		return
	default:
		c.b, c.from = append(c.b[:0], '?'), -1
		if predeclared[name] == predeclaredType {
			c.b = append(append(c.b[:0], name...), "{}"...)
		}
		return
	}
	c.write(e.Fun, steps)
	c.add("()")
}

// builtin is the name of the predeclared function or type that e is, "" for
// none.
func (w *goFacts) builtin(e ast.Expr) string {
	id, ok := e.(*ast.Ident)
	if !ok || predeclared[id.Name] == 0 || w.outer[id.Name] != 0 || w.find(id.Name) != nil {
		return ""
	}
	return id.Name
}

// conversion is the type that a call of e converts to, nil when e does not
// look like a type. A plain name is not distinguished from a function here.
func (w *goFacts) conversion(e ast.Expr) ast.Expr {
	for range maxChainSteps {
		switch t := e.(type) {
		case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.InterfaceType, *ast.StructType:
			return e
		case *ast.ParenExpr:
			if s, ok := t.X.(*ast.StarExpr); ok {
				if id, ok := s.X.(*ast.Ident); ok && w.isVar(id.Name) {
					return nil
				}
				switch s.X.(type) {
				case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.IndexListExpr:
					return s.X
				}
				return nil
			}
			e = t.X
		default:
			return nil
		}
	}
	return nil
}

// isVar reports whether the name is a local, parameter or receiver.
func (w *goFacts) isVar(name string) bool {
	n := w.find(name)
	return n != nil && n.typ == ""
}

// instance reports whether "x[i]" gives type arguments to a generic function
// or type rather than taking an element. Syntax does not tell; names mostly do.
func (w *goFacts) instance(e *ast.IndexExpr) bool {
	switch x := e.X.(type) {
	case *ast.Ident:
		return !w.isVar(x.Name) && w.looksLikeType(e.Index)
	case *ast.SelectorExpr:
		id, ok := x.X.(*ast.Ident)
		return ok && !w.isVar(id.Name) && w.looksLikeType(e.Index)
	}
	return false
}

func (w *goFacts) looksLikeType(e ast.Expr) bool {
	switch t := e.(type) {
	case *ast.Ident:
		if n := w.find(t.Name); n != nil {
			return n.typ != ""
		}
		if k := w.outer[t.Name]; k != 0 {
			return k == outerType
		}
		return predeclared[t.Name] == predeclaredType || token.IsExported(t.Name)
	case *ast.SelectorExpr:
		id, ok := t.X.(*ast.Ident)
		return ok && !w.isVar(id.Name) && token.IsExported(t.Sel.Name)
	case *ast.StarExpr, *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.InterfaceType, *ast.StructType:
		return true
	case *ast.IndexExpr:
		return w.instance(t)
	case *ast.IndexListExpr:
		return true
	}
	return false
}

const (
	predeclaredType = iota + 1
	predeclaredFunc
	predeclaredValue
)

var predeclared = map[string]int{
	"any": predeclaredType, "bool": predeclaredType, "byte": predeclaredType, "comparable": predeclaredType,
	"complex64": predeclaredType, "complex128": predeclaredType, "error": predeclaredType, "float32": predeclaredType,
	"float64": predeclaredType, "int": predeclaredType, "int8": predeclaredType, "int16": predeclaredType,
	"int32": predeclaredType, "int64": predeclaredType, "rune": predeclaredType, "string": predeclaredType,
	"uint": predeclaredType, "uint8": predeclaredType, "uint16": predeclaredType, "uint32": predeclaredType,
	"uint64": predeclaredType, "uintptr": predeclaredType,
	"true": predeclaredValue, "false": predeclaredValue, "iota": predeclaredValue, "nil": predeclaredValue,
	"append": predeclaredFunc, "cap": predeclaredFunc, "clear": predeclaredFunc, "close": predeclaredFunc,
	"complex": predeclaredFunc, "copy": predeclaredFunc, "delete": predeclaredFunc, "imag": predeclaredFunc,
	"len": predeclaredFunc, "make": predeclaredFunc, "max": predeclaredFunc, "min": predeclaredFunc,
	"new": predeclaredFunc, "panic": predeclaredFunc, "print": predeclaredFunc, "println": predeclaredFunc,
	"real": predeclaredFunc, "recover": predeclaredFunc,
}

// typeText is the text of a type as [Facts] describes it.
func (w *goFacts) typeText(e ast.Expr) string {
	w.buf = w.appendType(w.buf[:0], e, 0)
	return w.names.bytes(w.buf)
}

func (w *goFacts) appendType(b []byte, e ast.Expr, steps int) []byte {
	if steps++; steps > maxChainSteps {
		return append(b, '?')
	}
	switch t := e.(type) {
	case *ast.Ident:
		if n := w.find(t.Name); n != nil && n.typ != "" {
			return append(b, n.typ...)
		}
		return append(b, t.Name...)
	case *ast.SelectorExpr:
		return append(append(w.appendType(b, t.X, steps), '.'), t.Sel.Name...)
	case *ast.StarExpr:
		return w.appendType(b, t.X, steps)
	case *ast.ParenExpr:
		return w.appendType(b, t.X, steps)
	case *ast.IndexExpr:
		return w.appendType(b, t.X, steps)
	case *ast.IndexListExpr:
		return w.appendType(b, t.X, steps)
	case *ast.Ellipsis:
		return w.appendType(append(b, "[]"...), t.Elt, steps)
	case *ast.ArrayType:
		return w.appendType(append(b, "[]"...), t.Elt, steps)
	case *ast.MapType:
		return w.appendType(append(b, "map[]"...), t.Value, steps)
	case *ast.ChanType:
		return w.appendType(append(b, "chan "...), t.Value, steps)
	case *ast.FuncType:
		if t.Results == nil || len(t.Results.List) == 0 {
			return append(b, "func"...)
		}
		return w.appendType(append(b, "func()"...), t.Results.List[0].Type, steps)
	case *ast.InterfaceType:
		if t.Methods == nil || len(t.Methods.List) == 0 {
			return append(b, "any"...)
		}
		return append(b, "interface"...)
	case *ast.StructType:
		return append(b, "struct"...)
	}
	return append(b, '?')
}
