package algo

import (
	"cmp"
	"context"
	"slices"

	"github.com/topo-dev/topo/index/graph"
)

// Cycle is a set of nodes each of which reaches every other one. In JSON:
//
//	{"Size":3,"Nodes":[…],"Example":[…]}
type Cycle struct {
	Size    int
	Nodes   []graph.Ref // ascending by id
	Example []graph.Ref // one shortest way round through the first node, which is not repeated at the end
}

// Cycles finds the strongly connected components of two nodes or more, and
// nodes that lead to themselves, largest first, then by the first node's id.
func Cycles(ctx context.Context, s graph.Store, kinds []graph.EdgeKind) ([]Cycle, error) {
	a, err := load(ctx, s, kinds, false)
	if err != nil {
		return nil, err
	}
	var found [][]int
	for _, c := range a.components() {
		if _, loop := slices.BinarySearch(a.of(c[0]), int32(c[0])); len(c) > 1 || loop {
			found = append(found, c)
		}
	}
	slices.SortFunc(found, func(x, y []int) int { return cmp.Or(cmp.Compare(len(y), len(x)), cmp.Compare(x[0], y[0])) })
	cycles := make([]Cycle, len(found))
	for i, c := range found {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		cycles[i].Size = len(c)
		if cycles[i].Nodes, err = refs(s, c); err != nil {
			return nil, err
		}
		if cycles[i].Example, err = refs(s, a.round(c)); err != nil {
			return nil, err
		}
	}
	return cycles, nil
}

func refs(s graph.Store, ids []int) ([]graph.Ref, error) {
	all := make([]graph.Ref, len(ids))
	for i, id := range ids {
		var err error
		if all[i], err = ref(s, id); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// components are the strongly connected components, nodes ascending in each.
// Tarjan, "Depth-first search and linear graph algorithms" (1972), with a stack
// of its own: a call chain may be longer than Go's stack should grow.
func (a *adjacency) components() [][]int {
	t := &tarjan{a: a, index: make([]int, a.len()), low: make([]int, a.len()), on: make([]bool, a.len())}
	for id := range a.len() {
		if t.index[id] == 0 {
			t.visit(id)
		}
	}
	return t.found
}

type tarjan struct {
	a          *adjacency
	index, low []int // from 1; 0 is not yet seen
	on         []bool
	stack      []int
	count      int
	found      [][]int
}

type frame struct{ id, next int }

func (t *tarjan) enter(id int) frame {
	t.count++
	t.index[id], t.low[id] = t.count, t.count
	t.stack = append(t.stack, id)
	t.on[id] = true
	return frame{id, 0}
}

func (t *tarjan) visit(root int) {
	calls := []frame{t.enter(root)}
	for len(calls) > 0 {
		f := &calls[len(calls)-1]
		if to := t.a.of(f.id); f.next < len(to) {
			next := int(to[f.next])
			f.next++
			if t.index[next] == 0 {
				calls = append(calls, t.enter(next))
			} else if t.on[next] {
				t.low[f.id] = min(t.low[f.id], t.index[next])
			}
			continue
		}
		done := f.id
		calls = calls[:len(calls)-1]
		if len(calls) > 0 {
			up := calls[len(calls)-1].id
			t.low[up] = min(t.low[up], t.low[done])
		}
		if t.low[done] == t.index[done] {
			t.close(done)
		}
	}
}

// close takes the component of its first node off the stack.
func (t *tarjan) close(root int) {
	at := len(t.stack) - 1
	for t.stack[at] != root {
		at--
	}
	c := slices.Sorted(slices.Values(t.stack[at:]))
	for _, id := range c {
		t.on[id] = false
	}
	t.stack = t.stack[:at]
	t.found = append(t.found, c)
}

// round is a shortest way from the first node of a component back to it.
func (a *adjacency) round(component []int) []int {
	start := component[0]
	before := map[int]int{}
	for front := []int{start}; len(front) > 0; {
		var next []int
		for _, id := range front {
			for _, to := range a.of(id) {
				if int(to) == start {
					ids := []int{id}
					for id != start {
						id = before[id]
						ids = append(ids, id)
					}
					slices.Reverse(ids)
					return ids
				}
				if _, in := slices.BinarySearch(component, int(to)); !in {
					continue
				}
				if _, ok := before[int(to)]; !ok {
					before[int(to)] = id
					next = append(next, int(to))
				}
			}
		}
		front = next
	}
	return component[:1]
}
