package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/answer"
)

func graphSymbol(f *factory) *cobra.Command {
	o := &graphOptions{f: f}
	cmd := &cobra.Command{
		Use:   "symbol X",
		Short: "Show a definition: its figures and every edge to and from it",
		Long: `Show the definitions that X names, with complexity, fan-in and fan-out, rank and
the history of their file, and the edges to and from each: callers and callees
with the lines of the calls, what contains it and what it contains, bases, uses
and tests.`,
		Example: "  topo graph symbol Server.Close\n  topo graph symbol net/server.go:88 --limit 0 --format json",
		Args:    onePlace,
	}
	return o.asking(cmd, drawFormats, 20, nil, func(ctx context.Context, s *answer.Session, args []string) (answer.Answer, error) {
		return s.Symbol(ctx, args[0], answer.SymbolOptions{Limit: all(o.Limit)})
	})
}

func graphFile(f *factory) *cobra.Command {
	o := &graphOptions{f: f}
	cmd := &cobra.Command{
		Use:   "file PATH",
		Short: "Show a file: what it defines, imports and is imported by",
		Long: `Show a file of the index: its history, what it defines with figures, what it
imports and is imported by, what it tests and what changes together with it.`,
		Example: "  topo graph file net/server.go\n  topo graph file net/server.go --format dot",
		Args:    onePlace,
	}
	return o.asking(cmd, drawFormats, 200, nil, func(ctx context.Context, s *answer.Session, args []string) (answer.Answer, error) {
		return s.File(ctx, args[0], answer.SymbolOptions{Limit: all(o.Limit)})
	})
}

func graphPath(f *factory) *cobra.Command {
	o := &graphOptions{f: f}
	var p answer.PathOptions
	cmd := &cobra.Command{
		Use:   "path A B",
		Short: "Show a shortest way from one place to another",
		Long: `Show a way with the fewest edges from A to B, with the kind and the confidence of
each edge. Without a way there is no record, and the hint says how to look wider.`,
		Example: "  topo graph path main.go:main Server.Close\n  topo graph path main.go Server.Close --kinds calls,contains --undirected",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef("%s: expected two places; as in: %s", cmd.CommandPath(), firstExample(cmd))
			}
			return nil
		},
	}
	cmd.Flags().StringSliceVar(&p.Kinds, "kinds", answer.DefaultPathKinds(), "kinds of edges to follow")
	cmd.Flags().BoolVar(&p.Undirected, "undirected", false, "follow edges against their direction, too")
	return o.asking(cmd, drawFormats, 0, func() error { return checkKinds(p.Kinds) }, func(ctx context.Context, s *answer.Session, args []string) (answer.Answer, error) {
		return s.Path(ctx, args[0], args[1], p)
	})
}

// checkKinds checks --kinds.
func checkKinds(names []string) error {
	if _, err := answer.EdgeKinds(names); err != nil {
		return usagef("--kinds: %w", err)
	}
	return nil
}

func graphImpact(f *factory) *cobra.Command {
	o := &graphOptions{f: f}
	var im answer.ImpactOptions
	cmd := &cobra.Command{
		Use:   "impact X",
		Short: "Show what a change of a place may affect, and which tests cover it",
		Long: `Show what uses X, and what uses that: direct (one edge away), indirect (two) and
transitive, along calls, uses, inheritance and imports, with the files and the
tests among it. Files that history shows to change along stand apart as a hint and
are not counted. The level says how far a change reaches: none, low, medium or
high; unknown when too many calls around could not be resolved for a small answer
to mean anything.`,
		Example: "  topo graph impact Server.Close --depth 2\n  topo graph impact net/server.go:88 --format json",
		Args:    onePlace,
	}
	addDepthFlag(cmd, &im)
	return o.asking(cmd, drawFormats, impactLimit, func() error { return checkDepth(&im) }, func(ctx context.Context, s *answer.Session, args []string) (answer.Answer, error) {
		im.Limit = all(o.Limit)
		return s.Impact(ctx, args[0], im)
	})
}

// impactLimit is how many affected symbols an impact lists unless told otherwise.
const impactLimit = 2000

func addDepthFlag(cmd *cobra.Command, o *answer.ImpactOptions) {
	cmd.Flags().IntVar(&o.Depth, "depth", 3, "follow this many edges in a row")
}

func checkDepth(o *answer.ImpactOptions) error {
	if o.Depth < 1 {
		return usagef("--depth %d: must be 1 or more", o.Depth)
	}
	return nil
}
