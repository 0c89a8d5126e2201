package query

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"github.com/topo-dev/topo/index/graph"
)

// Within the executor a value is nil, bool, int64, float64 (always finite),
// string, []any, nodeRef, Rel or trail. Results hold graph.Ref for a node and
// Path for a trail.

// nodeRef is a node by its id.
type nodeRef int

// trail is a path: nodes[i] and nodes[i+1] are the ends of rels[i].
type trail struct {
	nodes []int
	rels  []Rel
}

// Rel is one relationship, in its own direction.
type Rel struct {
	From, To   int
	Kind       graph.EdgeKind
	Confidence graph.Confidence
}

// same reports whether two are one edge. A kind links two nodes once.
func (r Rel) same(o Rel) bool { return r.From == o.From && r.To == o.To && r.Kind == o.Kind }

// rank orders the types of values in ORDER BY, as openCypher does; null is last.
func rank(v any) int {
	switch v.(type) {
	case nodeRef:
		return 1
	case Rel:
		return 2
	case []any:
		return 3
	case trail:
		return 4
	case string:
		return 5
	case bool:
		return 6
	case int64, float64:
		return 7
	}
	return 8
}

// order is the total order of ORDER BY, min and max.
func order(a, b any) int {
	ra, rb := rank(a), rank(b)
	if ra != rb {
		return cmp.Compare(ra, rb)
	}
	switch x := a.(type) {
	case nodeRef:
		return cmp.Compare(x, b.(nodeRef))
	case Rel:
		return orderRel(x, b.(Rel))
	case []any:
		return slices.CompareFunc(x, b.([]any), order)
	case trail:
		y := b.(trail)
		return cmp.Or(slices.Compare(x.nodes, y.nodes), slices.CompareFunc(x.rels, y.rels, orderRel))
	case string:
		return strings.Compare(x, b.(string))
	case bool:
		if y := b.(bool); x != y {
			if y {
				return -1
			}
			return 1
		}
		return 0
	case int64, float64:
		return orderNumbers(a, b)
	}
	return 0
}

func orderRel(a, b Rel) int {
	return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Kind, b.Kind))
}

// orderNumbers compares without loss: an integer beyond 2^53 is not rounded.
func orderNumbers(a, b any) int {
	x, xInt := a.(int64)
	y, yInt := b.(int64)
	switch {
	case xInt && yInt:
		return cmp.Compare(x, y)
	case xInt:
		return orderIntFloat(x, b.(float64))
	case yInt:
		return -orderIntFloat(y, a.(float64))
	}
	return cmp.Compare(a.(float64), b.(float64))
}

func orderIntFloat(i int64, f float64) int {
	switch {
	case f >= 1<<63:
		return -1
	case f < -1<<63:
		return 1
	}
	whole := math.Trunc(f)
	return cmp.Or(cmp.Compare(i, int64(whole)), cmp.Compare(0, f-whole))
}

// equal is = with its three answers: true, false and nil, which is unknown.
// Values of different types differ.
func equal(a, b any) any {
	if a == nil || b == nil {
		return nil
	}
	x, ok := a.([]any)
	y, also := b.([]any)
	if !ok || !also {
		return rank(a) == rank(b) && order(a, b) == 0
	}
	if len(x) != len(y) {
		return false
	}
	var all any = true
	for i := range x {
		switch equal(x[i], y[i]) {
		case false:
			return false
		case nil:
			all = nil
		}
	}
	return all
}

// compare is <, ≤, > and ≥: unknown unless both are numbers, both strings or
// both booleans.
func compare(o op, a, b any) any {
	if r := rank(a); r != rank(b) || r < rank("") || r > rank(int64(0)) {
		return nil
	}
	c := order(a, b)
	switch o {
	case opLt:
		return c < 0
	case opLe:
		return c <= 0
	case opGt:
		return c > 0
	}
	return c >= 0
}

// key appends an encoding of v: two values have the same one exactly if they
// are the same for DISTINCT and for grouping, null equal to null.
func key(b []byte, v any) []byte {
	b = append(b, byte(rank(v)))
	switch x := v.(type) {
	case nodeRef:
		b = binary.AppendVarint(b, int64(x))
	case Rel:
		b = keyRel(b, x)
	case []any:
		b = binary.AppendUvarint(b, uint64(len(x)))
		for _, e := range x {
			b = key(b, e)
		}
	case trail:
		b = binary.AppendUvarint(b, uint64(len(x.nodes)))
		for _, n := range x.nodes {
			b = binary.AppendVarint(b, int64(n))
		}
		for _, r := range x.rels {
			b = keyRel(b, r)
		}
	case string:
		b = binary.AppendUvarint(b, uint64(len(x)))
		b = append(b, x...)
	case bool:
		if x {
			return append(b, 1)
		}
		return append(b, 0)
	case int64:
		b = binary.AppendVarint(append(b, 0), x)
	case float64:
		if x == math.Trunc(x) && x >= -1<<63 && x < 1<<63 { // 1.0 is 1
			return binary.AppendVarint(append(b, 0), int64(x))
		}
		b = binary.BigEndian.AppendUint64(append(b, 1), math.Float64bits(x))
	}
	return b
}

func keyRel(b []byte, r Rel) []byte {
	b = binary.AppendVarint(b, int64(r.From))
	b = binary.AppendVarint(b, int64(r.To))
	return append(b, byte(r.Kind))
}

// weigh estimates the memory of a value in bytes, as it is in results.
func weigh(v any) int64 {
	switch x := v.(type) {
	case string:
		return 16 + int64(len(x))
	case []any:
		n := int64(24)
		for _, e := range x {
			n += 16 + weigh(e)
		}
		return n
	case trail:
		return 48 + 128*int64(len(x.nodes)) + 64*int64(len(x.rels))
	case Rel:
		return 64
	case nodeRef:
		return 128 // as a graph.Ref
	}
	return 8
}
