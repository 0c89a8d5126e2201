package query

import "slices"

// ignoresDuplicates reports whether finding a row once is as good as finding it
// often: the rows are distinct, or gathered by aggregates that ignore repeats.
func (s *statement) ignoresDuplicates() bool {
	if !s.grouped() {
		return s.distinct
	}
	for _, c := range s.columns {
		if !c.x.idempotent() {
			return false
		}
	}
	return true
}

// idempotent reports whether no aggregate in x changes with repeated rows.
func (x *expr) idempotent() bool {
	if x.op == opAgg {
		return x.distinct || x.name == "min" || x.name == "max"
	}
	return !slices.ContainsFunc(x.args, func(a *expr) bool { return !a.idempotent() })
}

// eachExpression calls f with every expression of the statement that a match is read by.
func (s *statement) eachExpression(f func(*expr)) {
	for _, m := range s.matches {
		for _, part := range m.patterns {
			for _, x := range part.where {
				f(x)
			}
		}
		if m.where != nil {
			f(m.where)
		}
	}
	for _, c := range s.columns {
		f(c.x)
	}
	for _, k := range s.order {
		f(k.x)
	}
}

// count adds up the slots whose value x reads: patterns as conditions read
// theirs only within. A path reads its relationships.
func (q *Query) count(x *expr, uses map[int]int) {
	if x.op == opVar {
		uses[x.slot]++
		if in := q.vars[x.slot].inPath; in != nil {
			for _, rel := range in.rels {
				uses[rel.slot]++
			}
		}
	}
	if x.op == opExists {
		for _, w := range x.pattern.where {
			q.count(w, uses)
		}
	}
	for _, a := range x.args {
		q.count(a, uses)
	}
}
