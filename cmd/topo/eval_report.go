package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/topo-dev/topo/score/eval"
	"github.com/topo-dev/topo/score/signal"
)

// evalReport is what eval found. Rates are fractions, times seconds.
type evalReport struct {
	json      bool // whatever --format says
	Preset    string
	Fusion    string `json:",omitempty"`
	All       evalLine
	Set       []evalLine `json:",omitempty"` // by file of cases, when there are several
	Language  []evalLine
	Functions []evalLine       `json:",omitempty"` // by set, of the functions that the fixes changed
	Against   []evalDifference `json:",omitempty"` // what the ranking gains over the other fusion
	Ablation  []evalLine       `json:",omitempty"` // without the named group or signal, over the candidates
	Skipped   int              `json:",omitempty"` // cases none of whose wanted files is in the tree
}

// evalLine is one group of cases.
type evalLine struct {
	Name   string
	Cases  int
	Acc    map[int]eval.Interval
	Hit    map[int]eval.Interval
	MRR    eval.Interval
	Recall map[int]eval.Interval `json:",omitempty"` // of wanted files within a token budget
	Median float64               `json:",omitempty"` // seconds of one ranking
	P95    float64               `json:",omitempty"`
}

// evalDifference is the mean of what each case gains, with the interval of a
// paired bootstrap; above zero the default fusion is the better one.
type evalDifference struct {
	Name  string // of the cases
	Cases int
	Other evalLine // figures of the other fusion
	Acc   map[int]eval.Interval
	MRR   eval.Interval
}

func newLine(name string, outs []eval.Outcome) evalLine {
	s := eval.Summarize(outs)
	return evalLine{name, s.Cases, s.Acc, s.Hit, s.MRR, s.Recall, s.MedianSecs, s.P95Secs}
}

func newEvalReport(rows []evalRow, o *evalOptions) *evalReport {
	r := &evalReport{json: o.JSON, Preset: o.Preset, Fusion: o.Fusion}
	var outs []eval.Outcome
	var kept []evalRow
	for _, row := range rows {
		if row.Unmatched {
			r.Skipped++
			continue
		}
		outs, kept = append(outs, row.Outcome), append(kept, row)
	}
	r.All = newLine("all", outs)
	r.sets(kept)
	keys, groups := eval.By(outs, func(c eval.Case) string { return c.Language })
	for _, k := range keys {
		if k != "" || len(keys) > 1 {
			r.Language = append(r.Language, newLine(k, groups[k]))
		}
	}
	if o.Ablate {
		r.ablate(kept)
	}
	return r
}

// sets are the lines of each file of cases, and how it compares with the other
// fusion.
func (r *evalReport) sets(rows []evalRow) {
	var names []string
	outs, others := map[string][]eval.Outcome{}, map[string][]eval.Outcome{}
	functions := map[string][]eval.Outcome{}
	for _, row := range rows {
		if row.Functions != nil {
			functions[row.Set] = append(functions[row.Set], *row.Functions)
		}
		if !slices.Contains(names, row.Set) {
			names = append(names, row.Set)
		}
		outs[row.Set] = append(outs[row.Set], row.Outcome)
		if row.Against != nil {
			others[row.Set] = append(others[row.Set], *row.Against)
		}
	}
	for _, n := range names {
		if len(names) > 1 {
			r.Set = append(r.Set, newLine(n, outs[n]))
		}
		if found := functions[n]; len(found) > 0 {
			r.Functions = append(r.Functions, newLine(strings.TrimSpace(n+" functions"), found))
		}
		if other := others[n]; len(other) > 0 {
			r.Against = append(r.Against, newDifference(n, outs[n], other))
		}
	}
}

// newDifference tells what outs gain over other, case by case.
func newDifference(name string, outs, other []eval.Outcome) evalDifference {
	d := evalDifference{Name: name, Cases: len(other), Other: newLine(name, other), Acc: map[int]eval.Interval{}}
	for _, k := range eval.Cutoffs {
		d.Acc[k] = eval.Compare(outs, other, func(o eval.Outcome) float64 { return eval.Rate(o.All(k)) })
	}
	d.MRR = eval.Compare(outs, other, eval.Outcome.Reciprocal)
	return d
}

// ablate takes away each group of signals and each signal, without learning
// the other weights anew.
func (r *evalReport) ablate(rows []evalRow) {
	without := func(name string, drop func(signal.Known) bool) {
		var names []string
		var w []float64
		for _, k := range signal.Signals() {
			if x, ok := signal.Weights[k.Name]; ok && !drop(k) {
				names, w = append(names, k.Name), append(w, x)
			}
		}
		outs := make([]eval.Outcome, len(rows))
		for i := range rows {
			outs[i] = eval.Outcome{Case: rows[i].Case, Ranks: rows[i].Example.Ranks(rows[i].Example.Scores(names, w))}
		}
		line := newLine(name, outs)
		line.Median, line.P95 = 0, 0
		r.Ablation = append(r.Ablation, line)
	}
	without("nothing", func(signal.Known) bool { return false })
	var groups []string
	for _, k := range signal.Signals() {
		if _, ok := signal.Weights[k.Name]; ok && !slices.Contains(groups, k.Group) {
			groups = append(groups, k.Group)
		}
	}
	for _, g := range groups {
		without("group "+g, func(k signal.Known) bool { return k.Group == g })
	}
	for _, s := range signal.Signals() {
		if _, ok := signal.Weights[s.Name]; ok {
			without(s.Name, func(k signal.Known) bool { return k.Name == s.Name })
		}
	}
}

func (r *evalReport) write(f *factory) error {
	if r.json || f.outputFormat() != "human" {
		return json.NewEncoder(f.out).Encode(r)
	}
	w := tabwriter.NewWriter(f.out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "cases\t\tAcc@1\tAcc@3\tAcc@5\tAcc@10\tHit@1\tHit@5\tHit@10\tMRR\tmedian\tp95")
	for _, l := range slices.Concat([]evalLine{r.All}, r.Set, r.Language, r.Functions) {
		fmt.Fprintf(w, "%s\t%d\t%s\t%.0f ms\t%.0f ms\n", l.Name, l.Cases, l.rates(), 1000*l.Median, 1000*l.P95)
	}
	fmt.Fprintf(w, "95 %%\t\t%s\n", r.All.intervals())
	fmt.Fprintln(w)
	for _, b := range eval.Budgets {
		fmt.Fprintf(w, "recall within %d tokens\t%s\n", b, percent(r.All.Recall[b]))
	}
	r.writeAgainst(w)
	if len(r.Ablation) > 0 {
		fmt.Fprintln(w, "\nwithout\t\tAcc@1\tAcc@3\tAcc@5\tAcc@10\tHit@1\tHit@5\tHit@10\tMRR")
		for _, l := range r.Ablation {
			fmt.Fprintf(w, "%s\t%d\t%s\n", l.Name, l.Cases, l.rates())
		}
	}
	if r.Skipped > 0 {
		fmt.Fprintf(w, "\n%d cases left out: none of their wanted files is in the tree\n", r.Skipped)
	}
	return w.Flush()
}

func (r *evalReport) writeAgainst(w io.Writer) {
	if len(r.Against) == 0 {
		return
	}
	fmt.Fprintln(w, "\nagainst the other\t\tAcc@1\tAcc@3\tAcc@5\tAcc@10\tMRR")
	for _, d := range r.Against {
		o := d.Other
		fmt.Fprintf(w, "%s: other\t%d\t%s\t%s\t%s\t%s\t%s\n", d.Name, d.Cases, percent(o.Acc[1]), percent(o.Acc[3]), percent(o.Acc[5]), percent(o.Acc[10]), percent(o.MRR))
		fmt.Fprintf(w, "%s: gain\t", d.Name)
		for _, v := range []eval.Interval{d.Acc[1], d.Acc[3], d.Acc[5], d.Acc[10], d.MRR} {
			fmt.Fprintf(w, "\t%+.1f (%+.1f to %+.1f)", 100*v.Mean, 100*v.Low, 100*v.High)
		}
		fmt.Fprintln(w)
	}
}

func percent(v eval.Interval) string { return fmt.Sprintf("%.1f", 100*v.Mean) }

func (l *evalLine) shown() []eval.Interval {
	return []eval.Interval{l.Acc[1], l.Acc[3], l.Acc[5], l.Acc[10], l.Hit[1], l.Hit[5], l.Hit[10], l.MRR}
}

func (l *evalLine) rates() string {
	var out []string
	for _, v := range l.shown() {
		out = append(out, percent(v))
	}
	return strings.Join(out, "\t")
}

func (l *evalLine) intervals() string {
	var out []string
	for _, v := range l.shown() {
		out = append(out, fmt.Sprintf("%.0f–%.0f", 100*v.Low, 100*v.High))
	}
	return strings.Join(out, "\t")
}

// evalBar is one --min.
type evalBar struct {
	text string
	of   func(evalLine) eval.Interval
	min  float64
}

func parseBars(list []string) (bars []evalBar, err error) {
	for _, text := range list {
		name, value, ok := strings.Cut(strings.ToLower(text), "=")
		least, perr := strconv.ParseFloat(value, 64)
		measure, at, _ := strings.Cut(name, "@")
		k, kerr := strconv.Atoi(at)
		known := kerr == nil && slices.Contains(eval.Cutoffs, k)
		b := evalBar{text: text, min: least}
		switch {
		case measure == "acc" && known:
			b.of = func(l evalLine) eval.Interval { return l.Acc[k] }
		case measure == "hit" && known:
			b.of = func(l evalLine) eval.Interval { return l.Hit[k] }
		case name == "mrr":
			b.of = func(l evalLine) eval.Interval { return l.MRR }
		}
		if !ok || perr != nil || b.of == nil {
			return nil, usagef("--min %s: want a measure and per cent, as acc@5=60; measures are acc, hit at %v, and mrr", text, eval.Cutoffs)
		}
		bars = append(bars, b)
	}
	return bars, nil
}

func (r *evalReport) check(bars []evalBar) error {
	for _, b := range bars {
		if got := 100 * b.of(r.All).Mean; got < b.min {
			return checkError{fmt.Errorf("eval: %s is not met: %.1f over %d cases", b.text, got, r.All.Cases)}
		}
	}
	return nil
}
