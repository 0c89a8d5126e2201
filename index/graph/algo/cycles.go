package algo

import (
	"cmp"
	"context"
	"slices"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/measure"
)

// Cycle is a set of nodes where each reaches every other one. In JSON:
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
	found := measure.Cycles(&a.Arcs)
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
		if cycles[i].Example, err = refs(s, a.shortestCycle(c)); err != nil {
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

// shortestCycle is a shortest way from the first node of a component back to it.
func (a *adjacency) shortestCycle(component []int) []int {
	start := component[0]
	before := map[int]int{}
	for front := []int{start}; len(front) > 0; {
		var next []int
		for _, id := range front {
			for _, to := range a.Of(id) {
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
