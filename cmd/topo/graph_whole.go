package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/answer"
)

func graphCycles(f *factory) *cobra.Command {
	o := &graphOptions{f: f}
	var c answer.CyclesOptions
	cmd := &cobra.Command{
		Use:   "cycles",
		Short: "List files that import each other in a circle, or recursive calls",
		Long: `List sets of nodes that all lead to each other along edges of the kinds given, the
largest first, each with a shortest way round. By default that is files that
import each other in a circle; --kinds calls lists recursion.`,
		Example: "  topo graph cycles\n  topo graph cycles --kinds calls --format mermaid",
		Args:    cobra.NoArgs,
	}
	cmd.Flags().StringSliceVar(&c.Kinds, "kinds", []string{"imports"}, "kinds of edges to follow")
	return o.asking(cmd, drawFormats, 100, func() error { return checkKinds(c.Kinds) }, func(ctx context.Context, s *answer.Session, _ []string) (answer.Answer, error) {
		c.Limit = all(o.Limit)
		return s.Cycles(ctx, c)
	})
}

func graphHotspots(f *factory) *cobra.Command {
	o := &graphOptions{f: f}
	var top int
	cmd := &cobra.Command{
		Use:   "hotspots",
		Short: "Rank files that change often and are hard to change",
		Long: `Rank the files by the number of commits that changed them times the cognitive
complexity of their functions. The records are those of files, so that the answer
can go on to topo select and topo render.`,
		Example: "  topo graph hotspots --top 5\n  topo graph hotspots --format jsonl | topo render --max-tokens 8000",
		Args:    cobra.NoArgs,
	}
	cmd.Flags().IntVar(&top, "top", 20, "list this many files, 0 for all")
	check := func() error {
		if top < 0 {
			return usagef("--top %d: must not be negative; give 0 for all files", top)
		}
		return nil
	}
	return o.asking(cmd, tableFormats, 0, check, func(ctx context.Context, s *answer.Session, _ []string) (answer.Answer, error) {
		return s.Hotspots(ctx, all(top))
	})
}

func graphCommunities(f *factory) *cobra.Command {
	o := &graphOptions{f: f}
	var c answer.CommunitiesOptions
	cmd := &cobra.Command{
		Use:   "communities",
		Short: "Divide the files into groups that use each other",
		Long: `Divide the files into groups that import, call and mention each other more than
the rest, by the Louvain method. The same index and seed give the same groups.`,
		Example: "  topo graph communities\n  topo graph communities --limit 5 --format json",
		Args:    cobra.NoArgs,
	}
	cmd.Flags().Uint64Var(&c.Seed, "seed", 1, "seed of the division")
	return o.asking(cmd, tableFormats, 50, nil, func(ctx context.Context, s *answer.Session, _ []string) (answer.Answer, error) {
		c.Limit = all(o.Limit)
		return s.Communities(ctx, c)
	})
}

func graphStats(f *factory) *cobra.Command {
	o := &graphOptions{f: f}
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Count nodes and edges by kind, and calls by how sure they are",
		Long: `Count the nodes and edges of the graph by kind, the calls by their confidence, and
the calls whose target is not known. What lies outside of the repository is known
by name only and counts as external.`,
		Example: "  topo graph stats\n  topo graph stats --format json",
		Args:    cobra.NoArgs,
	}
	return o.asking(cmd, tableFormats, 0, nil, func(ctx context.Context, s *answer.Session, _ []string) (answer.Answer, error) {
		return s.Stats(ctx)
	})
}
