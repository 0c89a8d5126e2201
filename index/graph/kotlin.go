package graph

import (
	"slices"
	"strings"

	"github.com/topo-dev/topo/chunk"
)

var kotlinRules = &rules{
	family:   "java",
	language: "kotlin",
	prepare:  prepareJVM,
	imports:  importRules{star: ".*", anyFile: true, first: true, bound: kotlinBound},
	names:    nameRules{unit: unitSpace, builtin: oneOf(javaBuiltins + " " + kotlinBuiltins), implicit: true, outer: true, extensions: true},
	types:    typeRules{outside: true, platform: func(name string) bool { return jdkSupers()[name] != nil }},
	calls:    callRules{ctors: []string{"constructor"}, methods: true, primary: true, overloads: overloadTypes, inherited: true},
	variants: variantRules{overloads: true},
}

// kotlinRulesOf are those of a language of the JVM whose files hold functions
// and types of any name.
func kotlinRulesOf(language string) *rules {
	r := jvmRules(language)
	r.imports.anyFile = true
	return r
}

// kotlinBuiltins are names that the language gives without an import.
const kotlinBuiltins = `Any Array ArrayDeque ArrayList BooleanArray ByteArray Char CharArray Collection Comparator DoubleArray FloatArray Function
HashMap HashSet Int IntArray IntProgression IntRange Iterator Lazy LinkedHashMap LinkedHashSet List ListIterator LongArray LongRange Map
MutableCollection MutableIterable MutableIterator MutableList MutableMap MutableSet Nothing NotImplementedError NumberFormatException
NoSuchElementException Pair Regex Result Sequence Set ShortArray StringBuilder Triple UByte UInt ULong UShort Unit ClosedRange CharRange
ConcurrentModificationException JvmField JvmName JvmOverloads JvmStatic JvmSynthetic Suppress Throws Volatile Synchronized Transient
arrayListOf arrayOf arrayOfNulls booleanArrayOf buildList buildMap buildSet buildString byteArrayOf charArrayOf check checkNotNull
compareBy compareValues emptyArray emptyList emptyMap emptySequence emptySet error generateSequence hashMapOf hashSetOf intArrayOf lazy
lazyOf linkedMapOf linkedSetOf listOf listOfNotNull longArrayOf mapOf maxOf minOf mutableListOf mutableMapOf mutableSetOf print println
readLine repeat require requireNotNull run runCatching sequence sequenceOf setOf sortedMapOf sortedSetOf synchronized to TODO with`

// kotlinBound binds what a path names in its package: a definition at the top level,
// or a member of one.
func kotlinBound(l *linking, d *chunk.Bind, v bind) bind {
	if !v.inside || d.Name == "*" {
		return v
	}
	v.member = d.Path[strings.LastIndexByte(d.Path, '.')+1:]
	for _, u := range v.units {
		f := &l.b.files[l.b.units[u].files[0]]
		if rest, ok := strings.CutPrefix(d.Path, f.facts.Package+"."); ok && f.facts.Package != "" {
			v.member = rest
		}
	}
	return v
}

// isExtension tells whether a function is called like a member of its first parameter.
func (b *builder) isExtension(n int32) bool {
	f := b.functionFact(n)
	return f != nil && len(f.Params) > 0 && f.Params[0].Name == "this" && b.files[b.nodes[n].file].rules.names.extensions
}

// resolveName resolves the first name of a chain. What is called is a function
// rather than a variable of its name, unless that holds a function.
func (w *worker) resolveName(name string, called bool, depth int) found {
	outer := w.plain
	defer func() { w.plain = outer }()
	w.plain = !called
	if !called {
		return w.resolveBase(name, depth)
	}
	for fn, scope := w.fn, w.scope; fn != nil; fn, scope = w.enclosingFunction(scope) {
		if r, ok := w.resolveLocal(fn, scope, name, depth); ok {
			if r.t.outer() == wrapFunc {
				return r
			}
			break
		}
	}
	return w.applicable(name, w.resolveMethod(name, depth), depth)
}

// platformOnly leaves out the functions that Kotlin only expects of each platform
// where one of as many parameters has a body.
func (b *builder) platformOnly(nodes []int32) []int32 {
	if len(nodes) < 2 {
		return nodes
	}
	with := b.withBody(nodes)
	return slices.DeleteFunc(nodes, func(n int32) bool {
		f := b.functionFact(n)
		return f != nil && b.nodes[n].kind == NodeFunction && !slices.Contains(with, n) && slices.ContainsFunc(with, func(o int32) bool {
			g := b.functionFact(o)
			return g != nil && b.nodes[o].kind == NodeFunction && len(f.Params) == len(g.Params)
		})
	})
}

// expects tells whether a type of the file is one that Kotlin expects of each platform.
func (f *source) expects(scope string) bool {
	if !f.rules.calls.primary {
		return false
	}
	return slices.ContainsFunc(f.facts.Types, func(t chunk.TypeFact) bool {
		return strings.HasPrefix(t.Kind, "expect ") && f.chunks[t.Chunk].Qualified() == scope
	})
}

// onReceiver resolves a chain from the receiver of a lambda; ok is false when that
// has no such member.
func (w *worker) onReceiver(r found, chain string, depth int) (found, bool) {
	if r.t.id < 0 {
		return found{}, false
	}
	i := 0
	for i < len(chain) && !strings.ContainsRune(".([{#", rune(chain[i])) {
		i++
	}
	m := w.kotlinMember(r, chain[:i], w.isCalled(chain, i, depth), depth)
	if !m.ok() || m.t.form == formExternal {
		return found{}, false
	}
	return w.follow(m, chain, i, depth), true
}

// kotlinMember finds a member of r, or else an extension of it.
func (w *worker) kotlinMember(r found, name string, called bool, depth int) found {
	outer := w.plain
	defer func() { w.plain = outer }()
	w.plain = !called
	m := w.resolveMember(r, name, depth)
	t := w.followAliases(r.t)
	if called && depth == 0 {
		w.on = t
	}
	if m.ok() && m.t.form != formExternal && !(called && m.t.form == formValue && m.t.outer() != wrapFunc && len(m.nodes) == 0) {
		return m
	}
	if t.form != formValue && t.form != formExternal && t.form != formType {
		return m
	}
	if called {
		if ext := w.extensionOf(t, name, depth); ext.ok() {
			return ext
		}
	}
	switch {
	case t.wraps != 0 && t.outer() != wrapFunc:
		return w.collectionMember(t, name)
	case m.t.form == formExternal && kotlinResults[name] != "":
		known := w.typeNamed(w.f, "", kotlinResults[name], 0)
		if called {
			known = known.wrapped(wrapFunc)
		}
		return w.value(known)
	}
	return m
}

// What the functions of collections give: an element, or a collection alike.
var (
	kotlinElement = oneOf("first last single get random removeAt removeFirst removeLast firstOrNull lastOrNull singleOrNull next previous elementAt getOrNull getOrElse find findLast maxByOrNull minByOrNull maxBy minBy peek poll pop remove getValue getOrPut put")
	kotlinAlike   = oneOf("filter filterNot filterNotNull toList toMutableList toSet toMutableSet sorted sortedBy sortedWith sortedDescending sortedByDescending reversed asReversed take takeLast drop dropLast takeWhile dropWhile asSequence asIterable iterator listIterator distinct distinctBy plus minus subList shuffled onEach toTypedArray clone copyOf copyOfRange toMap toMutableMap orEmpty requireNoNulls")
)

// collectionMember is a member of a list, array or map, all from outside.
func (w *worker) collectionMember(t typ, name string) found {
	switch {
	case kotlinElement(name):
		return w.value(t.unwrap().wrapped(wrapFunc))
	case kotlinAlike(name):
		return w.value(t.wrapped(wrapFunc))
	case name == "values" && t.outer() == wrapMap:
		return w.value(t.unwrap().wrapped(wrapList))
	}
	return external
}

// extendedType is the type that the functions around extend and that has the member,
// the innermost first.
func (w *worker) extendedMember(name string, depth int) found {
	for fn, scope := w.within, w.scope; fn != nil; fn, scope = w.enclosingFunction(scope) {
		if len(fn.Params) == 0 || fn.Params[0].Name != "this" {
			continue
		}
		t := w.followAliases(w.typeNamed(w.f, scope, fn.Params[0].Type, 0))
		if t.form == formExternal && (name == "toString" || name == "hashCode" || name == "equals") {
			return external
		}
		if t.form == formValue && t.wraps == 0 && t.id >= 0 {
			if r := w.memberOf(t.id, name, false, depth); r.ok() && r.t.form != formExternal {
				return r
			}
		}
	}
	return found{}
}

// overloaded is the definition n with all of its name in its package: of a value the
// variable; of what is called the functions, behind the type if there is one.
func (w *worker) overloaded(n int32, depth int) found {
	var r found
	for m := n; m >= 0 && len(r.nodes) < maxTargets; m = w.b.nodes[m].next {
		switch d := &w.b.nodes[m]; {
		case d.kind == NodeVar && w.plain || d.kind == NodeVar && m == n && d.next < 0:
			t := w.globalType(m, depth)
			if t.form == formNone {
				t = typ{form: formValue, id: -1}
			}
			return found{t: t, nodes: []int32{m}}
		case d.kind == NodeVar:
		case d.kind == NodeType && r.t.form != formType:
			t := w.visibleType(m)
			r.t = typ{form: formType, id: t}
			r.nodes = append([]int32{w.b.types[t].node}, r.nodes...)
		case d.kind == NodeFunction:
			if r.nodes = append(r.nodes, m); r.t.form == formNone {
				r.t = typ{form: formFunc, id: m}
			}
		}
	}
	if r.t.form == formFunc {
		r.nodes = w.b.platformOnly(r.nodes)
		r.t.id = r.nodes[0]
	}
	return r
}

// kotlinConstructors are the constructors of a type, with the functions of its name.
// The type stands for the primary one, which a type without any has too.
func (b *builder) kotlinConstructors(w *worker, r found) (nodes []int32) {
	t := w.followAliases(r.t)
	if t.form != formType && t.form != formValue || t.id < 0 || b.types[t.id].kind == "alias" {
		w.touched = append(w.touched, r.nodes[:min(1, len(r.nodes))]...)
		return nil // of a type from outside
	}
	i := &b.types[t.id]
	secondary := i.methodsOf("constructor")
	if b.nodes[i.node].fact >= 0 || len(secondary) == 0 {
		nodes = append(nodes, i.node)
	}
	for _, m := range secondary {
		nodes = append(nodes, m.node)
	}
	for _, n := range r.nodes {
		if b.nodes[n].kind == NodeFunction {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// expressionResult is the type of the expression that is a function's body.
func (b *builder) expressionResult(n int32, chain string, depth int) typ {
	if depth >= maxDepth {
		return typ{}
	}
	d := &b.nodes[n]
	f := &b.files[d.file]
	fact := &f.facts.Funcs[d.fact]
	other := worker{b: b, f: f, fn: fact, within: fact, chunk: int(d.chunk), scope: f.chunks[d.chunk].Scope}
	return other.eval(chain, depth+1).t
}
