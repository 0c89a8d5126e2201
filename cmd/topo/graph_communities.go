package main

import (
	"context"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/index/graph/algo"
	"github.com/topo-dev/topo/index/graph/ask"
)

type communitiesOptions struct {
	graphOptions
	Seed uint64
}

// communityRecord is one community. One in JSON:
//
//	{"Community":0,"Label":"net: server.go, conn.go","Size":14,"Inside":220,"Outside":31,"Files":["net/conn.go"]}
type communityRecord struct {
	Community int
	Label     string
	Size      int // files
	Inside    int // weight of the edges between its files: 100 for a sure one
	Outside   int // weight of the edges to files of others
	Files     []string
}

func newGraphCommunities(f *factory, runF func(context.Context, *communitiesOptions) error) *cobra.Command {
	opts := &communitiesOptions{graphOptions: graphOptions{f: f}}
	cmd := &cobra.Command{
		Use:   "communities",
		Short: "Divide the files into groups that use each other",
		Long: `Divide the files into groups that import, call and mention each other more than
the rest, by the Louvain method. The same index and seed give the same groups.`,
		Example: "  topo graph communities\n  topo graph communities --limit 5 --format json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return opts.answering(cmd.Context(), opts.ask)
		},
	}
	cmd.Flags().Uint64Var(&opts.Seed, "seed", 1, "seed of the division")
	addGraphFlags(cmd, &opts.graphOptions, tableFormats, 50)
	return cmd
}

func (o *communitiesOptions) ask(ctx context.Context, s *graphSession) (*answer, error) {
	c, err := algo.FindCommunities(ctx, s.g, o.Seed)
	if err != nil {
		return nil, err
	}
	a := &answer{query: "communities", list: "communities"}
	a.human = func(t *graphText) { t.communities(a, len(c.List), c.Modularity) }
	for i, g := range c.List {
		if o.Limit > 0 && i == o.Limit {
			a.truncated = "communities"
			a.hint(fmt.Sprintf("%d of %d communities are listed; --limit 0 gives all", o.Limit, len(c.List)))
			break
		}
		rec := communityRecord{Community: g.ID, Label: g.Label, Size: g.Size, Inside: g.Inside, Outside: g.Outside}
		for _, f := range g.Files {
			rec.Files = append(rec.Files, f.Path)
		}
		a.others = append(a.others, rec)
	}
	switch {
	case len(c.List) == 0:
		a.hint("no two files have an edge between them; topo graph stats shows what the graph holds")
	case c.Modularity < 0.3:
		a.hint(fmt.Sprintf("modularity %.2f: the files hang together as one, so that the division says little", math.Round(c.Modularity*100)/100))
		fallthrough
	default:
		a.hint("next: topo graph file " + ask.Quote(c.List[0].Files[0].Path))
	}
	return a, nil
}

func (t *graphText) communities(a *answer, total int, modularity float64) {
	noun := "communities"
	if total == 1 {
		noun = "community"
	}
	t.line("%s", t.paint(bold, fmt.Sprintf("%d %s, modularity %.2f", total, noun, modularity)))
	if len(a.others) == 0 {
		return
	}
	rows := [][]cell{head(">id", ">files", ">inside", ">outside", "label")}
	for _, v := range a.others {
		c := v.(communityRecord)
		rows = append(rows, []cell{figure(c.Community), figure(c.Size), figure(c.Inside), figure(c.Outside), {c.Label, bold, false}})
	}
	t.table("", rows)
}
