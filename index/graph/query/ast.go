package query

import "github.com/topo-dev/topo/index/graph"

// op is what an expression does with its arguments.
type op uint8

const (
	opLiteral op = iota // value
	opParam             // $name
	opVar               // the variable in slot
	opProp              // args[0].name
	opLabel             // args[0] has one of kinds
	opNot
	opAnd
	opOr
	opXor
	opEq
	opNe
	opLt
	opLe
	opGt
	opGe
	opIn
	opStarts
	opEnds
	opContains
	opMatch // =~
	opIsNull
	opNotNull
	opAdd
	opSub
	opMul
	opDiv
	opMod
	opNeg
	opList
	opCall   // function name(args…)
	opAgg    // aggregate name(args…); no argument is count(*)
	opExists // pattern
	opQuant  // name(variable slot IN args[0] WHERE args[1])
	opColumn // a column of the row, for ORDER BY and expressions over groups
)

// expr is an expression. One type for all of them makes walks and comparisons
// of whole trees short.
type expr struct {
	op       op
	pos, end int // byte offsets in the query
	value    any
	name     string
	slot     int
	args     []*expr
	kinds    kindSet
	pattern  *pattern
	distinct bool
}

// kindSet and edgeSet hold kinds of nodes and of edges, one bit each.
type (
	kindSet uint16
	edgeSet uint16
)

const (
	allKinds kindSet = 1<<(graph.NodeExternal+1) - 1
	allEdges edgeSet = 1<<(graph.EdgeCoChanges+1) - 1
)

func (s kindSet) has(k graph.NodeKind) bool { return s&(1<<k) != 0 }
func (s edgeSet) has(k graph.EdgeKind) bool { return s&(1<<k) != 0 }

// direction of a relationship, as written from left to right.
type direction uint8

const (
	either direction = iota // -[]-
	right                   // -[]->
	left                    // <-[]-
)

func (d direction) flip() direction {
	switch d {
	case right:
		return left
	case left:
		return right
	}
	return either
}

type property struct {
	name  string
	pos   int
	value *expr
}

type nodePattern struct {
	name  string // empty when it has none
	pos   int
	slot  int
	kinds kindSet
	props []property
}

type relPattern struct {
	name     string
	pos      int
	slot     int
	types    edgeSet
	dir      direction
	far      bool // of variable length
	min, max int
	props    []property
}

// pattern is a chain of nodes; rels[i] connects nodes[i] and nodes[i+1].
type pattern struct {
	path  string // its variable, empty when it has none
	pos   int
	slot  int
	nodes []*nodePattern
	rels  []*relPattern
	where []*expr // the inline properties of an existence predicate
}

// matchClause is one MATCH. No edge is used twice within one.
type matchClause struct {
	patterns []*pattern
	where    *expr
}

type column struct {
	x     *expr
	alias string
}

type sortKey struct {
	x    *expr
	desc bool
}

// statement is a whole query.
type statement struct {
	matches     []*matchClause
	distinct    bool
	star        bool
	columns     []column
	order       []sortKey
	skip, limit *expr
}
