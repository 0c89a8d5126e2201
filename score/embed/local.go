package embed

import (
	"cmp"
	"context"
	"fmt"
	"sync"
)

// Local is a [Store] in memory that compares the query with every vector of the
// workspace: 10,000 of 768 dimensions take half a millisecond. An
// approximate index would save nothing and lose some answers. Vectors are rows
// of one matrix, each beginning on a cache line, which the scan reads front to
// back in whole registers.
//
// It holds what was put since it was made; [index.Vectors] is what lasts. It is
// safe for concurrent use.
type Local struct {
	mu      sync.RWMutex
	shelves map[shelfKey]*shelf
}

type shelfKey struct {
	collection Collection
	workspace  string
}

// shelf holds the points of one workspace in one collection.
type shelf struct {
	dims, stride int
	points       []Point // without their vectors' data
	at           map[string]int
	rows         []int8
}

// NewLocal makes an empty store.
func NewLocal() *Local { return &Local{shelves: map[shelfKey]*shelf{}} }

// Close implements [Store].
func (l *Local) Close() error { return nil }

// Put implements [Store].
func (l *Local) Put(ctx context.Context, s Scope, points []Point) error {
	if err := s.check(); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	k := shelfKey{s.Collection, s.Workspace}
	sh := l.shelves[k]
	if sh == nil {
		sh = &shelf{at: map[string]int{}}
		l.shelves[k] = sh
	}
	for _, p := range points {
		if err := checkPoint(s, p); err != nil {
			return err
		}
		if sh.dims == 0 {
			sh.dims, sh.stride = len(p.Vector.Data), (len(p.Vector.Data)+63)&^63
		}
		if len(p.Vector.Data) != sh.dims {
			return fmt.Errorf("vectors: point %s has %d dimensions, the workspace has %d", p.ID, len(p.Vector.Data), sh.dims)
		}
		sh.put(p)
	}
	return ctx.Err()
}

// checkPoint reports an error if a point cannot be put into a scope.
func checkPoint(s Scope, p Point) error {
	switch {
	case p.ID == "" || p.Payload.FilePath == "":
		return fmt.Errorf("vectors: a point without identifier or path: %q, %q", p.ID, p.Payload.FilePath)
	case p.Payload.Type != s.Type:
		return fmt.Errorf("vectors: point %s is of type %q, not %q", p.ID, p.Payload.Type, s.Type)
	case len(p.Vector.Data) == 0 || len(p.Vector.Data) > MaxDims:
		return fmt.Errorf("vectors: point %s has %d dimensions", p.ID, len(p.Vector.Data))
	}
	return nil
}

func (sh *shelf) put(p Point) {
	i, ok := sh.at[p.ID]
	if !ok {
		i = len(sh.points)
		sh.at[p.ID] = i
		sh.points = append(sh.points, Point{})
		sh.rows = append(sh.rows, make([]int8, sh.stride)...)
	}
	copy(sh.rows[i*sh.stride:], p.Vector.Data)
	p.Vector.Data = nil
	sh.points[i] = p
}

// Keys implements [Store].
func (l *Local) Keys(ctx context.Context, s Scope) (map[string]Key, error) {
	out := map[string]Key{}
	_, err := l.each(s, func(sh *shelf, i int) { out[sh.points[i].ID] = sh.points[i].Key })
	return out, err
}

// each calls fn for the points in scope and returns their shelf, nil when
// there is none. It holds the lock for reading while it runs.
func (l *Local) each(s Scope, fn func(sh *shelf, i int)) (*shelf, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	sh := l.shelves[shelfKey{s.Collection, s.Workspace}]
	if sh == nil {
		return nil, nil
	}
	var paths map[string]bool
	if s.Paths != nil {
		paths = make(map[string]bool, len(s.Paths))
		for _, p := range s.Paths {
			paths[p] = true
		}
	}
	for i := range sh.points {
		p := &sh.points[i].Payload
		if p.Type == s.Type && (paths == nil || paths[p.FilePath]) {
			fn(sh, i)
		}
	}
	return sh, nil
}

// Delete implements [Store].
func (l *Local) Delete(ctx context.Context, s Scope, ids []string) error {
	named := make(map[string]bool, len(ids))
	for _, id := range ids {
		named[id] = true
	}
	var gone []string
	sh, err := l.each(s, func(sh *shelf, i int) {
		if id := sh.points[i].ID; named[id] {
			gone = append(gone, id)
		}
	})
	if err != nil || sh == nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, id := range gone {
		sh.remove(id)
	}
	return nil
}

// remove puts the last point in the place of the one that goes.
func (sh *shelf) remove(id string) {
	i, ok := sh.at[id]
	if !ok {
		return
	}
	last := len(sh.points) - 1
	copy(sh.rows[i*sh.stride:(i+1)*sh.stride], sh.rows[last*sh.stride:])
	sh.points[i] = sh.points[last]
	sh.at[sh.points[i].ID] = i
	delete(sh.at, id)
	sh.points, sh.rows = sh.points[:last], sh.rows[:last*sh.stride]
	if last == 0 {
		sh.dims = 0 // the next model may have others
	}
}

// Search implements [Store].
func (l *Local) Search(ctx context.Context, s Scope, v Vector, limit int) ([]Match, error) {
	var found []Match
	var products []int32
	var problem error
	_, err := l.each(s, func(sh *shelf, i int) {
		if products == nil && problem == nil {
			if len(v.Data) != sh.dims {
				problem = fmt.Errorf("vectors: the query has %d dimensions, the workspace has %d", len(v.Data), sh.dims)
				return
			}
			products = make([]int32, len(sh.points))
			scan(sh.rows, sh.stride, v.Data, products)
		}
		if problem != nil {
			return
		}
		p := &sh.points[i]
		found = append(found, Match{p.ID, p.Key, p.Payload.FilePath, float64(v.Scale) * float64(p.Vector.Scale) * float64(products[i])})
		if len(found) > 4*limit+1024 {
			found = best(found, limit)
		}
	})
	if err = cmp.Or(err, problem, ctx.Err()); err != nil {
		return nil, err
	}
	return best(found, limit), nil
}
