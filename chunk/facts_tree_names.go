package chunk

import (
	"bytes"
	"strings"
)

// nothing is the type of the value that stands for none, until a variable is
// given another.
const nothing = "None"

// name declares a local of the innermost function. A name that is given two
// different values is known to be local and nothing more.
func (w *factWalk) name(name, typ, expr string, again bool) {
	if len(w.fns) == 0 || name == "" || name == "_" {
		return
	}
	f := w.fns[len(w.fns)-1]
	old := f.names[name]
	switch {
	case old == nil:
		old = &factName{Local: Local{w.names.bytes([]byte(name)), typ, expr}}
		f.names[name] = old
		f.order = append(f.order, old)
	case old.param || again || typ == nothing:
	case old.Type == nothing:
		old.Type, old.Expr = typ, expr
	case old.Type != typ || old.Expr != expr:
		old.mixed = true
	}
}

// find is the entry of a name in the functions around the node, nil for none.
// One of an outer function is taken over by the inner.
func (w *factWalk) find(name string) *factName {
	if len(w.fns) == 0 {
		return nil
	}
	in := w.fns[len(w.fns)-1]
	if n := in.names[name]; n != nil {
		return n
	}
	for k := len(w.fns) - 2; k >= 0 && k >= len(w.fns)-8; k-- {
		if n := w.fns[k].names[name]; n != nil {
			c := &factName{Local: Local{n.Name, n.Type, n.Expr}, mixed: n.mixed}
			if n.used = true; n.Expr != "" && n.Type == "" {
				c.Expr = "" // its chain refers to other locals
			}
			in.names[name] = c
			in.order = append(in.order, c)
			return c
		}
	}
	return nil
}

// declared reads a node that declares or assigns a name.
func (w *factWalk) declared(i int, d *decl) {
	if d.read != nil {
		if name, typ, expr := d.read(w, i); name != "" {
			w.declaredName(i, w.names.bytes([]byte(name)), w.names.bytes([]byte(typ)), w.names.bytes([]byte(expr)), d)
		}
		return
	}
	left := w.child(i, d.name)
	if left < 0 || w.alias != nil && w.requireBinds(i, false) {
		return
	}
	typ, expr := "", ""
	if t := w.child(i, d.typ); t >= 0 {
		typ = w.cleanType(w.t.text(t))
		if typ == "auto" || typ == "var" {
			typ = ""
		}
	}
	name := w.nameOf(i, d)
	if w.docType != nil {
		typ = w.docType(w, i, "var", name, typ)
	}
	if v := w.child(i, d.value); v >= 0 && typ == "" {
		typ, expr = w.valueType(v, d.elem)
	}
	typ, expr = w.names.bytes([]byte(typ)), w.names.bytes([]byte(expr))
	if name != "" && !strings.HasPrefix(name, "@") {
		w.declaredName(i, name, typ, expr, d)
		return
	}
	if b := string(w.chain(left)); w.self != "" || len(w.fns) > 0 {
		recv := w.self
		if len(w.fns) > 0 && w.fns[len(w.fns)-1].Recv != "" {
			recv = w.fns[len(w.fns)-1].Recv
		}
		name, ok := strings.CutPrefix(b, recv+".")
		if recv != "" && ok && isIdent(strings.TrimPrefix(name, "@")) {
			w.field(strings.TrimPrefix(name, "@"), w.fieldType(typ, expr))
			return
		}
	}
	w.t.kids(left, func(k int) bool { // a pattern: its names are known to be local
		if n := &w.t.nodes[k]; n.end-n.start <= maxName && isIdent(w.t.text(k)) && strings.HasSuffix(w.t.typeOf(left), "_pattern") || w.t.typeOf(left) == "pattern_list" {
			w.name(w.t.text(k), "", "", d.assigns && w.opts.fixed)
		}
		return true
	})
}

func (w *factWalk) declaredName(i int, name, typ, expr string, d *decl) {
	if len(w.fns) > 0 {
		w.name(name, typ, expr, d.assigns && w.opts.fixed)
		return
	}
	if len(w.kinds) > 0 { // in the body of a class
		w.field(name, w.fieldType(typ, expr))
		return
	}
	if c := w.chunk(); c >= 0 && (w.chunks[c].Kind == Var || w.chunks[c].Kind == Const) && w.chunks[c].Name == name && !w.bound[c] {
		w.bound[c] = true
		if (typ != "" && typ != nothing || expr != "") && len(w.facts.Vars) < maxFacts {
			w.facts.Vars = append(w.facts.Vars, VarFact{c, typ, expr})
		}
	}
}

// fieldType is what a field is known to be: its type, that of the parameter it
// is set from, or what a constructor gives, as "T()".
func (w *factWalk) fieldType(typ, expr string) string {
	if typ == nothing {
		return ""
	}
	if typ != "" {
		return typ
	}
	if isIdent(expr) {
		if n := w.find(expr); n != nil && n.param {
			return n.Type
		}
		return ""
	}
	base, rest, ok := strings.Cut(expr, "(")
	if name, _, _ := strings.Cut(base, "."); ok && rest == ")" && w.find(name) == nil && name != "?" {
		return expr
	}
	return ""
}

// valueType is the type of a value or else its chain.
func (w *factWalk) valueType(v int, elem bool) (typ, expr string) {
	if n := w.t.nodes[v]; n.end-n.start <= 9 && !elem {
		switch w.t.text(v) {
		case "None", "null", "nil", "undefined", "NULL", "nullptr":
			return nothing, ""
		}
	}
	b := w.chain(v)
	if len(b) == 0 || b[0] == '?' {
		return "", ""
	}
	if t, ok := bytes.CutSuffix(b, []byte("{}")); ok && !elem {
		return string(t), ""
	}
	if t, ok := bytes.CutSuffix(b, []byte("()")); ok && !elem && w.generics.sizes && bytes.IndexByte(t, ']') > 0 && bytes.IndexByte(t, '(') < 0 &&
		(bytes.HasPrefix(t, []byte("[]")) || bytes.HasPrefix(t, []byte("map[]"))) {
		return string(t), "" // new List<T>()
	}
	if elem {
		b = append(b, "[]"...)
	}
	return "", string(b)
}

// chain writes the chain of node i; the names it begins with are in use then.
func (w *factWalk) chain(i int) []byte {
	w.buf = w.write(w.buf[:0], i, 0)
	if len(w.buf) > maxChain {
		if k := bytes.LastIndexByte(w.buf[:len(w.buf)-1], '.'); k >= 0 && len(w.buf)-k < maxChain {
			w.buf = append(append([]byte(nil), '?'), w.buf[k:]...)
		} else {
			w.buf = append(w.buf[:0], '?')
		}
	}
	return w.buf
}

func (w *factWalk) write(b []byte, i, steps int) []byte {
	s := w.t.nodes[i].symbol
	if steps++; steps > maxChainSteps || int(s) >= len(w.steps) || w.steps[s] == nil {
		return append(b[:0], '?')
	}
	x := w.steps[s]
	if w.alias != nil && x.base != "" {
		if name := w.alias(w, i); name != "" {
			return append(b[:0], name...)
		}
	}
	switch {
	case x.write != nil:
		return x.write(w, b, i, steps)
	case x.leaf:
		return w.leaf(b, i)
	case x.text != "":
		return append(b[:0], x.text...)
	case x.typ != "":
		k := w.child(i, x.typ)
		if k < 0 {
			return append(b[:0], '?')
		}
		text := w.cleanType(w.t.text(k))
		if text == "" {
			return append(b[:0], '?')
		}
		return append(append(b[:0], text...), x.add...)
	}
	base := w.child(i, x.base)
	switch {
	case base >= 0 && x.but != "" && w.t.typeOf(base) == x.but:
		return append(b[:0], '?')
	case base >= 0:
		b = w.write(b, base, steps)
	case !x.optional:
		return append(b[:0], '?')
	}
	if x.name != "" {
		k := w.child(i, x.name)
		if k < 0 || w.t.nodes[k].end-w.t.nodes[k].start > maxName {
			return append(b[:0], '?')
		}
		text := cleanName(w.t.text(k))
		if text == "" {
			return append(b[:0], '?')
		}
		if base >= 0 {
			b = append(b, '.')
		}
		b = append(b, text...)
	}
	return append(b, x.add...)
}

func (w *factWalk) leaf(b []byte, i int) []byte {
	n := &w.t.nodes[i]
	if n.end-n.start > maxName || n.end == n.start {
		return append(b[:0], '?')
	}
	text := w.t.src[n.start:n.end]
	if k := bytes.IndexAny(text, "<([\n "); k > 0 {
		text = text[:k]
	}
	if text[0] == '@' { // an instance variable
		return append(append(b[:0], "self."...), bytes.TrimLeft(text, "@")...)
	}
	if w.leafText != nil {
		text = []byte(w.leafText(w, i, string(w.t.src[n.start:n.end])))
	}
	b = append(b[:0], text...)
	if n := w.find(string(b)); n != nil {
		n.used = true
	}
	return b
}

// cleanName is a member's name without what a grammar keeps with it.
func cleanName(text string) string {
	if i := strings.IndexAny(text, "<( \n"); i > 0 {
		text = text[:i]
	}
	return strings.ReplaceAll(text, "::", ".")
}

// call records the call at node i.
func (w *factWalk) call(i int) {
	if w.alias != nil && w.required(i) != "" {
		return // an import
	}
	at, args, ok := w.t.nodes[i].start, "", true
	if w.site != nil {
		if at, args, ok = w.site(w, i); !ok {
			return
		}
	}
	b := w.chain(i)
	if b = bytes.TrimSuffix(b, []byte("()")); bytes.HasPrefix(b, []byte("[]")) || bytes.HasPrefix(b, []byte("map[]")) {
		return // a container from outside is made
	}
	if len(w.facts.Calls) >= maxFacts || len(b) == 0 {
		return
	}
	chain := w.names.bytes(b)
	for _, field := range []string{"name", "method", "function", "constructor"} { // the line of the last name
		if k := w.t.field(i, field); k >= 0 {
			at = w.t.nodes[k].end - 1
			break
		}
	}
	if w.site == nil {
		args = w.argumentsOf(i)
	}
	w.facts.Calls = append(w.facts.Calls, Call{w.chunk(), w.line.at(int(at)), chain, args})
	if len(w.fns) > 0 {
		f := w.fns[len(w.fns)-1]
		name := w.chunks[f.Chunk].Name
		if chain == name && f.names[name] == nil && (f.Recv == "" || w.opts.implicit) || (f.Recv != "" && chain == f.Recv+"."+name) {
			f.itself = true
		}
	}
}

// valueRef records a name whose value is used.
func (w *factWalk) valueRef(i int) {
	n := &w.t.nodes[i]
	p := w.t.nodes[n.parent].symbol
	if int(p) >= len(w.is) || w.is[p]&isValues == 0 || w.is[n.symbol]&isCall != 0 {
		return
	}
	if f := int(n.field); f > 0 && f < len(w.g.fields) {
		switch w.g.fields[f] {
		case "name", "left", "key", "pattern", "declarator", "property":
			return
		}
	}
	b := w.chain(i)
	if bytes.IndexByte(b, '(') < 0 && bytes.IndexByte(b, '{') < 0 {
		base, _, _ := strings.Cut(string(b), ".")
		if w.find(base) == nil {
			w.ref(i, string(b))
		}
	}
}

// ref records a reference, once a chunk.
func (w *factWalk) ref(i int, text string) {
	c := int32(w.chunk())
	if len(w.facts.Refs) >= maxFacts || text == "" || text[0] == '?' || len(text) > maxChain || w.seen[text] == c+2 {
		return
	}
	text = w.names.bytes([]byte(text))
	w.seen[text] = c + 2
	w.facts.Refs = append(w.facts.Refs, Ref{int(c), w.line.at(int(w.t.nodes[i].start)), text})
}

// typeRef records the name of a type where it is, with what qualifies it.
func (w *factWalk) typeRef(i int) {
	n := &w.t.nodes[i]
	if p := int(n.parent); p >= 0 && n.direct == 1 {
		s := w.t.nodes[p].symbol
		if int(s) < len(w.is) && (w.is[s]&isTypeRef != 0 || (w.kind[s] != "" && w.t.field(p, "name") == i)) &&
			!(w.opts.tags && w.kind[s] != "alias" && w.t.field(p, "name") == i && w.t.field(p, "body") < 0) {
			return
		}
	}
	if n.end-n.start <= maxName {
		text := cleanName(w.t.text(i))
		if w.leafText != nil {
			text = w.leafText(w, i, text)
		}
		if text != "var" {
			w.ref(i, text)
		}
	}
}
