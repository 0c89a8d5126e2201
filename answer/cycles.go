package answer

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/topo-dev/topo/index/graph/algo"
	"github.com/topo-dev/topo/internal/english"
)

// CycleRecord is one cycle. One in JSON:
//
//	{"Record":"cycle","Cycle":1,"Kinds":["imports"],"Size":2,"Nodes":["a.py","b.py"],"Example":["a.py","b.py"]}
type CycleRecord struct {
	Cycle   int // place in the list, 1-based
	Kinds   []string
	Size    int      // nodes that all lead to each other
	Nodes   []string // as places
	Example []string // a shortest way round; the first follows the last
}

// CyclesOptions bound the cycles.
type CyclesOptions struct {
	Kinds []string // names of kinds of edges; nil for imports
	Limit int      // most cycles; 0 for 100, less than 0 for all
}

// Cycles are sets of nodes that all lead to each other.
type Cycles struct {
	Head
	Cycles []CycleRecord // the largest first
	Tail
}

// Cycles finds the cycles along edges of some kinds.
func (s *Session) Cycles(ctx context.Context, o CyclesOptions) (*Cycles, error) {
	if o.Kinds == nil {
		o.Kinds = []string{"imports"}
	}
	kinds, err := EdgeKinds(o.Kinds)
	if err != nil {
		return nil, err
	}
	cycles, err := algo.Cycles(ctx, s.Graph, kinds)
	if err != nil {
		return nil, err
	}
	a := &Cycles{Head: s.head("cycles-answer", "cycles "+strings.Join(o.Kinds, ",")), Cycles: []CycleRecord{}, Tail: s.tail()}
	limit := orDefault(o.Limit, 100)
	var ids []int
	for i, c := range cycles {
		if limit > 0 && i == limit {
			a.cut("cycles")
			a.hint(fmt.Sprintf("%d of %d cycles are listed; {limit} 0 gives all", limit, len(cycles)))
			break
		}
		rec := CycleRecord{Cycle: i + 1, Kinds: o.Kinds, Size: c.Size}
		for _, r := range c.Nodes {
			rec.Nodes = append(rec.Nodes, placeOf(r))
			ids = append(ids, r.ID)
		}
		for _, r := range c.Example {
			rec.Example = append(rec.Example, placeOf(r))
		}
		a.Cycles = append(a.Cycles, rec)
	}
	a.draw = s.drawing(ids, kinds, nil)
	a.hints(o.Kinds)
	return a, nil
}

func (a *Cycles) hints(kinds []string) {
	if len(a.Cycles) == 0 {
		if !slices.Contains(kinds, "calls") {
			a.hint("no cycle; recursion is found by {ask}", Ask{Question: "cycles", Options: []string{"kinds=calls"}})
		}
		return
	}
	if way := a.Cycles[0].Example; len(way) > 1 {
		a.hint("next: {ask}", Ask{Question: "path", Places: way[:2], Options: []string{"kinds=" + strings.Join(kinds, ",")}})
	} else {
		a.next("symbol", way[0])
	}
}

// Records are the cycles.
func (a *Cycles) Records() []any { return anys(a.Cycles) }

// Text shows a shortest way round each cycle.
func (a *Cycles) Text(w io.Writer, o TextOptions) {
	t := newText(w, o)
	if len(a.Cycles) == 0 {
		t.line("no cycle")
		return
	}
	for _, c := range a.Cycles {
		t.line("%s", t.paint(bold, fmt.Sprintf("%d. %s", c.Cycle, english.Count(c.Size, "node"))))
		for i, place := range c.Example {
			before := "  → "
			if i == 0 {
				before = "    "
			}
			t.line("%s%s", before, Visible(place))
		}
		t.line("  → %s", Visible(c.Example[0]))
		if rest := c.Size - len(c.Example); rest > 0 {
			t.line("    %s", t.paint(dim, fmt.Sprintf("and %d more around it", rest)))
		}
	}
}
