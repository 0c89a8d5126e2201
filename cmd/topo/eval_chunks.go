package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/score/eval"
	"github.com/topo-dev/topo/score/signal"
	"github.com/topo-dev/topo/score/train"
)

// tableFiles is how many of the leading candidates have their definitions in
// the tables: more than are ranked, since models differ in what leads.
const tableFiles = train.ChunkFiles * 3 / 2

// chunkWeights is the file of the weights of definitions, beside that of files.
const chunkWeights = "chunkweights.go"

// chunks are the signals of the definitions in the leading files of a case.
// paths are those of the candidates, lead their places, best first.
func (s *caseTree) chunks(c eval.Case, paths []string, lead []int, changed changedChunks) (*train.Chunks, error) {
	gold, err := s.functionNames(changed)
	if err != nil {
		return nil, err
	}
	corpus := &score.Deep{Index: s.Index}
	v, err := signal.NewChunks(corpus, c.Query)
	if err != nil {
		return nil, indexError(err)
	}
	out := &train.Chunks{Golds: len(gold)}
	for _, file := range lead[:min(tableFiles, len(lead))] {
		id, ok := s.Lookup(paths[file])
		if !ok {
			continue
		}
		if err := s.addChunks(out, v, id, file, changed[paths[file]]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// addChunks adds what one file defines.
func (s *caseTree) addChunks(out *train.Chunks, v *signal.Chunks, id, candidate int, changed []int) error {
	f, err := s.File(id)
	if err != nil {
		return indexError(err)
	}
	chunks, err := s.Chunks(id)
	if err != nil {
		return indexError(err)
	}
	text, err := s.Content(id, nil)
	if err != nil {
		return indexError(err)
	}
	t := v.Of(text, chunks, f.Path, f.Language)
	if out.Names == nil {
		for _, col := range t.Features {
			out.Names = append(out.Names, col.Name)
		}
		out.Values = make([][]float32, len(out.Names))
	}
	for i, at := range t.At {
		for k := range t.Features {
			out.Values[k] = append(out.Values[k], float32(t.Features[k].Values[i]))
		}
		out.File = append(out.File, int32(candidate))
		out.Gold = append(out.Gold, slices.Contains(changed, at))
		out.Function = append(out.Function, eval.Function(chunks[at].Kind))
	}
	return nil
}

// trainChunks learns the weights of definitions where the examples have them,
// and tells how those learned on other repositories rank functions. scores are
// the cross-validated ones of the files, by example and model.
func (o *evalOptions) trainChunks(examples []train.Example, scores [][][]float64) error {
	var names []string
	for _, k := range signal.ChunkSignals() {
		names = append(names, k.Name)
	}
	best, n, repos := make([][]float64, len(examples)), 0, map[string]bool{}
	for i, e := range examples {
		if len(scores[i]) == 0 || e.Chunks == nil {
			examples[i].Chunks = nil
			continue
		}
		best[i] = scores[i][len(scores[i])-1]
		repos[e.Repo] = true
		n++
	}
	if n == 0 {
		return nil
	}
	w, ranks := train.LearnChunks(examples, best, names, trainFolds, train.Options{})
	src, err := train.ChunkSource(names, w, fmt.Sprintf("Learned on %d cases of %d repositories by make train.", n, len(repos)))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(o.Train), chunkWeights), src, 0o644); err != nil {
		return envf("--train: %w", err)
	}
	return o.writeCrossedChunks(examples, ranks)
}

func (o *evalOptions) writeCrossedChunks(examples []train.Example, ranks []*train.ChunkResult) error {
	outs, sets := map[string][]eval.Outcome{}, []string(nil)
	for i, r := range ranks {
		if r == nil {
			continue
		}
		set := examples[i].Set
		if !slices.Contains(sets, set) {
			sets = append(sets, set)
		}
		outs[set] = append(outs[set], eval.Outcome{Case: eval.Case{Gold: make([]string, r.Golds)}, Ranks: r.Ranks})
	}
	w := tabwriter.NewWriter(o.f.out, 0, 8, 2, ' ', 0)
	for _, set := range sets {
		l := newLine(set+" functions", outs[set])
		fmt.Fprintf(w, "%s\t%d\t%s\n95 %%\t\t%s\n", l.Name, l.Cases, l.rates(), l.intervals())
	}
	return w.Flush()
}
