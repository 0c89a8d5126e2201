package query

import (
	"errors"
	"math"
	"slices"
)

// errFound ends the search of an existence predicate at its first match,
// errEnough that of a query whose rows are complete.
var (
	errFound  = errors.New("found")
	errEnough = errors.New("enough")
)

// match runs the plan from one step on and calls emit for every match.
func (r *run) match(steps []*step, at int, emit func() error) error {
	if at == len(steps) {
		return emit()
	}
	s := steps[at]
	next := func() error { return r.match(steps, at+1, emit) }
	switch {
	case s.rel == nil:
		return r.scan(s, next)
	case s.reach:
		return r.reachable(s, next)
	case s.rel.far:
		return r.expandFar(s, next)
	}
	return r.expand(s, next)
}

func (r *run) scan(s *step, next func() error) error {
	n := len(s.ids)
	if s.all {
		n = r.store.NumNodes()
	}
	for i := range n {
		id := i
		if !s.all {
			id = s.ids[i]
		}
		if err := r.bind(s, id, next); err != nil {
			return err
		}
	}
	return nil
}

// bind gives the step's node that id, checks labels and conditions and goes on.
func (r *run) bind(s *step, id int, next func() error) error {
	if err := r.tick(); err != nil {
		return err
	}
	to := &r.slots[s.to]
	if s.bound {
		if to.id != id {
			return nil
		}
	} else {
		to.id, to.loaded = id, false
		if s.kinds != allKinds {
			n, err := r.node(s.to)
			if err != nil || !s.kinds.has(n.Kind) {
				return err
			}
		}
	}
	for _, x := range s.where {
		if v, err := r.truth(x); err != nil || v != true {
			return err
		}
	}
	return next()
}

// expand follows one relationship.
func (r *run) expand(s *step, next func() error) error {
	from := r.slots[s.from].id
	rels, err := r.edges(s, 0, from)
	if err != nil {
		return err
	}
	slot := &r.slots[s.rel.slot]
	for i, rel := range rels {
		if r.isUsed(s.clause, rel) {
			continue
		}
		slot.rels = rels[i : i+1 : i+1]
		r.used[s.clause] = append(r.used[s.clause], rel)
		err := r.bind(s, other(rel, from), next)
		r.used[s.clause] = r.used[s.clause][:len(r.used[s.clause])-1]
		if err != nil {
			return err
		}
	}
	return nil
}

// expandFar follows every trail of the wanted lengths, shorter before longer
// along each.
func (r *run) expandFar(s *step, next func() error) error {
	s.trail = s.trail[:0]
	return r.hop(s, r.slots[s.from].id, 0, next)
}

func (r *run) hop(s *step, at, depth int, next func() error) error {
	if depth >= s.rel.min {
		rels := slices.Clone(s.trail)
		if s.reverse {
			slices.Reverse(rels)
		}
		r.slots[s.rel.slot].rels = rels
		if err := r.bind(s, at, next); err != nil {
			return err
		}
	}
	if depth == s.rel.max {
		return nil
	}
	rels, err := r.edges(s, depth, at)
	if err != nil {
		return err
	}
	for _, rel := range rels {
		if r.isUsed(s.clause, rel) {
			continue
		}
		if err := r.tick(); err != nil {
			return err
		}
		s.trail = append(s.trail, rel)
		r.used[s.clause] = append(r.used[s.clause], rel)
		err := r.hop(s, other(rel, at), depth+1, next)
		s.trail = s.trail[:len(s.trail)-1]
		r.used[s.clause] = r.used[s.clause][:len(r.used[s.clause])-1]
		if err != nil {
			return err
		}
	}
	return nil
}

// reachable finds the nodes within the wanted distance, breadth first. The
// start counts as reached by one hop or more only through a cycle.
func (r *run) reachable(s *step, next func() error) error {
	if s.mark == nil {
		s.mark = make([]uint32, r.store.NumNodes())
	}
	if s.round == math.MaxUint32 {
		clear(s.mark)
		s.round = 0
	}
	s.round++
	start := r.slots[s.from].id
	front := []int{start}
	r.slots[s.rel.slot].rels = nil
	if s.rel.min == 0 {
		s.mark[start] = s.round
		if err := r.bind(s, start, next); err != nil {
			return err
		}
	}
	for depth := 0; depth < s.rel.max && len(front) > 0; depth++ {
		var after []int
		for _, at := range front {
			rels, err := r.edges(s, 0, at)
			if err != nil {
				return err
			}
			for _, rel := range rels {
				if to := other(rel, at); s.mark[to] != s.round {
					s.mark[to] = s.round
					after = append(after, to)
				}
				if err := r.tick(); err != nil {
					return err
				}
			}
		}
		slices.Sort(after)
		for _, to := range after {
			if err := r.bind(s, to, next); err != nil {
				return err
			}
		}
		front = after
	}
	return nil
}

func other(rel Rel, at int) int {
	if rel.From == at {
		return rel.To
	}
	return rel.From
}

// isUsed reports whether an edge is used already within the clause.
func (r *run) isUsed(clause int, rel Rel) bool {
	return slices.ContainsFunc(r.used[clause], rel.same)
}

// edges lists the edges of a node that fit the step's relationship: those that
// leave it, then those that enter it. The list lives until the step asks for
// the same depth again.
func (r *run) edges(s *step, depth, at int) ([]Rel, error) {
	for len(s.rels) <= depth {
		s.rels = append(s.rels, nil)
	}
	found := s.rels[depth][:0]
	if s.dir != left {
		out, err := r.store.Out(at)
		if err != nil {
			return nil, err
		}
		for _, e := range out {
			if s.rel.types.has(e.Kind) {
				found = appendDistinct(found, Rel{From: at, To: e.Other, Kind: e.Kind, Confidence: e.Confidence})
			}
		}
	}
	if s.dir != right {
		in, err := r.store.In(at)
		if err != nil {
			return nil, err
		}
		for _, e := range in {
			// Without a direction a loop was found among those that leave.
			if s.rel.types.has(e.Kind) && (s.dir == left || e.Other != at) {
				found = appendDistinct(found, Rel{From: e.Other, To: at, Kind: e.Kind, Confidence: e.Confidence})
			}
		}
	}
	s.rels[depth] = found
	return found, nil
}

// appendDistinct appends an edge unless the one before is the same; then the surer stays.
func appendDistinct(all []Rel, rel Rel) []Rel {
	if n := len(all); n > 0 && all[n-1].same(rel) {
		all[n-1].Confidence = max(all[n-1].Confidence, rel.Confidence)
		return all
	}
	return append(all, rel)
}

// exists searches for one match of a pattern whose named nodes are bound.
func (r *run) exists(part *pattern) (any, error) {
	steps, ok := r.predicates[part]
	if !ok {
		var err error
		if steps, err = r.predicate(part); err != nil {
			return nil, err
		}
		for len(r.used) < r.clauses {
			r.used = append(r.used, nil)
		}
		r.predicates[part] = steps
	}
	err := r.match(steps, 0, func() error { return errFound })
	if errors.Is(err, errFound) {
		return true, nil
	}
	return false, err
}
