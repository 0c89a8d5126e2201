package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/scan"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/score/eval"
)

const (
	// functionFiles is how many of the leading files are searched for functions.
	functionFiles = 20
	// fixLook is how many commits after the case's the fix is looked for in.
	fixLook = 60000
)

// functions judges the functions of the leading files against those that the
// fix changed; nil when the fix is not in the history or changes none.
func (b *bench) functions(ctx context.Context, root string, s *caseTree, c eval.Case, files []topo.File) (*eval.Outcome, error) {
	fix, err := b.fix(ctx, root, c)
	if err != nil || fix == "" {
		return nil, err
	}
	changed, err := s.changed(ctx, root, fix, c)
	if err != nil {
		return nil, err
	}
	gold, err := s.functionNames(changed)
	if err != nil || len(gold) == 0 {
		return nil, err
	}
	q, err := score.ParseQuery(c.Query)
	if err != nil {
		return nil, usagef("%w", err)
	}
	found, err := score.Definitions(&score.Deep{Index: s.Index}, q, files, functionFiles)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(found))
	for i, d := range found {
		names[i] = functionName(d.Path, d.Name, d.EndLine)
	}
	c.Gold = gold
	out := eval.Judge(c, names, nil)
	return &out, nil
}

func functionName(path, name string, end int) string { return fmt.Sprintf("%s:%s:%d", path, name, end) }

// functionNames names the functions among definitions.
func (s *caseTree) functionNames(places map[string][]int) (names []string, err error) {
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

// fix finds the commit that answered the case.
func (b *bench) fix(ctx context.Context, root string, c eval.Case) (string, error) {
	commits, err := b.following(ctx, root, c, fixLook)
	changes := make([]eval.Change, len(commits))
	for i, k := range commits {
		changes[i] = eval.Change{ID: k.ID, Subject: k.Subject, Files: k.Files}
	}
	return eval.Fix(c, changes, sourcePath), err
}

// changed lists by path the definitions of the wanted files that the fix
// changed, by their places in the tree of the case. A file that the fix took
// away or moved holds none.
func (s *caseTree) changed(ctx context.Context, root, fix string, c eval.Case) (map[string][]int, error) {
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
	out := map[string][]int{}
	for _, path := range c.Gold {
		id, ok := s.Lookup(path)
		if !ok {
			continue
		}
		base, err := s.Chunks(id)
		if err != nil {
			return nil, indexError(err)
		}
		f, err := s.File(id)
		if err != nil {
			return nil, indexError(err)
		}
		old, err := was.ReadFile(path, nil)
		if err != nil {
			continue
		}
		now, err := is.ReadFile(path, nil)
		if err != nil {
			continue
		}
		before := chunk.Parse(ctx, f.Language, path, old).Chunks
		after := chunk.Parse(ctx, f.Language, path, now).Chunks
		for _, i := range eval.Changed(before, after, old, now) {
			if k := eval.SamePlace(before, base, i); k >= 0 {
				out[path] = append(out[path], k)
			}
		}
	}
	return out, nil
}
