package query

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// function is one that maps values to a value. With null as an argument all but
// coalesce are null.
type function struct {
	minArgs, maxArgs int // arguments
	apply            func(r *run, args []any) (any, bool, error)
}

var errTooLong = errors.New("too long")

// functions by their lower-case name; case does not matter in a query. The
// second result of apply is false for arguments of the wrong type.
var functions = map[string]function{
	"id":            {1, 1, id},
	"labels":        {1, 1, labels},
	"type":          {1, 1, relType},
	"startnode":     {1, 1, func(_ *run, a []any) (any, bool, error) { r, ok := a[0].(Rel); return nodeRef(r.From), ok, nil }},
	"endnode":       {1, 1, func(_ *run, a []any) (any, bool, error) { r, ok := a[0].(Rel); return nodeRef(r.To), ok, nil }},
	"nodes":         {1, 1, nodes},
	"relationships": {1, 1, relationships},
	"length":        {1, 1, length},
	"size":          {1, 1, size},
	"head":          {1, 1, func(_ *run, a []any) (any, bool, error) { return end(a[0], 0) }},
	"last":          {1, 1, func(_ *run, a []any) (any, bool, error) { return end(a[0], -1) }},
	"coalesce":      {1, 8, nil},
	"tolower":       {1, 1, onText(strings.ToLower)},
	"toupper":       {1, 1, onText(strings.ToUpper)},
	"trim":          {1, 1, onText(strings.TrimSpace)},
	"tostring":      {1, 1, toString},
	"tointeger":     {1, 1, toInteger},
	"tofloat":       {1, 1, toFloat},
	"abs":           {1, 1, abs},
	"round":         {1, 1, func(_ *run, a []any) (any, bool, error) { return rounded(a[0], math.Round) }},
	"floor":         {1, 1, func(_ *run, a []any) (any, bool, error) { return rounded(a[0], math.Floor) }},
	"ceil":          {1, 1, func(_ *run, a []any) (any, bool, error) { return rounded(a[0], math.Ceil) }},
	"split":         {2, 2, split},
	"replace":       {3, 3, replace},
	"substring":     {2, 3, substring},
}

func functionNames() string {
	names := propertyNames(functions)
	names = append(names, propertyNames(aggregates)...)
	names = append(names, propertyNames(quantifiers)...)
	slices.Sort(names)
	return strings.Join(names, ", ")
}

func (r *run) call(x *expr) (any, error) {
	args := make([]any, len(x.args))
	null := false
	for i, a := range x.args {
		v, err := r.eval(a)
		if err != nil {
			return nil, err
		}
		if x.name == "coalesce" && v != nil {
			return v, nil
		}
		args[i] = v
		null = null || v == nil
	}
	if null {
		return nil, nil
	}
	v, ok, err := functions[x.name].apply(r, args)
	if errors.Is(err, errTooLong) {
		return nil, r.grow(x, maxString+1)
	}
	if err == nil && !ok {
		err = r.fail(x, "%s() cannot take %s", x.name, typeName(args[0]))
	}
	if s, is := v.(string); err == nil && is {
		err = r.grow(x, len(s))
	}
	return v, err
}

func onText(f func(string) string) func(*run, []any) (any, bool, error) {
	return func(_ *run, a []any) (any, bool, error) {
		s, ok := a[0].(string)
		return f(s), ok, nil
	}
}

func id(_ *run, a []any) (any, bool, error) {
	n, ok := a[0].(nodeRef)
	return int64(n), ok, nil
}

func labels(r *run, a []any) (any, bool, error) {
	ref, ok := a[0].(nodeRef)
	if !ok {
		return nil, false, nil
	}
	n, err := r.load(int(ref))
	return []any{kindNames[min(int(n.Kind), len(kindNames)-1)]}, true, err
}

func relType(_ *run, a []any) (any, bool, error) {
	rel, ok := a[0].(Rel)
	return edgeNames[min(int(rel.Kind), len(edgeNames)-1)], ok, nil
}

func nodes(_ *run, a []any) (any, bool, error) {
	t, ok := a[0].(trail)
	list := make([]any, len(t.nodes))
	for i, n := range t.nodes {
		list[i] = nodeRef(n)
	}
	return list, ok, nil
}

func relationships(_ *run, a []any) (any, bool, error) {
	t, ok := a[0].(trail)
	list := make([]any, len(t.rels))
	for i, rel := range t.rels {
		list[i] = rel
	}
	return list, ok, nil
}

func length(_ *run, a []any) (any, bool, error) {
	if t, ok := a[0].(trail); ok {
		return int64(len(t.rels)), true, nil
	}
	return size(nil, a)
}

func size(_ *run, a []any) (any, bool, error) {
	switch v := a[0].(type) {
	case string:
		return int64(utf8.RuneCountInString(v)), true, nil
	case []any:
		return int64(len(v)), true, nil
	}
	return nil, false, nil
}

func end(v any, at int) (any, bool, error) {
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return nil, ok, nil
	}
	return list[(at+len(list))%len(list)], true, nil
}

func toString(_ *run, a []any) (any, bool, error) {
	switch v := a[0].(type) {
	case string:
		return v, true, nil
	case bool:
		return strconv.FormatBool(v), true, nil
	case int64:
		return strconv.FormatInt(v, 10), true, nil
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), true, nil
	}
	return nil, false, nil
}

// toInteger and toFloat are null for a text that is no number.
func toInteger(_ *run, a []any) (any, bool, error) {
	switch v := a[0].(type) {
	case int64:
		return v, true, nil
	case string:
		if n, err := strconv.ParseInt(strings.TrimSpace(v), 10, 64); err == nil {
			return n, true, nil
		}
		return nil, true, nil
	case float64:
		if v >= -1<<63 && v < 1<<63 {
			return int64(v), true, nil
		}
		return nil, true, nil
	}
	return nil, false, nil
}

func toFloat(_ *run, a []any) (any, bool, error) {
	if s, ok := a[0].(string); ok {
		f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
			return nil, true, nil
		}
		return f, true, nil
	}
	return float(a[0]), rank(a[0]) == rank(int64(0)), nil
}

func abs(_ *run, a []any) (any, bool, error) {
	if i, ok := a[0].(int64); ok && i != math.MinInt64 {
		return max(i, -i), true, nil
	}
	f, ok := a[0].(float64)
	return math.Abs(f), ok, nil
}

func rounded(v any, f func(float64) float64) (any, bool, error) {
	return f(float(v)), rank(v) == rank(int64(0)), nil
}

func split(_ *run, a []any) (any, bool, error) {
	s, ok := a[0].(string)
	sep, also := a[1].(string)
	if !ok || !also {
		return nil, false, nil
	}
	parts := strings.Split(s, sep)
	list := make([]any, len(parts))
	for i, p := range parts {
		list[i] = p
	}
	return list, true, nil
}

func replace(_ *run, a []any) (any, bool, error) {
	s, ok1 := a[0].(string)
	old, ok2 := a[1].(string)
	by, ok3 := a[2].(string)
	if !ok1 || !ok2 || !ok3 {
		return nil, false, nil
	}
	if n := int64(strings.Count(s, old)) * int64(len(by)); n > maxString {
		return nil, true, errTooLong
	}
	return strings.ReplaceAll(s, old, by), true, nil
}

// substring counts characters from 0 and is cut at the end of the text.
func substring(_ *run, a []any) (any, bool, error) {
	s, ok := a[0].(string)
	from, ok2 := a[1].(int64)
	if !ok || !ok2 || from < 0 {
		return nil, false, nil
	}
	runes := []rune(s)
	runes = runes[min(from, int64(len(runes))):]
	if len(a) == 3 {
		n, ok := a[2].(int64)
		if !ok || n < 0 {
			return nil, false, nil
		}
		runes = runes[:min(n, int64(len(runes)))]
	}
	return string(runes), true, nil
}
