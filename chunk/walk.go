package chunk

// walker turns the listed nodes of a tree into chunks.
type walker struct {
	*builder
	t      *tree
	text   []byte   // what the parser read: the source, or a copy with macros blanked
	scopes []holder // definitions around the current node, outermost first
	ahead  []holder // definitions inside the current one, in order
	attr   span     // run of attributes that ends right before the current node
	attrIn int32    // what holds them
}

type span struct{ start, end int }

// holder is a definition around the current node.
type holder struct {
	kind  Kind
	scope string // its qualified name
	ghost bool
	at    int    // its node
	next  uint32 // first node after it
}

// walk adds the chunks and imports of the tree.
func (b *builder) walk(t *tree, text []byte) {
	w := &walker{builder: b, t: t, text: text}
	for i := range t.nodes {
		n := &t.nodes[i]
		for len(w.scopes) > 0 && int(w.scopes[len(w.scopes)-1].next) <= i {
			w.scopes = w.scopes[:len(w.scopes)-1]
		}
		for len(w.ahead) > 0 && w.ahead[0].at <= i {
			w.enter(w.ahead[0])
			w.ahead = w.ahead[1:]
		}
		if n.symbol == errorSymbol || int(n.symbol) >= len(t.g.rules) || n.start >= n.end {
			continue
		}
		if t.g.attrs[n.symbol] {
			w.attribute(n)
			continue
		}
		if read := t.g.imports[n.symbol]; read != nil {
			w.imported(i, read)
		}
		if r := t.g.rules[n.symbol]; r != nil && (!r.top || w.atTop(i)) {
			w.define(i, r)
		}
	}
}

// attribute extends the run of attributes or starts one.
func (w *walker) attribute(n *node) {
	if w.attr.end == 0 || w.attrIn != n.parent || !w.comments.onlySpaceBetween(w.src, w.attr.end, int(n.start)) {
		w.attr.start, w.attrIn = int(n.start), n.parent
	}
	w.attr.end = int(n.end)
}

func (w *walker) imported(i int, read importer) {
	n := w.t.nodes[i]
	before := len(w.out.Imports)
	read(w.t.text(i), func(path string, offset int) {
		if home := w.t.g.spec.home; home != nil {
			path = home(w.t, i, path)
		}
		w.importAt(path, int(n.start)+offset)
	})
	if len(w.out.Imports) > before && w.atTop(i) && w.t.g.rules[n.symbol] == nil {
		w.importChunk(int(n.start), int(n.end))
	}
}

// atTop reports whether the node is at top level: in nothing but what
// wraps, clears or names a module.
func (w *walker) atTop(i int) bool {
	for _, h := range w.scopes {
		if !h.ghost && h.kind != Other {
			return false
		}
	}
	for {
		n := w.t.nodes[i]
		if n.direct == 0 || n.parent < 0 {
			return n.parent < 0
		}
		i = int(n.parent)
		p := w.t.nodes[i]
		if i == 0 || p.symbol == errorSymbol {
			return true
		}
		if w.t.g.wraps[p.symbol] || w.t.g.clear[p.symbol] || w.isModule(i) || (p.direct == 1 && p.parent >= 0 && w.isModule(int(p.parent))) {
			continue
		}
		return false
	}
}

func (w *walker) isModule(i int) bool {
	s := w.t.nodes[i].symbol
	if int(s) >= len(w.t.g.rules) || w.t.g.rules[s] == nil {
		return false
	}
	r := w.t.g.rules[s]
	return r.ghost || r.kind == Other
}

// define adds the chunks of the definition at node i and opens its scope.
func (w *walker) define(i int, r *rule) {
	if r.names != nil {
		r.names(w.t, i, func(name string, at int) { w.chunk(i, at, r, name) })
		return
	}
	name := ""
	if r.name != nil {
		name = r.name(w.t, i)
	} else if f := w.t.field(i, "name"); f >= 0 {
		name = w.t.text(f)
	}
	if name != "" {
		w.chunk(i, i, r, name)
	}
}

// chunk adds one chunk named name; at is the node of its own inside i.
func (w *walker) chunk(i, at int, r *rule, name string) {
	scope, kind := "", r.kind
	if r.kindOf != nil {
		if kind = r.kindOf(w.t, at, func() bool { return w.atTop(i) }); kind == none {
			return
		}
	}
	if k := len(w.scopes); k > 0 {
		scope = w.scopes[k-1].scope
		if inner := w.scopes[k-1]; kind == Function && (inner.kind == Type || inner.kind == Impl) && !inner.ghost {
			kind = Method
		}
	}
	if r.scope != nil {
		if own := r.scope(w.t, i); own != "" {
			scope = join(scope, own)
			if kind == Function {
				kind = Method
			}
		}
	}
	if !r.ghost {
		w.add(w.spans(i, at, r, Chunk{Kind: kind, Name: name, Scope: scope}))
	}
	inside := scope
	if !r.unscoped {
		inside = clip(join(scope, name))
	}
	h := holder{kind: kind, scope: inside, ghost: r.ghost, at: at, next: w.t.nodes[at].next}
	if at > i {
		w.ahead = append(w.ahead, h)
	} else if r.names == nil {
		w.enter(h)
	}
}

func (w *walker) enter(h holder) {
	if len(w.scopes) < maxScopeDepth && int(h.next) > h.at {
		w.scopes = append(w.scopes, h)
	}
}

func join(scope, name string) string {
	if scope == "" {
		return name
	}
	return scope + "." + name
}

// spans fills in the byte spans of the definition at node i.
func (w *walker) spans(i, at int, r *rule, c Chunk) Chunk {
	n := w.t.nodes[at]
	c.StartByte, c.EndByte = int(n.start), int(n.end)
	c.SigEnd = w.signatureEnd(at, r)
	outer := at
	if at != i && w.alone(i) { // "var x = 1": the keyword belongs to the definition
		outer = i
	}
	for p := w.t.nodes[outer]; p.direct == 1 && p.parent >= 0 && w.wrap(int(p.parent)); p = w.t.nodes[outer] {
		outer = int(p.parent)
	}
	if o := w.t.nodes[outer]; outer != at {
		c.StartByte, c.EndByte = int(o.start), int(o.end)
	}
	o := w.t.nodes[outer]
	if w.attr.end > 0 && o.parent == w.attrIn && w.attr.end <= int(o.start) && w.comments.onlySpaceBetween(w.src, w.attr.end, int(o.start)) {
		c.StartByte = w.attr.start
	}
	if r.extend {
		c.EndByte = len(w.src)
		for k := int(n.next); k < len(w.t.nodes); k++ {
			if w.t.nodes[k].symbol == n.symbol {
				c.EndByte = int(w.t.nodes[k].start)
				break
			}
		}
		c.SigEnd = int(n.end)
	}
	for c.StartByte < c.EndByte && isSpace(w.src[c.StartByte]) { // some grammars start a node before its line
		c.StartByte++
	}
	c.StartByte = w.overMacros(c.StartByte)
	c.DocStart, c.DocEnd = w.comments.docBefore(w.src, c.StartByte)
	if c.DocEnd == 0 && c.StartByte < int(o.start) {
		c.DocStart, c.DocEnd = w.comments.docBefore(w.src, int(o.start))
	}
	if w.comments.Docstring {
		if body := w.t.field(at, "body"); body >= 0 {
			if from, to := docstring(w.src, int(w.t.nodes[body].start)); to > 0 {
				c.DocStart, c.DocEnd = from, to
			}
		}
	}
	return c
}

// overMacros moves a start back over the macros blanked right before it.
func (w *walker) overMacros(start int) int {
	if w.t.g.spec.prepare == nil {
		return start
	}
	breaks := 0
	for i := start - 1; i >= 0 && start-i < maxName && isSpace(w.text[i]) && breaks < 2; i-- {
		switch {
		case w.src[i] == '\n':
			breaks++
		case !isSpace(w.src[i]):
			if w.text[i] != ' ' {
				return start
			}
			start, breaks = i, 0
		}
	}
	return start
}

func (w *walker) wrap(i int) bool {
	s := w.t.nodes[i].symbol
	return int(s) < len(w.t.g.wraps) && w.t.g.wraps[s]
}

// alone reports whether the declaration i holds one definition only.
func (w *walker) alone(i int) bool {
	count := 0
	w.t.g.rules[w.t.nodes[i].symbol].names(w.t, i, func(string, int) { count++ })
	return count == 1
}

// signatureEnd is where the body of the definition starts.
func (w *walker) signatureEnd(i int, r *rule) int {
	if r.bodyAt != nil {
		return r.bodyAt(w.t, i)
	}
	what := r.body
	if what == "" {
		what = "body"
	}
	body := w.t.field(i, what)
	if body < 0 {
		body = w.t.kid(i, what)
	}
	if body < 0 {
		return 0
	}
	end := int(w.t.nodes[body].start)
	if w.comments.Docstring { // the signature ends with the colon, a comment may follow it
		last := int(w.t.nodes[i].start)
		w.t.kids(i, func(k int) bool {
			if k < body && w.t.typeOf(k) != "comment" {
				last = int(w.t.nodes[k].end)
			}
			return k < body
		})
		for j := last; j < end; j++ {
			if w.src[j] == ':' {
				return j + 1
			}
		}
	}
	return end
}
