package graph

import "github.com/topo-dev/topo/index/graph/measure"

// recursive are the functions that call themselves through others of their
// unit. They count one more in cognitive complexity (Campbell 2018, "increment
// for each method in a recursion cycle"); one that calls itself directly has
// been counted where it was parsed. As in gocognit only calls of plain functions
// count: what a method call reaches may be decided when it runs.
func (b *builder) recursive(out *rows) map[int]bool {
	a := &measure.Arcs{Start: make([]int, 1, b.first+1)}
	itself := map[int]bool{}
	for id := range int(b.first) {
		if d := &b.nodes[id]; d.kind == NodeFunction {
			for _, e := range out.row(id) {
				o := &b.nodes[e.to()]
				switch {
				case e.kind() != EdgeCalls || e.tier() != tierResolved || o.kind != NodeFunction:
				case int(e.to()) == id:
					itself[id] = true
				case b.files[d.file].unit == b.files[o.file].unit:
					a.To = append(a.To, int32(e.to()))
				}
			}
		}
		a.Start = append(a.Start, len(a.To))
	}
	found := map[int]bool{}
	for _, c := range measure.Cycles(a) {
		for _, id := range c {
			found[id] = !itself[id]
		}
	}
	return found
}
