package lab

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/topo-dev/topo/internal/fault"
	"github.com/topo-dev/topo/internal/lab/train"
	"github.com/topo-dev/topo/score/eval"
	"github.com/topo-dev/topo/score/signal"
)

const (
	// folds is how many parts the repositories are divided into to cross-validate.
	folds = 5
	// maxPerRepo is what the cases of one repository count at the most.
	maxPerRepo = 60
	// definitionWeights is the file of the weights of definitions, in the folder of
	// those of files.
	definitionWeights = "chunkweights.go"
)

// setByHand returns the weights that no case can teach: only source files are
// ranked in an evaluation, and the trees are learned at their own scale.
func setByHand() map[string]float64 { return map[string]float64{"Role": 1, "Together": 1} }

// learn writes the weights that are learned on all examples, and ranks each
// example by those learned on other repositories: by the linear part alone and
// with the trees.
//
// results are the cases as they were ranked; nil for none.
func (r *Result) learn(examples []train.Example, results []eval.Result, o Options) error {
	names := learnedSignals()
	m := train.Learn(examples, names, train.Options{}, train.BoostOptions{})
	src, err := train.Source(m, setByHand(), learnedOn(examples))
	if err != nil {
		return err
	}
	if err := writeFile("weights", o.Train, src); err != nil {
		return err
	}
	scores := train.CrossScores(examples, folds, maxPerRepo, func(ex []train.Example) []train.Model {
		m := train.Learn(ex, names, train.Options{}, train.BoostOptions{})
		return []train.Model{{Names: m.Names, Weights: m.Weights}, m}
	})
	r.crossValidate(examples, scores, results)
	if o.Ablate {
		r.learnWithout(examples, names)
	}
	return r.learnDefinitions(examples, scores, o.Train)
}

// learnedSignals names the signals whose weights are learned.
func learnedSignals() (names []string) {
	hand := setByHand()
	for _, k := range signal.Signals() {
		if _, ok := hand[k.Name]; !ok {
			names = append(names, k.Name)
		}
	}
	return names
}

// learnedOn is the note in a file of weights.
func learnedOn(examples []train.Example) string {
	repos := map[string]bool{}
	for _, e := range examples {
		repos[e.Repo] = true
	}
	return fmt.Sprintf("Learned on %d cases of %d repositories by make train.", len(examples), len(repos))
}

// crossValidate adds the figures of each set by the models' scores, and how they
// compare with those of the other fusion.
func (r *Result) crossValidate(examples []train.Example, scores [][][]float64, results []eval.Result) {
	other := map[[2]string]*eval.Outcome{}
	for _, row := range results {
		other[[2]string{row.Case.Set, row.Case.ID}] = row.Against
	}
	for _, set := range rankedSets(examples) {
		for model, kind := range []string{" linear", " with trees"} {
			outs := outcomes(examples, set, func(i int) []float64 { return scores[i][model] })
			var others []eval.Outcome
			for _, o := range outs {
				if a := other[[2]string{set, o.Case.ID}]; a != nil {
					others = append(others, *a)
				}
			}
			l := eval.NewLine(set+kind, outs)
			r.CrossValidated = append(r.CrossValidated, l)
			if len(others) == len(outs) {
				r.CrossAgainst = append(r.CrossAgainst, eval.NewDifference(l.Name, outs, others))
			}
		}
	}
}

// learnWithout adds the cross-validated figures of linear weights that were
// learned without each group of signals.
func (r *Result) learnWithout(examples []train.Example, names []string) {
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
		scores := train.CrossScores(examples, folds, maxPerRepo, func(ex []train.Example) []train.Model {
			return []train.Model{{Names: rest, Weights: train.Fit(ex, rest, train.Options{})}}
		})
		for _, set := range rankedSets(examples) {
			outs := outcomes(examples, set, func(i int) []float64 { return scores[i][0] })
			r.LearnedWithout = append(r.LearnedWithout, eval.NewLine(strings.TrimSpace(g+" "+set), outs))
		}
	}
}

// learnDefinitions learns the weights of definitions where the examples have them,
// and ranks functions by those learned on other repositories. scores are the
// cross-validated ones of the files, by example and model, the best model last.
func (r *Result) learnDefinitions(examples []train.Example, scores [][][]float64, weightsFile string) error {
	var names []string
	for _, k := range signal.ChunkSignals() {
		names = append(names, k.Name)
	}
	best := make([][]float64, len(examples))
	var known []train.Example
	for i, e := range examples {
		if len(scores[i]) == 0 || e.Chunks == nil {
			examples[i].Chunks = nil
			continue
		}
		best[i] = scores[i][len(scores[i])-1]
		known = append(known, e)
	}
	if len(known) == 0 {
		return nil
	}
	w, ranks := train.LearnChunks(examples, best, names, folds, train.Options{})
	src, err := train.ChunkSource(names, w, learnedOn(known))
	if err != nil {
		return err
	}
	r.crossFunctions(examples, ranks)
	return writeFile("weights", filepath.Join(filepath.Dir(weightsFile), definitionWeights), src)
}

// crossFunctions adds the figures of functions, by set.
func (r *Result) crossFunctions(examples []train.Example, ranks []*train.ChunkResult) {
	for _, set := range rankedSets(examples) {
		var outs []eval.Outcome
		for i, f := range ranks {
			if f != nil && examples[i].Set == set {
				outs = append(outs, eval.Outcome{Case: eval.Case{Gold: make([]string, f.Golds)}, Ranks: f.Ranks})
			}
		}
		if len(outs) > 0 {
			r.CrossFunctions = append(r.CrossFunctions, eval.NewLine(set+" functions", outs))
		}
	}
}

// rankedSets lists the sets of the examples that are ranked.
func rankedSets(examples []train.Example) (sets []string) {
	for _, e := range examples {
		if !e.Extra && !slices.Contains(sets, e.Set) {
			sets = append(sets, e.Set)
		}
	}
	return sets
}

// outcomes are those of the examples of a set, by the scores of their candidates.
func outcomes(examples []train.Example, set string, scores func(i int) []float64) (outs []eval.Outcome) {
	for i, e := range examples {
		if !e.Extra && e.Set == set {
			outs = append(outs, eval.Outcome{Case: eval.Case{ID: e.ID, Gold: make([]string, e.Golds)}, Ranks: e.Ranks(scores(i))})
		}
	}
	return outs
}

func writeTables(name string, examples []train.Example) error {
	var b bytes.Buffer
	if err := train.WriteTables(&b, examples); err != nil {
		return err
	}
	return writeFile("tables", name, b.Bytes())
}

func writeFile(what, name string, text []byte) error {
	if err := os.WriteFile(name, text, 0o644); err != nil {
		return fault.Environmentf("%s: %w", what, err)
	}
	return nil
}

func readTables(name string) ([]train.Example, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, fault.Usagef("tables: %w", err)
	}
	defer file.Close()
	examples, err := train.ReadTables(file)
	if err != nil {
		return nil, fault.Usagef("%s: %w", name, err)
	}
	return examples, nil
}
