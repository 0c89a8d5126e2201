package algo

import (
	"context"
	"slices"

	"github.com/topo-dev/topo/index/graph"
)

// Step is one edge of a path or a subgraph. One in JSON:
//
//	{"From":3,"To":9,"Kind":"calls","Confidence":0.9,"Reason":"known receiver type"}
type Step struct {
	From, To   int // ids of nodes, in the edge's own direction
	Kind       string
	Confidence float64 // 0 to 1
	Reason     string
}

func stepOf(from, to int, e graph.Edge) Step {
	return Step{From: from, To: to, Kind: e.Kind.String(), Confidence: float64(e.Confidence) / 100, Reason: e.Kind.Reason(e.Confidence)}
}

// Path is a way through the graph: Edges[i] lies between Nodes[i] and Nodes[i+1].
type Path struct {
	Nodes      []graph.Ref
	Edges      []Step
	Confidence float64 // product of the edges'
}

// Shortest finds a path with the fewest edges from one of the nodes to one of
// the others, along the edges of those kinds; with undirected also against
// them. It is nil when there is none. Of equally short paths it is the one
// whose nodes were found first in ascending order.
func Shortest(ctx context.Context, s graph.Store, from, to []int, kinds []graph.EdgeKind, undirected bool) (*Path, error) {
	f := &finder{store: s, set: setOf(kinds), undirected: undirected, before: map[int]int{}, goals: map[int]bool{}}
	for _, id := range to {
		f.goals[id] = true
	}
	front := slices.Compact(slices.Sorted(slices.Values(from)))
	for _, id := range front {
		f.before[id] = -1
		if f.goals[id] {
			return f.path(id)
		}
	}
	for len(front) > 0 {
		next, goal, err := f.nextFront(ctx, front)
		if err != nil {
			return nil, err
		}
		if goal >= 0 {
			return f.path(goal)
		}
		front = next
	}
	return nil, nil
}

type finder struct {
	store      graph.Store
	set        kindSet
	undirected bool
	before     map[int]int // the node a node was reached from, -1 for a start
	goals      map[int]bool
}

// nextFront follows the edges of one front; goal is -1 while none is reached.
func (f *finder) nextFront(ctx context.Context, front []int) (next []int, goal int, err error) {
	for i, id := range front {
		if i%checkEach == 0 && ctx.Err() != nil {
			return nil, -1, ctx.Err()
		}
		near, err := f.neighbours(id)
		if err != nil {
			return nil, -1, err
		}
		for _, to := range near {
			if _, ok := f.before[to]; ok {
				continue
			}
			f.before[to] = id
			if f.goals[to] {
				return nil, to, nil
			}
			next = append(next, to)
		}
	}
	slices.Sort(next)
	return next, -1, nil
}

func (f *finder) neighbours(id int) ([]int, error) {
	var near []int
	for _, reverse := range []bool{false, true} {
		if reverse && !f.undirected {
			break
		}
		edges, err := neighbours(f.store, id, reverse)
		if err != nil {
			return nil, err
		}
		for _, e := range edges {
			if f.set.has(e.Kind) {
				near = append(near, e.Other)
			}
		}
	}
	slices.Sort(near)
	return near, nil
}

// path walks back from the goal and names what lies between.
func (f *finder) path(goal int) (*Path, error) {
	var ids []int
	for at := goal; at >= 0; at = f.before[at] {
		ids = append(ids, at)
	}
	slices.Reverse(ids)
	p := &Path{Confidence: 1}
	for i, id := range ids {
		n, err := ref(f.store, id)
		if err != nil {
			return nil, err
		}
		p.Nodes = append(p.Nodes, n)
		if i == 0 {
			continue
		}
		step, err := f.surestEdge(ids[i-1], id)
		if err != nil {
			return nil, err
		}
		p.Edges = append(p.Edges, step)
		p.Confidence *= step.Confidence
	}
	return p, nil
}

// surestEdge is the surest edge between two neighbours, of equal ones the first.
func (f *finder) surestEdge(a, b int) (best Step, err error) {
	for _, reverse := range []bool{false, true} {
		if reverse && !f.undirected {
			break
		}
		edges, err := neighbours(f.store, a, reverse)
		if err != nil {
			return best, err
		}
		for _, e := range edges {
			if e.Other != b || !f.set.has(e.Kind) || best.Kind != "" && float64(e.Confidence)/100 <= best.Confidence {
				continue
			}
			if best = stepOf(a, b, e); reverse {
				best = stepOf(b, a, e)
			}
		}
	}
	return best, nil
}
