package chunk

import (
	"strings"
)

// Facts of functions: their parameters, results and metrics.

// funcNode opens the function of node i; one without a chunk of its own
// belongs to the function around it.
func (w *factWalk) funcNode(i int) {
	c := w.bind(i, Function, Method)
	if c < 0 {
		if len(w.fns) > 0 {
			w.header(i, func(name, typ string, _ *decl) { w.name(name, typ, "", false) })
		}
		return
	}
	f := &factFunc{FuncFact: FuncFact{Chunk: c}, at: i, end: w.t.nodes[i].next, names: map[string]*factName{}}
	w.fns = append(w.fns, f)
	method := w.chunks[c].Kind == Method
	if method && w.self != "" && !w.opts.listed {
		f.Recv = w.self
	}
	first := true
	result := w.header(i, func(name, typ string, d *decl) {
		f.Metrics.Params++
		if w.docType != nil && !d.rest {
			typ = w.names.bytes([]byte(w.docType(w, i, "param", name, typ)))
		}
		if method && first && typ == "" && w.self == "" && name != "" && !w.static(i) {
			f.Recv = name
		} else if d.skip {
			f.Recv = w.self
		} else {
			f.Params = append(f.Params, NameType{name, typ})
			if f.Variadic = d.rest || w.opts.named && f.Variadic; d.optional {
				f.Optional++
			} else if !d.rest && !w.opts.named {
				f.Optional = 0
			}
		}
		first = false
		if name != "" {
			f.names[name] = &factName{Local: Local{Name: name, Type: typ}, param: true}
		}
	})
	if w.docType != nil {
		result = w.docType(w, i, "return", "", result)
	}
	if result != "" {
		f.Results = []string{w.names.bytes([]byte(result))}
	}
	if w.form != nil {
		if f.Form = w.form(w, i); f.Form == FormProperty && len(f.Results) > 0 {
			f.names["value"] = &factName{Local: Local{Name: "value", Type: f.Results[0]}}
			f.order = append(f.order, f.names["value"])
		}
	}
	last := int(w.t.nodes[i].endRow) - int(w.t.nodes[i].startRow) + 1
	f.Metrics.Lines, f.Metrics.Cyclomatic = last, 1
}

// header reads the parameters of function i and the type of its result, "" for none.
func (w *factWalk) header(i int, add func(name, typ string, d *decl)) string {
	if w.signature != nil {
		return w.signature(w, i, add)
	}
	w.params(w.paramList(i), add)
	if k := max(w.t.field(i, "return_type"), w.child(i, w.result)); k >= 0 {
		return w.cleanType(w.t.text(k))
	}
	return ""
}

// static reports whether the function is decorated as having no receiver.
func (w *factWalk) static(i int) bool {
	p := int(w.t.nodes[i].parent)
	return p >= 0 && w.t.typeOf(p) == "decorated_definition" &&
		strings.Contains(string(w.t.src[w.t.nodes[p].start:w.t.nodes[i].start]), "@staticmethod")
}

// paramList is the node that holds the parameters of function i, -1 for none.
func (w *factWalk) paramList(i int) int {
	if w.list != "" {
		return w.child(i, w.list)
	}
	for range maxChainSteps {
		if p := w.t.field(i, "parameters"); p >= 0 {
			return p
		}
		if p := w.t.field(i, "parameter"); p >= 0 {
			return p
		}
		if i = w.t.field(i, "declarator"); i < 0 {
			return -1
		}
	}
	return -1
}

func (w *factWalk) params(list int, add func(name, typ string, d *decl)) {
	if list < 0 {
		return
	}
	one := func(k int) {
		s := w.t.nodes[k].symbol
		if int(s) >= len(w.param) || w.param[s] == nil {
			return
		}
		d := w.param[s]
		if w.noParam != "" && w.t.text(k) == w.noParam {
			return
		}
		name, typ := w.nameOf(k, d), ""
		if t := w.child(k, d.typ); t >= 0 {
			typ = w.cleanType(w.t.text(t))
			if d.elem {
				typ = element("[]", typ)
			}
			typ = w.names.bytes([]byte(typ))
		}
		if w.t.kid(k, "accessibility_modifier") >= 0 {
			w.field(name, typ)
		} else if w.t.kid(k, "visibility_modifier") >= 0 {
			w.field(strings.TrimPrefix(name, "$"), typ)
		}
		if d.defaults && w.child(k, ">") != w.child(k, d.name) {
			c := *d
			c.optional, d = true, &c
		}
		add(w.names.bytes([]byte(name)), typ, d)
	}
	if s := w.t.nodes[list].symbol; int(s) < len(w.param) && w.param[s] != nil { // "x => x"
		one(list)
		return
	}
	w.t.kids(list, func(k int) bool { one(k); return true })
}

// nameOf is the plain name that d declares at node i, "" for a pattern.
func (w *factWalk) nameOf(i int, d *decl) string {
	k := w.child(i, d.name)
	if k < 0 || w.t.nodes[k].end-w.t.nodes[k].start > maxName {
		return ""
	}
	text := strings.TrimPrefix(strings.Trim(w.t.text(k), "*& \t\n"), "mut ")
	if j := strings.IndexByte(text, '['); j > 0 {
		text = text[:j]
	}
	if text = strings.TrimPrefix(text, "..."); isIdent(strings.TrimPrefix(text, "@")) {
		return text
	}
	return ""
}

// finish records the function.
func (w *factWalk) finish(f *factFunc) {
	if f.itself {
		f.Metrics.Cognitive++
	}
	for _, l := range f.order {
		if !l.used {
			continue
		}
		if l.mixed || l.Type == nothing {
			l.Type, l.Expr = "", ""
		}
		f.Locals = append(f.Locals, l.Local)
	}
	if len(w.facts.Funcs) < maxFacts {
		w.facts.Funcs = append(w.facts.Funcs, f.FuncFact)
	}
}
