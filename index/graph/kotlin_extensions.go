package graph

import (
	"slices"

	"github.com/topo-dev/topo/chunk"
)

// Extension functions of Kotlin are called like members of their receiver, which is
// their first parameter, and are found like functions.

// extensionOf finds the extension functions of a name that the file sees and that a
// value of type t may be the receiver of.
func (w *worker) extensionOf(t typ, name string, depth int) found {
	if t.form == formType {
		t.form = formValue
	}
	var yes, maybe []int32
	look := func(n int32) {
		if !w.b.isExtension(n) || w.b.nodes[n].kind == NodeVar {
			return
		}
		params := w.b.paramTypes(n)
		if len(params) == 0 {
			return
		}
		switch w.receives(n, params[0], t) {
		case fitYes, fitBoxed:
			yes = append(yes, n)
		case fitMaybe:
			maybe = append(maybe, n)
		}
	}
	w.eachVisible(name, look)
	tier := tierKnown
	if len(yes) == 0 {
		yes, tier = maybe, tierName
		if len(yes) > maxGuesses {
			return found{}
		}
	}
	if yes = w.closest(w.b.platformOnly(yes)); len(yes) == 0 || len(yes) > maxTargets {
		return found{}
	}
	return found{t: typ{form: formFunc, id: yes[0]}, tier: tier, nodes: yes}
}

// eachVisible calls look for the functions of a name that the file sees without a
// qualifier: members of the types around, what it imports, its package.
func (w *worker) eachVisible(name string, look func(n int32)) {
	for s := w.scope; s != ""; s = outerScope(s) {
		if n, ok := w.qual[s+"."+name]; ok {
			look(int32(n))
		}
		if t, ok := w.b.units[w.f.unit].types[s]; ok {
			for _, n := range w.memberOf(t, name, false, maxDepth).nodes {
				look(n)
			}
		}
	}
	unit := func(u int32, name string) {
		if n, ok := w.b.units[u].names[name]; ok {
			for ; n >= 0; n = w.b.nodes[n].next {
				look(n)
			}
		}
	}
	if v, ok := w.f.binds[name]; ok && v.inside {
		for _, n := range w.importedName(w.f, name, 0).nodes {
			look(n)
		}
		return
	}
	if w.f.unit >= 0 {
		unit(w.f.unit, name)
	}
	for _, v := range w.f.stars {
		for _, u := range v.units {
			if u != w.f.unit {
				unit(u, name)
			}
		}
	}
}

// applicable leaves out the extensions that a bare call can not mean: those of types
// that none of the values called "this" around is of.
func (w *worker) applicable(name string, r found, depth int) found {
	if r.t.form != formFunc || !slices.ContainsFunc(r.nodes, w.b.isExtension) {
		return r
	}
	plain := slices.DeleteFunc(slices.Clone(r.nodes), w.b.isExtension)
	var maybe []int32
	for _, t := range w.receivers() {
		var yes []int32
		for _, n := range r.nodes {
			if !w.b.isExtension(n) {
				continue
			}
			if params := w.b.paramTypes(n); len(params) > 0 {
				switch w.receives(n, params[0], t) {
				case fitYes, fitBoxed:
					yes = append(yes, n)
				case fitMaybe:
					maybe = append(maybe, n)
				}
			}
		}
		if len(yes) > 0 {
			r.nodes = append(w.closest(yes), plain...)
			r.t.id = r.nodes[0]
			return r
		}
	}
	slices.Sort(maybe)
	if maybe = append(slices.Compact(maybe), plain...); len(maybe) > 0 {
		r.nodes = maybe
	} else if other := w.global(w.f, name, depth); other.t.form == formFunc && w.b.nodes[r.t.id].kind == NodeMethod && other.t.id != r.t.id {
		return w.applicable(name, other, depth)
	} else {
		r.tier = tierName // of the receiver of a lambda that is not known
	}
	if r.t.id = r.nodes[0]; len(plain) == 0 {
		r.tier = max(r.tier, tierOverloaded)
	}
	return r
}

// receives tells whether an extension function takes a value as its receiver. Unlike
// an argument, a number is not widened.
func (w *worker) receives(n int32, param, t typ) fit {
	param = w.followAliases(param)
	if w.isOtherNumber(param, t) {
		return fitNo
	}
	return w.b.accepts(param, w.b.functionFact(n).Params[0].Type, t)
}

// closest leaves out extension functions whose receiver is less specific than that of
// another with as many parameters.
func (w *worker) closest(nodes []int32) []int32 {
	if len(nodes) < 2 {
		return nodes
	}
	first := func(n int32) (typ, int) {
		params := w.b.paramTypes(n)
		return w.followAliases(params[0]), len(params)
	}
	return slices.DeleteFunc(slices.Clone(nodes), func(n int32) bool {
		t, count := first(n)
		return slices.ContainsFunc(nodes, func(o int32) bool {
			u, as := first(o)
			return n != o && t != u && count == as && u.form == formValue && w.receives(n, t, u) == fitYes && w.receives(o, u, t) != fitYes
		})
	})
}

// chooseOther finds what a call means when no member that its name finds takes its
// arguments: an extension function, or of a bare name one of the package.
func (w *worker) chooseOther(n int32, args []typ, c *chunk.Call) ([]int32, uint8) {
	name := w.b.nameOf(n)
	if w.b.nodes[n].kind != NodeMethod {
		return nil, tierOverloaded
	}
	var r found
	if w.on.form != formNone {
		r = w.extensionOf(w.on, name, 0)
	} else if c.Chain == name {
		r = w.applicable(name, w.global(w.f, name, 0), 0)
	}
	if r.t.form != formFunc || r.tier > tierDispatched {
		return nil, tierOverloaded
	}
	return w.choose(r.nodes, w.arguments(c.Args))
}

// isOtherNumber tells whether a number is passed for one of another type, which the
// functions of the language do not take.
func (w *worker) isOtherNumber(param, arg typ) bool {
	x, _ := box(w.b.externals.name(param))
	y, _ := box(w.b.externals.name(arg))
	return x >= 0 && y >= 0 && x != y && param.wraps == 0 && arg.wraps == 0
}

// sharesName tells whether the language has functions of the name of a function too,
// which a call may mean.
func (w *worker) sharesName(n int32) bool {
	is := &w.f.rules.names
	if !is.extensions || w.b.nodes[n].kind != NodeFunction {
		return false
	}
	name := w.b.nameOf(n)
	return is.builtin(name) || kotlinOperators(name)
}

// kotlinOperators are members of the numbers.
var kotlinOperators = oneOf("and or xor shl shr ushr plus minus times div rem")

// kotlinResults are types of members of what comes from outside.
var kotlinResults = map[string]string{
	"toString": "String", "substring": "String", "trim": "String", "lowercase": "String", "uppercase": "String", "replace": "String",
	"removePrefix": "String", "removeSuffix": "String", "trimEnd": "String", "trimStart": "String", "substringAfter": "String",
	"substringBefore": "String", "joinToString": "String", "length": "int", "indexOf": "int", "lastIndexOf": "int", "hashCode": "int",
	"toInt": "int", "toLong": "long", "toByte": "byte", "toShort": "short", "toByteArray": "[]byte", "toCharArray": "[]char",
	"encodeToByteArray": "[]byte", "decodeToString": "String", "startsWith": "boolean", "endsWith": "boolean", "isEmpty": "boolean",
}

// receivers are the types of the values called "this" around, the innermost first.
func (w *worker) receivers() (list []typ) {
	for fn, scope := w.within, w.scope; fn != nil; fn, scope = w.enclosingFunction(scope) {
		if len(fn.Params) > 0 && fn.Params[0].Name == "this" {
			list = append(list, w.followAliases(w.typeNamed(w.f, scope, fn.Params[0].Type, 0)))
		}
	}
	for s := w.scope; s != ""; s = outerScope(s) {
		if t, ok := w.b.units[w.f.unit].types[s]; ok {
			list = append(list, typ{form: formValue, id: t})
		}
	}
	return list
}
