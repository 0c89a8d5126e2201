package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// report is all that was measured.
type report struct {
	Tree    string
	Files   int
	Bytes   int64
	Runs    int
	Rows    []row
	Missing []string // peers that are not installed, with how to install them
}

// row is one line of the table: a piece of work, who does it, how it compares.
type row struct {
	Work    string
	State   string   // cold: no index yet; warm: with an index
	Topo    figure   // this build
	Peer    string   // empty when the bar is absolute
	Against figure   // the peer
	Value   float64  // what the bar is about
	Unit    string   // x: ratio of medians; s; MB
	Bar     float64  // the most Value may be; 0 when there is no bar
	Verdict string   // pass, miss, - (no bar), not measured
	Notes   []string `json:",omitempty"`
}

// figure is the median of several runs.
type figure struct {
	Seconds   float64
	MinMax    [2]float64 // of Seconds
	RSS       int64      // peak resident memory, bytes
	Private   int64      // peak memory not mapped from a file, bytes
	IndexSize int64      `json:",omitempty"` // bytes
}

func summarize(samples []sample) figure {
	var wall []float64
	var rss, private []int64
	for _, s := range samples {
		wall = append(wall, s.wall.Seconds())
		rss, private = append(rss, s.rss), append(private, s.private)
	}
	return figure{Seconds: median(wall), MinMax: [2]float64{slices.Min(wall), slices.Max(wall)}, RSS: median(rss), Private: median(private)}
}

// median is the middle value, the mean of the two middle ones of an even
// number. The list must not be empty.
func median[T int64 | float64](list []T) T {
	s := slices.Sorted(slices.Values(list))
	n := len(s)
	if n%2 == 1 {
		return s[n/2]
	}
	return (s[n/2-1] + s[n/2]) / 2
}

// judge sets the verdict from value and bar.
func (r row) judge(value float64, unit string, bar float64) row {
	r.Value, r.Unit, r.Bar = value, unit, bar
	switch {
	case bar == 0:
		r.Verdict = "-"
	case value <= bar:
		r.Verdict = "pass"
	default:
		r.Verdict = "miss"
	}
	return r
}

func (rep report) print(w io.Writer) error {
	fmt.Fprintf(w, "%s: %d files, %.0f MB; medians of %d rounds, contestants in turn\n", rep.Tree, rep.Files, float64(rep.Bytes)/1e6, rep.Runs)
	fmt.Fprintf(w, "cold: no index yet; warm: with an index; the page cache is filled in every row\n\n")
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "WORK\tSTATE\tTOPO\tRSS\tPRIVATE\tPEER\tPEER TIME\tPEER RSS\tVALUE\tBAR\tRESULT")
	for _, r := range rep.Rows {
		fmt.Fprintln(tw, strings.Join(r.cells(), "\t"))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	var notes []string
	for _, r := range rep.Rows {
		for _, n := range r.Notes {
			notes = append(notes, r.Work+": "+n)
		}
	}
	for _, n := range append(notes, rep.Missing...) {
		fmt.Fprintln(w, "\n"+n)
	}
	return nil
}

func (r row) cells() []string {
	bar := "-"
	if r.Bar > 0 {
		bar = "≤ " + formatValue(r.Bar, r.Unit)
	}
	value := "-"
	if r.Unit != "" {
		value = formatValue(r.Value, r.Unit)
	}
	return []string{
		r.Work, r.State, r.Topo.time(), megabytes(r.Topo.RSS), megabytes(r.Topo.Private),
		orDash(r.Peer), r.Against.time(), megabytes(r.Against.RSS), value, bar, orDash(r.Verdict),
	}
}

func (f figure) time() string {
	if f.Seconds == 0 {
		return "-"
	}
	return time.Duration(f.Seconds * float64(time.Second)).Round(time.Millisecond).String()
}

func formatValue(v float64, unit string) string {
	switch unit {
	case "x":
		return fmt.Sprintf("%.2f ×", v)
	case "MB":
		return fmt.Sprintf("%.0f MB", v)
	}
	return fmt.Sprintf("%.3g %s", v, unit)
}

func megabytes(n int64) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f MB", float64(n)/1e6)
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
