package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/answer"
)

func strategyNames() (names []string) {
	for _, s := range topo.Strategies() {
		names = append(names, s.Name)
	}
	return names
}

// retrievePreset is the default preset of a retrieval.
const retrievePreset = "thorough"

type retrieveOptions struct {
	scoreOptions
	scan     scanOptions
	Strategy string
	Files    int // 0 is the strategy's
	Top      int
}

func newRetrieve(f *factory, runF func(context.Context, *retrieveOptions) error) *cobra.Command {
	o := &retrieveOptions{scoreOptions: scoreOptions{f: f}, scan: scanOptions{f: f}}
	cmd := &cobra.Command{
		Use:   "retrieve <task>",
		Short: "Find the definitions of a task in two phases: files, then what is in them",
		Long: `Find what a task is about in two phases. The first ranks the files; the second
looks among the best of them, and no others, for functions, methods and types,
or with --strategy document for sections of documentation.

Where a service of embeddings is configured, both phases join the words of the
task with its similarity to each file and definition; vectors are kept, so that
only what is new is sent, and with QDRANT_HOST they are searched in Qdrant.
Without one the words decide. topo describe says what is sent where.

The output is a stream of the files, each with the definitions found in it, best
first; scores of definitions are comparable across files.`,
		Example: `  topo retrieve "evict pods under memory pressure" | topo render
  topo retrieve --strategy document --top 5 "why is eviction ordered by usage"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.taskArgs(cmd, args); err != nil {
				return err
			}
			if o.Top < 1 || o.Files < 0 {
				return usagef("--top %d --files %d: nothing to find; give at least 1", o.Top, o.Files)
			}
			if err := oneOf("strategy", strategyNames())(o.Strategy); err != nil {
				return usagef("--strategy: %w", err)
			}
			if runF != nil {
				return runF(cmd.Context(), o)
			}
			return runRetrieve(cmd.Context(), o)
		},
	}
	fl := cmd.Flags()
	addScoreFlags(fl, &o.scoreOptions)
	o.Preset = retrievePreset
	preset := fl.Lookup("preset")
	preset.DefValue = retrievePreset
	fl.StringVar(&o.Strategy, "strategy", strategyNames()[0], "what to look for: "+strings.Join(strategyNames(), ", "))
	fl.IntVar(&o.Files, "files", 0, "files that the first phase chooses (default: 50 for code, 30 for document)")
	fl.IntVar(&o.Top, "top", 10, "definitions to find")
	addScanFlags(fl, &o.scan)
	addNullFlag(fl, f)
	return cmd
}

func runRetrieve(ctx context.Context, o *retrieveOptions) error {
	task, err := o.taskText(ctx)
	if err != nil {
		return err
	}
	r, err := o.f.open(ctx, nil, o.scan.Rev)
	if err != nil {
		return err
	}
	defer r.Close()
	s, found, err := r.Retrieve(ctx, task, topo.RetrieveOptions{Query: o.options(), Scan: o.scan.options(), Strategy: o.Strategy, Files: o.Files, Top: o.Top})
	if err != nil {
		return err
	}
	if o.f.outputFormat() == "human" {
		return o.table(found)
	}
	return o.f.emit(ctx, s)
}

// table prints the definitions for a person, best first.
func (o *retrieveOptions) table(found []topo.Found) error {
	w := tabwriter.NewWriter(o.f.out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "SCORE\tKIND\tPLACE\tNAME") // names of sections are long
	for _, f := range found {
		fmt.Fprintf(w, "%.4f\t%s\t%s:%d-%d\t%s\n", f.Score, f.Kind, answer.Visible(f.Path), f.StartLine, f.EndLine, answer.Visible(f.Name))
	}
	return w.Flush()
}
