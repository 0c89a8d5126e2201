package lab

import (
	"context"
	"slices"

	"github.com/topo-dev/topo/internal/lab/train"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/score/eval"
	"github.com/topo-dev/topo/score/eval/replay"
	"github.com/topo-dev/topo/score/signal"
)

// tableFiles is how many of the first candidates have their definitions in the
// tables: more than are ranked, since models differ in what they put first.
const tableFiles = eval.FunctionFiles * 3 / 2

// newExample computes the feature matrix of the candidates for a case, and lists
// their paths. c is that of the tree or a later one.
func newExample(ctx context.Context, t *replay.Tree, c eval.Case) (e train.Example, paths []string, err error) {
	corpus := &score.Deep{Index: t.Index}
	in := signal.Input{Corpus: corpus, Query: c.Query, Files: t.Files, Ranked: make([]bool, len(t.Files)), All: true}
	for i := range t.Files {
		in.Ranked[i] = t.Ranks(t.Files[i].Path)
	}
	if in.IDs, err = corpus.Match(func(i int) string { return t.Files[i].Path }, len(t.Files)); err != nil {
		return e, nil, err
	}
	table, err := signal.Compute(ctx, in)
	if err != nil {
		return e, nil, err
	}
	e = train.Example{ID: c.ID, Set: c.Set, Repo: c.Repo, Golds: len(c.Gold)}
	for k, values := range table.Normal() {
		e.Names = append(e.Names, table.Features[k].Name)
		feature := make([]float32, len(values))
		for i, x := range values {
			feature[i] = float32(x)
		}
		e.Values = append(e.Values, feature)
	}
	for _, i := range table.Candidates {
		e.Gold = append(e.Gold, slices.Contains(c.Gold, t.Files[i].Path))
		paths = append(paths, t.Files[i].Path)
	}
	return e, paths, nil
}

// newDefinitions computes the feature matrix of the definitions in the first
// candidates of a case; nil when its fix is not known or changed none. paths are
// those of the candidates, ranking lists them best first.
func newDefinitions(ctx context.Context, t *replay.Tree, paths []string, ranking []int) (*train.Chunks, error) {
	changes, err := t.Changes(ctx)
	if err != nil || !changes.Any() {
		return nil, err
	}
	gold, err := t.ChangedFunctions(ctx)
	if err != nil {
		return nil, err
	}
	v, err := signal.NewChunks(&score.Deep{Index: t.Index}, t.Case.Query)
	if err != nil {
		return nil, err
	}
	out := &train.Chunks{Golds: len(gold)}
	for _, candidate := range ranking[:min(tableFiles, len(ranking))] {
		id, ok := t.Lookup(paths[candidate])
		if !ok {
			continue
		}
		if err := addDefinitions(out, t, v, id, candidate, changes[paths[candidate]]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// addDefinitions adds what one file defines.
func addDefinitions(out *train.Chunks, t *replay.Tree, v *signal.Chunks, id, candidate int, changed []int) error {
	f, err := t.File(id)
	if err != nil {
		return err
	}
	chunks, err := t.Chunks(id)
	if err != nil {
		return err
	}
	text, err := t.Content(id, nil)
	if err != nil {
		return err
	}
	table := v.Of(text, chunks, f.Path, f.Language)
	if out.Names == nil {
		for _, feature := range table.Features {
			out.Names = append(out.Names, feature.Name)
		}
		out.Values = make([][]float32, len(out.Names))
	}
	for i, at := range table.At {
		for k := range table.Features {
			out.Values[k] = append(out.Values[k], float32(table.Features[k].Values[i]))
		}
		out.File = append(out.File, int32(candidate))
		out.Gold = append(out.Gold, slices.Contains(changed, at))
		out.Function = append(out.Function, eval.IsFunction(chunks[at].Kind))
	}
	return nil
}
