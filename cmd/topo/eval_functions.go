package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/scan"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/score/eval"
	"github.com/topo-dev/topo/score/train"
	"github.com/topo-dev/topo/stream"
)

// fixLook is how many commits after the case's the fix is looked for in.
const fixLook = 60000

// changedChunks lists by path the definitions that a fix changed, by their
// places in the tree of the case.
type changedChunks map[string][]int

func (c changedChunks) any() bool {
	for _, list := range c {
		if len(list) > 0 {
			return true
		}
	}
	return false
}

// functions judges the functions of the leading files against those that the
// fix changed; nil when the fix is not known or changes none.
func (s *caseTree) functions(c eval.Case, files []stream.File, changed changedChunks) (*eval.Outcome, error) {
	gold, err := s.functionNames(changed)
	if err != nil || len(gold) == 0 {
		return nil, err
	}
	q, err := score.ParseQuery(c.Query)
	if err != nil {
		return nil, usagef("%w", err)
	}
	found, err := score.Definitions(&score.Deep{Index: s.Index}, q, files, train.ChunkFiles)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, d := range found {
		if d.Kind == chunk.Function.String() || d.Kind == chunk.Method.String() {
			names = append(names, functionName(d.Path, d.Name, d.EndLine))
		}
	}
	c.Gold = gold
	out := eval.Judge(c, names, nil)
	return &out, nil
}

func functionName(path, name string, end int) string { return fmt.Sprintf("%s:%s:%d", path, name, end) }

// functionNames names the functions among definitions.
func (s *caseTree) functionNames(places changedChunks) (names []string, err error) {
	for _, path := range slices.Sorted(maps.Keys(places)) {
		id, _ := s.Lookup(path)
		chunks, err := s.Chunks(id)
		if err != nil {
			return nil, indexError(err)
		}
		for _, i := range places[path] {
			if eval.Function(chunks[i].Kind) {
				names = append(names, functionName(path, chunks[i].Qualified(), chunks[i].EndLine))
			}
		}
	}
	return names, nil
}

// changed finds the commit that answered the case and what it changed. A file
// that it took away or moved holds none.
func (b *bench) changed(ctx context.Context, root string, s *caseTree, c eval.Case) (changedChunks, error) {
	commits, err := b.following(ctx, root, c, fixLook)
	if err != nil {
		return nil, err
	}
	changes := make([]eval.Change, len(commits))
	for i, k := range commits {
		changes[i] = eval.Change{ID: k.ID, Subject: k.Subject, Files: k.Files}
	}
	fix := eval.Fix(c, changes, sourcePath)
	if fix == "" {
		return nil, nil
	}
	was, err := scan.OpenSource(ctx, root, fix+"^", 0)
	if err != nil {
		return nil, scanError(err)
	}
	defer was.Close()
	is, err := scan.OpenSource(ctx, root, fix, 0)
	if err != nil {
		return nil, scanError(err)
	}
	defer is.Close()
	out := changedChunks{}
	for _, path := range c.Gold {
		if out[path], err = s.changedIn(ctx, path, was, is); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// changedIn lists what differs between two states of a file.
func (s *caseTree) changedIn(ctx context.Context, path string, was, is *scan.Source) (out []int, err error) {
	id, ok := s.Lookup(path)
	if !ok {
		return nil, nil
	}
	base, err := s.Chunks(id)
	if err != nil {
		return nil, indexError(err)
	}
	f, err := s.File(id)
	if err != nil {
		return nil, indexError(err)
	}
	old, oerr := was.ReadFile(path, nil)
	now, nerr := is.ReadFile(path, nil)
	if oerr != nil || nerr != nil {
		return nil, nil
	}
	before := chunk.Parse(ctx, f.Language, path, old).Chunks
	after := chunk.Parse(ctx, f.Language, path, now).Chunks
	for _, i := range eval.Changed(before, after, old, now) {
		if k := eval.SamePlace(before, base, i); k >= 0 {
			out = append(out, k)
		}
	}
	return out, nil
}
