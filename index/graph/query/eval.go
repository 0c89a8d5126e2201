package query

import (
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/topo-dev/topo/index/graph"
)

// eval is the value of an expression over the present match. Unknown is nil, as
// in openCypher: a comparison with null is null, and WHERE keeps only true.
func (r *run) eval(x *expr) (any, error) {
	switch x.op {
	case opLiteral:
		return x.value, nil
	case opParam:
		return r.params[x.name], nil
	case opVar:
		return r.variable(x.slot)
	case opColumn:
		return r.columns[x.slot], nil
	case opAgg:
		return r.results[x], nil
	case opProp:
		return r.property(x)
	case opLabel:
		return r.label(x)
	case opAnd, opOr, opXor, opNot:
		return r.logic(x)
	case opExists:
		return r.exists(x.pattern)
	case opQuant:
		return r.quantify(x)
	case opList:
		list := make([]any, len(x.args))
		for i, a := range x.args {
			v, err := r.eval(a)
			if err != nil {
				return nil, err
			}
			list[i] = v
		}
		return list, nil
	case opCall:
		return r.call(x)
	}
	return r.operator(x)
}

// fail makes an error at an expression.
func (r *run) fail(x *expr, format string, args ...any) error {
	e := &EvalError{Message: fmt.Sprintf(format, args...)}
	e.Line, e.Column = position(r.query.src, x.pos)
	return e
}

func (r *run) variable(slot int) (any, error) {
	s := &r.slots[slot]
	v := r.query.vars[slot]
	switch {
	case v.local:
		return s.value, nil
	case v.kind == nodeValue:
		return nodeRef(s.id), nil
	case v.kind == relValue:
		return s.rels[0], nil
	case v.kind == pathValue:
		return r.trail(v.inPath), nil
	}
	list := make([]any, len(s.rels))
	for i, rel := range s.rels {
		list[i] = rel
	}
	return list, nil
}

// trail puts a path together from the slots of its pattern.
func (r *run) trail(p *pattern) trail {
	at := r.slots[p.nodes[0].slot].id
	t := trail{nodes: []int{at}}
	for _, rel := range p.rels {
		for _, one := range r.slots[rel.slot].rels {
			if one.From == at {
				at = one.To
			} else {
				at = one.From
			}
			t.nodes = append(t.nodes, at)
			t.rels = append(t.rels, one)
		}
	}
	return t
}

func (r *run) property(x *expr) (any, error) {
	base := x.args[0]
	if v := r.query.vars; base.op == opVar && v[base.slot].kind == nodeValue && !v[base.slot].local {
		n, err := r.node(base.slot)
		if err != nil {
			return nil, err
		}
		return nodeProps[x.name](n), nil
	}
	v, err := r.eval(base)
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case nil:
		return nil, nil
	case nodeRef:
		if get, ok := nodeProps[x.name]; ok {
			n, err := r.load(int(v))
			return get(&n), err
		}
		return nil, nil
	case Rel:
		if get, ok := relProps[x.name]; ok {
			return get(v), nil
		}
		return nil, nil
	}
	return nil, r.fail(x, "only nodes and relationships have properties, and this is %s", typeName(v))
}

func (r *run) label(x *expr) (any, error) {
	v, err := r.eval(x.args[0])
	if err != nil || v == nil {
		return nil, err
	}
	id, ok := v.(nodeRef)
	if !ok {
		return nil, r.fail(x, "only nodes have labels, and this is %s", typeName(v))
	}
	n, err := r.load(int(id))
	return x.kinds.has(n.Kind), err
}

// truth reads a condition: true, false or nil.
func (r *run) truth(x *expr) (any, error) {
	v, err := r.eval(x)
	if _, ok := v.(bool); err == nil && v != nil && !ok {
		return nil, r.fail(x, "expected true or false, and this is %s", typeName(v))
	}
	return v, err
}

// logic is Kleene's logic of three values.
func (r *run) logic(x *expr) (any, error) {
	a, err := r.truth(x.args[0])
	if err != nil {
		return nil, err
	}
	if x.op == opNot {
		if a == nil {
			return nil, nil
		}
		return a == false, nil
	}
	if x.op == opAnd && a == false || x.op == opOr && a == true {
		return a, nil
	}
	b, err := r.truth(x.args[1])
	switch {
	case err != nil:
		return nil, err
	case x.op == opXor:
		if a == nil || b == nil {
			return nil, nil
		}
		return a != b, nil
	case x.op == opAnd && b == false || x.op == opOr && b == true:
		return b, nil
	case a == nil || b == nil:
		return nil, nil
	}
	return b, nil
}

func (r *run) quantify(x *expr) (any, error) {
	v, err := r.eval(x.args[0])
	if err != nil || v == nil {
		return nil, err
	}
	list, ok := v.([]any)
	if !ok {
		return nil, r.fail(x.args[0], "%s() needs a list, and this is %s", x.name, typeName(v))
	}
	yes, unknown := 0, 0
	for _, e := range list {
		r.slots[x.slot].value = e
		t, err := r.truth(x.args[1])
		if err != nil {
			return nil, err
		}
		if t == true {
			yes++
		} else if t == nil {
			unknown++
		}
	}
	return quantified(x.name, yes, unknown, len(list)), nil
}

// quantified answers from how many were true and how many unknown.
func quantified(name string, yes, unknown, of int) any {
	least, most := yes, yes+unknown
	var lo, hi bool
	switch name {
	case "all":
		lo, hi = least == of, most == of
	case "any":
		lo, hi = least > 0, most > 0
	case "none":
		lo, hi = most == 0, least == 0
	default: // single
		if unknown > 0 && least <= 1 {
			return nil
		}
		return yes == 1
	}
	if lo != hi {
		return nil
	}
	return lo
}

func (r *run) operator(x *expr) (any, error) {
	a, err := r.eval(x.args[0])
	if err != nil {
		return nil, err
	}
	switch x.op {
	case opIsNull:
		return a == nil, nil
	case opNotNull:
		return a != nil, nil
	case opNeg:
		return r.arithmetic(x, opSub, int64(0), a)
	}
	b, err := r.eval(x.args[1])
	if err != nil {
		return nil, err
	}
	switch x.op {
	case opEq:
		return equal(a, b), nil
	case opNe:
		if e := equal(a, b); e != nil {
			return e == false, nil
		}
		return nil, nil
	case opLt, opLe, opGt, opGe:
		return compare(x.op, a, b), nil
	case opIn:
		return r.in(x, a, b)
	case opStarts, opEnds, opContains, opMatch:
		return r.textual(x, a, b)
	}
	return r.arithmetic(x, x.op, a, b)
}

func (r *run) in(x *expr, a, b any) (any, error) {
	if b == nil {
		return nil, nil
	}
	list, ok := b.([]any)
	if !ok {
		return nil, r.fail(x.args[1], "IN needs a list, and this is %s", typeName(b))
	}
	var answer any = false
	for _, e := range list {
		switch equal(a, e) {
		case true:
			return true, nil
		case nil:
			answer = nil
		}
	}
	return answer, nil
}

// textual is null unless both sides are strings.
func (r *run) textual(x *expr, a, b any) (any, error) {
	s, ok := a.(string)
	t, also := b.(string)
	if !ok || !also {
		return nil, nil
	}
	switch x.op {
	case opStarts:
		return strings.HasPrefix(s, t), nil
	case opEnds:
		return strings.HasSuffix(s, t), nil
	case opContains:
		return strings.Contains(s, t), nil
	}
	re, ok := r.patterns[t]
	if !ok {
		var err error
		if re, err = regexp.Compile(`^(?:` + t + `)$`); err != nil {
			return nil, r.fail(x.args[1], "%v; the syntax is that of RE2", err)
		}
		if len(r.patterns) < 64 { // a pattern made of each row's text is not worth keeping
			r.patterns[t] = re
		}
	}
	return re.MatchString(s), nil
}

// arithmetic is null with null. Integers stay integers and must not overflow;
// floats stay finite, so every result can be written as JSON.
func (r *run) arithmetic(x *expr, o op, a, b any) (any, error) {
	if a == nil || b == nil {
		return nil, nil
	}
	if o == opAdd {
		if s, ok := a.(string); ok {
			if t, ok := b.(string); ok {
				return s + t, r.grow(x, len(s)+len(t))
			}
		}
		if s, ok := a.([]any); ok {
			if t, ok := b.([]any); ok {
				return append(s[:len(s):len(s)], t...), r.grow(x, 16*(len(s)+len(t)))
			}
		}
	}
	if rank(a) != rank(int64(0)) || rank(b) != rank(int64(0)) {
		return nil, r.fail(x, "cannot calculate with %s and %s", typeName(a), typeName(b))
	}
	i, aInt := a.(int64)
	j, bInt := b.(int64)
	if aInt && bInt {
		return r.integers(x, o, i, j)
	}
	f, g := float(a), float(b)
	var v float64
	switch o {
	case opAdd:
		v = f + g
	case opSub:
		v = f - g
	case opMul:
		v = f * g
	case opDiv:
		v = f / g
	case opMod:
		v = math.Mod(f, g)
	}
	if (o == opDiv || o == opMod) && g == 0 {
		return nil, r.fail(x, "division by zero")
	}
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return nil, r.fail(x, "the result is too large for a number")
	}
	return v, nil
}

func (r *run) integers(x *expr, o op, i, j int64) (any, error) {
	var v int64
	ok := true
	switch o {
	case opAdd:
		v = i + j
		ok = (v > i) == (j > 0)
	case opSub:
		v = i - j
		ok = (v < i) == (j > 0)
	case opMul:
		v = i * j
		ok = i == 0 || v/i == j && !(i == -1 && j == math.MinInt64)
	case opDiv, opMod:
		if j == 0 {
			return nil, r.fail(x, "division by zero")
		}
		if ok = !(i == math.MinInt64 && j == -1); ok && o == opDiv {
			v = i / j
		} else if ok {
			v = i % j
		}
	}
	if !ok {
		return nil, r.fail(x, "the result does not fit into 64 bits")
	}
	return v, nil
}

func float(v any) float64 {
	if i, ok := v.(int64); ok {
		return float64(i)
	}
	f, _ := v.(float64)
	return f
}

// node is the node in a slot, read once for as long as it stays bound.
func (r *run) node(slot int) (*graph.Node, error) {
	s := &r.slots[slot]
	if !s.loaded {
		n, err := r.load(s.id)
		if err != nil {
			return nil, err
		}
		s.node, s.loaded = n, true
	}
	return &s.node, nil
}

func (r *run) load(id int) (graph.Node, error) {
	n, err := r.store.Node(id)
	if err != nil {
		return n, fmt.Errorf("node %d of the graph: %w", id, err)
	}
	return n, nil
}

// typeName is a value's type in messages.
func typeName(v any) string {
	return [...]string{"", "a node", "a relationship", "a list", "a path", "a string", "true or false", "a number", "null"}[rank(v)]
}
