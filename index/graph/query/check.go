package query

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// valueType is what is known of a variable before the query runs.
type valueType uint8

const (
	anyValue valueType = iota
	nodeValue
	relValue
	relsValue // of a relationship of variable length
	pathValue
)

type variable struct {
	name   string // empty when anonymous
	kind   valueType
	local  bool     // of a quantifier
	inPath *pattern // of a path
}

// checker gives every variable a slot and refuses what cannot mean anything.
type checker struct {
	src  string
	vars []variable
	by   map[string]int
}

// check resolves the names of a statement; the variables come back by slot.
func check(src string, s *statement) ([]variable, error) {
	c := &checker{src: src, by: map[string]int{}}
	for _, m := range s.matches {
		for _, part := range m.patterns {
			if err := c.declare(part, false); err != nil {
				return nil, err
			}
		}
	}
	for _, m := range s.matches {
		for _, part := range m.patterns {
			props, err := c.inline(part)
			if err != nil {
				return nil, err
			}
			part.where = props
		}
		if m.where != nil {
			if err := c.resolveScalar(m.where, "WHERE"); err != nil {
				return nil, err
			}
		}
	}
	return c.vars, c.result(s)
}

func (c *checker) add(name string, kind valueType) int {
	c.vars = append(c.vars, variable{name: name, kind: kind})
	if name != "" {
		c.by[name] = len(c.vars) - 1
	}
	return len(c.vars) - 1
}

// declare gives slots to a pattern. One within a predicate brings no names.
func (c *checker) declare(part *pattern, predicate bool) error {
	for _, n := range part.nodes {
		slot, ok := c.by[n.name]
		switch {
		case n.name == "" || !ok && !predicate:
			slot = c.add(n.name, nodeValue)
		case !ok:
			return syntax(c.src, n.pos, "unknown variable %q: a pattern that is a condition brings no new names; write ()", n.name)
		case c.vars[slot].kind != nodeValue:
			return syntax(c.src, n.pos, "%q is no node", n.name)
		}
		n.slot = slot
	}
	for _, r := range part.rels {
		if _, ok := c.by[r.name]; r.name != "" && (ok || predicate) {
			return syntax(c.src, r.pos, "the relationship %q cannot be named here: a name stands for one relationship of one MATCH", r.name)
		}
		kind := relValue
		if r.far {
			kind = relsValue
		}
		r.slot = c.add(r.name, kind)
	}
	if part.path != "" {
		if _, ok := c.by[part.path]; ok {
			return syntax(c.src, part.pos, "%q is taken", part.path)
		}
		part.slot = c.add(part.path, pathValue)
		c.vars[part.slot].inPath = part
	}
	return nil
}

// inline turns {name: value} of nodes and relationships into conditions.
func (c *checker) inline(part *pattern) ([]*expr, error) {
	var all []*expr
	add := func(slot int, props []property) error {
		for _, p := range props {
			if err := c.resolveScalar(p.value, "a pattern"); err != nil {
				return err
			}
			v := &expr{op: opVar, pos: p.pos, slot: slot}
			if c.vars[slot].kind == relsValue { // holds for each of them
				each := &expr{op: opVar, pos: p.pos, slot: c.add("", relValue)}
				c.vars[each.slot].local = true
				same := &expr{op: opEq, pos: p.pos, args: []*expr{{op: opProp, pos: p.pos, end: p.pos, name: p.name, args: []*expr{each}}, p.value}}
				if err := c.propOf(same.args[0]); err != nil {
					return err
				}
				all = append(all, &expr{op: opQuant, pos: p.pos, name: "all", slot: each.slot, args: []*expr{v, same}})
				continue
			}
			prop := &expr{op: opProp, pos: p.pos, end: p.pos, name: p.name, args: []*expr{v}}
			if err := c.propOf(prop); err != nil {
				return err
			}
			all = append(all, &expr{op: opEq, pos: p.pos, args: []*expr{prop, p.value}})
		}
		return nil
	}
	for _, n := range part.nodes {
		if err := add(n.slot, n.props); err != nil {
			return nil, err
		}
	}
	for _, r := range part.rels {
		if err := add(r.slot, r.props); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// propOf checks the property of a value whose type is known.
func (c *checker) propOf(x *expr) error {
	kind := anyValue
	if v := x.args[0]; v.op == opVar {
		kind = c.vars[v.slot].kind
	}
	_, ofNode := nodeProps[x.name]
	_, ofRel := relProps[x.name]
	t := token{kind: tokName, text: x.name, pos: x.end}
	switch {
	case kind == nodeValue && !ofNode:
		return unknown(c.src, t, "property of a node", propertyNames(nodeProps))
	case kind == relValue && !ofRel:
		return unknown(c.src, t, "property of a relationship", propertyNames(relProps))
	case kind == relsValue:
		return syntax(c.src, x.pos, "a relationship of variable length is a list: write all(r IN %s WHERE r.%s …)", c.vars[x.args[0].slot].name, x.name)
	case kind == pathValue:
		return syntax(c.src, x.pos, "a path has no properties: use nodes(%s) or relationships(%s)", c.vars[x.args[0].slot].name, c.vars[x.args[0].slot].name)
	case !ofNode && !ofRel:
		return unknown(c.src, t, "property", slices.Concat(propertyNames(nodeProps), propertyNames(relProps)))
	}
	return nil
}

// resolveScalar resolves an expression that must not hold an aggregate.
func (c *checker) resolveScalar(x *expr, where string) error {
	if a := x.find(opAgg); a != nil {
		return syntax(c.src, a.pos, "%s() cannot stand in %s: aggregates belong to RETURN", a.name, where)
	}
	return c.resolve(x)
}

// resolve finds the slots of an expression's variables.
func (c *checker) resolve(x *expr) error {
	switch x.op {
	case opVar:
		slot, ok := c.by[x.name]
		if !ok {
			return syntax(c.src, x.pos, "unknown variable %q%s", x.name, c.known())
		}
		x.slot = slot
		return nil
	case opExists:
		if err := c.declare(x.pattern, true); err != nil {
			return err
		}
		var err error
		x.pattern.where, err = c.inline(x.pattern)
		return err
	case opQuant:
		return c.quantifier(x)
	case opAgg:
		for _, a := range x.args {
			if inner := a.find(opAgg); inner != nil {
				return syntax(c.src, inner.pos, "%s() within %s()", inner.name, x.name)
			}
		}
	}
	for _, a := range x.args {
		if err := c.resolve(a); err != nil {
			return err
		}
	}
	switch {
	case x.op == opProp:
		return c.propOf(x)
	case x.op == opLabel && c.vars[x.args[0].slot].kind != nodeValue && c.vars[x.args[0].slot].kind != anyValue:
		return syntax(c.src, x.pos, "%q is no node and has no label", x.args[0].name)
	}
	return nil
}

// quantifier resolves one whose variable hides an outer one of that name.
func (c *checker) quantifier(x *expr) error {
	if err := c.resolve(x.args[0]); err != nil {
		return err
	}
	name := x.value.(string)
	outer, had := c.by[name]
	x.slot = c.add(name, c.elements(x.args[0]))
	c.vars[x.slot].local = true
	err := c.resolve(x.args[1])
	delete(c.by, name)
	if had {
		c.by[name] = outer
	}
	return err
}

// elements is the type of the elements of a list.
func (c *checker) elements(list *expr) valueType {
	switch {
	case list.op == opVar && c.vars[list.slot].kind == relsValue, list.op == opCall && list.name == "relationships":
		return relValue
	case list.op == opCall && list.name == "nodes":
		return nodeValue
	}
	return anyValue
}

func (c *checker) known() string {
	var names []string
	for n := range c.by {
		names = append(names, n)
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	return "; there are " + strings.Join(names[:min(len(names), 20)], ", ")
}

// plural writes how many arguments a function takes.
func plural(least, most int) string {
	switch {
	case least == most && most == 1:
		return "1 argument"
	case least == most:
		return strconv.Itoa(most) + " arguments"
	}
	return fmt.Sprintf("%d to %d arguments", least, most)
}

// find returns the first expression of that kind in the tree.
func (x *expr) find(o op) *expr {
	if x.op == o {
		return x
	}
	for _, a := range x.args {
		if f := a.find(o); f != nil {
			return f
		}
	}
	return nil
}
