package query

import (
	"math/bits"
	"slices"

	"github.com/topo-dev/topo/index/graph"
)

// step is one part of a plan: it binds variables in every possible way, checks
// conditions, and hands each match on to the next step.
type step struct {
	to      int     // slot of the node it binds
	kinds   kindSet // labels of that node
	ids     []int   // candidates of a scan, in ascending order
	all     bool    // a scan over all nodes
	rel     *relPattern
	from    int // slot of the node an expansion starts from
	dir     direction
	reverse bool // the expansion runs from the pattern's right to its left
	bound   bool // the far node is bound already
	reach   bool // only whether a node is reached matters, not by which way
	clause  int  // no edge twice among the steps of one clause
	where   []*expr

	rels  [][]Rel // room for the edges of each depth
	trail []Rel
	mark  []uint32 // of reach: the round a node was seen in
	round uint32
}

// condition is one conjunct of all WHERE clauses and inline properties.
type condition struct {
	x     *expr
	slots []int
	done  bool
}

type planner struct {
	r                 *run
	bound             map[int]bool
	kinds             map[int]kindSet
	nodes             []int // slots not yet bound, in order of appearance
	rels              []*chain
	conds             []*condition
	uses              map[int]int // how often a relationship's slot is read by expressions
	ignoresDuplicates bool        // multiplicity of rows does not matter
}

// chain is one relationship between its two nodes, waiting for its step.
type chain struct {
	rel         *relPattern
	left, right int
	clause      int
	done        bool
}

// plan orders the parts of all patterns: it starts from the node with the
// fewest candidates, then follows relationships from what is bound.
func (r *run) plan(matches []*matchClause, ignoresDuplicates bool, uses map[int]int) ([]*step, error) {
	p := &planner{r: r, bound: map[int]bool{}, kinds: map[int]kindSet{}, ignoresDuplicates: ignoresDuplicates, uses: uses}
	for clause, m := range matches {
		for _, part := range m.patterns {
			p.take(part, clause)
		}
		p.split(m.where)
	}
	return p.steps()
}

// predicate plans an existence predicate: the named nodes are bound.
func (r *run) predicate(part *pattern) ([]*step, error) {
	p := &planner{r: r, bound: map[int]bool{}, kinds: map[int]kindSet{}, ignoresDuplicates: true, uses: map[int]int{}}
	for _, x := range part.where {
		r.query.count(x, p.uses)
	}
	r.clauses++
	p.take(part, r.clauses-1)
	for _, n := range part.nodes {
		if n.name != "" {
			p.bound[n.slot] = true
			if n.kinds != allKinds {
				v := &expr{op: opVar, pos: n.pos, slot: n.slot}
				p.split(&expr{op: opLabel, pos: n.pos, kinds: n.kinds, args: []*expr{v}})
			}
		}
	}
	p.nodes = slices.DeleteFunc(p.nodes, func(slot int) bool { return p.bound[slot] })
	return p.steps()
}

func (p *planner) take(part *pattern, clause int) {
	for _, n := range part.nodes {
		if have, ok := p.kinds[n.slot]; ok {
			p.kinds[n.slot] = have & n.kinds
			continue
		}
		p.kinds[n.slot] = n.kinds
		p.nodes = append(p.nodes, n.slot)
	}
	for i, rel := range part.rels {
		p.rels = append(p.rels, &chain{rel: rel, left: part.nodes[i].slot, right: part.nodes[i+1].slot, clause: clause})
	}
	for _, x := range part.where {
		p.split(x)
	}
}

// split takes a condition apart at its ANDs.
func (p *planner) split(x *expr) {
	if x == nil {
		return
	}
	if x.op == opAnd {
		p.split(x.args[0])
		p.split(x.args[1])
		return
	}
	p.conds = append(p.conds, &condition{x: x, slots: p.needs(x, nil)})
}

// needs lists the slots that must be bound before x has a value.
func (p *planner) needs(x *expr, slots []int) []int {
	if x.op == opVar {
		switch v := p.r.query.vars[x.slot]; {
		case v.local:
		case v.kind == pathValue:
			for _, n := range v.inPath.nodes {
				slots = append(slots, n.slot)
			}
			for _, rel := range v.inPath.rels {
				slots = append(slots, rel.slot)
			}
		default:
			slots = append(slots, x.slot)
		}
	}
	if x.op == opExists {
		for _, n := range x.pattern.nodes {
			if n.name != "" {
				slots = append(slots, n.slot)
			}
		}
		own := map[int]bool{}
		for _, n := range x.pattern.nodes {
			own[n.slot] = true
		}
		for _, rel := range x.pattern.rels {
			own[rel.slot] = true
		}
		for _, w := range x.pattern.where {
			for _, s := range p.needs(w, nil) {
				if !own[s] {
					slots = append(slots, s)
				}
			}
		}
	}
	for _, a := range x.args {
		slots = p.needs(a, slots)
	}
	return slots
}

// takeReady takes the conditions that can be checked now.
func (p *planner) takeReady() []*expr {
	var now []*expr
	for _, c := range p.conds {
		if !c.done && !slices.ContainsFunc(c.slots, func(s int) bool { return !p.bound[s] }) {
			c.done = true
			now = append(now, c.x)
		}
	}
	return now
}

func (p *planner) steps() ([]*step, error) {
	var all []*step
	first := p.takeReady()
	for len(p.nodes) > 0 || slices.ContainsFunc(p.rels, func(c *chain) bool { return !c.done }) {
		s := p.follow()
		if s == nil {
			var err error
			if s, err = p.scan(); err != nil {
				return nil, err
			}
		}
		p.bound[s.to] = true
		if s.rel != nil {
			p.bound[s.rel.slot] = true
		}
		p.nodes = slices.DeleteFunc(p.nodes, func(slot int) bool { return slot == s.to })
		s.where = p.takeReady()
		all = append(all, s)
	}
	if len(all) > 0 {
		all[0].where = append(first, all[0].where...)
	}
	return all, nil
}

// follow makes the next expansion from a bound node: one between two bound
// nodes before others, a single relationship before one of variable length.
func (p *planner) follow() *step {
	var best *chain
	cost := 0
	for _, c := range p.rels {
		if c.done || !p.bound[c.left] && !p.bound[c.right] {
			continue
		}
		now := 1
		if c.rel.far {
			now = 4
		}
		if !p.bound[c.left] || !p.bound[c.right] {
			now += 2
		}
		if best == nil || now < cost {
			best, cost = c, now
		}
	}
	if best == nil {
		return nil
	}
	best.done = true
	s := &step{rel: best.rel, from: best.left, to: best.right, dir: best.rel.dir, clause: best.clause}
	if !p.bound[best.left] {
		s.from, s.to, s.dir, s.reverse = best.right, best.left, best.rel.dir.flip(), true
	}
	s.bound = p.bound[s.to]
	s.kinds = p.kinds[s.to]
	s.reach = p.reach(best)
	return s
}

// reach reports whether a walk over each node once finds all that matters.
// With a direction and at least 0 or 1 hops, a node that is reached by any walk
// is reached by a trail no longer, so only which edges were used is lost, and
// with it how often.
func (p *planner) reach(c *chain) bool {
	if !c.rel.far || !p.ignoresDuplicates || c.rel.dir == either || c.rel.min > 1 || p.uses[c.rel.slot] > 0 {
		return false
	}
	return !slices.ContainsFunc(p.rels, func(o *chain) bool {
		return o != c && o.clause == c.clause && o.rel.types&c.rel.types != 0
	})
}

// scan makes the step that binds the unbound node with the fewest candidates.
func (p *planner) scan() (*step, error) {
	var best *step
	cost := 0
	for _, slot := range p.nodes {
		s := &step{to: slot, kinds: p.kinds[slot], all: true}
		now := p.r.store.NumNodes() * bits.OnesCount16(uint16(s.kinds))
		if ids, ok, err := p.lookup(slot); err != nil {
			return nil, err
		} else if ok {
			s.ids, s.all = ids, false
			now = len(ids)
		}
		if best == nil || now < cost {
			best, cost = s, now
		}
	}
	return best, nil
}

// lookup finds candidates by a condition on the name or the id of a node. The
// condition is checked again on each, so a store may find more than it must.
func (p *planner) lookup(slot int) (ids []int, ok bool, err error) {
	for _, c := range p.conds {
		if c.done || c.x.op != opEq && c.x.op != opIn {
			continue
		}
		of, with := c.x.args[0], c.x.args[1]
		if c.x.op == opEq && !p.isLookup(of, slot) {
			of, with = with, of
		}
		if !p.isLookup(of, slot) {
			continue
		}
		v, constant := p.r.constant(with)
		if !constant {
			continue
		}
		list, isList := v.([]any)
		if c.x.op == opEq {
			list = []any{v}
		} else if !isList {
			continue // the condition itself says what is wrong
		}
		found, err := p.candidates(of, list)
		if err != nil {
			return nil, false, err
		}
		if !ok || len(found) < len(ids) {
			ids, ok = found, true
		}
	}
	return ids, ok, nil
}

// isLookup reports whether x is something of that node to look nodes up by.
func (p *planner) isLookup(x *expr, slot int) bool {
	if len(x.args) != 1 || x.args[0].op != opVar || x.args[0].slot != slot {
		return false
	}
	switch {
	case x.op == opCall:
		return x.name == "id"
	case x.op == opProp:
		return x.name == "name" || x.name == "short" || x.name == "path" && p.kinds[slot] == 1<<graph.NodeFile
	}
	return false
}

func (p *planner) candidates(of *expr, values []any) ([]int, error) {
	var ids []int
	for _, v := range values {
		switch v := v.(type) {
		case string:
			if of.op == opProp {
				found, err := p.r.store.Named(v)
				if err != nil {
					return nil, err
				}
				ids = append(ids, found...)
			}
		case int64:
			if of.op == opCall && v >= 0 && v < int64(p.r.store.NumNodes()) {
				ids = append(ids, int(v))
			}
		case float64:
			if i := int(v); of.op == opCall && float64(i) == v && i >= 0 && i < p.r.store.NumNodes() {
				ids = append(ids, i)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// constant is the value of a literal, a parameter or a list of those.
func (r *run) constant(x *expr) (any, bool) {
	switch x.op {
	case opLiteral:
		return x.value, true
	case opParam:
		return r.params[x.name], true
	case opList:
		var list []any
		for _, a := range x.args {
			v, ok := r.constant(a)
			if !ok {
				return nil, false
			}
			list = append(list, v)
		}
		return list, true
	}
	return nil, false
}
