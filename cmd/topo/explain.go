package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/score"
)

type explainOptions struct {
	scoreOptions
	Top int
}

func newExplain(f *factory, runF func(context.Context, *explainOptions) error) *cobra.Command {
	opts := &explainOptions{scoreOptions: scoreOptions{f: f}}
	cmd := &cobra.Command{
		Use:   "explain <task>",
		Short: "Show why files rank where they do",
		Long: `Show for each of the best files every signal's value, rank and contribution to
the score, and which words of the task it holds in which field.

The files are those of the index when there is one, else of the tree. Standard
input is not read, unless the task is -.`,
		Example: `  topo explain "session expiry" --top 3
  topo explain --preset deep --format json "auth middleware"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := opts.taskArgs(cmd, args); err != nil {
				return err
			}
			if opts.Top < 0 {
				return usagef("--top %d: must not be negative; give 0 for all files", opts.Top)
			}
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return runExplain(cmd.Context(), opts)
		},
	}
	addScoreFlags(cmd.Flags(), &opts.scoreOptions)
	cmd.Flags().IntVar(&opts.Top, "top", 10, "explain this many files, 0 for all")
	addRevFlag(cmd.Flags(), &opts.Rev)
	return cmd
}

func runExplain(ctx context.Context, o *explainOptions) error {
	task, err := o.taskText(ctx)
	if err != nil {
		return err
	}
	r, err := o.f.open(ctx, nil, o.Rev)
	if err != nil {
		return err
	}
	defer r.Close()
	out, err := r.Explain(ctx, task, o.options(), o.Top)
	if err != nil {
		return err
	}
	switch o.f.outputFormat() {
	case "json":
		enc := json.NewEncoder(o.f.out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(out)
	case "human":
		return explainTable(o.f.out, out)
	}
	return writeLines(o.f.out, out)
}

// writeLines writes each value as one line of JSON.
func writeLines[T any](w io.Writer, list []T) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, v := range list {
		if err := enc.Encode(v); err != nil {
			return err
		}
	}
	return nil
}

// explainTable prints one row a signal and one line of terms a file.
func explainTable(out io.Writer, list []score.Explanation) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	for _, e := range list {
		fmt.Fprintf(w, "%d. %s\t%.4f\n", e.Rank, visible(e.Path), e.Score)
		fmt.Fprintf(w, "   signal\tvalue\trank\tadds\n")
		for _, s := range e.Signals {
			rank := "-"
			if s.Rank > 0 {
				rank = strconv.Itoa(s.Rank)
			}
			fmt.Fprintf(w, "   %s\t%.4g\t%s\t%.4f\n", s.Name, s.Value, rank, s.Contribution)
		}
		if err := w.Flush(); err != nil {
			return err
		}
		if len(e.Terms) > 0 {
			fmt.Fprintf(out, "   words (in path/symbols/body): %s\n", termLine(e.Terms))
		}
	}
	return w.Flush()
}

// termLine tells the terms of one file: word, then its counts in path,
// symbols and body.
func termLine(terms []score.TermMatch) string {
	const most = 8
	var parts []string
	for _, m := range terms[:min(most, len(terms))] {
		parts = append(parts, fmt.Sprintf("%s %d/%d/%d", m.Term, m.TF.Filename, m.TF.Symbols, m.TF.Body))
	}
	if len(terms) > most {
		parts = append(parts, "…")
	}
	return strings.Join(parts, "  ")
}
