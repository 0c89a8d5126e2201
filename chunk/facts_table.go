package chunk

// #include "treesitter.h"
import "C"

import (
	"slices"
	"strings"
)

// factSpec is the table of one language whose facts are read from a syntax
// tree. The keys are node types; the names of fields are those of the grammar.
type factSpec struct {
	pkg      string          // nodes that name the package, with spaces between them
	words    []string        // keywords that chains go through, where the grammar gives them no node type of their own
	chain    map[string]step // what a chain goes through
	calls    []string        // those of them that are calls
	decls    map[string]decl // what declares locals and fields
	params   map[string]decl // nodes in a parameter list
	funcs    []string        // definitions of functions, those without a name among them
	types    map[string]string
	bases    []string // nodes inside a type's head that hold its bases
	notBases []string // nodes inside of those that are none
	// base is the text of the type that a node inside of bases names, nil where
	// that is all of its text.
	base func(w *factWalk, node int) string
	// mixins are the nodes in a type's body that name further bases, which come
	// before those of the head; anonymous is the body of a type without a name, in
	// a call.
	mixins    []string
	anonymous string
	list      string   // the child that holds a function's parameters; "" looks for the usual fields
	result    string   // the child that is the type of a function's result; "" is the field "return_type"
	body      string   // the child that is the body of a type; "" is the field "body"
	noParam   string   // what stands in a list of no parameters: C's "void"
	aliased   string   // the child that an alias stands for; "" is the field "value" or "type"
	generics  generics // what generic types are to a chain
	typeRefs  []string // names of types wherever they are
	// typeName reports whether one of typeRefs is a type where it is, nil where all are.
	typeName func(w *factWalk, node int) bool
	values   []string // what holds plain names used as values
	// kindOf is the kind of a type, nil where its node alone says it.
	kindOf func(w *factWalk, node int, kind string) string
	// opened reads what the head of a type declares, nil for nothing.
	opened func(w *factWalk, node int)
	// signature reads the parameters of a function and the type of its result,
	// nil where list and result do.
	signature func(w *factWalk, node int, add func(name, typ string, d *decl)) (result string)
	// site reads where a call is and its arguments, nil where fields name them;
	// ok is false for what is no call of its own.
	site func(w *factWalk, node int) (at uint32, args string, ok bool)
	// alias is a name that stands for a node in chains, "" for none.
	alias func(w *factWalk, node int) string
	// leafText writes the text of a leaf as chains and references have it, and
	// typeText that of a type; nil for what all languages do.
	leafText func(w *factWalk, node int, text string) string
	typeText func(w *factWalk, text string) string
	// docType is the type that the comment before a declaration gives to a name of
	// it, where native is the declared one; nil where comments give none. The tag
	// is "param", "return" or "var".
	docType func(w *factWalk, node int, tag, name, native string) string
	// argument writes an argument of a call, nil where calls are distinguished
	// by their names alone.
	argument func(w *factWalk, node int) string
	// form is how a function is used, nil where all are called by their names.
	form func(w *factWalk, node int) FuncForm
	// inactive are the parts of a source, in order, whose calls inside of functions do
	// not count; nil where all do.
	inactive func(text []byte) []span
	self     string // the receiver's name in a method; "" when it is the first parameter
	binds    func(w *factWalk, n int)
	imports  []string

	decisions []string          // +1 cyclomatic
	logic     []string          // nodes of binary operators that may be && or ||
	nesting   []string          // +1 and nesting for cognitive complexity
	otherwise map[string]string // decisions that begin so compare nothing: "default" of a switch
	deeper    []string          // nesting alone: functions without a name
	flat      []string          // +1 without nesting: else, elif
	ifs       []string          // what directly after else is no deeper
	jumps     []string          // +1 when they name a label
	opts      factOptions
}

// factOptions are what languages differ in beyond their node types.
type factOptions struct {
	elseField bool // an else is the field "alternative" itself, no node around it
	fixed     bool // a variable keeps the type of its declaration
	listed    bool // self is written in the list of parameters
	implicit  bool // a bare call of its own name may be a method's call of itself
	labels    bool // the jumps count without a label too (goto)
	late      bool // a field without a type has that of a later assignment
	named     bool // arguments may be named, so each parameter with a default may be left out
	tags      bool // a type's node without a body names a type declared elsewhere (struct x)
}

// A child is named by the field that it is in; "<", "2" and ">" are the first, the
// second and the last child, "." is the node itself, "^x" the child x of its parent, ":x" the
// first child of node type x, "x/y" the child y of the child x, and "x|y" the child x or
// else y.

// step is how a chain goes through one node.
type step struct {
	base     string // field that the chain begins with; "<" is the first child
	name     string // field of the member
	typ      string // field of a type that is made or cast to; "<" and ">" are the first and last child
	add      string // what is written after
	text     string // what is written instead
	optional bool   // base may be missing
	but      string // a base of this node type is not known
	leaf     bool   // the text of the node itself
	// write writes the chain of a node, nil where the other fields do.
	write func(w *factWalk, b []byte, node, steps int) []byte
}

// decl is how a node declares a name.
type decl struct {
	name     string // field; "<" is the first child, "." the node itself
	typ      string // field; "^x" is field x of the parent
	value    string // field
	elem     bool   // the name is an element of the value
	assigns  bool   // an assignment, that may give a known name another value
	skip     bool   // counts as a parameter and gives no name
	rest     bool   // a parameter that takes any number of arguments
	optional bool   // a parameter that may be left out
	defaults bool   // so may one with a value after its name
	// read reads what a node declares, nil where the other fields say it.
	read func(w *factWalk, node int) (name, typ, expr string)
}

// factTable is a factSpec compiled to the numbers of a grammar.
type factTable struct {
	*factSpec
	g     *grammar
	flags []uint8
	is    []role
	steps []*step
	decl  []*decl
	param []*decl
	kind  []string // of types
}

type role uint32

const (
	isCall role = 1 << iota
	isFunc
	isBase
	isTypeRef
	isValues
	isImport
	isDecision
	isLogic
	isNesting
	isDeeper
	isFlat
	isIf
	isJump
	isPackage
	isMixin
	isAnonymous
)

// logicOps are the operators that are decisions; they are no named nodes.
var logicOps = map[string]byte{"&&": '&', "and": '&', "||": '|', "or": '|', "??": '?'}

func (s *factSpec) compile(g *grammar) *factTable {
	n := len(g.types)
	f := &factTable{factSpec: s, g: g, flags: make([]uint8, n), is: make([]role, n), steps: make([]*step, n),
		decl: make([]*decl, n), param: make([]*decl, n), kind: make([]string, n)}
	byName := map[string][]int{}
	for i := range n {
		if C.topo_symbol_type(g.language, C.uint32_t(i)) == 0 {
			byName[g.types[i]] = append(byName[g.types[i]], i)
			f.flags[i] = C.TOPO_SHOW | C.TOPO_DESCEND
		} else if slices.Contains(s.words, g.types[i]) {
			byName[g.types[i]] = append(byName[g.types[i]], i)
			f.flags[i] = C.TOPO_SHOW
		} else if logicOps[g.types[i]] != 0 {
			f.flags[i] = C.TOPO_SHOW
		}
	}
	for t, x := range s.chain {
		for _, i := range byName[t] {
			f.steps[i] = &x
		}
	}
	for t, x := range s.decls {
		for _, i := range byName[t] {
			f.decl[i] = &x
		}
	}
	for t, x := range s.params {
		for _, i := range byName[t] {
			f.param[i] = &x
		}
	}
	for t, kind := range s.types {
		for _, i := range byName[t] {
			f.kind[i] = kind
		}
	}
	for r, list := range map[role][]string{
		isCall: s.calls, isFunc: s.funcs, isBase: s.bases, isTypeRef: s.typeRefs, isValues: s.values, isImport: s.imports,
		isDecision: s.decisions, isLogic: s.logic, isNesting: s.nesting, isDeeper: s.deeper, isFlat: s.flat, isIf: s.ifs,
		isJump: s.jumps, isPackage: strings.Fields(s.pkg), isMixin: s.mixins, isAnonymous: {s.anonymous},
	} {
		for _, t := range list {
			for _, i := range byName[t] {
				f.is[i] |= r
			}
		}
	}
	return f
}

func (f *factTable) flagsOf() []uint8 {
	if f == nil {
		return nil
	}
	return f.flags
}

// facts reads the facts of a file from its tree; r are its chunks.
func (f *factTable) facts(t *tree, b *builder, r Result) Facts {
	if f == nil {
		return Facts{}
	}
	w := &factWalk{factTable: f, t: t, chunks: r.Chunks, names: interner{map[string]string{}},
		line: lineCursor{x: b.lines}, seen: map[string]int32{}, bound: make([]bool, len(r.Chunks))}
	w.run()
	return w.facts
}
