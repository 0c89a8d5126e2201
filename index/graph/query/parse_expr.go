package query

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// The levels of an expression, loosest first: OR, XOR, AND, NOT, comparison,
// predicates on strings, lists and null, + -, * / %, sign, property and label.

func (p *parser) expression() (*expr, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, syntax(p.src, p.peek().pos, "expressions nest deeper than %d", maxDepth)
	}
	defer func() { p.depth-- }()
	return p.binary(0)
}

// levels are the logical and arithmetic operators that associate to the left.
var levels = []map[string]op{
	{"OR": opOr}, {"XOR": opXor}, {"AND": opAnd},
	{"+": opAdd, "-": opSub}, {"*": opMul, "/": opDiv, "%": opMod},
}

const (
	levelNot = 3 // NOT and comparisons stand between AND and +
	levelMul = 5
)

func (p *parser) binary(level int) (*expr, error) {
	if level == len(levels) {
		return p.unary()
	}
	below := func() (*expr, error) {
		if level+1 == levelNot {
			return p.not()
		}
		return p.binary(level + 1)
	}
	x, err := below()
	for err == nil {
		t := p.peek()
		o, ok := levels[level][strings.ToUpper(t.text)]
		if !ok || t.kind != tokSign && t.kind != tokName || t.quoted {
			break
		}
		p.at++
		var y *expr
		if y, err = below(); err == nil {
			x = p.join(o, t, x, y)
		}
	}
	return x, err
}

func (p *parser) join(o op, t token, args ...*expr) *expr {
	return &expr{op: o, pos: args[0].pos, name: t.text, args: args}
}

func (p *parser) not() (*expr, error) {
	t := p.peek()
	odd := false
	for p.accept("NOT") {
		odd = !odd
	}
	negated := t.pos != p.peek().pos
	x, err := p.comparison()
	if err != nil || !negated {
		return x, err
	}
	x = &expr{op: opNot, pos: t.pos, args: []*expr{x}}
	if !odd { // NOT NOT x is x as a truth value
		x = &expr{op: opNot, pos: t.pos, args: []*expr{x}}
	}
	return x, nil
}

var comparisons = map[string]op{"=": opEq, "<>": opNe, "<": opLt, "<=": opLe, ">": opGt, ">=": opGe}

// comparison reads a chain: a < b < c means a < b AND b < c.
func (p *parser) comparison() (*expr, error) {
	x, err := p.predicate()
	if err != nil {
		return nil, err
	}
	var whole *expr
	for {
		t := p.peek()
		o, ok := comparisons[t.text]
		if t.is("!=") {
			return nil, outside(p.src, t.pos, "!=", "write <>")
		}
		if !ok || t.kind != tokSign {
			break
		}
		p.at++
		y, err := p.predicate()
		if err != nil {
			return nil, err
		}
		one := p.join(o, t, x, y)
		if whole == nil {
			whole = one
		} else {
			whole = p.join(opAnd, t, whole, one)
		}
		x = y
	}
	if whole != nil {
		return whole, nil
	}
	return x, nil
}

// predicate reads what may follow a value: IN, STARTS WITH, ENDS WITH,
// CONTAINS, =~, IS [NOT] NULL.
func (p *parser) predicate() (*expr, error) {
	x, err := p.binary(levelNot)
	for err == nil {
		t := p.peek()
		o := opIn
		switch {
		case p.accept("IN"):
		case p.accept("=~"):
			o = opMatch
		case p.accept("CONTAINS"):
			o = opContains
		case t.is("STARTS") || t.is("ENDS"):
			p.at++
			if err := p.expect("WITH", "after "+strings.ToUpper(t.text)); err != nil {
				return nil, err
			}
			if o = opStarts; t.is("ENDS") {
				o = opEnds
			}
		case p.accept("IS"):
			if o = opIsNull; p.accept("NOT") {
				o = opNotNull
			}
			if err := p.expect("NULL", "after IS"); err != nil {
				return nil, err
			}
			x = p.join(o, t, x)
			continue
		default:
			return x, nil
		}
		var y *expr
		if y, err = p.binary(levelNot); err == nil {
			x = p.join(o, t, x, y)
		}
	}
	return x, err
}

func (p *parser) unary() (*expr, error) {
	t := p.peek()
	if p.accept("+") {
		return p.unary1()
	}
	if !p.accept("-") {
		return p.postfix()
	}
	x, err := p.unary1()
	if err != nil {
		return nil, err
	}
	switch v := x.value.(type) {
	case int64:
		return &expr{op: opLiteral, pos: t.pos, value: -v}, nil
	case float64:
		return &expr{op: opLiteral, pos: t.pos, value: -v}, nil
	}
	return &expr{op: opNeg, pos: t.pos, args: []*expr{x}}, nil
}

// unary1 is unary, counted: a row of signs nests.
func (p *parser) unary1() (*expr, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, syntax(p.src, p.peek().pos, "expressions nest deeper than %d", maxDepth)
	}
	defer func() { p.depth-- }()
	return p.unary()
}

func (p *parser) postfix() (*expr, error) {
	x, err := p.atom()
	for err == nil {
		t := p.peek()
		switch {
		case p.accept("."):
			name := p.next()
			if name.kind != tokName {
				p.at--
				return nil, p.unexpected("expected the name of a property after the dot")
			}
			x = &expr{op: opProp, pos: x.pos, end: name.pos, name: name.text, args: []*expr{x}}
		case t.is(":") && x.op == opVar:
			kinds, err := p.labels()
			if err != nil {
				return nil, err
			}
			x = &expr{op: opLabel, pos: x.pos, kinds: kinds, args: []*expr{x}}
		case t.is("["):
			return nil, outside(p.src, t.pos, "access by [ ]", "head() and last() give the ends of a list")
		case t.is("{") && x.op == opVar:
			return nil, outside(p.src, t.pos, "a map projection", "return the properties one by one")
		case t.is("^"):
			return nil, outside(p.src, t.pos, "the operator ^", "")
		default:
			return x, nil
		}
	}
	return nil, err
}

// number reads an integer of 64 bits or a finite float.
func (p *parser) number(t token) (*expr, error) {
	if t.kind == tokInt {
		n, err := strconv.ParseInt(t.text, 10, 64)
		if err != nil {
			return nil, syntax(p.src, t.pos, "%s does not fit into 64 bits", t.text)
		}
		return &expr{op: opLiteral, pos: t.pos, value: n}, nil
	}
	f, err := strconv.ParseFloat(t.text, 64)
	if err != nil && (!errors.Is(err, strconv.ErrRange) || math.IsInf(f, 0)) {
		return nil, syntax(p.src, t.pos, "%s is too large", t.text)
	}
	return &expr{op: opLiteral, pos: t.pos, value: f}, nil
}
