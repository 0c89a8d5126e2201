package chunk

import "strconv"

// ExportWhole is the name of a [Bind] that imports nothing: its Member names
// what a JavaScript file exports as a whole (module.exports = x).
const ExportWhole = "export ="

// WholeModule is the [Bind.Member] of a name that stands for all that another
// file exports, be it one thing or many: "const x = require('y')".
const WholeModule = "="

// required is the path of require("path") or import("path") at node i, "" for
// anything else.
func (w *factWalk) required(i int) string {
	for w.t.typeOf(i) == "await_expression" || w.t.typeOf(i) == "parenthesized_expression" {
		if i = w.child(i, "<"); i < 0 {
			return ""
		}
	}
	if w.t.typeOf(i) != "call_expression" {
		return ""
	}
	f, args := w.t.field(i, "function"), w.t.field(i, "arguments")
	if f < 0 || args < 0 || w.t.text(f) != "require" && w.t.typeOf(f) != "import" {
		return ""
	}
	path, n := "", 0
	w.t.kids(args, func(k int) bool {
		if w.t.typeOf(k) == "string" {
			path = unquote(w.t.text(k))
		}
		n++
		return true
	})
	if n != 1 || len(path) > maxName {
		return ""
	}
	return path
}

// requiredName is the name that chains begin with for require("path") at node
// i, "" for anything else. The name is bound here.
func requiredName(w *factWalk, i int) string {
	path := w.required(i)
	if path == "" {
		return ""
	}
	name, ok := w.modules[path]
	if !ok {
		if w.modules == nil {
			w.modules = map[string]string{}
		}
		name = "require'" + strconv.Itoa(len(w.modules)+1)
		w.modules[path] = name
		w.addBind(Bind{Name: name, Path: path, Member: WholeModule, Line: w.line.at(int(w.t.nodes[i].start))})
	}
	return name
}

// requireBinds reads "const x = require('y')", "const {a, b: c} = require('y')"
// and "const x = require('y').a"; it reports whether the node is one of them.
func (w *factWalk) requireBinds(n int, add bool) bool {
	name, value := w.t.field(n, "name"), w.t.field(n, "value")
	if name < 0 || value < 0 {
		return false
	}
	member := WholeModule
	path := w.required(value)
	if path == "" && w.t.typeOf(value) == "member_expression" {
		o, p := w.t.field(value, "object"), w.t.field(value, "property")
		if o < 0 || p < 0 {
			return false
		}
		path, member = w.required(o), w.t.text(p)
	}
	what := w.t.typeOf(name)
	if path == "" || what != "identifier" && (what != "object_pattern" || member != WholeModule) {
		return false
	}
	bind := func(k int, name, member string) {
		if add {
			w.addBind(Bind{Name: name, Path: path, Member: member, Line: w.line.at(int(w.t.nodes[k].start))})
		}
	}
	if what == "identifier" {
		bind(name, w.t.text(name), member)
		return true
	}
	w.t.kids(name, func(k int) bool {
		switch w.t.typeOf(k) {
		case "shorthand_property_identifier_pattern":
			bind(k, w.t.text(k), w.t.text(k))
		case "pair_pattern":
			if key, v := w.t.field(k, "key"), w.t.field(k, "value"); key >= 0 && v >= 0 && w.t.typeOf(v) == "identifier" {
				bind(k, w.t.text(v), w.t.text(key))
			}
		}
		return true
	})
	return true
}

// wholeExport reads "module.exports = x" and "export default x".
func (w *factWalk) wholeExport(n int) {
	value := w.t.field(n, "value")
	if left := w.t.field(n, "left"); left >= 0 {
		if w.t.text(left) != "module.exports" {
			return
		}
		value = w.t.field(n, "right")
	}
	if value < 0 {
		return
	}
	if k := w.t.field(value, "name"); k >= 0 && w.t.nodes[value].symbol != w.t.nodes[k].symbol {
		value = k // of a class or function
	}
	if w.t.typeOf(value) == "identifier" || w.t.typeOf(value) == "type_identifier" {
		w.addBind(Bind{Name: ExportWhole, Member: w.t.text(value), Line: w.line.at(int(w.t.nodes[n].start))})
	}
}
