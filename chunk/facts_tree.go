package chunk

import (
	"slices"
	"strings"
)

// factWalk reads the facts of one file from its syntax tree, in one pass over
// the nodes in source order.
type factWalk struct {
	*factTable
	t      *tree
	facts  Facts
	chunks []Chunk
	names  interner
	line   lineCursor
	seen   map[string]int32

	next  int    // first chunk that has not started
	open  []int  // chunks around the current node
	bound []bool // chunks whose node was met
	fns   []*factFunc
	kinds []factHolder // types around the current node
	nests []factNest   // control flow around the current node
	buf   []byte

	off     []span            // parts that do not count and are not passed, see factSpec.inactive
	lambdas []factScope       // of Kotlin, around the current node
	modules map[string]string // names bound to inline requires, by path
	spaced  bool              // a namespace was met
	aliases map[string]string // of PHP: path by the name it is bound to, in small letters
}

// factFunc is a function around the current node.
type factFunc struct {
	FuncFact
	at     int    // its node
	end    uint32 // node after it
	names  map[string]*factName
	order  []*factName
	its    int // lambdas with an implicit parameter or receiver, see [factScope]
	nest   int // of cognitive complexity
	depth  int // of control flow
	itself bool
}

type factName struct {
	Local
	param, used, mixed bool
}

type factHolder struct {
	end  uint32
	fact int // index into Facts.Types, −1 for a type without a name
	have map[string]bool
}

type factNest struct {
	end         uint32
	nest, depth int
	fn          *factFunc
}

func (w *factWalk) run() {
	if w.inactive != nil {
		w.off = w.inactive(w.t.src)
	}
	for i := range w.t.nodes {
		n := &w.t.nodes[i]
		w.close(uint32(i))
		if n.symbol == errorSymbol || int(n.symbol) >= len(w.is) || n.end < n.start {
			continue
		}
		w.chunksAt(n)
		if len(w.off) > 0 && w.isInactive(n) {
			continue
		}
		w.node(i, w.is[n.symbol])
	}
	w.close(uint32(len(w.t.nodes)))
}

// isInactive reports whether a node is in a part that does not count, and the
// function around it is not.
func (w *factWalk) isInactive(n *node) bool {
	for len(w.off) > 0 && w.off[0].end <= int(n.start) {
		w.off = w.off[1:]
	}
	if len(w.off) == 0 || len(w.fns) == 0 || int(n.start) < w.off[0].start {
		return false
	}
	return int(w.t.nodes[w.fns[len(w.fns)-1].at].start) < w.off[0].start
}

// close ends what ends before node i.
func (w *factWalk) close(i uint32) {
	for k := len(w.nests); k > 0 && w.nests[k-1].end <= i; k = len(w.nests) {
		x := w.nests[k-1]
		x.fn.nest -= x.nest
		x.fn.depth -= x.depth
		w.nests = w.nests[:k-1]
	}
	for k := len(w.fns); k > 0 && w.fns[k-1].end <= i; k = len(w.fns) {
		w.finish(w.fns[k-1])
		w.fns = w.fns[:k-1]
	}
	for k := len(w.kinds); k > 0 && w.kinds[k-1].end <= i; k = len(w.kinds) {
		w.kinds = w.kinds[:k-1]
	}
}

// chunksAt opens the chunks that start at or before the node and closes those
// that end before it.
func (w *factWalk) chunksAt(n *node) {
	for w.next < len(w.chunks) && w.chunks[w.next].StartByte <= int(n.start) {
		if w.chunks[w.next].Kind != Import {
			w.open = append(w.open, w.next)
		}
		w.next++
	}
	for k := len(w.open); k > 0 && w.chunks[w.open[k-1]].EndByte <= int(n.start); k = len(w.open) {
		w.open = w.open[:k-1]
	}
}

func (w *factWalk) chunk() int {
	if len(w.open) == 0 {
		return -1
	}
	return w.open[len(w.open)-1]
}

// bind gives the chunk whose definition is node i, -1 for none.
func (w *factWalk) bind(i int, kinds ...Kind) int {
	n := &w.t.nodes[i]
	for k := len(w.open) - 1; k >= 0 && k >= len(w.open)-4; k-- {
		c := w.open[k]
		for _, kind := range kinds {
			if w.chunks[c].Kind == kind && !w.bound[c] && int(n.end)+2 >= w.chunks[c].EndByte && int(n.start) < w.chunks[c].EndByte {
				w.bound[c] = true
				return c
			}
		}
	}
	return -1
}

func (w *factWalk) node(i int, is role) {
	n := &w.t.nodes[i]
	if is&isPackage != 0 && w.facts.Package == "" {
		if k := w.child(i, "<"); k >= 0 {
			w.facts.Package = clip(w.t.text(k))
		}
	}
	if is&isImport != 0 {
		w.binds(w, i)
	}
	if kind := w.kind[n.symbol]; kind != "" {
		w.typeNode(i, kind)
	}
	if is&isMixin != 0 {
		w.mixin(i)
	}
	if is&isAnonymous != 0 && w.inCall(n) {
		w.kinds = append(w.kinds, factHolder{end: n.next, fact: -1})
	}
	if is&isFunc != 0 {
		w.funcNode(i)
	}
	if d := w.decl[n.symbol]; d != nil {
		w.declared(i, d)
	}
	if is&isCall != 0 {
		w.call(i)
	}
	if is&isTypeRef != 0 && (w.typeName == nil || w.typeName(w, i)) {
		w.typeRef(i)
	} else if n.direct == 1 && n.parent >= 0 && w.steps[n.symbol] != nil {
		w.valueRef(i)
	}
	if len(w.fns) > 0 {
		w.measure(i, is)
	}
}

// child is the child that the table calls what, -1 for none.
func (w *factWalk) child(n int, what string) int {
	switch {
	case n < 0 || what == "":
		return -1
	}
	switch what {
	case ".":
		return n
	case "<", ">", "2":
		found, left := -1, 1
		if what == "2" {
			left = 2
		}
		w.t.kids(n, func(k int) bool {
			if t := w.t.typeOf(k); !strings.HasSuffix(t, "comment") && t != "modifiers" {
				found = k
				left--
			}
			return left > 0 || what == ">"
		})
		if what == "2" && left > 0 {
			return -1
		}
		return found
	}
	if one, other, ok := strings.Cut(what, "|"); ok {
		if k := w.child(n, one); k >= 0 {
			return k
		}
		return w.child(n, other)
	}
	if of, rest, ok := strings.Cut(what, "/"); ok {
		if n = w.child(n, of); n < 0 {
			return -1
		}
		return w.child(n, rest)
	}
	if typ, ok := strings.CutPrefix(what, ":"); ok {
		return w.t.kid(n, typ)
	}
	if up, ok := strings.CutPrefix(what, "^"); ok {
		if p := int(w.t.nodes[n].parent); p >= 0 {
			return w.child(p, up)
		}
		return -1
	}
	return w.t.field(n, what)
}

func (w *factWalk) typeNode(i int, kind string) {
	c := w.bind(i, Type, Impl)
	if c < 0 || len(w.facts.Types) >= maxFacts {
		return
	}
	if w.kindOf != nil {
		kind = w.kindOf(w, i, kind)
	}
	f := TypeFact{Chunk: c, Kind: kind}
	n := &w.t.nodes[i]
	for k := i + 1; k < int(n.next); k++ {
		m := &w.t.nodes[k]
		if int(m.symbol) >= len(w.is) {
			continue
		}
		if k > i+1 && int(m.start) >= w.bodyOf(i) {
			break
		}
		if w.is[m.symbol]&isBase != 0 {
			w.t.kids(k, func(b int) bool {
				if w.isBaseNode(b) {
					if text := w.cleanType(w.baseText(b)); text != "" && len(f.Bases) < maxDepth {
						f.Bases = append(f.Bases, w.names.bytes([]byte(text)))
					}
				}
				return true
			})
		}
	}
	if kind == "impl" {
		if k := w.t.field(i, "trait"); k >= 0 {
			f.Bases = append(f.Bases, w.cleanType(w.t.text(k)))
		}
	}
	if kind == "alias" {
		if k := max(w.t.field(i, "value"), w.t.field(i, "type"), w.child(i, w.aliased)); k >= 0 {
			if text := w.cleanType(w.t.text(k)); text != "" {
				f.Fields = []NameType{{"", text}}
			}
		}
	}
	w.facts.Types = append(w.facts.Types, f)
	w.kinds = append(w.kinds, factHolder{end: n.next, fact: len(w.facts.Types) - 1, have: map[string]bool{}})
	if w.opened != nil {
		w.opened(w, i)
	}
}

// bodyOf is where the body of a type starts.
func (w *factWalk) bodyOf(i int) int {
	if b := max(w.t.field(i, "body"), w.child(i, w.body)); b >= 0 {
		return int(w.t.nodes[b].start)
	}
	return int(w.t.nodes[i].end)
}

// inCall reports whether the node is a part of a call.
func (w *factWalk) inCall(n *node) bool {
	if n.parent < 0 {
		return false
	}
	s := int(w.t.nodes[n.parent].symbol)
	return s < len(w.is) && w.is[s]&isCall != 0
}

// mixin adds the types that a node in the body of a type names to its bases.
func (w *factWalk) mixin(i int) {
	if len(w.kinds) == 0 || w.kinds[len(w.kinds)-1].fact < 0 {
		return
	}
	f := &w.facts.Types[w.kinds[len(w.kinds)-1].fact]
	var names []string
	w.t.kids(i, func(k int) bool {
		if s := int(w.t.nodes[k].symbol); s < len(w.steps) && w.steps[s] != nil {
			if text := w.cleanType(w.t.text(k)); text != "" && len(f.Bases)+len(names) < maxDepth {
				names = append(names, w.names.bytes([]byte(text)))
			}
		}
		return true
	})
	f.Bases = append(names, f.Bases...)
}

// cleanType is the text of a type as [Facts] has it.
func (w *factWalk) cleanType(text string) string {
	if w.typeText != nil {
		return w.typeText(w, text)
	}
	return cleanType(&w.generics, text)
}

// baseText is the type that a node inside of bases names.
func (w *factWalk) baseText(k int) string {
	if w.base != nil {
		return w.base(w, k)
	}
	return w.t.text(k)
}

func (w *factWalk) isBaseNode(k int) bool {
	if slices.Contains(w.notBases, w.t.typeOf(k)) {
		return false
	}
	switch w.t.typeOf(k) {
	case "keyword_argument", "type_arguments", "access_specifier", "virtual", "type_list", "extends_clause", "implements_clause", "comment", "lifetime":
		return false
	}
	return true
}

// field adds a field to the innermost type, the first time it is met.
func (w *factWalk) field(name, typ string) {
	if len(w.kinds) == 0 || name == "" || w.kinds[len(w.kinds)-1].fact < 0 || typ == "" && w.opts.late {
		return
	}
	h := &w.kinds[len(w.kinds)-1]
	f := &w.facts.Types[h.fact]
	if h.have[name] || len(f.Fields) >= maxFacts/16 {
		return
	}
	h.have[name] = true
	f.Fields = append(f.Fields, NameType{w.names.bytes([]byte(name)), w.names.bytes([]byte(typ))})
}
