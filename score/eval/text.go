package eval

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// WriteText writes the report as tables for a person, rates in per cent.
func (r *Report) WriteText(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintf(w, "cases\t\t%s\tmedian\tp95\n", rateNames)
	for _, l := range slices.Concat([]Line{r.All}, r.Set, r.Language, r.Functions) {
		fmt.Fprintf(w, "%s\t%d\t%s\t%.0f ms\t%.0f ms\n", l.Name, l.Cases, l.rates(), 1000*l.Median, 1000*l.P95)
	}
	fmt.Fprintf(w, "95 %%\t\t%s\n", r.All.intervals())
	fmt.Fprintln(w)
	for _, b := range Budgets {
		fmt.Fprintf(w, "recall within %d tokens\t%s\n", b, percent(r.All.Recall[b]))
	}
	WriteDifferences(w, r.Against)
	if len(r.Ablation) > 0 {
		fmt.Fprintln(w)
		WriteLines(w, "without", r.Ablation, false)
	}
	if r.Skipped > 0 {
		fmt.Fprintf(w, "\n%d cases left out: none of their wanted files is in the tree\n", r.Skipped)
	}
	return w.Flush()
}

const rateNames = "Acc@1\tAcc@3\tAcc@5\tAcc@10\tHit@1\tHit@5\tHit@10\tMRR"

// WriteLines writes the rates of the lines as rows of tab-separated cells, with
// the confidence intervals of each below it if asked for. The title goes before
// the names of the rates; an empty one leaves them out.
func WriteLines(w io.Writer, title string, lines []Line, intervals bool) {
	if title != "" {
		fmt.Fprintf(w, "%s\t\t%s\n", title, rateNames)
	}
	for _, l := range lines {
		fmt.Fprintf(w, "%s\t%d\t%s\n", l.Name, l.Cases, l.rates())
		if intervals {
			fmt.Fprintf(w, "95 %%\t\t%s\n", l.intervals())
		}
	}
}

// WriteDifferences writes the differences as rows of tab-separated cells.
func WriteDifferences(w io.Writer, list []Difference) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintln(w, "\nagainst the other\t\tAcc@1\tAcc@3\tAcc@5\tAcc@10\tMRR")
	for _, d := range list {
		o := d.Other
		fmt.Fprintf(w, "%s: other\t%d\t%s\n", d.Name, d.Cases, strings.Join(percents(o.Acc[1], o.Acc[3], o.Acc[5], o.Acc[10], o.MRR), "\t"))
		fmt.Fprintf(w, "%s: gain\t", d.Name)
		for _, v := range []Interval{d.Acc[1], d.Acc[3], d.Acc[5], d.Acc[10], d.MRR} {
			fmt.Fprintf(w, "\t%+.1f (%+.1f to %+.1f)", 100*v.Mean, 100*v.Low, 100*v.High)
		}
		fmt.Fprintln(w)
	}
}

func percent(v Interval) string { return fmt.Sprintf("%.1f", 100*v.Mean) }

func percents(list ...Interval) (out []string) {
	for _, v := range list {
		out = append(out, percent(v))
	}
	return out
}

// shown lists the rates in the order of [rateNames].
func (l *Line) shown() []Interval {
	return []Interval{l.Acc[1], l.Acc[3], l.Acc[5], l.Acc[10], l.Hit[1], l.Hit[5], l.Hit[10], l.MRR}
}

func (l *Line) rates() string { return strings.Join(percents(l.shown()...), "\t") }

func (l *Line) intervals() string {
	var out []string
	for _, v := range l.shown() {
		out = append(out, fmt.Sprintf("%.0f–%.0f", 100*v.Low, 100*v.High))
	}
	return strings.Join(out, "\t")
}
