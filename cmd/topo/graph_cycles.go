package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/index/graph/algo"
	"github.com/topo-dev/topo/index/graph/ask"
)

type cyclesOptions struct {
	graphOptions
	Kinds []string
}

// cycleRecord is one cycle. One in JSON:
//
//	{"Cycle":1,"Kinds":["imports"],"Size":2,"Nodes":["a.py","b.py"],"Example":["a.py","b.py"]}
type cycleRecord struct {
	Cycle   int // place in the list, 1-based
	Kinds   []string
	Size    int      // nodes that all lead to each other
	Nodes   []string // as places
	Example []string // a shortest way round; the first follows the last
}

func newGraphCycles(f *factory, runF func(context.Context, *cyclesOptions) error) *cobra.Command {
	opts := &cyclesOptions{graphOptions: graphOptions{f: f}}
	cmd := &cobra.Command{
		Use:   "cycles",
		Short: "List files that import each other in a circle, or recursive calls",
		Long: `List sets of nodes that all lead to each other along edges of the kinds given, the
largest first, each with a shortest way round. By default that is files that
import each other in a circle; --kinds calls lists recursion.`,
		Example: "  topo graph cycles\n  topo graph cycles --kinds calls --format mermaid",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := edgeKinds(opts.Kinds); err != nil {
				return err
			}
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return opts.answering(cmd.Context(), opts.ask)
		},
	}
	cmd.Flags().StringSliceVar(&opts.Kinds, "kinds", []string{"imports"}, "kinds of edges to follow")
	addGraphFlags(cmd, &opts.graphOptions, drawFormats, 100)
	return cmd
}

func (o *cyclesOptions) ask(ctx context.Context, s *graphSession) (*answer, error) {
	kinds, err := edgeKinds(o.Kinds)
	if err != nil {
		return nil, err
	}
	cycles, err := algo.Cycles(ctx, s.g, kinds)
	if err != nil {
		return nil, err
	}
	a := &answer{query: "cycles " + strings.Join(o.Kinds, ","), list: "cycles"}
	var ids []int
	for i, c := range cycles {
		if o.Limit > 0 && i == o.Limit {
			a.truncated = "cycles"
			a.hint(fmt.Sprintf("%d of %d cycles are listed; --limit 0 gives all", o.Limit, len(cycles)))
			break
		}
		rec := cycleRecord{Cycle: i + 1, Kinds: o.Kinds, Size: c.Size}
		for _, r := range c.Nodes {
			rec.Nodes = append(rec.Nodes, ask.PlaceOf(r))
			ids = append(ids, r.ID)
		}
		for _, r := range c.Example {
			rec.Example = append(rec.Example, ask.PlaceOf(r))
		}
		a.others = append(a.others, rec)
	}
	a.human = func(t *graphText) { t.cycles(a) }
	a.draw = s.drawing(ids, kinds, nil)
	if len(a.others) == 0 {
		if !slices.Contains(o.Kinds, "calls") {
			a.hint("no cycle; recursion is found by topo graph cycles --kinds calls")
		}
		return a, nil
	}
	if first := a.others[0].(cycleRecord); len(first.Example) > 1 {
		a.hint(fmt.Sprintf("next: topo graph path %s %s --kinds %s", ask.Quote(first.Example[0]), ask.Quote(first.Example[1]), strings.Join(o.Kinds, ",")))
	} else {
		a.hint("next: topo graph symbol " + ask.Quote(first.Example[0]))
	}
	return a, nil
}

func (t *graphText) cycles(a *answer) {
	if len(a.others) == 0 {
		t.line("no cycle")
		return
	}
	for _, v := range a.others {
		c := v.(cycleRecord)
		t.line("%s", t.paint(bold, fmt.Sprintf("%d. %s", c.Cycle, plural(c.Size, "node"))))
		for i, place := range c.Example {
			lead := "  → "
			if i == 0 {
				lead = "    "
			}
			t.line("%s%s", lead, visible(place))
		}
		t.line("  %s", "→ "+visible(c.Example[0]))
		if rest := c.Size - len(c.Example); rest > 0 {
			t.line("    %s", t.paint(dim, fmt.Sprintf("and %d more around it", rest)))
		}
	}
}
