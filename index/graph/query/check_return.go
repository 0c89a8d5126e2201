package query

import (
	"slices"
	"strconv"
	"strings"
)

// result checks RETURN, ORDER BY, SKIP and LIMIT.
func (c *checker) result(s *statement) error {
	if s.star {
		if err := c.expandStar(s); err != nil {
			return err
		}
	}
	seen := map[string]bool{}
	for _, col := range s.columns {
		if seen[col.alias] {
			return syntax(c.src, col.x.pos, "two columns named %q; rename one with AS", col.alias)
		}
		seen[col.alias] = true
		if err := c.resolve(col.x); err != nil {
			return err
		}
	}
	if err := c.grouping(s); err != nil {
		return err
	}
	for i := range s.order {
		if err := c.sorting(s, &s.order[i]); err != nil {
			return err
		}
	}
	for _, x := range []*expr{s.skip, s.limit} {
		if x != nil && x.op != opParam {
			if n, ok := x.value.(int64); x.op != opLiteral || !ok || n < 0 {
				return syntax(c.src, x.pos, "SKIP and LIMIT take a whole number that is not negative, or a parameter")
			}
		}
	}
	return nil
}

// expandStar puts all named variables before the other columns, by name.
func (c *checker) expandStar(s *statement) error {
	var names []string
	for n := range c.by {
		names = append(names, n)
	}
	if len(names) == 0 {
		return syntax(c.src, 0, "RETURN * needs a named variable")
	}
	slices.Sort(names)
	var all []column
	for _, n := range names {
		all = append(all, column{x: &expr{op: opVar, name: n}, alias: n})
	}
	s.columns = append(all, s.columns...)
	return nil
}

// grouped reports whether the columns hold an aggregate.
func (s *statement) grouped() bool {
	return slices.ContainsFunc(s.columns, func(c column) bool { return c.x.find(opAgg) != nil })
}

// grouping checks that a column with an aggregate uses, outside of it, only
// constants and the columns without one, which are the keys of the groups.
func (c *checker) grouping(s *statement) error {
	if !s.grouped() {
		return nil
	}
	for i := range s.columns {
		col := &s.columns[i]
		if col.x.find(opAgg) == nil {
			continue
		}
		x, bad := regroup(s, col.x)
		if bad != nil {
			return syntax(c.src, bad.pos, "%q is used next to an aggregate but is not a column of its own: return it too, so rows are grouped by it", bad.name)
		}
		col.x = x
	}
	return nil
}

// regroup copies an expression with the keys of the groups turned into columns.
// bad is a variable that is left outside of an aggregate.
func regroup(s *statement, x *expr) (out, bad *expr) {
	if x.op == opAgg {
		return x, nil
	}
	for i, col := range s.columns {
		if col.x.find(opAgg) == nil && x.op != opLiteral && col.x.text() == x.text() {
			return &expr{op: opColumn, pos: x.pos, slot: i}, nil
		}
	}
	if x.op == opVar || x.op == opExists {
		return nil, x
	}
	if x.op == opQuant {
		if v := x.args[1].freeVariable([]int{x.slot}); v != nil {
			return nil, v
		}
	}
	return x.rebuild(func(a *expr) (*expr, *expr) { return regroup(s, a) })
}

// rebuild copies an expression with other arguments. The variable of a
// quantifier is its own and stays.
func (x *expr) rebuild(f func(*expr) (*expr, *expr)) (out, bad *expr) {
	copied := *x
	copied.args = slices.Clone(x.args)
	for i, a := range x.args {
		if x.op == opQuant && i == 1 {
			continue
		}
		if copied.args[i], bad = f(a); bad != nil {
			return nil, bad
		}
	}
	return &copied, nil
}

// sorting resolves one key of ORDER BY: columns by alias or by the same
// expression; other variables only while every row still is one match.
func (c *checker) sorting(s *statement, k *sortKey) error {
	lost := s.distinct || s.grouped()
	x, err := c.sortTree(s, k.x)
	if err != nil {
		return err
	}
	if lost {
		if a := x.find(opAgg); a != nil {
			return syntax(c.src, a.pos, "ORDER BY %s(): return it as a column and sort by that", a.name)
		}
		if v := x.freeVariable(nil); v != nil {
			return syntax(c.src, v.pos, "ORDER BY after DISTINCT or an aggregate sees only the returned columns, not %q", v.name)
		}
	} else if a := x.find(opAgg); a != nil {
		return syntax(c.src, a.pos, "%s() cannot stand in ORDER BY alone: return it as a column", a.name)
	}
	k.x = x
	return nil
}

func (c *checker) sortTree(s *statement, x *expr) (*expr, error) {
	for i, col := range s.columns {
		if x.op == opVar && x.name == col.alias {
			return &expr{op: opColumn, pos: x.pos, slot: i}, nil
		}
	}
	whole := *x
	if err := c.resolve(&whole); err == nil {
		for i, col := range s.columns {
			if whole.op != opLiteral && col.x.text() == whole.text() {
				return &expr{op: opColumn, pos: x.pos, slot: i}, nil
			}
		}
	}
	if x.op == opVar || x.op == opExists || x.op == opQuant || len(x.args) == 0 {
		return &whole, c.resolve(&whole)
	}
	copied := *x
	copied.args = nil
	for _, a := range x.args {
		y, err := c.sortTree(s, a)
		if err != nil {
			return nil, err
		}
		copied.args = append(copied.args, y)
	}
	if copied.op == opProp {
		return &copied, c.propOf(&copied)
	}
	if copied.op == opLabel && copied.args[0].op != opVar {
		return nil, syntax(c.src, x.pos, "a label needs a variable")
	}
	return &copied, nil
}

// freeVariable finds a variable that is not bound by a quantifier within x.
func (x *expr) freeVariable(bound []int) *expr {
	switch x.op {
	case opVar:
		if slices.Contains(bound, x.slot) {
			return nil
		}
		return x
	case opExists:
		return x
	case opQuant:
		bound = append(slices.Clone(bound), x.slot)
	}
	for _, a := range x.args {
		if v := a.freeVariable(bound); v != nil {
			return v
		}
	}
	return nil
}

// text is the same for two expressions exactly if they mean the same. It is for
// comparing, not for reading. Patterns and quantifiers are never the same.
func (x *expr) text() string {
	var b strings.Builder
	x.write(&b)
	return b.String()
}

func (x *expr) write(b *strings.Builder) {
	b.WriteByte('(')
	b.WriteString(strconv.Itoa(int(x.op)))
	switch x.op {
	case opLiteral:
		b.Write(key(nil, x.value))
	case opParam, opProp, opCall, opAgg:
		b.WriteString(strconv.Quote(x.name))
		b.WriteString(strconv.FormatBool(x.distinct))
	case opVar, opColumn:
		b.WriteString(" " + strconv.Itoa(x.slot))
	case opLabel:
		b.WriteString(" " + strconv.Itoa(int(x.kinds)))
	case opExists, opQuant:
		b.WriteString(" " + strconv.Itoa(x.pos))
	}
	for _, a := range x.args {
		a.write(b)
	}
	b.WriteByte(')')
}
