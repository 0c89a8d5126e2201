package graph

import (
	"slices"
	"strings"

	"github.com/topo-dev/topo/chunk"
)

// Where functions of one name differ in their parameters, a call leads
// to the one that its arguments fit, judged by their number and the types that
// the file shows. The phases are those of the Java Language Specification
// (15.12.2): as the arguments are, then with boxing, then with any number for
// the last parameter; among those that fit the most specific is meant.

// fit says whether a parameter takes an argument.
type fit uint8

const (
	fitNo fit = iota
	fitMaybe
	fitBoxed // yes, after boxing
	fitYes
)

// target is a function that a call may lead to.
type target struct {
	node int32
	tier uint8
}

// overloads are those of the functions that a call may lead to by its name that
// its arguments fit; those of one type are adjacent, the declared ones of an
// interface first. Where several of a type stay, their tier says so.
func (w *worker) overloads(nodes []int32, tier uint8, c *chunk.Call) []target {
	w.targets = w.targets[:0]
	if c.Args == "" || w.f.rules.calls.overloads == overloadNone {
		w.addTargets(nodes, tier)
		return w.targets
	}
	asked, extended, extendedOf := w.asked, w.extended, w.extendedOf
	args, typed, declared := make([]typ, argumentCount(c.Args)), false, 0
	if asked.form != formNone { // the first argument stands before the name
		args, typed = append([]typ{asked}, w.arguments(c.Args)...), true
	}
	for len(nodes) > 0 {
		n := 1
		for n < len(nodes) && w.sameHolder(nodes[0], nodes[n]) {
			n++
		}
		group := w.addInherited(nodes[:n])
		nodes = nodes[n:]
		if !typed && (len(group) > 1 || w.sharesName(group[0])) {
			args, typed = w.arguments(c.Args), true
		}
		chosen, of := w.choose(group, args)
		if len(chosen) == 0 && extended.ok() { // of the members none takes the arguments
			more := append([]typ{extendedOf}, w.arguments(c.Args)...)
			if chosen, of = w.choose(extended.nodes, more); len(chosen) > 0 {
				w.addTargets(chosen, max(extended.tier, of))
				continue
			}
		}
		if len(chosen) == 0 && w.f.rules.names.extensions {
			if chosen, of = w.chooseOther(group[0], args, c); len(chosen) > 0 {
				w.addTargets(chosen, max(tierKnown, of))
				continue
			}
		}
		if len(chosen) == 0 && w.sharesName(group[0]) {
			continue // that of the language is meant
		}
		if len(chosen) == 0 && !w.inheritsExternal(group[0]) { // an argument is something else than it seems
			chosen, of = group, tierOverloaded
		}
		w.addTargets(chosen, max(tier, of))
		if declared == 0 {
			declared = len(w.targets)
		}
	}
	if len(w.targets) > maxTargets && tier == tierDispatched {
		return w.targets[:declared]
	}
	return w.targets
}

// addTargets adds nodes to the targets of the current call.
func (w *worker) addTargets(nodes []int32, tier uint8) {
	for _, n := range nodes {
		w.targets = append(w.targets, target{n, tier})
	}
}

// argumentCount is how many arguments the text of a call has.
func argumentCount(text string) int {
	if len(text) <= len("()") {
		return 0
	}
	return strings.Count(text, ",") + 1
}

// inheritsExternal tells whether a method's type inherits from what is outside of the
// repository, or not known.
func (w *worker) inheritsExternal(n int32) bool {
	d := &w.b.nodes[n]
	f := &w.b.files[d.file]
	if !f.rules.calls.inherited || d.chunk < 0 {
		return false
	}
	k := &f.chunks[d.chunk]
	t, ok := w.b.units[f.unit].types[k.Scope]
	return ok && lastName(k.Scope) != k.Name &&
		w.b.inheritsFrom(t, func(t typ) fit { return yesOrNo(t.form == formExternal) }) != fitNo
}

// sameHolder tells whether two functions are declared by the same type.
func (w *worker) sameHolder(a, b int32) bool {
	x, y := &w.b.nodes[a], &w.b.nodes[b]
	if x.chunk < 0 || y.chunk < 0 {
		return false
	}
	f, g := &w.b.files[x.file], &w.b.files[y.file]
	if f.rules.calls.primary && g.rules.calls.primary && (x.kind == NodeType || y.kind == NodeType) {
		return true // constructors, and functions of the same name
	}
	return (f == g || f.unit == g.unit) && f.chunks[x.chunk].Scope == g.chunks[y.chunk].Scope
}

// addInherited adds to the methods of a type those of its name that it inherits:
// they are overloads unless they take the same parameters.
func (w *worker) addInherited(nodes []int32) []int32 {
	d := &w.b.nodes[nodes[0]]
	f := &w.b.files[d.file]
	k := &f.chunks[max(d.chunk, 0)]
	if !f.rules.calls.inherited || d.kind != NodeMethod || f.rules.calls.primary && slices.Contains(f.rules.calls.ctors, k.Name) {
		return nodes
	}
	t, ok := w.b.units[f.unit].types[k.Scope]
	if !ok || lastName(k.Scope) == k.Name { // constructors are not inherited
		return nodes
	}
	queue := []int32{t}
	for at := 0; at < len(queue) && at < maxBases; at++ {
		i := &w.b.types[queue[at]]
		for _, base := range i.bases {
			w.inherit(base, &queue)
		}
		if at == 0 {
			continue
		}
		for _, m := range w.b.callable(i.methodsOf(k.Name)) {
			same := func(n int32) bool { return n == m.node || slices.Equal(w.b.paramTypes(n), w.b.paramTypes(m.node)) }
			if len(nodes) < maxTargets && !slices.ContainsFunc(nodes, same) {
				nodes = append(slices.Clip(nodes), m.node)
			}
		}
	}
	return nodes
}

// functionFact is what is known of a function, nil for nothing.
func (b *builder) functionFact(n int32) *chunk.FuncFact {
	d := &b.nodes[n]
	if d.fact < 0 || d.kind == NodeVar {
		return nil
	}
	return &b.files[d.file].facts.Funcs[d.fact]
}

// paramTypes are the types of a function's parameters, in languages that choose
// among overloads by them.
func (b *builder) paramTypes(n int32) []typ {
	d := &b.nodes[n]
	if f := &b.files[d.file]; d.fact >= 0 && d.kind != NodeVar && int(d.fact) < len(f.params) {
		return f.params[d.fact]
	}
	return nil
}

// arguments are the types of a call's arguments.
func (w *worker) arguments(text string) []typ {
	text = strings.TrimSuffix(strings.TrimPrefix(text, "("), ")")
	out := []typ{}
	for arg := range strings.SplitSeq(text, ",") {
		switch made, ok := strings.CutSuffix(arg, "{}"); {
		case arg == "":
		case w.f.rules.calls.overloads != overloadTypes || arg == "?":
			out = append(out, typ{})
		case ok:
			out = append(out, w.typeNamed(w.f, w.scope, made, 0))
		default:
			r := w.eval(arg, 1)
			if r.t.form != formValue && r.t.form != formExternal {
				r.t = typ{}
			}
			out = append(out, r.t)
		}
	}
	return out
}

// phase is one of the three in which a call looks for a function.
type phase uint8

const (
	asTheyAre phase = iota
	withBoxing
	anyNumber
)

// choose finds the functions that take the arguments, and says by a tier how
// sure it is of each.
func (w *worker) choose(nodes []int32, args []typ) (chosen []int32, tier uint8) {
	vague := false
	for p := asTheyAre; p <= anyNumber; p++ {
		certain := false
		for _, n := range nodes {
			f := w.acceptsArguments(n, args, p)
			if f == fitNo {
				continue
			}
			certain, vague = certain || f == fitYes, vague || f == fitMaybe
			if !slices.Contains(chosen, n) {
				chosen = append(chosen, n)
			}
		}
		if certain {
			break
		}
	}
	switch {
	case len(chosen) == 0:
		return nil, tierOverloaded
	case vague && w.sharesName(chosen[0]):
		return chosen, tierOverloaded
	case len(chosen) == 1 || w.f.rules.imports.includes && w.oneFunction(chosen):
		return chosen, tierResolved
	case w.oneFunction(chosen): // that of an enum and those of its constants
		return chosen, tierDispatched
	case vague:
		return chosen, tierOverloaded
	}
	for i, n := range chosen {
		if !slices.ContainsFunc(chosen, func(o int32) bool { return o != n && w.acceptsArguments(o, w.b.paramTypes(n), asTheyAre) != fitYes }) {
			return chosen[i : i+1], tierResolved // the most specific
		}
	}
	return chosen, tierOverloaded
}

// oneFunction tells whether the nodes take the same parameters.
func (w *worker) oneFunction(nodes []int32) bool {
	first := w.b.functionFact(nodes[0])
	for _, n := range nodes[1:] {
		f := w.b.functionFact(n)
		if f == nil || first == nil || !slices.EqualFunc(f.Params, first.Params, func(a, b chunk.NameType) bool { return a.Type == b.Type }) {
			return false
		}
	}
	return true
}

func (w *worker) accepts(param typ, text string, arg typ) fit {
	if by := w.f.rules.calls.accepts; by != nil {
		return by(w.b, param, text, arg)
	}
	return w.b.accepts(param, text, arg)
}

// acceptsArguments tells whether a function takes the arguments in a phase.
func (w *worker) acceptsArguments(n int32, args []typ, p phase) fit {
	fact := w.b.functionFact(n)
	if fact == nil { // a declaration without facts, as in another language
		return fitMaybe
	}
	declared := fact.Params
	if w.b.isExtension(n) {
		declared = declared[1:]
	}
	most := len(declared)
	least := most - fact.Optional
	many := fact.Variadic && (p == anyNumber || w.f.rules.calls.overloads != overloadTypes)
	if many {
		least--
	}
	if p == anyNumber && !many || len(args) < least || len(args) > most && !many {
		return fitNo
	}
	params := w.b.paramTypes(n)
	if len(params) != len(fact.Params) {
		return fitMaybe
	}
	params = params[len(params)-most:]
	shared := w.sharesName(n)
	all := fitYes
	for i, arg := range args {
		k := min(i, most-1)
		if w.f.rules.names.extensions && i == len(args)-1 && arg.outer() == wrapFunc {
			k = most - 1 // a lambda behind the arguments is the last one
		}
		param, text := params[k], declared[k].Type
		if many && k == most-1 {
			param, text = param.unwrap(), strings.TrimPrefix(text, "[]")
		}
		switch f := w.accepts(param, text, arg); {
		case shared && w.isOtherNumber(param, arg):
			return fitNo
		case f == fitNo || f == fitBoxed && p == asTheyAre:
			return fitNo
		case f == fitMaybe:
			all = fitMaybe
		}
	}
	return all
}
