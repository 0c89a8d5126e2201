package chunk

import (
	"bytes"
	"strconv"
	"strings"
)

// factScope is a lambda of Kotlin around the current node. Its implicit parameter
// "it" and, in those of apply, run and with, its receiver are locals whose names
// are distinguished as those of [Facts] are.
type factScope struct {
	end      uint32
	it, this string // "" for none
}

// lambda is the innermost lambda around node i for which is reports true.
func (w *factWalk) lambda(i int, is func(s *factScope) bool) *factScope {
	for k := len(w.lambdas); k > 0 && w.lambdas[k-1].end <= uint32(i); k = len(w.lambdas) {
		w.lambdas = w.lambdas[:k-1]
	}
	for k := len(w.lambdas) - 1; k >= 0; k-- {
		if is(&w.lambdas[k]) {
			return &w.lambdas[k]
		}
	}
	return nil
}

func hasIt(s *factScope) bool   { return s.it != "" }
func hasThis(s *factScope) bool { return s.this != "" }

// What the functions of the standard library give to a lambda: a receiver, the
// value they are called on, an element of it.
var (
	kotlinOnThis  = words("apply run with")
	kotlinOnIt    = words("let also takeIf takeUnless use")
	kotlinOnEach  = words("forEach map filter filterNot any all none count first firstOrNull last lastOrNull find findLast single singleOrNull onEach mapNotNull flatMap associate associateBy associateWith groupBy sumOf sortedBy sortedByDescending sortBy maxByOrNull minByOrNull maxBy minBy partition takeWhile dropWhile removeAll removeIf retainAll joinToString indexOfFirst indexOfLast")
	kotlinReturns = words("apply also takeIf takeUnless") // what they are called on
)

// callee is the name that a call ends in, and what it is called on, −1 for nothing.
func (w *factWalk) kotlinCallee(call int) (name string, on int) {
	f := w.child(call, "<")
	if f >= 0 && w.t.typeOf(f) == "call_expression" { // with(x) { }
		f = w.child(f, "<")
	}
	if f < 0 {
		return "", -1
	}
	switch w.t.typeOf(f) {
	case "simple_identifier":
		return w.t.text(f), -1
	case "navigation_expression":
		if k := w.child(f, ":navigation_suffix/:simple_identifier"); k >= 0 && w.t.nodes[k].end-w.t.nodes[k].start <= maxName {
			return w.t.text(k), w.child(f, "<")
		}
	}
	return "", -1
}

// kotlinLambda opens the scope of a lambda and declares its parameters.
func (w *factWalk) kotlinLambda(i int) {
	call := i
	for steps := 0; call >= 0 && w.t.typeOf(call) != "call_expression"; steps++ {
		if call = int(w.t.nodes[call].parent); steps > 3 {
			call = -1
		}
	}
	name, on := "", -1
	if call >= 0 {
		if name, on = w.kotlinCallee(call); name == "with" && on < 0 {
			on = w.child(call, ":call_suffix/:value_arguments/:value_argument/<")
			if on < 0 {
				on = w.child(call, "</:call_suffix/:value_arguments/:value_argument/<")
			}
		}
	}
	expr := ""
	if on >= 0 && (kotlinOnThis[name] || kotlinOnIt[name] || kotlinOnEach[name]) {
		if b := w.chain(on); len(b) > 0 && b[0] != '?' {
			expr = string(b)
		}
	}
	s := factScope{end: w.t.nodes[i].next}
	typ := ""
	if t, ok := strings.CutSuffix(expr, "{}"); ok {
		typ, expr = t, ""
	}
	f := w.fns[len(w.fns)-1]
	if kotlinOnThis[name] && on >= 0 {
		if expr+typ != "" {
			s.this = w.distinct(f, "this", typ, expr)
		}
		w.lambdas = append(w.lambdas, s)
		return
	}
	if kotlinOnEach[name] && expr != "" {
		expr += "[]"
	} else if !kotlinOnIt[name] {
		typ, expr = "", ""
	}
	if params := w.t.kid(i, "lambda_parameters"); params >= 0 {
		w.t.kids(params, func(k int) bool {
			w.kotlinVariables(k, typ, expr)
			typ, expr = "", ""
			return true
		})
	} else {
		s.it = w.distinct(f, "it", typ, expr)
	}
	w.lambdas = append(w.lambdas, s)
}

// distinct declares a local that shares its name with others of the function.
func (w *factWalk) distinct(f *factFunc, name, typ, expr string) string {
	f.its++
	name += "'" + strconv.Itoa(f.its)
	w.name(name, w.names.bytes([]byte(typ)), w.names.bytes([]byte(expr)), false)
	return name
}

// kotlinVariables declares the names of one declaration; only a plain one has the
// type or chain given, if it declares no type.
func (w *factWalk) kotlinVariables(k int, typ, expr string) {
	if w.t.typeOf(k) == "multi_variable_declaration" {
		w.t.kids(k, func(v int) bool {
			if name, typ := w.kotlinVariable(v); name != "" {
				w.name(name, typ, "", false)
			}
			return true
		})
		return
	}
	if name, own := w.kotlinVariable(k); name != "" {
		if own != "" {
			typ, expr = own, ""
		}
		w.name(w.names.bytes([]byte(name)), w.names.bytes([]byte(typ)), w.names.bytes([]byte(expr)), false)
	}
}

// kotlinVariable reads a declaration of one variable.
func (w *factWalk) kotlinVariable(k int) (name, typ string) {
	id := w.t.kid(k, "simple_identifier")
	if id < 0 || w.t.nodes[id].end-w.t.nodes[id].start > maxName {
		return "", ""
	}
	if t := w.child(k, ">"); t > id && kotlinIsType(w.t.typeOf(t)) {
		typ = w.cleanType(w.t.text(t))
	}
	return strings.Trim(w.t.text(id), "`"), typ
}

// kotlinProperties reads a property or a local variable.
func kotlinProperties(w *factWalk, i int) (name, typ, expr string) {
	declared, value := -1, -1
	w.t.kids(i, func(k int) bool {
		switch what := w.t.typeOf(k); what {
		case "variable_declaration":
			declared = k
		case "multi_variable_declaration":
			w.kotlinVariables(k, "", "")
		case "property_delegate":
			value = w.kotlinLazy(k)
		case "getter":
			if value < 0 {
				value = w.kotlinGetter(k)
			}
		case "setter", "type_constraints", "type_parameters", "modifiers", "binding_pattern_kind":
		default:
			if declared >= 0 && !strings.HasSuffix(what, "comment") {
				value = k
			}
		}
		return true
	})
	if declared < 0 {
		return "", "", ""
	}
	if name, typ = w.kotlinVariable(declared); typ == "" && value >= 0 {
		typ, expr = w.valueType(value, false)
	}
	if len(w.fns) == 0 && len(w.kinds) > 0 && typ == "" && isIdent(expr) { // of a parameter of the constructor
		for _, f := range w.facts.Types[w.kinds[len(w.kinds)-1].fact].Fields {
			if f.Name == expr && expr != name {
				typ = f.Type
			}
		}
	}
	return name, typ, expr
}

// kotlinLazy is what the lambda of a lazy property ends in, −1 for none.
func (w *factWalk) kotlinLazy(delegate int) int {
	call := w.t.kid(delegate, "call_expression")
	if name, _ := "", 0; call >= 0 {
		if name, _ = w.kotlinCallee(call); name != "lazy" {
			return -1
		}
	}
	return w.child(delegate, ":call_expression/:call_suffix/:annotated_lambda/:lambda_literal/:statements/>")
}

// kotlinGetter is the expression that a getter returns, −1 for none.
func (w *factWalk) kotlinGetter(getter int) int {
	body := w.t.kid(getter, "function_body")
	if body < 0 || w.t.src[w.t.nodes[body].start] != '=' {
		return -1
	}
	return w.child(body, "<")
}

// kotlinLoop reads "for (x in list)".
func kotlinLoop(w *factWalk, i int) (name, typ, expr string) {
	v := w.t.kid(i, "variable_declaration", "multi_variable_declaration")
	if v < 0 {
		return "", "", ""
	}
	over := -1
	w.t.kids(i, func(k int) bool {
		if k > v && over < 0 && w.t.typeOf(k) != "control_structure_body" {
			over = k
		}
		return true
	})
	if over >= 0 {
		typ, expr = w.valueType(over, true)
	}
	w.kotlinVariables(v, typ, expr)
	return "", "", ""
}

// kotlinSubject reads "when (val x = y)".
func kotlinSubject(w *factWalk, i int) (name, typ, expr string) {
	v, value := w.t.kid(i, "variable_declaration"), w.child(i, ">")
	if v < 0 || value <= v {
		return "", "", ""
	}
	if name, typ = w.kotlinVariable(v); typ == "" {
		typ, expr = w.valueType(value, false)
	}
	return name, typ, expr
}

// kotlinName writes a name. One that no function around declares may be a member
// of the receiver of a lambda: it is written as that, and read as a plain name where
// the receiver has no such member.
func kotlinName(w *factWalk, b []byte, i, _ int) []byte {
	n := &w.t.nodes[i]
	if n.end-n.start > maxName || n.end <= n.start {
		return append(b[:0], '?')
	}
	text := string(bytes.Trim(w.t.src[n.start:n.end], "`"))
	if text == "it" {
		if s := w.lambda(i, hasIt); s != nil {
			text = s.it
		}
	}
	local := w.find(text)
	if local != nil {
		local.used = true
	} else if s := w.lambda(i, hasThis); s != nil {
		if local := w.find(s.this); local != nil {
			local.used = true
			return append(append(append(b[:0], s.this...), '.'), text...)
		}
	}
	return append(b[:0], text...)
}

// kotlinThis writes "this" and "this@Outer".
func kotlinThis(w *factWalk, b []byte, i, _ int) []byte {
	label := w.t.kid(i, "type_identifier")
	if label < 0 {
		text := "this"
		if s := w.lambda(i, hasThis); s != nil {
			text = s.this
		}
		if n := w.find(text); n != nil {
			n.used = true
		}
		return append(b[:0], text...)
	}
	text := w.t.text(label)
	if len(w.fns) > 0 && w.chunks[w.fns[len(w.fns)-1].Chunk].Name == text {
		return append(b[:0], "this"...)
	}
	if len(text) > maxName || text == "" || text[0] >= 'a' { // the label of a lambda
		return append(b[:0], '?')
	}
	return append(append(b[:0], text...), ".this"...)
}

// kotlinSuper writes "super" and "super<Base>".
func kotlinSuper(w *factWalk, b []byte, i, _ int) []byte {
	if k := w.t.kid(i, "user_type"); k >= 0 {
		if text := w.cleanType(w.t.text(k)); text != "" {
			return append(append(b[:0], text...), "{}"...)
		}
		return append(b[:0], '?')
	}
	return append(b[:0], "super"...)
}

// kotlinOuter is the call that a call with a lambda behind its arguments completes,
// −1 for another: "f(x) { }" is a call of f(x) to the grammar.
func (w *factWalk) kotlinOuter(call int) int {
	f := w.child(call, "<")
	if f < 0 || w.t.typeOf(f) != "call_expression" || w.child(call, ":call_suffix/:annotated_lambda") < 0 || w.child(call, ":call_suffix/:value_arguments") >= 0 {
		return -1
	}
	if w.child(f, ":call_suffix/:value_arguments") < 0 || w.child(f, ":call_suffix/:annotated_lambda") >= 0 {
		return -1
	}
	return f
}

// kotlinCall writes a call.
func kotlinCall(w *factWalk, b []byte, i, steps int) []byte {
	if inner := w.kotlinOuter(i); inner >= 0 {
		return w.write(b, inner, steps)
	}
	if name, on := w.kotlinCallee(i); on >= 0 && kotlinReturns[name] && w.child(i, ":call_suffix/:annotated_lambda") >= 0 {
		return w.write(b, on, steps)
	}
	f := w.child(i, "<")
	if f < 0 {
		return append(b[:0], '?')
	}
	return append(w.write(b, f, steps), "()"...)
}

// kotlinInfix writes "a op b".
func kotlinInfix(w *factWalk, b []byte, i, steps int) []byte {
	on := w.child(i, "<")
	op := w.kotlinOperator(i)
	if on < 0 || op < 0 {
		return append(b[:0], '?')
	}
	b = append(w.write(b, on, steps), '.')
	return append(append(b, w.t.text(op)...), "()"...)
}

// kotlinOperator is the name between the operands of an infix call, −1 for none.
func (w *factWalk) kotlinOperator(i int) int {
	op, at := -1, 0
	w.t.kids(i, func(k int) bool {
		if at++; at == 2 && w.t.typeOf(k) == "simple_identifier" && w.t.nodes[k].end-w.t.nodes[k].start <= maxName {
			op = k
		}
		return at < 2
	})
	return op
}

// kotlinObject writes an object without a name as a value of its first base.
func kotlinObject(w *factWalk, b []byte, i, _ int) []byte {
	if k := w.child(i, ":delegation_specifier/<"); k >= 0 {
		if text := w.cleanType(kotlinBase(w, k)); text != "" {
			return append(append(b[:0], text...), "{}"...)
		}
	}
	return append(b[:0], '?')
}

// kotlinReference writes "::f" and "T::f".
func kotlinReference(w *factWalk, b []byte, i, _ int) []byte {
	name := w.t.kid(i, "simple_identifier")
	if name < 0 || w.t.nodes[i].end-w.t.nodes[i].start > maxName {
		return append(b[:0], '?')
	}
	b = b[:0]
	if of := w.t.kid(i, "type_identifier", "user_type"); of >= 0 {
		b = append(append(b, cleanName(w.t.text(of))...), '.')
	}
	return append(b, w.t.text(name)...)
}

// kotlinDelegation writes the call of another constructor.
func kotlinDelegation(w *factWalk, b []byte, i, _ int) []byte {
	if bytes.HasPrefix(w.t.src[w.t.nodes[i].start:w.t.nodes[i].end], []byte("super")) {
		return append(b[:0], "super()"...)
	}
	return append(b[:0], "this()"...)
}

// kotlinEntry writes the making of an entry of an enum.
func kotlinEntry(w *factWalk, b []byte, _, _ int) []byte {
	if len(w.kinds) == 0 {
		return append(b[:0], '?')
	}
	return append(append(b[:0], w.chunks[w.facts.Types[w.kinds[len(w.kinds)-1].fact].Chunk].Name...), "()"...)
}
