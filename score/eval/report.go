package eval

import (
	"slices"
	"sort"
	"strings"
)

// Result is one case after its ranking.
type Result struct {
	Outcome
	Against   *Outcome // by the other fusion; nil when there is none
	Functions *Outcome // of the functions that the fix changed; nil when they are not known
}

// Report is what an evaluation found. Rates are fractions, times are seconds. It
// is one line of JSON:
//
//	{"Preset":"deep","All":{"Name":"all","Cases":3,"Acc":{"1":{"Mean":1,"Low":1,"High":1},…},"Hit":{…},"MRR":{…},"Recall":{"4000":{…},…},"Median":0.004,"P95":0.007},"Language":[…]}
type Report struct {
	Preset    string
	Fusion    string `json:",omitempty"`
	All       Line
	Set       []Line       `json:",omitempty"` // by [Case.Set], when there are several
	Language  []Line       // by [Case.Language]; null when no case has one
	Functions []Line       `json:",omitempty"` // by set, of the functions that the fixes changed
	Against   []Difference `json:",omitempty"` // by set, what the ranking gains over the other fusion
	Ablation  []Line       `json:",omitempty"` // without the named group or signal, over the candidates
	Skipped   int          `json:",omitempty"` // cases that have no wanted file in their tree
}

// Line holds the figures of one group of cases. The maps have a key for each of
// [Cutoffs], Recall for each of [Budgets].
type Line struct {
	Name   string
	Cases  int
	Acc    map[int]Interval // all gold files are within the first k
	Hit    map[int]Interval // any gold file is within the first k
	MRR    Interval
	Recall map[int]Interval `json:",omitempty"` // share of gold files within a token budget
	Median float64          `json:",omitempty"` // seconds of one ranking
	P95    float64          `json:",omitempty"`
}

// Difference is the mean of what each case gains over another ranking, with the
// interval of a paired bootstrap. Above zero the ranking is better than the other.
type Difference struct {
	Name  string // of the cases
	Cases int
	Other Line // figures of the other ranking
	Acc   map[int]Interval
	MRR   Interval
}

// NewReport summarizes the results. preset and fusion are the names that the
// cases were ranked by.
func NewReport(results []Result, preset, fusion string) *Report {
	r := &Report{Preset: preset, Fusion: fusion}
	var outs []Outcome
	var matched []Result
	for _, row := range results {
		if row.Unmatched {
			r.Skipped++
			continue
		}
		outs, matched = append(outs, row.Outcome), append(matched, row)
	}
	r.All = NewLine("all", outs)
	r.addSets(matched)
	keys, groups := By(outs, func(c Case) string { return c.Language })
	for _, k := range keys {
		if k != "" || len(keys) > 1 {
			r.Language = append(r.Language, NewLine(k, groups[k]))
		}
	}
	return r
}

// addSets adds the lines of each set in the order of its first case.
func (r *Report) addSets(results []Result) {
	var names []string
	outs, others, functions := map[string][]Outcome{}, map[string][]Outcome{}, map[string][]Outcome{}
	for _, row := range results {
		set := row.Case.Set
		if !slices.Contains(names, set) {
			names = append(names, set)
		}
		outs[set] = append(outs[set], row.Outcome)
		if row.Functions != nil {
			functions[set] = append(functions[set], *row.Functions)
		}
		if row.Against != nil {
			others[set] = append(others[set], *row.Against)
		}
	}
	for _, n := range names {
		if len(names) > 1 {
			r.Set = append(r.Set, NewLine(n, outs[n]))
		}
		if found := functions[n]; len(found) > 0 {
			r.Functions = append(r.Functions, NewLine(strings.TrimSpace(n+" functions"), found))
		}
		if other := others[n]; len(other) > 0 {
			r.Against = append(r.Against, NewDifference(n, outs[n], other))
		}
	}
}

// NewLine takes the means of the outcomes and their intervals.
func NewLine(name string, outs []Outcome) Line {
	l := Line{Name: name, Cases: len(outs), Acc: map[int]Interval{}, Hit: map[int]Interval{}, Recall: map[int]Interval{}}
	if len(outs) == 0 {
		return l
	}
	for _, k := range Cutoffs {
		l.Acc[k] = Mean(values(outs, func(o Outcome) float64 { return rate(o.All(k)) }))
		l.Hit[k] = Mean(values(outs, func(o Outcome) float64 { return rate(o.Any(k)) }))
	}
	l.MRR = Mean(values(outs, Outcome.Reciprocal))
	for b, budget := range Budgets {
		if outs[0].InBudget != nil {
			l.Recall[budget] = Mean(values(outs, func(o Outcome) float64 {
				return float64(o.InBudget[b]) / float64(len(o.Case.Gold))
			}))
		}
	}
	secs := values(outs, func(o Outcome) float64 { return o.Seconds })
	sort.Float64s(secs)
	l.Median, l.P95 = secs[len(secs)/2], secs[(len(secs)-1)*95/100]
	return l
}

// NewDifference compares the outcomes of the same cases under two rankings.
func NewDifference(name string, outs, other []Outcome) Difference {
	d := Difference{Name: name, Cases: len(other), Other: NewLine(name, other), Acc: map[int]Interval{}}
	for _, k := range Cutoffs {
		d.Acc[k] = compare(outs, other, func(o Outcome) float64 { return rate(o.All(k)) })
	}
	d.MRR = compare(outs, other, Outcome.Reciprocal)
	return d
}
