package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/answer"
	"github.com/topo-dev/topo/internal/nearest"
)

// graphOptions are what every question to the code graph has in common.
type graphOptions struct {
	f      *factory
	Format string
	Rev    string
	Limit  int
}

// drawFormats are the formats of answers that are graphs, tableFormats those
// of answers that are not.
var (
	tableFormats = outputFormats
	drawFormats  = append(slices.Clone(outputFormats), "dot", "mermaid")
)

// newGraph is the command over the questions. To add one, write its
// constructor and add it here.
func newGraph(f *factory) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "graph",
		Short: "Ask the code graph: callers, imports, paths, cycles, impact, queries",
		Long: `Ask the code graph of the deep index: what calls what, what imports what, how two
places hang together, what a change may affect. Nothing is scanned: the answer is
that of the index, which topo index --deep makes and brings up to date.

A place is given as a name (Close, Server.Close, net.Dial), a path
(net/server.go), a name in a file (net/server.go:Server.Close), a line
(net/server.go:88) or a folder (net/). The beginning of a path may be left out
where that leaves one file, and names may be as stack traces and other languages
write them: (*Server).Close, Server::close, Server#close. A name that several
definitions have answers for all of them and says how to narrow it.

Each edge has a confidence: 1 for a resolved target, 0.9 for a method whose
receiver's type is known, 0.6 through an interface, 0.5 to one of several
overloads that the arguments do not tell apart, 0.3 when only the name matches.`,
		Example: `  topo graph callers Server.Close --depth 2
  topo graph impact net/server.go:88
  topo graph query 'MATCH (f:Function) RETURN f.name ORDER BY f.fanin DESC LIMIT 5'`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			names := commandNames(cmd)
			return usagef("graph %s: no such question%s; there are %s", args[0], meant("", nearest.Of(args[0], names)), strings.Join(names, ", "))
		},
	}
	cmd.AddCommand(graphWalks(f)...)
	cmd.AddCommand(graphSymbol(f), graphFile(f), graphPath(f), graphCycles(f), graphHotspots(f), graphCommunities(f),
		graphStats(f), graphImpact(f), graphQuery(f))
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

// addGraphFlags adds the flags that all questions have. limit is the default
// of --limit; 0 leaves the flag out.
func addGraphFlags(cmd *cobra.Command, o *graphOptions, formats []string, limit int) {
	fl := cmd.Flags()
	last := len(formats) - 1
	fl.StringVar(&o.Format, "format", "auto", "output: "+strings.Join(formats[:last], ", ")+" or "+formats[last]+" (auto: human for a terminal, else jsonl)")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
	addRevFlag(fl, &o.Rev)
	if limit > 0 {
		fl.IntVar(&o.Limit, "limit", limit, "most results to give, 0 for all")
	}
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := oneOf("format", formats)(o.Format); err != nil {
			return usagef("--format: %w", err)
		}
		if o.Limit < 0 {
			return usagef("--limit %d: must not be negative; give 0 for all", o.Limit)
		}
		return run(cmd, args)
	}
}

// format is the output format with auto resolved. --format of these commands
// knows more values than the setting of that name, so that the setting is
// looked up here.
func (o *graphOptions) format() string {
	if o.Format != "auto" && o.Format != "" {
		return o.Format
	}
	for _, e := range o.f.settings {
		if e.Name == "format" && e.Value != "auto" {
			return e.Value
		}
	}
	if o.f.outTTY {
		return "human"
	}
	return "jsonl"
}

// graphQuestion asks an open index.
type graphQuestion func(context.Context, *answer.Session, []string) (answer.Answer, error)

// asking makes a command answer with what ask returns. check, if not nil, looks at
// the flags first; formats and limit are those of addGraphFlags.
func (o *graphOptions) asking(cmd *cobra.Command, formats []string, limit int, check func() error, ask graphQuestion) *cobra.Command {
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if check != nil {
			if err := check(); err != nil {
				return err
			}
		}
		return o.answer(cmd.Context(), args, ask)
	}
	addGraphFlags(cmd, o, formats, limit)
	return cmd
}

// answer opens the index, asks it and writes the answer.
func (o *graphOptions) answer(ctx context.Context, args []string, ask graphQuestion) error {
	g, err := o.open(ctx)
	if err != nil {
		return err
	}
	defer g.Close()
	a, err := ask(ctx, g.Session, args)
	if err != nil {
		return topo.AnswerError(ctx, err)
	}
	return g.write(ctx, a)
}

// all reads a limit of a flag, where 0 is no limit.
func all(limit int) int {
	if limit == 0 {
		return -1
	}
	return limit
}

// openGraph is an open index with the flags that a question was put with.
type openGraph struct {
	*topo.Graph
	o    *graphOptions
	repo *topo.Repo
}

func (g *openGraph) Close() { g.repo.Close() }

// open finds the graph of the tree. Nothing but the index is read.
func (o *graphOptions) open(ctx context.Context) (*openGraph, error) {
	r, err := o.f.open(ctx, nil, o.Rev)
	if err != nil {
		return nil, err
	}
	g, err := r.Graph()
	if err != nil {
		r.Close()
		return nil, err
	}
	return &openGraph{g, o, r}, nil
}
