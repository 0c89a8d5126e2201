package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
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
func (o *evalOptions) train(examples []train.Example) error {
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
	if err := o.writeCrossed(examples, ranks); err != nil {
		return err
	}
	return o.trainChunks(examples, scores)
}

// writeCrossed prints the cross-validated figures of each set.
func (o *evalOptions) writeCrossed(examples []train.Example, ranks [][][]int) error {
	w := tabwriter.NewWriter(o.f.out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "cross-validated by repository\t\tAcc@1\tAcc@3\tAcc@5\tAcc@10\tHit@1\tHit@5\tHit@10\tMRR")
	var sets []string
	for _, e := range examples {
		if !e.Extra && !slices.Contains(sets, e.Set) {
			sets = append(sets, e.Set)
		}
	}
	for _, set := range sets {
		for k, kind := range []string{" linear", " with trees"} {
			var outs []eval.Outcome
			for i, e := range examples {
				if !e.Extra && e.Set == set {
					outs = append(outs, eval.Outcome{Case: eval.Case{Gold: make([]string, e.Golds)}, Ranks: ranks[i][k]})
				}
			}
			l := newLine(set+kind, outs)
			fmt.Fprintf(w, "%s\t%d\t%s\n95 %%\t\t%s\n", l.Name, l.Cases, l.rates(), l.intervals())
		}
	}
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
