package graph

import (
	"slices"
	"strings"

	"github.com/topo-dev/topo/chunk"
)

// unit is a scope whose names its files see without an import: a Go or Java
// package, a Python or JavaScript file, all of a C program.
type unit struct {
	files []uint32
	// names are the definitions at its top level, by bare name; others of the
	// same name follow by nodeInfo.next.
	names map[string]int32
	// types are its types by their qualified name.
	types map[string]int32
	// others are, where a name has types in several files that are not one, all
	// of them; see sameType.
	others map[string][]int32
}

// unitOf says what is one unit in a language.
type unitOf uint8

const (
	unitFile    unitOf = iota // each file
	unitPackage               // files of one directory and one package clause
	unitSpace                 // files of one package or namespace, wherever they are
	unitAll                   // all files of the language
)

// rules say how the names of a language are found.
type rules struct {
	family   string // languages of one family see each other
	unit     unitOf
	implicit bool                   // a bare name may be a member of the type around
	ctors    []string               // names of constructors; "." is the type's own name
	builtin  func(name string) bool // of the language itself; nil for none
}

var (
	goRules     = &rules{family: "go", unit: unitPackage, builtin: oneOf(goBuiltins)}
	pythonRules = &rules{family: "python", unit: unitFile, ctors: []string{"__init__", "__new__"}, builtin: oneOf(pythonBuiltins)}
	jsRules     = &rules{family: "js", unit: unitFile, ctors: []string{"constructor"}, builtin: oneOf(jsBuiltins)}
	jvmRules    = &rules{family: "jvm", unit: unitSpace, implicit: true, ctors: []string{".", "constructor", "init"}, builtin: oneOf(jvmBuiltins)}
	csRules     = &rules{family: "csharp", unit: unitSpace, implicit: true, ctors: []string{"."}}
	phpRules    = &rules{family: "php", unit: unitSpace, ctors: []string{"__construct"}}
	rubyRules   = &rules{family: "ruby", unit: unitAll, implicit: true, ctors: []string{"initialize"}, builtin: oneOf(rubyBuiltins)}
	rustRules   = &rules{family: "rust", unit: unitFile, ctors: []string{"new"}, builtin: oneOf(rustBuiltins)}
	cRules      = &rules{family: "c", unit: unitAll, implicit: true, ctors: []string{"."}}
	swiftRules  = &rules{family: "swift", unit: unitAll, implicit: true, ctors: []string{"init"}}
	plainRules  = &rules{family: "", unit: unitFile, implicit: true}
)

// rulesOf are the rules of each language that has a code graph.
var rulesOf = map[string]*rules{
	"go": goRules, "python": pythonRules,
	"javascript": jsRules, "typescript": jsRules, "tsx": jsRules, "vue": jsRules, "svelte": jsRules,
	"java": jvmRules, "kotlin": jvmRules, "scala": jvmRules, "groovy": jvmRules,
	"csharp": csRules, "php": phpRules, "ruby": rubyRules, "rust": rustRules,
	"c": cRules, "cpp": cRules, "objc": cRules, "objcpp": cRules, "cuda": cRules,
	"swift": swiftRules, "lua": plainRules, "bash": plainRules, "elixir": plainRules, "ocaml": plainRules, "elm": plainRules,
}

// The names that a language gives without an import, as far as they are called.
const (
	goBuiltins = `append cap clear close complex copy delete imag len make max min new panic print println real recover
bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string
uint uint8 uint16 uint32 uint64 uintptr any true false iota nil`
	pythonBuiltins = `abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex
delattr dict dir divmod enumerate eval exec filter float format frozenset getattr globals hasattr hash help hex id input int
isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print property range repr
reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip __import__ NotImplemented
BaseException Exception ArithmeticError AssertionError AttributeError EOFError FileExistsError FileNotFoundError ImportError
IndexError IOError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError NotImplementedError OSError
OverflowError PermissionError RecursionError ReferenceError RuntimeError StopIteration StopAsyncIteration SyntaxError SystemError
SystemExit TabError TimeoutError TypeError UnicodeDecodeError UnicodeEncodeError UnicodeError ValueError ZeroDivisionError
Warning DeprecationWarning UserWarning RuntimeWarning FutureWarning PendingDeprecationWarning ResourceWarning`
	jvmBuiltins = `boolean byte char double float int long short void Appendable AutoCloseable Boolean Byte CharSequence Character Class
ClassLoader Cloneable Comparable Double Enum Error Exception Float Integer Iterable Long Math Number Object Process Readable
Record Runnable Runtime Short StackTraceElement StrictMath String StringBuffer StringBuilder System Thread ThreadLocal Throwable
Void AbstractMethodError ArithmeticException ArrayIndexOutOfBoundsException ArrayStoreException AssertionError ClassCastException
ClassNotFoundException CloneNotSupportedException IllegalAccessException IllegalArgumentException IllegalMonitorStateException
IllegalStateException IndexOutOfBoundsException InstantiationException InterruptedException LinkageError NegativeArraySizeException
NoClassDefFoundError NoSuchFieldException NoSuchMethodException NullPointerException NumberFormatException OutOfMemoryError
ReflectiveOperationException RuntimeException SecurityException StackOverflowError StringIndexOutOfBoundsException
UnsupportedOperationException Deprecated FunctionalInterface Override SafeVarargs SuppressWarnings null`
	rubyBuiltins = `puts print p pp raise require require_relative load autoload attr_reader attr_writer attr_accessor include extend
prepend private public protected private_constant module_function define_method alias_method lambda proc loop catch throw format
sprintf printf sleep rand srand exit abort at_exit binding block_given? caller eval fail freeze gets open system trap warn Integer
Float String Array Hash Rational Complex Object Kernel Module Class Proc Time File Dir IO Regexp Symbol Struct Set Range Process
Thread Mutex Queue ENV Math Comparable Enumerable Marshal ObjectSpace GC Random Date DateTime`
	rustBuiltins = `Vec String Option Some None Result Ok Err Box Default Clone Iterator IntoIterator From Into TryFrom TryInto AsRef
AsMut Drop Fn FnMut FnOnce ToString ToOwned Copy Send Sync Sized PartialEq Eq PartialOrd Ord Extend drop std core alloc str char
bool u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 println print eprintln eprint format panic assert assert_eq
assert_ne debug_assert debug_assert_eq vec write writeln todo unimplemented unreachable matches`
	jsBuiltins = `Array ArrayBuffer BigInt Boolean Buffer DataView Date Error EvalError Float32Array Float64Array Function Int8Array
Int16Array Int32Array Intl JSON Map Math Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set String Symbol
SyntaxError TypeError URIError URL URLSearchParams Uint8Array Uint16Array Uint32Array WeakMap WeakRef WeakSet console document window
globalThis process require module exports setTimeout setInterval setImmediate clearTimeout clearInterval queueMicrotask parseInt
parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI fetch structuredClone super import
describe it test expect beforeEach afterEach beforeAll afterAll jest vi`
)

// makeUnits gathers the files by unit and fills the units' names. Units are
// numbered in the order of their first file.
func (b *builder) makeUnits() {
	number := map[string]int32{}
	for i := range b.files {
		f := &b.files[i]
		f.unit = -1
		if f.rules == nil {
			continue
		}
		key := f.rules.family + "\x00"
		switch f.rules.unit {
		case unitFile:
			key += f.Path
		case unitPackage:
			key += dirOf(f.Path) + "\x00" + f.facts.Package
		case unitSpace:
			if key += f.facts.Package; f.facts.Package == "" {
				key += "\x00" + dirOf(f.Path)
			}
		}
		u, ok := number[key]
		if !ok {
			u = int32(len(b.units))
			number[key] = u
			b.units = append(b.units, unit{})
		}
		f.unit = u
		b.units[u].files = append(b.units[u].files, uint32(i))
	}
	for u := range b.units {
		b.fillUnit(int32(u))
	}
}

// fillUnit enters the definitions of a unit's files, in order.
func (b *builder) fillUnit(number int32) {
	u := &b.units[number]
	u.names, u.types = map[string]int32{}, map[string]int32{}
	last := map[string]int32{}
	for _, file := range u.files {
		f := &b.files[file]
		for c := range f.chunks {
			n := f.nodeOf[c]
			if n == none {
				continue
			}
			k := &f.chunks[c]
			if k.Kind == chunk.Type {
				b.addType(u, f, file, n, k)
			}
			if k.Scope != "" && (k.Kind == chunk.Method || !b.inNamespace(f, k)) {
				continue
			}
			if k.Name == "_" || k.Name == "init" && f.rules == goRules && k.Kind == chunk.Function {
				continue
			}
			prev, ok := last[k.Name]
			if head := u.names[k.Name]; ok && f.rules == cRules && b.nodes[head].kind == NodeVar && b.nodes[n].kind == NodeFunction {
				// A macro of one header that renames another's function
				// hides it only there.
				b.nodes[n].next, u.names[k.Name] = head, int32(n)
				continue
			}
			if ok {
				b.nodes[prev].next = int32(n)
			} else {
				u.names[k.Name] = int32(n)
			}
			last[k.Name] = int32(n)
		}
	}
}

// inNamespace tells whether a definition with a scope is in nothing but
// namespaces and modules, so its bare name may reach it.
func (b *builder) inNamespace(f *source, k *chunk.Chunk) bool {
	return f.rules.unit == unitAll || f.rules.unit == unitSpace && k.Kind == chunk.Type
}

// addType enters a type. Declarations of one name in a unit are one type: they
// are its parts, or variants for different builds.
func (b *builder) addType(u *unit, f *source, file uint32, n uint32, k *chunk.Chunk) {
	name := k.Qualified()
	t, ok := u.types[name]
	if ok && f.rules == cRules {
		t, ok = b.sameType(u, name, t, int32(file))
	}
	if !ok {
		t = int32(len(b.types))
		b.types = append(b.types, typeInfo{node: int32(n), file: int32(file)})
		if first, ok := u.types[name]; ok {
			u.addType(name, first, t)
		} else {
			u.types[name] = t
		}
	}
	b.nodes[n].typ = t
}

// module names the module that a unit is, "" for none: Go packages, and
// packages and namespaces of languages that declare them.
func (b *builder) module(number int32) string {
	u := &b.units[number]
	f := &b.files[u.files[0]]
	switch f.rules.unit {
	case unitPackage:
		dir := dirOf(f.Path)
		path := b.tree.goPath(dir)
		if path == "" {
			if path = dir; dir == "" {
				path = "."
			}
		}
		if strings.HasSuffix(f.facts.Package, "_test") && strings.HasSuffix(f.Path, "_test.go") {
			path += "_test"
		}
		return path
	case unitSpace:
		return f.facts.Package
	}
	return ""
}

// external makes the nodes of modules and of what lies outside.
func (b *builder) external() {
	for u := range b.units {
		name := b.module(int32(u))
		if name == "" {
			continue
		}
		b.modules[int32(u)] = uint32(len(b.nodes))
		n := uint32(len(b.nodes))
		b.nodes = append(b.nodes, nodeInfo{file: noFile, chunk: -1, kind: NodeModule, name: name, typ: -1, fact: -1, next: -1})
		for _, f := range b.units[u].files {
			b.extra = append(b.extra, edge{n, b.files[f].node, EdgeContains, tierResolved})
		}
	}
	names := map[string]bool{}
	for i := range b.files {
		for _, o := range b.files[i].outers {
			names[o] = true
		}
	}
	for _, name := range sortedKeys(names) {
		b.outside[name] = uint32(len(b.nodes))
		b.nodes = append(b.nodes, nodeInfo{file: noFile, chunk: -1, kind: NodeExternal, name: name, typ: -1, fact: -1, next: -1})
	}
	for i := range b.files {
		f := &b.files[i]
		for _, o := range slices.Compact(f.outers) {
			f.edges = append(f.edges, edge{f.node, b.outside[o], EdgeImports, tierResolved})
		}
	}
}
