package chunk

import (
	"bytes"
	"strings"
)

// measure counts node i into the metrics of the function around it.
func (w *factWalk) measure(i int, is role) {
	f := w.fns[len(w.fns)-1]
	n := &w.t.nodes[i]
	if is&isDecision != 0 && !w.defaultCase(i) {
		f.Metrics.Cyclomatic++
	}
	if is&isLogic != 0 {
		w.logical(i, f)
	}
	if is&isJump != 0 && (w.opts.labels || n.next > uint32(i)+1) && w.labelled(i) {
		f.Metrics.Cognitive++
	}
	after := is&isIf != 0 && w.afterElse(i)
	switch {
	case is&isNesting != 0 && after:
		f.Metrics.Cognitive++
	case is&isNesting != 0:
		f.Metrics.Cognitive += f.nest + 1
		w.nested(n.next, f, 1, 1)
	case is&isDeeper != 0:
		if f.at != i {
			w.nested(n.next, f, 1, 0)
		}
	case is&isFlat != 0 && !w.holdsIf(i):
		f.Metrics.Cognitive++
	}
	if w.opts.elseField && is&isIf != 0 {
		if k := w.t.field(i, "alternative"); k >= 0 && !w.isIfNode(k) {
			f.Metrics.Cognitive++
		}
	}
}

func (w *factWalk) nested(end uint32, f *factFunc, nest, depth int) {
	f.nest += nest
	f.depth += depth
	f.Metrics.Nesting = max(f.Metrics.Nesting, f.depth)
	w.nests = append(w.nests, factNest{end, nest, depth, f})
}

func (w *factWalk) isIfNode(k int) bool {
	s := w.t.nodes[k].symbol
	return int(s) < len(w.is) && w.is[s]&isIf != 0
}

// afterElse reports whether the "if" at node i is the alternative of another.
func (w *factWalk) afterElse(i int) bool {
	p := int(w.t.nodes[i].parent)
	if p < 0 {
		return false
	}
	if s := w.t.nodes[p].symbol; int(s) < len(w.is) && w.is[s]&isFlat != 0 {
		return w.holdsIf(p)
	}
	return w.opts.elseField && w.isIfNode(p) && w.t.field(p, "alternative") == i
}

// holdsIf reports whether an "else" holds nothing but another "if".
func (w *factWalk) holdsIf(i int) bool {
	k := w.child(i, "<")
	return k >= 0 && strings.HasPrefix(w.t.typeOf(i), "else") && w.isIfNode(k)
}

// defaultCase reports whether a case has nothing to compare with.
func (w *factWalk) defaultCase(i int) bool {
	start, ok := w.otherwise[w.t.typeOf(i)]
	return ok && bytes.HasPrefix(w.t.src[w.t.nodes[i].start:w.t.nodes[i].end], []byte(start))
}

func (w *factWalk) labelled(i int) bool {
	if w.opts.labels && strings.HasPrefix(w.t.typeOf(i), "goto") {
		return true
	}
	k := w.child(i, "<")
	if k < 0 {
		return false
	}
	switch w.t.typeOf(k) {
	case "label", "statement_identifier", "identifier":
		return true
	}
	return false
}

// operator is the logical operator of a binary node, 0 for another.
func (w *factWalk) operator(i int) byte {
	op := byte(0)
	w.t.kids(i, func(k int) bool {
		if o := logicOps[w.t.typeOf(k)]; o != 0 {
			op = o
		}
		return op == 0
	})
	return op
}

// logical counts an operator of && and ||; for cognitive complexity a run of
// like operators counts once, at the outermost of them.
func (w *factWalk) logical(i int, f *factFunc) {
	op := w.operator(i)
	if op == 0 {
		return
	}
	f.Metrics.Cyclomatic++
	if op == '?' {
		return
	}
	p := int(w.t.nodes[i].parent)
	for range maxChainSteps {
		if p >= 0 && strings.HasPrefix(w.t.typeOf(p), "parenthesized") {
			p = int(w.t.nodes[p].parent)
			continue
		}
		break
	}
	if p < 0 || int(w.t.nodes[p].symbol) >= len(w.is) || w.is[w.t.nodes[p].symbol]&isLogic == 0 || w.operator(p) != op {
		f.Metrics.Cognitive++
	}
}
