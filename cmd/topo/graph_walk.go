package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/answer"
)

// walkHelp is the help of a question that follows the edges of one kind.
type walkHelp struct{ name, short, long, example string }

// walkHelps lists the questions that follow edges.
func walkHelps() []walkHelp {
	return []walkHelp{
		{"callers", "List what calls a function or method",
			`List the functions and methods that call X, the nearest and surest first, tests behind
what is as near, each with the lines of the calls. For a type or a file it is what calls anything within. After them
come what takes X as a value, such as a table of handlers, and calls of its name that
lead nowhere known.`,
			"  topo graph callers Server.Close --depth 2\n  topo graph callers net/server.go:88 --format mermaid"},
		{"callees", "List what a function or method calls",
			`List the functions and methods that X calls, the nearest and surest first, each with the
lines of the calls. For a type or a file it is what anything within calls.`,
			"  topo graph callees main.go:run\n  topo graph callees Server.Close --depth 3 --min-confidence 0.9"},
		{"importers", "List the files that import a file, module or package",
			`List the files that import X, a file, a module or an external package. For a
definition it is what imports its file. Where a language imports packages and not
files, as Go does, a file is imported with its package.`,
			"  topo graph importers net/server.go --depth 2\n  topo graph importers github.com/spf13/cobra"},
		{"imports", "List what a file imports",
			`List the files, modules and external packages that X imports. For a definition it
is what its file imports, for a module what its files import.`,
			"  topo graph imports net/server.go\n  topo graph imports net/server.go --depth 2 --format dot"},
	}
}

// walkLimit is how many results a walk gives unless told otherwise: a common
// name may have tens of thousands of callers.
const walkLimit = 1000

func graphWalks(f *factory) (list []*cobra.Command) {
	for _, h := range walkHelps() {
		list = append(list, graphWalk(f, h))
	}
	return list
}

func graphWalk(f *factory, h walkHelp) *cobra.Command {
	o := &graphOptions{f: f}
	var w answer.WalkOptions
	cmd := &cobra.Command{Use: h.name + " X", Short: h.short, Long: h.long, Example: h.example, Args: onePlace}
	cmd.Flags().IntVar(&w.Depth, "depth", 1, "follow this many edges in a row")
	cmd.Flags().Float64Var(&w.MinConfidence, "min-confidence", 0, "leave out edges less sure than this, 0 to 1")
	cmd.Flags().IntVar(&w.Sites, "sites", 3, "most lines of code to show for each result, 0 for all")
	check := func() error {
		switch {
		case w.Depth < 1:
			return usagef("--depth %d: must be 1 or more", w.Depth)
		case w.MinConfidence < 0 || w.MinConfidence > 1:
			return usagef("--min-confidence %g: must lie between 0 and 1", w.MinConfidence)
		case w.Sites < 0:
			return usagef("--sites %d: must not be negative; give 0 for all", w.Sites)
		}
		return nil
	}
	return o.asking(cmd, drawFormats, walkLimit, check, func(ctx context.Context, s *answer.Session, args []string) (answer.Answer, error) {
		r, err := answer.RelationOf(h.name)
		if err != nil {
			return nil, err
		}
		w.Sites, w.Limit = all(w.Sites), all(o.Limit)
		return s.Walk(ctx, args[0], r, w)
	})
}
