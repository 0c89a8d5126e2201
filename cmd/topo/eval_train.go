package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/topo-dev/topo/score/eval"
	"github.com/topo-dev/topo/score/signal"
	"github.com/topo-dev/topo/score/train"
)

const (
	// trainFolds is in how many parts the repositories are dealt to
	// cross-validate.
	trainFolds = 5
	// trainPerRepo is what the cases of one repository count at the most.
	trainPerRepo = 60
)

// byHand are the weights that no case tells: only source files are ranked in an
// evaluation, and the trees are learned at their own scale.
var byHand = map[string]float64{"Role": 1, "Together": 1}

// train tells how weights learned on other repositories rank the examples, by
// the linear part alone and with the trees, and writes those learned on all.
//
// rows are the cases as they were ranked, with --against by another fusion, which
// the cross-validated ranks are compared with; nil for none.
func (o *evalOptions) train(examples []train.Example, rows []evalRow) error {
	var names []string
	for _, k := range signal.Signals() {
		if _, hand := byHand[k.Name]; !hand {
			names = append(names, k.Name)
		}
	}
	repos := map[string]bool{}
	for _, e := range examples {
		repos[e.Repo] = true
	}
	m := train.Learn(examples, names, train.Options{}, train.BoostOptions{})
	src, err := train.Source(m, byHand, fmt.Sprintf("Learned on %d cases of %d repositories by make train.", len(examples), len(repos)))
	if err != nil {
		return err
	}
	if err := os.WriteFile(o.Train, src, 0o644); err != nil {
		return envf("--train: %w", err)
	}
	scores := train.CrossScores(examples, trainFolds, trainPerRepo, func(ex []train.Example) []train.Model {
		m := train.Learn(ex, names, train.Options{}, train.BoostOptions{})
		return []train.Model{{Names: m.Names, Weights: m.Weights}, m}
	})
	ranks := make([][][]int, len(examples))
	for i := range examples {
		for _, s := range scores[i] {
			ranks[i] = append(ranks[i], examples[i].Ranks(s))
		}
	}
	if err := o.writeCrossed(examples, ranks, rows); err != nil {
		return err
	}
	if o.Ablate {
		if err := o.writeWithout(examples, names); err != nil {
			return err
		}
	}
	return o.trainChunks(examples, scores)
}

// writeWithout prints the cross-validated figures of linear weights that were
// learned without each group of signals.
func (o *evalOptions) writeWithout(examples []train.Example, names []string) error {
	w := tabwriter.NewWriter(o.f.out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "\nlinear weights learned without\t\tAcc@1\tAcc@3\tAcc@5\tAcc@10\tHit@1\tHit@5\tHit@10\tMRR")
	group := map[string]string{}
	groups := []string{"nothing"}
	for _, k := range signal.Signals() {
		group[k.Name] = k.Group
		if slices.Contains(names, k.Name) && !slices.Contains(groups, k.Group) {
			groups = append(groups, k.Group)
		}
	}
	for _, g := range groups {
		rest := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return group[n] == g })
		scores := train.CrossScores(examples, trainFolds, trainPerRepo, func(ex []train.Example) []train.Model {
			return []train.Model{{Names: rest, Weights: train.Fit(ex, rest, train.Options{})}}
		})
		for _, set := range setsOf(examples) {
			outs := outcomes(examples, set, func(i int) []int { return examples[i].Ranks(scores[i][0]) })
			l := newLine(strings.TrimSpace(g+" "+set), outs)
			fmt.Fprintf(w, "%s\t%d\t%s\n", l.Name, l.Cases, l.rates())
		}
	}
	return w.Flush()
}

// setsOf lists the sets of the examples that are ranked.
func setsOf(examples []train.Example) (sets []string) {
	for _, e := range examples {
		if !e.Extra && !slices.Contains(sets, e.Set) {
			sets = append(sets, e.Set)
		}
	}
	return sets
}

// outcomes are those of the examples of a set, by the ranks of each.
func outcomes(examples []train.Example, set string, ranks func(i int) []int) (outs []eval.Outcome) {
	for i, e := range examples {
		if !e.Extra && e.Set == set {
			outs = append(outs, eval.Outcome{Case: eval.Case{ID: e.ID, Gold: make([]string, e.Golds)}, Ranks: ranks(i)})
		}
	}
	return outs
}

// writeCrossed prints the cross-validated figures of each set.
func (o *evalOptions) writeCrossed(examples []train.Example, ranks [][][]int, rows []evalRow) error {
	w := tabwriter.NewWriter(o.f.out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "cross-validated by repository\t\tAcc@1\tAcc@3\tAcc@5\tAcc@10\tHit@1\tHit@5\tHit@10\tMRR")
	other := map[string]*eval.Outcome{}
	for _, row := range rows {
		other[row.Set+"\x00"+row.Case.ID] = row.Against
	}
	var against evalReport
	for _, set := range setsOf(examples) {
		for k, kind := range []string{" linear", " with trees"} {
			outs := outcomes(examples, set, func(i int) []int { return ranks[i][k] })
			var others []eval.Outcome
			for _, o := range outs {
				if a := other[set+"\x00"+o.Case.ID]; a != nil {
					others = append(others, *a)
				}
			}
			l := newLine(set+kind, outs)
			fmt.Fprintf(w, "%s\t%d\t%s\n95 %%\t\t%s\n", l.Name, l.Cases, l.rates(), l.intervals())
			if len(others) == len(outs) {
				against.Against = append(against.Against, newDifference(l.Name, outs, others))
			}
		}
	}
	against.writeAgainst(w)
	return w.Flush()
}

func (o *evalOptions) writeTables(examples []train.Example) error {
	var b bytes.Buffer
	if err := train.WriteTables(&b, examples); err != nil {
		return err
	}
	if err := os.WriteFile(o.Tables, b.Bytes(), 0o644); err != nil {
		return envf("--tables: %w", err)
	}
	return nil
}

func (o *evalOptions) readTables() ([]train.Example, error) {
	file, err := os.Open(o.Tables)
	if err != nil {
		return nil, usagef("--tables: %w", err)
	}
	defer file.Close()
	examples, err := train.ReadTables(file)
	if err != nil {
		return nil, usagef("%s: %w", o.Tables, err)
	}
	return examples, nil
}
