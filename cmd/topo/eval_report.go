package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/topo-dev/topo/score/eval"
	"github.com/topo-dev/topo/score/signal"
	"github.com/topo-dev/topo/score/train"
)

// evalReport is what eval found. Rates are fractions, times seconds.
type evalReport struct {
	Preset   string
	Fusion   string `json:",omitempty"`
	All      evalLine
	Language []evalLine
	Ablation []evalLine `json:",omitempty"` // without the named group or signal, over the candidates
	Skipped  int        `json:",omitempty"` // cases none of whose wanted files is in the tree
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

func newLine(name string, outs []eval.Outcome) evalLine {
	s := eval.Summarize(outs)
	return evalLine{name, s.Cases, s.Acc, s.Hit, s.MRR, s.Recall, s.MedianSecs, s.P95Secs}
}

func newEvalReport(rows []evalRow, o *evalOptions) *evalReport {
	r := &evalReport{Preset: o.Preset, Fusion: o.Fusion}
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
			outs[i] = eval.Outcome{Case: rows[i].Case, Ranks: rows[i].Example.Ranks(names, w)}
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
	if f.outputFormat() != "human" {
		return json.NewEncoder(f.out).Encode(r)
	}
	w := tabwriter.NewWriter(f.out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "cases\t\tAcc@1\tAcc@3\tAcc@5\tAcc@10\tHit@1\tHit@5\tHit@10\tMRR\tmedian\tp95")
	for _, l := range append([]evalLine{r.All}, r.Language...) {
		fmt.Fprintf(w, "%s\t%d\t%s\t%.0f ms\t%.0f ms\n", l.Name, l.Cases, l.rates(), 1000*l.Median, 1000*l.P95)
	}
	fmt.Fprintf(w, "95 %%\t\t%s\n", r.All.intervals())
	fmt.Fprintln(w)
	for _, b := range eval.Budgets {
		fmt.Fprintf(w, "recall within %d tokens\t%s\n", b, percent(r.All.Recall[b]))
	}
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

// trainFolds is in how many parts the repositories are dealt to cross-validate.
const trainFolds = 5

// train learns weights of the signals that have one now, tells how weights
// from other repositories rank, and writes those of all.
func (o *evalOptions) train(rows []evalRow) error {
	var names []string
	for _, k := range signal.Signals() {
		if _, ok := signal.Weights[k.Name]; ok && k.Name != "Role" {
			names = append(names, k.Name)
		}
	}
	examples := make([]train.Example, len(rows))
	for i := range rows {
		examples[i] = rows[i].Example
	}
	ranks := train.CrossValidate(examples, names, trainFolds, train.Options{})
	crossed := make([]evalRow, len(rows))
	for i := range rows {
		crossed[i].Outcome = eval.Outcome{Case: rows[i].Case, Ranks: ranks[i]}
	}
	if err := newEvalReport(crossed, &evalOptions{Preset: o.Preset}).write(o.f); err != nil {
		return err
	}
	w := train.Weights(names, train.Fit(examples, names, train.Options{}))
	names = append(names, "Role")
	w["Role"] = signal.Weights["Role"]
	src, err := train.Source(names, w, fmt.Sprintf("Learned on %d cases by\n// topo eval --train; Role is set by hand.", len(rows)))
	if err != nil {
		return err
	}
	if err := os.WriteFile(o.Train, src, 0o644); err != nil {
		return envf("--train: %w", err)
	}
	return nil
}
