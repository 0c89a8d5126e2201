package query

import "strings"

func (p *parser) atom() (*expr, error) {
	t := p.peek()
	switch t.kind {
	case tokInt, tokFloat:
		p.at++
		return p.number(t)
	case tokString:
		p.at++
		return &expr{op: opLiteral, pos: t.pos, value: t.text}, nil
	case tokParam:
		p.at++
		return &expr{op: opParam, pos: t.pos, name: t.text}, nil
	case tokName:
		return p.named(t)
	}
	switch {
	case t.is("("):
		return p.paren(t)
	case t.is("["):
		return p.list(t)
	case t.is("{"):
		return nil, outside(p.src, t.pos, "a map", "return the values as columns")
	}
	return nil, p.unexpected("expected a value")
}

// constants are the names that are values.
var constants = map[string]any{"TRUE": true, "FALSE": false, "NULL": nil}

func (p *parser) named(t token) (*expr, error) {
	upper := strings.ToUpper(t.text)
	if !t.quoted {
		if v, ok := constants[upper]; ok && !p.ahead(1).is("(") {
			p.at++
			return &expr{op: opLiteral, pos: t.pos, value: v}, nil
		}
		// Most of these words may name a variable; CASE starts an expression.
		after := p.ahead(1)
		if c, hint := construct(t, after); c != "" && (c == "CASE" && !after.is(".") || after.is("(")) {
			return nil, outside(p.src, t.pos, c, hint)
		}
	}
	p.at++
	if !p.accept("(") {
		if p.peek().is("{") && (upper == "EXISTS" || upper == "COUNT" || upper == "COLLECT") {
			return nil, outside(p.src, t.pos, upper+" { }", "a pattern alone is true where it is found: WHERE (f)<-[:TESTS]-()")
		}
		return &expr{op: opVar, pos: t.pos, name: t.text}, nil
	}
	return p.call(t)
}

var quantifiers = map[string]bool{"all": true, "any": true, "none": true, "single": true}

// call reads what follows name( .
func (p *parser) call(t token) (*expr, error) {
	name := strings.ToLower(t.text)
	switch {
	case name == "exists":
		return p.exists(t)
	case quantifiers[name]:
		return p.quantifier(t, name)
	case name == "reduce" || name == "filter" || name == "extract" || name == "shortestpath" || name == "allshortestpaths":
		return nil, outside(p.src, t.pos, t.text+"()", "")
	}
	x := &expr{op: opCall, pos: t.pos, name: name}
	if aggregates[name] {
		x.op = opAgg
		x.distinct = p.accept("DISTINCT")
		if name == "count" && !x.distinct && p.accept("*") {
			return x, p.expect(")", "after count(*")
		}
	}
	if p.accept(")") {
		return x, p.arity(t, x)
	}
	for {
		arg, err := p.expression()
		if err != nil {
			return nil, err
		}
		x.args = append(x.args, arg)
		if p.accept(",") {
			continue
		}
		if err := p.expect(")", "to end the arguments"); err != nil {
			return nil, err
		}
		return x, p.arity(t, x)
	}
}

// arity checks that the function is there and takes so many arguments.
func (p *parser) arity(t token, x *expr) error {
	least, most := 1, 1
	if x.op == opCall {
		f, ok := functions[x.name]
		if !ok {
			return syntax(p.src, t.pos, "unknown function %s(); there are %s", t.text, functionNames())
		}
		least, most = f.minArgs, f.maxArgs
	}
	if n := len(x.args); n < least || n > most {
		return syntax(p.src, t.pos, "%s() takes %s, not %d", t.text, plural(least, most), n)
	}
	return nil
}

func (p *parser) exists(t token) (*expr, error) {
	inner, err := p.pattern()
	if err != nil {
		return nil, err
	}
	if len(inner.rels) == 0 {
		return nil, syntax(p.src, t.pos, "exists() takes a pattern with a relationship; for a property write IS NOT NULL")
	}
	return &expr{op: opExists, pos: t.pos, pattern: inner}, p.expect(")", "to end exists(")
}

// quantifier reads variable IN list WHERE condition ) .
func (p *parser) quantifier(t token, name string) (*expr, error) {
	v := p.next()
	if v.kind != tokName {
		p.at--
		return nil, p.unexpected("expected a variable in " + name + "(variable IN list WHERE condition)")
	}
	x := &expr{op: opQuant, pos: t.pos, name: name, value: v.text}
	for _, word := range []string{"IN", "WHERE"} {
		if err := p.expect(word, "in "+name+"(variable IN list WHERE condition)"); err != nil {
			return nil, err
		}
		arg, err := p.expression()
		if err != nil {
			return nil, err
		}
		x.args = append(x.args, arg)
	}
	return x, p.expect(")", "to end "+name+"(")
}

// paren reads a pattern, true where it is found, or an expression in
// parentheses. The tokens after a whole node tell which.
func (p *parser) paren(t token) (*expr, error) {
	start, rels := p.at, p.rels
	if inner, err := p.pattern(); err == nil && len(inner.rels) > 0 {
		return &expr{op: opExists, pos: t.pos, pattern: inner}, nil
	} else if err != nil && p.clearlyPattern(start) {
		return nil, err
	}
	p.at, p.rels = start+1, rels
	x, err := p.expression()
	if err != nil {
		return nil, err
	}
	return x, p.expect(")", "to end the parenthesis")
}

// clearlyPattern reports whether the failed pattern at start could have been
// nothing else, so its error is the one to show.
func (p *parser) clearlyPattern(start int) bool {
	for i := start; i < p.at; i++ {
		if p.tokens[i].is("-") && p.tokens[i+1].is("[") {
			return true
		}
	}
	return false
}

func (p *parser) list(t token) (*expr, error) {
	p.at++
	x := &expr{op: opList, pos: t.pos}
	if p.accept("]") {
		return x, nil
	}
	if p.peek().kind == tokName && p.ahead(1).is("IN") {
		return nil, outside(p.src, t.pos, "a list comprehension", "use all(), any(), none() or single()")
	}
	for {
		arg, err := p.expression()
		if err != nil {
			return nil, err
		}
		if p.peek().is("|") {
			return nil, outside(p.src, t.pos, "a pattern comprehension", "match the pattern and collect()")
		}
		x.args = append(x.args, arg)
		if !p.accept(",") {
			return x, p.expect("]", "to end the list")
		}
	}
}
