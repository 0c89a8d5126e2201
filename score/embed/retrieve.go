package embed

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/stream"
)

// Retrieval is the second phase of a two-phase retrieval: among files that the
// first has chosen, the definitions that a task is about. Only these files are
// parsed and only their definitions embedded.
type Retrieval struct {
	Corpus score.Corpus
	Query  *score.Query
	Files  []stream.File // best first, with their scores
	Kind   string        // [TypeFunction] or [TypeSection]
	Top    int           // definitions to return
	Space  *Space        // nil: by their words alone
	Rerank score.Reranker
}

// Found is one definition that was found.
type Found struct {
	Definition         // Score: 1 when every signal puts it first
	Semantic   float64 // cosine to the query, 0 without one
	Rerank     float64 // what the reranker gave it, 0 without one
}

const (
	// rrfK is the constant of reciprocal rank fusion, as for files.
	rrfK = 60
	// fileShare is the weight of the rank of its file, compared with a definition's
	// own words: being in the best file doubles the score of a definition.
	fileShare = 1.0
	// sectionBytes is about the length of a section of documentation.
	sectionBytes = 1500
	// rerankDefinitions is how many definitions are read again.
	rerankDefinitions = 50
)

// Run returns the best definitions, best first, equal ones by path and line.
func (r Retrieval) Run(ctx context.Context) ([]Found, error) {
	items, defs, err := DefinitionItems(r.Corpus, r.Files, r.Kind)
	if err != nil || len(defs) == 0 {
		return nil, err
	}
	words, err := r.words(defs)
	if err != nil {
		return nil, err
	}
	found := make([]Found, len(defs))
	for i := range defs {
		found[i].Definition = defs[i]
	}
	lists := [][]float64{words}
	if r.Space != nil {
		similarity, err := r.similarities(ctx, items)
		if err != nil {
			return nil, err
		}
		for i := range found {
			found[i].Semantic = similarity[i]
		}
		lists = append(lists, similarity)
	}
	for i, s := range fuse(lists...) {
		found[i].Score = s
	}
	found = slices.DeleteFunc(found, func(f Found) bool { return f.Score == 0 })
	sortFound(found)
	if r.Rerank != nil {
		if err := r.rerank(ctx, found[:min(len(found), rerankDefinitions)]); err != nil {
			return nil, err
		}
	}
	return found[:min(len(found), r.Top)], nil
}

func sortFound(list []Found) {
	slices.SortStableFunc(list, func(a, b Found) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Path, b.Path), cmp.Compare(a.StartLine, b.StartLine))
	})
}

// words values each definition by the learned weights, and sections of
// documents by their text and their file's place.
func (r Retrieval) words(defs []Definition) ([]float64, error) {
	out := make([]float64, len(defs))
	if r.Kind == TypeSection {
		return out, r.sections(defs, out)
	}
	ranked, err := score.Definitions(r.Corpus, r.Query, r.Files, len(r.Files))
	if err != nil {
		return nil, err
	}
	value := make(map[string]float64, len(ranked))
	for _, d := range ranked {
		k := Definition{Path: d.Path, Chunk: d.Chunk}
		value[k.ID()] = d.Score
	}
	for i := range defs {
		out[i] = value[defs[i].ID()]
	}
	return out, nil
}

// sections values documents; some have no grammar.
func (r Retrieval) sections(defs []Definition, out []float64) error {
	p, err := score.NewWords(r.Corpus, r.Query)
	if err != nil {
		return err
	}
	value, place := map[string]float64{}, map[string]float64{}
	read := &textReader{corpus: r.Corpus}
	for _, f := range r.Files {
		chunks, err := p.Of(f.Path)
		if err != nil {
			return err
		}
		place[f.Path] = 1 + fileShare*f.Score
		for _, c := range chunks {
			d := Definition{Path: f.Path, Chunk: c}
			value[d.ID()] = c.Score * place[f.Path]
		}
	}
	for i := range defs {
		d := &defs[i]
		v, ok := value[d.ID()]
		if !ok {
			text, err := read.text(d)
			if err != nil {
				return err
			}
			v = p.Text([]byte(text), float64(len(text))/sectionBytes) * place[d.Path]
		}
		out[i] = v
	}
	return nil
}

// similarities compares the definitions' vectors with the query's.
func (r Retrieval) similarities(ctx context.Context, items []Item) ([]float64, error) {
	sc := Scope{Collection: Functions, Type: r.Kind}
	if r.Kind == TypeSection {
		sc.Collection = Files
	}
	sc.Paths = []string{}
	for _, f := range r.Files {
		sc.Paths = append(sc.Paths, f.Path)
	}
	if err := r.Space.Query(ctx, r.Query.Text); err != nil {
		return nil, err
	}
	if _, err := r.Space.Sync(ctx, sc, items); err != nil {
		return nil, err
	}
	matches, err := r.Space.Search(ctx, sc, len(items))
	if err != nil {
		return nil, err
	}
	similarity := make(map[string]float64, len(matches))
	for _, m := range matches {
		similarity[m.ID] = max(0, m.Score)
	}
	out := make([]float64, len(items))
	for i := range items {
		out[i] = similarity[items[i].ID]
	}
	return out, nil
}

// rerank lets the definitions trade their scores: their places so far and those
// that the reranker gives them are joined by reciprocal ranks.
func (r Retrieval) rerank(ctx context.Context, top []Found) error {
	if len(top) == 0 {
		return nil
	}
	docs, read := make([]string, len(top)), &textReader{corpus: r.Corpus}
	for i := range top {
		text, err := read.text(&top[i].Definition)
		if err != nil {
			return err
		}
		docs[i] = clip(top[i].Path+"\n"+text, score.RerankBytes)
	}
	values, err := r.Rerank.Rerank(ctx, r.Query.Text, docs)
	if err != nil {
		return err
	}
	if len(values) != len(top) {
		return fmt.Errorf("vectors: the reranker gives %d values for %d texts", len(values), len(top))
	}
	minValue := slices.Min(values)
	places, again, scores := make([]float64, len(top)), make([]float64, len(top)), make([]float64, len(top))
	for i := range top {
		top[i].Rerank, scores[i] = values[i], top[i].Score
		places[i], again[i] = float64(len(top)-i), 1+values[i]-minValue
	}
	for i, s := range fuse(places, again) {
		top[i].Score = s
	}
	sortFound(top)
	for i := range top {
		top[i].Score = scores[i]
	}
	return nil
}

// textReader reads the texts of definitions, file by file.
type textReader struct {
	corpus score.Corpus
	path   string
	lines  [][]byte // of the file read last
}

// text is the text of a definition.
func (s *textReader) text(d *Definition) (string, error) {
	if s.lines == nil || s.path != d.Path {
		ids, err := s.corpus.Match(func(int) string { return d.Path }, 1)
		if err != nil || ids[0] < 0 {
			return "", err
		}
		content, err := s.corpus.Content(int(ids[0]), nil)
		if err != nil {
			return "", err
		}
		s.path, s.lines = d.Path, bytes.SplitAfter(content, []byte("\n"))
	}
	first, last := min(d.StartLine-1, len(s.lines)), min(d.EndLine, len(s.lines))
	return string(bytes.Join(s.lines[min(first, last):last], nil)), nil
}

// fuse joins lists of values of the same things by reciprocal ranks, 1 for what
// leads every list. A value of 0 or less has no rank; equal values share the
// better one.
func fuse(lists ...[]float64) []float64 {
	out := make([]float64, len(lists[0]))
	for _, values := range lists {
		order := make([]int, len(values))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
		rank := 0
		for k, i := range order {
			if values[i] <= 0 {
				break
			}
			if k == 0 || values[i] != values[order[k-1]] {
				rank = k + 1
			}
			out[i] += (rrfK + 1) / (float64(rrfK+rank) * float64(len(lists)))
		}
	}
	return out
}
