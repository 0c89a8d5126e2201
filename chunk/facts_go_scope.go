package chunk

import (
	"go/ast"
	"strconv"
	"strings"
)

// goFunc is the definition being walked: its names in scope and its metrics.
type goFunc struct {
	chunk  int
	name   string
	recv   string
	method bool

	scope  []goName
	block  int              // where the innermost block starts in scope
	top    map[string]int32 // name → 1 + its innermost entry in scope
	times  map[string]int   // name → how often it was declared in this function
	locals []goLocal

	cyclomatic, cognitive, recursive int
	nesting                          int // as cognitive complexity counts it
	depth, deepest                   int // of control flow
}

// goName is a name in scope.
type goName struct {
	name  string
	text  string // what chains say for it
	typ   string // of a type parameter or local type: what stands for it as a type
	local int    // its place among the locals, -1 for none
	prev  int32  // the entry it hides, as in top
}

type goLocal struct {
	Local
	from int // the local that its chain begins with, -1 for none
	used bool
}

// manyNames is the size of a map that is thrown away rather than cleared: to
// clear a large one for each small function would cost more than to read it.
const manyNames = 256

// open starts the definition of a chunk.
func (w *goFacts) open(chunk int) {
	top, times := w.fn.top, w.fn.times
	if top == nil || len(times) > manyNames {
		top, times = map[string]int32{}, map[string]int{}
	} else if len(times) > 0 || len(top) > 0 {
		clear(top)
		clear(times)
	}
	w.fn = goFunc{chunk: chunk, top: top, times: times, scope: w.fn.scope[:0], locals: w.fn.locals[:0]}
}

// enter starts a block and gives what leave needs to end it.
func (w *goFacts) enter() (outer int) {
	outer, w.fn.block = w.fn.block, len(w.fn.scope)
	return outer
}

func (w *goFacts) leave(outer int) {
	for i := len(w.fn.scope) - 1; i >= w.fn.block; i-- {
		w.fn.top[w.fn.scope[i].name] = w.fn.scope[i].prev
	}
	w.fn.scope, w.fn.block = w.fn.scope[:w.fn.block], outer
}

// declare brings a name into scope. A local gets a suffix when something else has
// its name; receivers and parameters keep theirs.
func (w *goFacts) declare(name, typ, expr string, from int, local bool) {
	if name == "_" || name == "" {
		return
	}
	n := goName{name: name, text: name, local: -1, prev: w.fn.top[name]}
	if local {
		if k := w.fn.times[name] + int(min(w.outer[name], 1)); k > 0 {
			n.text = w.names.bytes(strconv.AppendInt(append(append(w.buf[:0], name...), '\''), int64(k)+1, 10))
		}
		n.local = len(w.fn.locals)
		w.fn.locals = append(w.fn.locals, goLocal{Local: Local{n.text, typ, expr}, from: from})
	}
	w.fn.times[name]++
	w.push(n)
}

func (w *goFacts) push(n goName) {
	w.fn.scope = append(w.fn.scope, n)
	w.fn.top[n.name] = int32(len(w.fn.scope))
}

// find is the innermost entry of a name, nil for none.
func (w *goFacts) find(name string) *goName {
	if i := w.fn.top[name]; i > 0 {
		return &w.fn.scope[i-1]
	}
	return nil
}

// inBlock reports whether the innermost block declared the name itself.
func (w *goFacts) inBlock(name string) bool { return int(w.fn.top[name]) > w.fn.block }

// usedLocals are the locals that calls and references begin with, and those that
// their chains begin with.
func (w *goFacts) usedLocals() []Local {
	count := 0
	for i := len(w.fn.locals) - 1; i >= 0; i-- {
		if l := w.fn.locals[i]; l.used {
			count++
			if l.from >= 0 {
				w.fn.locals[l.from].used = true
			}
		}
	}
	if count == 0 {
		return nil
	}
	out := make([]Local, 0, count)
	for _, l := range w.fn.locals {
		if l.used {
			out = append(out, l.Local)
		}
	}
	return out
}

// typeParams brings type parameters into scope: as a type each is its
// constraint.
func (w *goFacts) typeParams(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, p := range list.List {
		text := "any"
		switch p.Type.(type) {
		case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.IndexListExpr:
			text = w.typeText(p.Type)
		}
		w.typeRefs(p.Type)
		for _, id := range p.Names {
			w.push(goName{name: id.Name, text: id.Name, typ: text, local: -1, prev: w.fn.top[id.Name]})
		}
	}
}

// receiverParams brings the names that a receiver gives to the type
// parameters of its type into scope.
func (w *goFacts) receiverParams(e ast.Expr) {
	for range maxChainSteps {
		switch t := e.(type) {
		case *ast.StarExpr:
			e = t.X
		case *ast.ParenExpr:
			e = t.X
		case *ast.IndexExpr:
			w.receiverParam(t.Index)
			return
		case *ast.IndexListExpr:
			for _, i := range t.Indices {
				w.receiverParam(i)
			}
			return
		default:
			return
		}
	}
}

func (w *goFacts) receiverParam(e ast.Expr) {
	if id, ok := e.(*ast.Ident); ok && id.Name != "_" {
		w.push(goName{name: id.Name, text: id.Name, typ: "any", local: -1, prev: w.fn.top[id.Name]})
	}
}

// origin returns the type that the i-th of n names is declared with or made of,
// or else the chain that makes it and the local that the chain begins with.
func (w *goFacts) origin(typ ast.Expr, values []ast.Expr, i, n int) (text, expr string, from int) {
	switch {
	case typ != nil:
		return w.typeText(typ), "", -1
	case len(values) == n:
		w.buf, from = w.chain(values[i])
	case len(values) == 1:
		call, ok := values[0].(*ast.CallExpr)
		if i > 0 && !ok {
			return "bool", "", -1 // v, ok :=
		}
		w.buf, from = w.chain(values[0])
		if ok && call != nil && i > 0 && strings.HasSuffix(string(w.buf), "()") {
			w.buf = strconv.AppendInt(append(w.buf, '#'), int64(i), 10)
		}
	default:
		return "", "", -1
	}
	text, expr = w.splitChain(w.buf)
	return text, expr, from
}

// splitChain splits a chain into a type or an expression; both are "" when nothing
// is known.
func (w *goFacts) splitChain(b []byte) (typ, expr string) {
	if len(b) == 0 || b[0] == '?' {
		return "", ""
	}
	s := w.names.bytes(b)
	if t, ok := strings.CutSuffix(s, "{}"); ok {
		return t, ""
	}
	return "", s
}
