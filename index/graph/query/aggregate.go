package query

import "math"

// aggregates are the functions over the rows of a group. All but count(*) and
// collect pass over null, collect too; of no value at all count is 0, sum 0,
// collect an empty list and the others null.
var aggregates = map[string]bool{"count": true, "sum": true, "avg": true, "min": true, "max": true, "collect": true}

// tally gathers one aggregate of one group.
type tally struct {
	count int64
	whole int64   // sum of the integers
	frac  float64 // sum of the floats
	mixed bool    // a float was among them
	best  any
	list  []any
	seen  map[string]bool // of DISTINCT
}

// add takes the current row into the tally.
func (r *run) add(t *tally, x *expr) error {
	if len(x.args) == 0 { // count(*)
		t.count++
		return nil
	}
	v, err := r.eval(x.args[0])
	if err != nil || v == nil {
		return err
	}
	if x.distinct {
		k := string(key(nil, v))
		if t.seen[k] {
			return nil
		}
		if t.seen == nil {
			t.seen = map[string]bool{}
		}
		t.seen[k] = true
		if err := r.hold(int64(len(k)) + 48); err != nil {
			return err
		}
	}
	t.count++
	switch x.name {
	case "sum", "avg":
		return r.sum(t, x, v)
	case "min", "max":
		if c := order(v, t.best); t.count == 1 || x.name == "min" && c < 0 || x.name == "max" && c > 0 {
			t.best = v
		}
	case "collect":
		t.list = append(t.list, v)
		return r.hold(16 + weigh(v))
	}
	return nil
}

func (r *run) sum(t *tally, x *expr, v any) error {
	switch v := v.(type) {
	case int64:
		sum, err := r.integers(x, opAdd, t.whole, v)
		if err != nil {
			return err
		}
		t.whole = sum.(int64)
	case float64:
		t.mixed = true
		t.frac += v
		if math.IsInf(t.frac, 0) {
			return r.fail(x, "the result is too large for a number")
		}
	default:
		return r.fail(x, "%s() adds numbers, and this is %s", x.name, typeName(v))
	}
	return nil
}

// value is the result of a group.
func (t *tally) value(x *expr) any {
	switch x.name {
	case "count":
		return t.count
	case "sum":
		if t.mixed {
			return t.frac + float64(t.whole)
		}
		return t.whole
	case "avg":
		if t.count == 0 {
			return nil
		}
		return (t.frac + float64(t.whole)) / float64(t.count)
	case "collect":
		if t.list == nil {
			return []any{}
		}
		return t.list
	}
	return t.best
}
