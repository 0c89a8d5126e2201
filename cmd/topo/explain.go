package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/answer"
	"github.com/topo-dev/topo/stream"
)

type explainOptions struct {
	scoreOptions
	scan    scanOptions
	Top     int
	Signals bool // show every signal
}

func newExplain(f *factory, runF func(context.Context, *explainOptions) error) *cobra.Command {
	opts := &explainOptions{scoreOptions: scoreOptions{f: f}, scan: scanOptions{f: f}}
	cmd := &cobra.Command{
		Use:   "explain <task>",
		Short: "Say why files rank where they do",
		Long: `Say for each of the best files why it has its place: the words of the task that
it holds, its best definitions with the lines that show it, its path, its history.
--signals shows every signal with its value, rank and contribution to the score.

A score is 1 for a file that all signals rank first and that holds the words of
the task; where no file fits, all scores are low.

The files are those of the index when there is one, else of the tree. Standard
input is not read, unless the task is -.`,
		Example: `  topo explain "session expiry" --top 3
  topo explain --signals --preset deep "auth middleware"
  topo explain --format json "auth middleware"`,
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
	cmd.Flags().IntVar(&opts.Top, "top", 5, "explain this many files, 0 for all")
	cmd.Flags().BoolVar(&opts.Signals, "signals", false, "show every signal of each file")
	addScanFlags(cmd.Flags(), &opts.scan)
	return cmd
}

func runExplain(ctx context.Context, o *explainOptions) error {
	task, err := o.taskText(ctx)
	if err != nil {
		return err
	}
	r, err := o.f.open(ctx, nil, o.scan.Rev)
	if err != nil {
		return err
	}
	defer r.Close()
	out, err := r.Explain(ctx, task, topo.ExplainOptions{Query: o.options(), Scan: o.scan.options(), Top: o.Top})
	if err != nil {
		return err
	}
	switch o.f.outputFormat() {
	case "json":
		list := make([]json.RawMessage, len(out))
		for i, e := range out {
			if list[i], err = stream.Marshal(e); err != nil {
				return err
			}
		}
		return writeObject(o.f, list)
	case "human":
		if o.Signals {
			return explainTable(o.f.out, out)
		}
		return explainReasons(o.f, out)
	}
	return writeLines(o.f.out, out)
}

// writeLines writes each value as one record.
func writeLines[T any](w io.Writer, list []T) error {
	out := stream.NewWriter(w)
	for _, v := range list {
		if err := out.Write(v); err != nil {
			return err
		}
	}
	return out.Flush()
}

// explainReasons prints for each file the reasons in words.
func explainReasons(f *factory, list []topo.Explanation) error {
	w := bufio.NewWriter(f.out)
	bold, dim := "", ""
	reset := ""
	if f.color() {
		bold, dim, reset = "\x1b[1m", "\x1b[2m", "\x1b[0m"
	}
	for _, e := range list {
		fmt.Fprintf(w, "%d. %s%s%s  %.2f\n", e.Rank, bold, answer.Visible(e.Path), reset, e.Score)
		for _, r := range e.Reasons {
			fmt.Fprintf(w, "   %-8s %s\n", r.Kind, answer.Visible(r.Text))
			for _, l := range r.Lines {
				fmt.Fprintf(w, "   %s%8d: %s%s\n", dim, l.Line, answer.Visible(l.Text), reset)
			}
		}
	}
	return w.Flush()
}

// explainTable prints one row a signal and one line of terms a file.
func explainTable(out io.Writer, list []topo.Explanation) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	for _, e := range list {
		fmt.Fprintf(w, "%d. %s\t%.4f\n", e.Rank, answer.Visible(e.Path), e.Score)
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
func termLine(terms []topo.TermMatch) string {
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
