package chunk

import (
	"go/ast"
	"go/token"
)

// block walks statements in a scope of their own.
func (w *goFacts) block(list []ast.Stmt) {
	outer := w.enter()
	w.stmts(list)
	w.leave(outer)
}

func (w *goFacts) stmts(list []ast.Stmt) {
	for _, s := range list {
		w.stmt(s)
	}
}

func (w *goFacts) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		w.value(s.X)
	case *ast.AssignStmt:
		w.assign(s)
	case *ast.ReturnStmt:
		w.values(s.Results)
	case *ast.IfStmt:
		w.ifStmt(s, false)
	case *ast.BlockStmt:
		w.block(s.List)
	case *ast.DeclStmt:
		w.localDecl(s)
	case *ast.ForStmt:
		w.forStmt(s)
	case *ast.RangeStmt:
		w.rangeStmt(s)
	case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		w.switchStmt(s)
	case *ast.GoStmt:
		w.value(s.Call)
	case *ast.DeferStmt:
		w.value(s.Call)
	case *ast.SendStmt:
		w.value(s.Chan)
		w.value(s.Value)
	case *ast.IncDecStmt:
		w.value(s.X)
	case *ast.LabeledStmt:
		w.stmt(s.Stmt)
	case *ast.BranchStmt:
		if s.Label != nil {
			w.fn.cognitive++
		}
	}
}

// assign walks an assignment and declares the names that it makes.
func (w *goFacts) assign(s *ast.AssignStmt) {
	w.values(s.Rhs)
	if s.Tok != token.DEFINE {
		w.values(s.Lhs)
		return
	}
	w.define(s.Lhs, nil, s.Rhs)
}

// define declares those of the names that the block has not declared.
func (w *goFacts) define(names []ast.Expr, typ ast.Expr, values []ast.Expr) {
	type made struct {
		name, typ, expr string
		from            int
	}
	var few [4]made
	all := few[:0]
	for i, e := range names {
		if id, ok := e.(*ast.Ident); ok && id.Name != "_" && !w.inBlock(id.Name) {
			m := made{name: id.Name}
			m.typ, m.expr, m.from = w.origin(typ, values, i, len(names))
			all = append(all, m)
		}
	}
	for _, m := range all { // the values do not see the names
		w.declare(m.name, m.typ, m.expr, m.from, true)
	}
}

func (w *goFacts) localDecl(s *ast.DeclStmt) {
	d, ok := s.Decl.(*ast.GenDecl)
	if !ok {
		return
	}
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			w.typeRefs(spec.Type)
			w.values(spec.Values)
			names := make([]ast.Expr, len(spec.Names))
			for i, id := range spec.Names {
				names[i] = id
			}
			w.define(names, spec.Type, spec.Values)
		case *ast.TypeSpec:
			w.typeRefs(spec.Type)
			name := spec.Name.Name
			w.push(goName{name: name, text: name, typ: w.typeText(spec.Type), local: -1, prev: w.fn.top[name]})
		}
	}
}

func (w *goFacts) ifStmt(s *ast.IfStmt, isElse bool) {
	outer := w.enter()
	w.fn.cyclomatic++
	if isElse {
		w.fn.cognitive++
	} else {
		w.fn.cognitive += w.fn.nesting + 1
	}
	w.optional(s.Init)
	w.value(s.Cond)
	w.addNesting(1, 1)
	w.block(s.Body.List)
	w.addNesting(-1, -1)
	switch e := s.Else.(type) {
	case *ast.BlockStmt:
		w.fn.cognitive++
		w.addNesting(1, 1)
		w.block(e.List)
		w.addNesting(-1, -1)
	case *ast.IfStmt:
		w.ifStmt(e, true)
	}
	w.leave(outer)
}

func (w *goFacts) optional(s ast.Stmt) {
	if s != nil {
		w.stmt(s)
	}
}

// addNesting changes the nesting and the depth of control flow.
func (w *goFacts) addNesting(nesting, depth int) {
	w.fn.nesting += nesting
	w.fn.depth += depth
	w.fn.deepest = max(w.fn.deepest, w.fn.depth)
}

func (w *goFacts) forStmt(s *ast.ForStmt) {
	outer := w.enter()
	w.fn.cyclomatic++
	w.fn.cognitive += w.fn.nesting + 1
	w.optional(s.Init)
	w.value(s.Cond)
	w.optional(s.Post)
	w.addNesting(1, 1)
	w.block(s.Body.List)
	w.addNesting(-1, -1)
	w.leave(outer)
}

func (w *goFacts) rangeStmt(s *ast.RangeStmt) {
	outer := w.enter()
	w.fn.cyclomatic++
	w.fn.cognitive += w.fn.nesting + 1
	w.value(s.X)
	if s.Tok == token.DEFINE {
		b, from := w.chain(s.X)
		w.buf = b
		typ, expr := w.splitChain(b)
		if typ != "" {
			expr = typ + "{}"
		}
		w.rangeVar(s.Key, expr, "[key]", from)
		w.rangeVar(s.Value, expr, "[]", from)
	} else {
		w.value(s.Key)
		w.value(s.Value)
	}
	w.addNesting(1, 1)
	w.block(s.Body.List)
	w.addNesting(-1, -1)
	w.leave(outer)
}

// rangeVar declares a variable of a range over the chain.
func (w *goFacts) rangeVar(e ast.Expr, chain, step string, from int) {
	id, ok := e.(*ast.Ident)
	if !ok || id.Name == "_" {
		return
	}
	if chain != "" {
		w.buf = append(append(w.buf[:0], chain...), step...)
		chain = w.names.bytes(w.buf)
	}
	w.declare(id.Name, "", chain, from, true)
}

func (w *goFacts) switchStmt(s ast.Stmt) {
	outer := w.enter()
	w.fn.cognitive += w.fn.nesting + 1
	var body *ast.BlockStmt
	name, value := "", ast.Expr(nil)
	switch s := s.(type) {
	case *ast.SwitchStmt:
		w.optional(s.Init)
		w.value(s.Tag)
		body = s.Body
	case *ast.SelectStmt:
		body = s.Body
	case *ast.TypeSwitchStmt:
		w.optional(s.Init)
		name, value = w.typeSwitch(s)
		body = s.Body
	}
	w.addNesting(1, 1)
	for _, c := range body.List {
		inner := w.enter()
		switch c := c.(type) {
		case *ast.CaseClause:
			w.caseClause(c, name, value)
		case *ast.CommClause:
			if c.Comm != nil {
				w.fn.cyclomatic++
				w.stmt(c.Comm)
			}
			w.stmts(c.Body)
		}
		w.leave(inner)
	}
	w.addNesting(-1, -1)
	w.leave(outer)
}

// typeSwitch walks the guard "name := value.(type)".
func (w *goFacts) typeSwitch(s *ast.TypeSwitchStmt) (name string, value ast.Expr) {
	var guard ast.Expr
	switch a := s.Assign.(type) {
	case *ast.ExprStmt:
		guard = a.X
	case *ast.AssignStmt:
		if len(a.Lhs) == 1 && len(a.Rhs) == 1 {
			guard = a.Rhs[0]
			if id, ok := a.Lhs[0].(*ast.Ident); ok {
				name = id.Name
			}
		}
	}
	if t, ok := guard.(*ast.TypeAssertExpr); ok {
		w.value(t.X)
		return name, t.X
	}
	return "", nil
}

// caseClause walks one case; in a type switch its variable has the type of
// the case when that is one.
func (w *goFacts) caseClause(c *ast.CaseClause, name string, value ast.Expr) {
	if c.List != nil {
		w.fn.cyclomatic++
	}
	if value == nil {
		w.values(c.List)
	} else {
		for _, t := range c.List {
			w.typeRefs(t)
		}
		if name != "" {
			if len(c.List) == 1 && !isNil(c.List[0]) {
				w.declare(name, w.typeText(c.List[0]), "", -1, true)
			} else {
				typ, expr, from := w.origin(nil, []ast.Expr{value}, 0, 1)
				w.declare(name, typ, expr, from, true)
			}
		}
	}
	w.stmts(c.Body)
}

func isNil(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "nil"
}
