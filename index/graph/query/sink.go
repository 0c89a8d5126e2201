package query

import (
	"math"
	"slices"
)

// sink gathers matches into rows: grouping, DISTINCT, ORDER BY, SKIP, LIMIT.
type sink struct {
	r          *run
	stmt       *statement
	grouped    bool
	aggregates []*expr
	groups     map[string]*group
	inOrder    []*group
	seen       map[string]bool // of DISTINCT
	rows       []outRow
	skip       int
	want       int // rows to keep in the end, SKIP included; math.MaxInt for all
	cut        string
	arrived    int64
}

type group struct {
	columns []any // of the keys; nil for an aggregate
	tallies []tally
}

type outRow struct {
	columns, keys []any
	at            int64 // order of arrival
}

func (r *run) sink() (*sink, error) {
	s := &sink{r: r, stmt: r.query.stmt, groups: map[string]*group{}, seen: map[string]bool{}, want: math.MaxInt}
	s.grouped = s.stmt.grouped()
	r.results = map[*expr]any{}
	for _, c := range s.stmt.columns {
		c.x.all(func(x *expr) {
			if x.op == opAgg {
				s.aggregates = append(s.aggregates, x)
			}
		})
	}
	var err error
	if s.stmt.skip != nil {
		if s.skip, err = s.number(s.stmt.skip); err != nil {
			return nil, err
		}
	}
	if s.stmt.limit != nil {
		n, err := s.number(s.stmt.limit)
		if err != nil {
			return nil, err
		}
		if n < math.MaxInt-s.skip {
			s.want = s.skip + n
		}
	}
	return s, nil
}

func (s *sink) number(x *expr) (int, error) {
	v, _ := s.r.constant(x)
	n, ok := v.(int64)
	if !ok || n < 0 {
		return 0, s.r.fail(x, "SKIP and LIMIT take a whole number that is not negative, not %s", typeName(v))
	}
	return int(n), nil
}

// streams reports whether the rows found first are the first of the answer. The
// answer may then be cut short.
func (s *sink) streams() bool { return !s.grouped && len(s.stmt.order) == 0 }

// row takes the current match.
func (s *sink) row() error {
	if s.grouped {
		return s.group()
	}
	if s.streams() && len(s.rows) >= s.want {
		return errEnough
	}
	columns := make([]any, len(s.stmt.columns))
	for i, c := range s.stmt.columns {
		var err error
		if columns[i], err = s.r.eval(c.x); err != nil {
			return err
		}
	}
	if err := s.emit(columns); err != nil {
		return err
	}
	if s.streams() && len(s.rows) >= s.want {
		return errEnough
	}
	return nil
}

// group adds the current match to its group.
func (s *sink) group() error {
	columns := make([]any, len(s.stmt.columns))
	var id []byte
	for i, c := range s.stmt.columns {
		if c.x.find(opAgg) != nil {
			continue
		}
		v, err := s.r.eval(c.x)
		if err != nil {
			return err
		}
		columns[i] = v
		id = key(id, v)
	}
	g := s.groups[string(id)]
	if g == nil {
		var err error
		if g, err = s.newGroup(string(id), columns); err != nil {
			return err
		}
	}
	for i, x := range s.aggregates {
		if err := s.r.add(&g.tallies[i], x); err != nil {
			return err
		}
	}
	return nil
}

func (s *sink) newGroup(id string, columns []any) (*group, error) {
	g := &group{columns: columns, tallies: make([]tally, len(s.aggregates))}
	s.groups[id] = g
	s.inOrder = append(s.inOrder, g)
	return g, s.r.hold(int64(len(id)) + 96*int64(len(g.tallies)) + 64 + weigh(columns))
}

// emit takes a finished row.
func (s *sink) emit(columns []any) error {
	if s.stmt.distinct {
		var id []byte
		for _, v := range columns {
			id = key(id, v)
		}
		if s.seen[string(id)] {
			return nil
		}
		s.seen[string(id)] = true
		if err := s.r.hold(int64(len(id)) + 48); err != nil {
			return err
		}
	}
	row := outRow{columns: columns, at: s.arrived}
	s.arrived++
	s.r.columns = columns
	for _, k := range s.stmt.order {
		v, err := s.r.eval(k.x)
		if err != nil {
			return err
		}
		row.keys = append(row.keys, v)
	}
	if s.streams() && len(s.rows)-s.skip >= s.r.limits.Rows {
		s.cut = "rows"
		return errEnough
	}
	if err := s.r.hold(48 + weigh(columns) + weigh(row.keys)); err != nil {
		return err
	}
	s.rows = append(s.rows, row)
	return s.trim()
}

// trim drops, now and then, rows that sorting would put beyond the LIMIT.
func (s *sink) trim() error {
	if len(s.stmt.order) == 0 || s.want > 1<<20 || len(s.rows) < 2*s.want+1024 {
		return nil
	}
	s.sort()
	for _, row := range s.rows[s.want:] {
		s.r.held -= 48 + weigh(row.columns) + weigh(row.keys)
	}
	clear(s.rows[s.want:])
	s.rows = s.rows[:s.want]
	return nil
}

// sort orders the rows by the keys; equal ones stay as they came.
func (s *sink) sort() {
	slices.SortFunc(s.rows, func(a, b outRow) int {
		for i, k := range s.stmt.order {
			if c := order(a.keys[i], b.keys[i]); c != 0 {
				if k.desc {
					return -c
				}
				return c
			}
		}
		return int(a.at - b.at)
	})
}

// result finishes the answer.
func (s *sink) result() (*Result, error) {
	if s.grouped {
		if err := s.finishGroups(); err != nil {
			return nil, err
		}
	}
	if len(s.stmt.order) > 0 {
		s.sort()
	}
	rows := s.rows[min(s.skip, len(s.rows)):min(s.want, len(s.rows))]
	if len(rows) > s.r.limits.Rows {
		rows, s.cut = rows[:s.r.limits.Rows], "rows"
	}
	out := &Result{Columns: s.r.query.Columns(), Rows: make([][]any, len(rows)), Truncated: s.cut}
	for i, row := range rows {
		out.Rows[i] = row.columns
		for j, v := range row.columns {
			var err error
			if row.columns[j], err = s.r.export(v); err != nil {
				return nil, err
			}
		}
	}
	out.Steps = s.r.steps
	return out, nil
}

// finishGroups turns groups into rows, in the order they were first seen. A
// query without keys has one group, also of no rows.
func (s *sink) finishGroups() error {
	keys := slices.ContainsFunc(s.stmt.columns, func(c column) bool { return c.x.find(opAgg) == nil })
	if !keys && len(s.inOrder) == 0 {
		if _, err := s.newGroup("", make([]any, len(s.stmt.columns))); err != nil {
			return err
		}
	}
	for _, g := range s.inOrder {
		for i, x := range s.aggregates {
			s.r.results[x] = g.tallies[i].value(x)
		}
		s.r.columns = g.columns
		row := slices.Clone(g.columns)
		for i, c := range s.stmt.columns {
			if c.x.find(opAgg) == nil {
				continue
			}
			var err error
			if row[i], err = s.r.eval(c.x); err != nil {
				return err
			}
		}
		if err := s.emit(row); err != nil {
			return err
		}
	}
	return nil
}
