package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/algo"
	"github.com/topo-dev/topo/index/graph/ask"
	"github.com/topo-dev/topo/index/graph/draw"
)

// walk is a question that follows the edges of one kind.
type walk struct {
	name, short, long, example string
	kind                       graph.EdgeKind
	reverse                    bool
	next                       string // the question to ask of what was found
}

// walks lists the questions that follow edges.
var walks = []walk{
	{"callers", "List what calls a function or method",
		`List the functions and methods that call X, the nearest and surest first, tests behind
what is as near, each with the lines of the calls. For a type or a file it is what calls anything within. After them
come what takes X as a value, such as a table of handlers, and calls of its name that
lead nowhere known.`,
		"  topo graph callers Server.Close --depth 2\n  topo graph callers net/server.go:88 --format mermaid",
		graph.EdgeCalls, true, "impact"},
	{"callees", "List what a function or method calls",
		`List the functions and methods that X calls, the nearest and surest first, each with the
lines of the calls. For a type or a file it is what anything within calls.`,
		"  topo graph callees main.go:run\n  topo graph callees Server.Close --depth 3 --min-confidence 0.9",
		graph.EdgeCalls, false, "symbol"},
	{"importers", "List the files that import a file, module or package",
		`List the files that import X, a file, a module or an external package. For a
definition it is what imports its file. Where a language imports packages and not
files, as Go does, a file is imported with its package.`,
		"  topo graph importers net/server.go --depth 2\n  topo graph importers github.com/spf13/cobra",
		graph.EdgeImports, true, "impact"},
	{"imports", "List what a file imports",
		`List the files, modules and external packages that X imports. For a definition it
is what its file imports, for a module what its files import.`,
		"  topo graph imports net/server.go\n  topo graph imports net/server.go --depth 2 --format dot",
		graph.EdgeImports, false, "file"},
}

// walkLimit is how many results a walk gives unless told otherwise: a common
// name may have tens of thousands of callers.
const walkLimit = 1000

type walkOptions struct {
	graphOptions
	walk
	Place string
	Depth int
	Least float64
	Sites int
}

func newGraphWalk(f *factory, w walk, runF func(context.Context, *walkOptions) error) *cobra.Command {
	opts := &walkOptions{graphOptions: graphOptions{f: f}, walk: w}
	cmd := &cobra.Command{
		Use: w.name + " X", Short: w.short, Long: w.long, Example: w.example,
		Args: onePlace,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Place = args[0]
			if opts.Depth < 1 {
				return usagef("--depth %d: must be 1 or more", opts.Depth)
			}
			if opts.Least < 0 || opts.Least > 1 {
				return usagef("--min-confidence %g: must lie between 0 and 1", opts.Least)
			}
			if opts.Sites < 0 {
				return usagef("--sites %d: must not be negative; give 0 for all", opts.Sites)
			}
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return opts.answering(cmd.Context(), opts.ask)
		},
	}
	cmd.Flags().IntVar(&opts.Depth, "depth", 1, "follow this many edges in a row")
	cmd.Flags().Float64Var(&opts.Least, "min-confidence", 0, "leave out edges less sure than this, 0 to 1")
	cmd.Flags().IntVar(&opts.Sites, "sites", siteLimit, "most lines of code to show for each result, 0 for all")
	addGraphFlags(cmd, &opts.graphOptions, drawFormats, walkLimit)
	return cmd
}

// onePlace checks that a command got one place.
func onePlace(cmd *cobra.Command, args []string) error {
	if len(args) != 1 || args[0] == "" {
		return usagef("%s: expected one name, path or path:line; as in: %s", cmd.CommandPath(), firstExample(cmd))
	}
	return nil
}

// firstExample is the first line of a command's examples.
func firstExample(cmd *cobra.Command) string {
	first, _, _ := strings.Cut(strings.TrimSpace(cmd.Example), "\n")
	return first
}

func (o *walkOptions) ask(ctx context.Context, s *graphSession) (*answer, error) {
	p, err := s.find(o.Place)
	if err != nil {
		return nil, err
	}
	named := slices.Clone(p.Nodes)
	from, err := s.ask.Starts(p, o.kind, o.reverse)
	if err != nil {
		return nil, err
	}
	found, more, err := algo.Walk(ctx, s.g, from, algo.WalkOptions{Kinds: []graph.EdgeKind{o.kind}, Reverse: o.reverse,
		Depth: o.Depth, MinConfidence: o.least(), Limit: o.Limit})
	if err != nil {
		return nil, err
	}
	if o.reverse {
		s.testsLast(found)
	}
	a := &answer{query: o.name + " " + o.Place}
	if a.symbols, err = s.reached(found, []graph.EdgeKind{o.kind}, o.reverse); err != nil {
		return nil, err
	}
	if err := o.addSites(ctx, s, from, found, a.symbols); err != nil {
		return nil, err
	}
	if more {
		a.truncated = "results"
		a.hint(fmt.Sprintf("only the first %d are listed; raise --limit, or narrow with --min-confidence 0.9", o.Limit))
	}
	callers := len(a.symbols)
	if o.kind == graph.EdgeCalls && o.reverse {
		if err := o.addUses(ctx, s, named, found, a); err != nil {
			return nil, err
		}
	}
	a.human = func(t *graphText) {
		t.reached(o.name+" of "+o.Place, a.symbols[:callers])
		t.used(a.symbols[callers:])
	}
	a.draw = s.drawing(append(from, idsOf(found)...), []graph.EdgeKind{o.kind}, allIDs(p.Nodes))
	o.hints(a, p, found)
	return a, nil
}

// testsLast puts tests behind what is as far away: they tell that something is
// used, the others what for.
func (s *graphSession) testsLast(found []algo.Reached) {
	test := make(map[string]int, len(found))
	for _, r := range found {
		if test[r.Path] == 0 && s.ask.IsTest(r.Path) {
			test[r.Path] = 1
		}
	}
	slices.SortStableFunc(found, func(a, b algo.Reached) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(test[a.Path], test[b.Path]))
	})
}

func (o *walkOptions) hints(a *answer, p *ask.Places, found []algo.Reached) {
	command := "topo graph " + o.name
	if len(a.symbols) == 0 {
		a.hint(fmt.Sprintf("nothing found; topo graph symbol %s shows every edge of it", ask.Quote(o.Place)))
	}
	a.hint(p.Narrow(command)...)
	if len(found) == 0 {
		return
	}
	if last := found[len(found)-1]; last.Distance == o.Depth && a.truncated == "" {
		a.hint(fmt.Sprintf("go one edge further: %s %s --depth %d", command, ask.Quote(o.Place), o.Depth+1))
	}
	place := o.Place
	if o.next != "impact" {
		place = ask.PlaceOf(found[0].Ref)
	}
	a.hint(fmt.Sprintf("next: topo graph %s %s", o.next, ask.Quote(place)))
}

func idsOf(found []algo.Reached) []int {
	ids := make([]int, len(found))
	for i := range found {
		ids[i] = found[i].ID
	}
	return ids
}

// reached are the records of what a walk found.
func (s *graphSession) reached(found []algo.Reached, kinds []graph.EdgeKind, reverse bool) ([]symbolRecord, error) {
	weakest, names := map[int]graph.Confidence{}, map[int]string{}
	out := make([]symbolRecord, 0, len(found))
	for _, r := range found {
		edge, err := s.surest(r.Via, r.ID, kinds, reverse)
		if err != nil {
			return nil, err
		}
		rec := symbolOf(r.Ref)
		if before, ok := weakest[r.Via]; ok {
			edge = min(edge, before)
			rec.Via = names[r.Via]
		}
		weakest[r.ID], names[r.ID] = edge, r.Name
		rec.Distance, rec.Confidence, rec.Reason = r.Distance, rounded(r.Confidence), edge.Reason()
		out = append(out, rec)
	}
	return out, nil
}

// surest is the confidence of the surest edge between two nodes.
func (s *graphSession) surest(from, to int, kinds []graph.EdgeKind, reverse bool) (best graph.Confidence, err error) {
	if reverse { // the end with a call in it has fewer edges than the one called
		from, to = to, from
	}
	edges, err := s.g.Out(from)
	for _, e := range edges {
		for _, k := range kinds {
			if e.Other == to && e.Kind == k {
				best = max(best, e.Confidence)
			}
		}
	}
	return best, err
}

// rounded cuts the noise of a product of hundredths.
func rounded(c float64) float64 { return float64(int(c*10000+0.5)) / 10000 }

// drawing draws nodes with the edges of those kinds among them.
func (s *graphSession) drawing(ids []int, kinds []graph.EdgeKind, marks map[int]bool) func(context.Context) (*draw.Graph, error) {
	return func(ctx context.Context) (*draw.Graph, error) {
		g, err := draw.Between(ctx, s.g, ids, kinds)
		if err == nil {
			g.Marks = marks
		}
		return g, err
	}
}

// reached lists what was found, in the order it was found in.
func (t *graphText) reached(title string, list []symbolRecord) {
	t.line("%s", t.paint(bold, visible(title)+": "+plural(len(list), "result")))
	if len(list) == 0 {
		return
	}
	rows, under := [][]cell{head(">distance", ">confidence", "kind", "name", "place", "via")}, [][]string{nil}
	for _, r := range list {
		rows = append(rows, []cell{figure(r.Distance), sure(r.Confidence), {r.Kind, cyan, false}, {r.Symbol, bold, false},
			{r.place(), "", false}, {r.Via, dim, false}})
		under = append(under, t.sites(r.Sites, r.MoreSites))
	}
	t.tableOver("", rows, under)
}
