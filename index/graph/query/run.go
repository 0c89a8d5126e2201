package query

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/topo-dev/topo/index/graph"
)

// The limits of a query that sets none.
const (
	DefaultTimeout = 10 * time.Second
	DefaultRows    = 10_000
	DefaultSteps   = 200_000_000 // nodes and edges looked at
	DefaultMemory  = 256 << 20   // bytes held for results, groups and sorting

	maxString = 1 << 20 // bytes of a text made by an expression
	checkEach = 1 << 10 // steps between two looks at the clock
)

// Options bound one run. Zero means the default of each.
type Options struct {
	Params  map[string]any // values of $name: nil, bool, any int or float, string, or a slice of those
	Timeout time.Duration  // of the run alone, besides the context's deadline
	Rows    int
	Steps   int64
	Memory  int64
}

// Query is a query that was understood. It is safe to run many at once.
type Query struct {
	src               string
	stmt              *statement
	vars              []variable
	ignoresDuplicates bool        // rows may be found once instead of often
	uses              map[int]int // reads of each slot by expressions
}

// Compile reads a query. The error is a *SyntaxError.
func Compile(src string) (*Query, error) {
	s, err := parse(src)
	if err != nil {
		return nil, err
	}
	q := &Query{src: src, stmt: s}
	if q.vars, err = check(src, s); err != nil {
		return nil, err
	}
	q.ignoresDuplicates = s.ignoresDuplicates()
	q.uses = map[int]int{}
	s.eachExpression(func(x *expr) { q.count(x, q.uses) })
	return q, nil
}

// Columns names the columns of the result.
func (q *Query) Columns() []string {
	names := make([]string, len(q.stmt.columns))
	for i, c := range q.stmt.columns {
		names[i] = c.alias
	}
	return names
}

// Run compiles a query and runs it.
func Run(ctx context.Context, store graph.Store, src string, o Options) (*Result, error) {
	q, err := Compile(src)
	if err != nil {
		return nil, err
	}
	return q.Run(ctx, store, o)
}

// slot is what a variable stands for in the current match.
type slot struct {
	id     int        // of a node
	node   graph.Node // read when loaded
	loaded bool
	rels   []Rel // of a relationship; in the order of the pattern
	value  any   // of a quantifier's variable
}

// run is one execution.
type run struct {
	query      *Query
	ctx        context.Context
	store      graph.Store
	params     map[string]any
	limits     Options
	slots      []slot
	used       [][]Rel // by clause: the edges of the current match
	clauses    int
	predicates map[*pattern][]*step
	patterns   map[string]*regexp.Regexp
	columns    []any         // of the current row
	results    map[*expr]any // of the aggregates of the current group
	steps      int64
	held       int64
	deadline   time.Time
}

// Run answers the query over a store. Errors are the context's, a *LimitError,
// an *EvalError or what the store returns.
func (q *Query) Run(ctx context.Context, store graph.Store, o Options) (*Result, error) {
	r := &run{query: q, ctx: ctx, store: store, limits: o.withDefaults(), slots: make([]slot, len(q.vars)),
		clauses: len(q.stmt.matches), predicates: map[*pattern][]*step{}, patterns: map[string]*regexp.Regexp{}}
	r.used = make([][]Rel, r.clauses)
	r.deadline = time.Now().Add(r.limits.Timeout)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := r.bindParams(o.Params); err != nil {
		return nil, err
	}
	steps, err := r.plan(q.stmt.matches, q.ignoresDuplicates, q.uses)
	if err != nil {
		return nil, err
	}
	sink, err := r.sink()
	if err != nil {
		return nil, err
	}
	err = r.match(steps, 0, sink.row)
	var limit *LimitError
	switch {
	case errors.Is(err, errEnough):
	case errors.As(err, &limit) && sink.streams():
		sink.cut = limit.Limit
	case err != nil:
		return nil, err
	}
	return sink.result()
}

func (o Options) withDefaults() Options {
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Rows <= 0 {
		o.Rows = DefaultRows
	}
	if o.Steps <= 0 {
		o.Steps = DefaultSteps
	}
	if o.Memory <= 0 {
		o.Memory = DefaultMemory
	}
	return o
}

// tick counts a step and looks now and then whether to stop.
func (r *run) tick() error {
	r.steps++
	if r.steps > r.limits.Steps {
		return &LimitError{Limit: "steps", Value: fmt.Sprintf("%d steps", r.limits.Steps)}
	}
	if r.steps%checkEach != 0 {
		return nil
	}
	if err := r.ctx.Err(); err != nil {
		return err
	}
	if time.Now().After(r.deadline) {
		return &LimitError{Limit: "time", Value: r.limits.Timeout.String()}
	}
	return nil
}

// hold counts memory that is kept to the end.
func (r *run) hold(bytes int64) error {
	if r.held += bytes; r.held > r.limits.Memory {
		return &LimitError{Limit: "memory", Value: fmt.Sprintf("%d MiB of memory", r.limits.Memory>>20)}
	}
	return nil
}

// grow refuses texts and lists that an expression makes too long.
func (r *run) grow(x *expr, bytes int) error {
	if bytes > maxString {
		return r.fail(x, "the result is longer than %d KiB", maxString>>10)
	}
	return nil
}
