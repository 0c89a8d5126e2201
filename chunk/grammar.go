package chunk

// #include "treesitter.h"
import "C"

import (
	"sync"
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"
)

// Limits of one parse. The repository is untrusted: a file past one of them
// gives what was found until then, or falls to the patterns.
const (
	maxSource    = 8 << 20 // bytes; larger files have no chunks
	parseSteps   = 10_000  // calls of the lexer in one parse, besides stepsPerByte: some grammars loop on some broken input
	stepsPerByte = 3       // 3 times what the most intricate honest file took
	// Processor time of one parse, a second limit because a step of error
	// recovery may take a thousand times that of another.
	parseMicros   = 1_000_000
	microsPerByte = 4       // 10 times what the slowest honest file took
	maxNodes      = 1 << 20 // listed nodes of a file, 40 bytes each
	maxDepth      = 1000    // nesting of the syntax tree
	maxScopeDepth = 64      // nesting of definitions
	maxName       = 256     // bytes of a name or of a scope
	maxChunks     = 1 << 16 // of one file
)

// node is one listed node of a syntax tree; it has the layout of topo_node.
type node struct {
	start, end       uint32
	startRow, endRow uint32
	next             uint32
	parent           int32
	symbol           uint16
	field            uint16
	direct           uint16
	_                uint16
}

const errorSymbol = 0xFFFF

// grammar is a language's table compiled to the numbers of its parser.
type grammar struct {
	spec     *spec
	language unsafe.Pointer
	types    []string // symbol → node type
	fields   []string // field number → name
	flags    []uint8  // symbol → what the walk does with it
	rules    []*rule  // symbol → what a definition of that type is, or nil
	imports  []importer
	attrs    []bool            // symbol → belongs to the definition that follows
	wraps    []bool            // symbol → its span stands for the definition it holds
	facts    func() *factTable // made on first use; nil for none
	clear    []bool            // symbol → what it holds is still at top level
}

// compile looks up the table's node types in the parser. It is called once a
// language and process.
func (s *spec) compile() *grammar {
	g := &grammar{spec: s, language: languagePointer(s.grammar())}
	if s.facts != nil {
		g.facts = sync.OnceValue(func() *factTable { return s.facts.compile(g) })
	}
	n := int(C.topo_symbol_count(g.language))
	g.types = make([]string, n)
	g.flags = make([]uint8, n)
	g.rules = make([]*rule, n)
	g.imports = make([]importer, n)
	g.attrs, g.wraps, g.clear = make([]bool, n), make([]bool, n), make([]bool, n)
	named := map[string][]int{}
	for i := range n {
		g.types[i] = C.GoString(C.topo_symbol_name(g.language, C.uint32_t(i)))
		if C.topo_symbol_type(g.language, C.uint32_t(i)) == 0 { // a regular, visible node
			named[g.types[i]] = append(named[g.types[i]], i)
			if s.walkAll {
				g.flags[i] = C.TOPO_DESCEND
			}
		}
	}
	for f := range int(C.topo_field_count(g.language)) + 1 {
		g.fields = append(g.fields, C.GoString(C.topo_field_name(g.language, C.uint32_t(f))))
	}
	set := func(types []string, flags uint8, mark []bool) {
		for _, t := range types {
			for _, i := range named[t] {
				g.flags[i] |= flags
				if mark != nil {
					mark[i] = true
				}
			}
		}
	}
	for _, t := range s.skip {
		for _, i := range named[t] {
			g.flags[i] = 0
		}
	}
	set(s.walk, C.TOPO_DESCEND, nil)
	set(s.show, C.TOPO_SHOW|C.TOPO_DESCEND|C.TOPO_KIDS, nil)
	set(s.attrs, C.TOPO_SHOW, g.attrs)
	set(s.wraps, C.TOPO_SHOW|C.TOPO_DESCEND, g.wraps)
	set(s.clear, C.TOPO_SHOW|C.TOPO_DESCEND, g.clear)
	for t, r := range s.defs {
		set([]string{t}, C.TOPO_SHOW|C.TOPO_DESCEND|C.TOPO_KIDS, nil)
		for _, i := range named[t] {
			g.rules[i] = &r
		}
	}
	for t, f := range s.imports {
		set([]string{t}, C.TOPO_SHOW, nil)
		for _, i := range named[t] {
			g.imports[i] = f
		}
	}
	return g
}

// languagePointer is the parser table inside a [sitter.Language], whose one
// field is not exported: a test fails should its layout change.
func languagePointer(l *sitter.Language) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Pointer(l))
}

// tree is the listed nodes of one file.
type tree struct {
	g      *grammar
	src    []byte
	nodes  []node
	errors bool
	c      C.topo_tree
}

// oneAtATime is held while a grammar runs whose scanner has global variables.
var oneAtATime sync.Mutex

// parse lists the nodes of src; ok is false when the parser gave up. The tree
// must be closed and its nodes not used after that.
func (g *grammar) parse(src []byte) (t *tree, ok bool) {
	t, _, ok = g.parseTwice(src, nil)
	return t, ok
}

// parseTwice is parse that lists the nodes by the flags of facts too, when
// there are any; full must be closed like t.
func (g *grammar) parseTwice(src []byte, facts []uint8) (t, full *tree, ok bool) {
	t, full = &tree{g: g, src: src}, &tree{g: g, src: src}
	if len(src) == 0 {
		return t, full, true
	}
	if g.spec.globals {
		oneAtATime.Lock()
		defer oneAtATime.Unlock()
		C.topo_reset_lua()
	}
	C.topo_parse(g.language, (*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(g.flags))),
		(*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(facts))), C.uint32_t(len(g.flags)),
		(*C.char)(unsafe.Pointer(unsafe.SliceData(src))), C.uint32_t(len(src)),
		C.uint64_t(parseSteps+stepsPerByte*len(src)), C.uint64_t(parseMicros+microsPerByte*len(src)),
		C.uint32_t(maxNodes), C.uint32_t(maxDepth), &t.c, &full.c)
	for _, x := range []*tree{t, full} {
		x.nodes = unsafe.Slice((*node)(unsafe.Pointer(x.c.nodes)), int(x.c.len))
		x.errors = t.c.errors != 0
	}
	return t, full, t.c.nodes != nil || t.c.status == C.TOPO_OK
}

func (t *tree) close() {
	C.topo_free(&t.c)
	t.nodes = nil
}

// typeOf is the type of a node, "ERROR" for an error.
func (t *tree) typeOf(n int) string {
	if s := t.nodes[n].symbol; int(s) < len(t.g.types) {
		return t.g.types[s]
	}
	return "ERROR"
}

func (t *tree) text(n int) string { return string(t.src[t.nodes[n].start:t.nodes[n].end]) }

// kids calls fn for each listed direct child until fn is false.
func (t *tree) kids(n int, fn func(kid int) bool) {
	for k := n + 1; k < int(t.nodes[n].next); k = int(t.nodes[k].next) {
		if t.nodes[k].direct == 1 && !fn(k) {
			return
		}
	}
}

// field is the first direct child in the named field, -1 for none.
func (t *tree) field(n int, name string) int {
	found := -1
	t.kids(n, func(k int) bool {
		if f := int(t.nodes[k].field); f > 0 && f < len(t.g.fields) && t.g.fields[f] == name {
			found = k
		}
		return found < 0
	})
	return found
}

// kid is the first direct child of one of the types, -1 for none.
func (t *tree) kid(n int, types ...string) int {
	found := -1
	t.kids(n, func(k int) bool {
		for _, want := range types {
			if found < 0 && t.typeOf(k) == want {
				found = k
			}
		}
		return found < 0
	})
	return found
}

// compiled keeps one grammar per language; it is filled on first use and
// never changes after.
func compiled(table func() *spec) func() *grammar {
	return sync.OnceValue(func() *grammar { return table().compile() })
}
