package measure

import "slices"

// Cycles are the sets of two nodes or more where each reaches every other
// one, and the nodes that lead to themselves; ascending in each set. Tarjan, "Depth-first search and linear graph algorithms" (1972), with a stack
// of its own: a call chain may be longer than Go's stack should grow.
func Cycles(a *Arcs) [][]int {
	t := &tarjan{a: a, index: make([]int, a.Len()), low: make([]int, a.Len()), on: make([]bool, a.Len())}
	for id := range a.Len() {
		if t.index[id] == 0 {
			t.visit(id)
		}
	}
	return t.found
}

type tarjan struct {
	a          *Arcs
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
		if to := t.a.Of(f.id); f.next < len(to) {
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
	c := t.stack[at:]
	for _, id := range c {
		t.on[id] = false
	}
	if len(c) > 1 || slices.Contains(t.a.Of(root), int32(root)) {
		t.found = append(t.found, slices.Sorted(slices.Values(c)))
	}
	t.stack = t.stack[:at]
}
