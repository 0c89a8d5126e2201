package query

import (
	"slices"
	"strconv"
	"strings"

	"github.com/topo-dev/topo/index/graph"
)

// kindNames are the labels, in the order of graph.NodeKind.
var kindNames = []string{"File", "Module", "Type", "Function", "Method", "Var", "External"}

// edgeNames are the relationship types, in the order of graph.EdgeKind.
var edgeNames = []string{"CONTAINS", "IMPORTS", "CALLS", "INHERITS", "REFERENCES", "TESTS", "COCHANGES"}

// namedPattern reads [name =] pattern.
func (p *parser) namedPattern() (*pattern, error) {
	if t := p.peek(); t.kind == tokName && p.ahead(1).is("=") {
		p.at += 2
		part, err := p.pattern()
		if err == nil {
			part.path = t.text
		}
		return part, err
	}
	return p.pattern()
}

func (p *parser) pattern() (*pattern, error) {
	t := p.peek()
	if (t.is("shortestPath") || t.is("allShortestPaths")) && p.ahead(1).is("(") {
		return nil, outside(p.src, t.pos, t.text, "use the command that finds a path between two symbols")
	}
	if t.is("(") && p.ahead(1).is("(") {
		return nil, outside(p.src, t.pos, "a quantified or parenthesised path pattern", "write -[:TYPE*1..3]->")
	}
	part := &pattern{pos: t.pos}
	n, err := p.node()
	if err != nil {
		return nil, err
	}
	part.nodes = append(part.nodes, n)
	for p.peek().is("-") || p.peek().is("<") {
		r, err := p.rel()
		if err != nil {
			return nil, err
		}
		if n, err = p.node(); err != nil {
			return nil, err
		}
		part.rels = append(part.rels, r)
		part.nodes = append(part.nodes, n)
	}
	return part, nil
}

func (p *parser) node() (*nodePattern, error) {
	n := &nodePattern{pos: p.peek().pos, kinds: allKinds}
	if err := p.expect("(", "to start a node"); err != nil {
		return nil, err
	}
	if t := p.peek(); t.kind == tokName {
		n.name = p.next().text
	}
	if p.peek().is(":") {
		var err error
		if n.kinds, err = p.labels(); err != nil {
			return nil, err
		}
	}
	if p.peek().is("WHERE") {
		return nil, outside(p.src, p.peek().pos, "WHERE within a node", "write it after the patterns")
	}
	var err error
	if n.props, err = p.properties(); err != nil {
		return nil, err
	}
	return n, p.expect(")", "to end the node")
}

// labels reads :A, :A|B and :A:B. A node has one kind: of :A:B it must be both.
func (p *parser) labels() (kindSet, error) {
	set := allKinds
	for p.accept(":") {
		var one kindSet
		for {
			t := p.next()
			if t.is("!") || t.is("%") {
				return 0, outside(p.src, t.pos, "the label expression "+t.text, "list labels with |")
			}
			i := slices.Index(kindNames, t.text)
			if t.kind != tokName || i < 0 {
				return 0, unknown(p.src, t, "label", kindNames)
			}
			one |= 1 << i
			if !p.accept("|") {
				break
			}
		}
		set &= one
	}
	return set, nil
}

// unknown names what is there instead, and the one that differs by case only.
func unknown(src string, t token, what string, names []string) error {
	for _, n := range names {
		if strings.EqualFold(n, t.text) {
			return syntax(src, t.pos, "unknown %s %s; did you mean %s? Case matters", what, t.show(), n)
		}
	}
	return syntax(src, t.pos, "unknown %s %s; there are %s", what, t.show(), strings.Join(names, ", "))
}

// rel reads one of -->, <--, --, -[…]->, <-[…]-, -[…]-; both arrow heads mean
// either direction, as openCypher has it.
func (p *parser) rel() (*relPattern, error) {
	r := &relPattern{pos: p.peek().pos, types: allEdges, min: 1, max: 1}
	if p.rels++; p.rels > maxParts {
		return nil, syntax(p.src, r.pos, "more than %d relationships in one query", maxParts)
	}
	fromRight := p.accept("<")
	if err := p.expect("-", "to start a relationship"); err != nil {
		return nil, err
	}
	if p.accept("[") {
		if err := p.relBody(r); err != nil {
			return nil, err
		}
	}
	if err := p.expect("-", "to end the relationship"); err != nil {
		return nil, err
	}
	switch toRight := p.accept(">"); {
	case toRight && !fromRight:
		r.dir = right
	case fromRight && !toRight:
		r.dir = left
	}
	return r, nil
}

func (p *parser) relBody(r *relPattern) (err error) {
	if t := p.peek(); t.kind == tokName {
		r.name = p.next().text
	}
	if p.accept(":") {
		r.types = 0
		for {
			t := p.next()
			if t.is("!") || t.is("%") {
				return outside(p.src, t.pos, "the type expression "+t.text, "list types with |")
			}
			i := slices.Index(edgeNames, t.text)
			if t.kind != tokName || i < 0 {
				return unknown(p.src, t, "relationship type", edgeNames)
			}
			r.types |= 1 << graph.EdgeKind(i)
			if !p.accept("|") {
				break
			}
			p.accept(":") // the older way to write alternatives
		}
	}
	if p.peek().is("*") {
		if err := p.hops(r); err != nil {
			return err
		}
	}
	if p.peek().is("WHERE") {
		return outside(p.src, p.peek().pos, "WHERE within a relationship", "write it after the patterns")
	}
	if r.props, err = p.properties(); err != nil {
		return err
	}
	return p.expect("]", "to end the relationship")
}

// hops reads *, *n, *n.., *..m and *n..m.
func (p *parser) hops(r *relPattern) error {
	star := p.next()
	r.far, r.min, r.max = true, 1, -1
	number := func(into *int) error {
		if t := p.peek(); t.kind == tokInt {
			n, err := strconv.Atoi(t.text)
			if err != nil || n > maxHops {
				return syntax(p.src, t.pos, "a path has at most %d relationships, not %s", maxHops, t.text)
			}
			*into = n
			p.at++
		}
		return nil
	}
	fixed := p.peek().kind == tokInt
	if err := number(&r.min); err != nil {
		return err
	}
	if p.accept("..") {
		if err := number(&r.max); err != nil {
			return err
		}
	} else if fixed {
		r.max = r.min
	}
	if r.max < 0 {
		return outside(p.src, star.pos, "a path without an upper bound", "write one, as in *1..4; the highest is "+strconv.Itoa(maxHops))
	}
	return nil
}

// properties reads {name: expression, …}, if there is one.
func (p *parser) properties() ([]property, error) {
	if p.peek().kind == tokParam {
		return nil, outside(p.src, p.peek().pos, "a parameter in place of properties", "write {name: $name}")
	}
	if !p.accept("{") || p.accept("}") {
		return nil, nil
	}
	var all []property
	for {
		t := p.next()
		if t.kind != tokName {
			p.at--
			return nil, p.unexpected("expected the name of a property")
		}
		if err := p.expect(":", "after the property"); err != nil {
			return nil, err
		}
		x, err := p.expression()
		if err != nil {
			return nil, err
		}
		all = append(all, property{name: t.text, pos: t.pos, value: x})
		if !p.accept(",") {
			return all, p.expect("}", "to end the properties")
		}
	}
}
