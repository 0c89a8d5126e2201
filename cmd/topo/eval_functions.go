package main

import (
	"context"
	"fmt"
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
	// fixWithin is how many commits after the case's the fix is looked for in.
	fixWithin = 200
)

// functions judges the functions of the leading files against those that the
// fix changed; nil when the fix is not in the history or changes none.
func (b *bench) functions(ctx context.Context, root string, s *caseTree, c eval.Case, files []topo.File) (*eval.Outcome, error) {
	fix, err := b.fix(ctx, root, c)
	if err != nil || fix == "" {
		return nil, err
	}
	gold, err := s.changed(ctx, root, fix, c)
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

// fix finds the first commit after that of the case that changed the wanted
// files and no other source file.
func (b *bench) fix(ctx context.Context, root string, c eval.Case) (string, error) {
	commits, err := b.following(ctx, root, c, fixWithin)
	for _, k := range commits {
		var touched []string
		for _, f := range k.Files {
			if sourcePath(f) {
				touched = append(touched, f)
			}
		}
		slices.Sort(touched)
		if slices.Equal(touched, slices.Sorted(slices.Values(c.Gold))) {
			return k.ID, err
		}
	}
	return "", err
}

// changed names the functions of the wanted files that the fix changed.
func (s *caseTree) changed(ctx context.Context, root, fix string, c eval.Case) (names []string, err error) {
	src, err := scan.OpenSource(ctx, root, fix, 0)
	if err != nil {
		return nil, scanError(err)
	}
	defer src.Close()
	for _, path := range c.Gold {
		id, ok := s.Lookup(path)
		if !ok {
			continue
		}
		before, err := s.Chunks(id)
		if err != nil {
			return nil, indexError(err)
		}
		old, err := s.Content(id, nil)
		if err != nil {
			return nil, indexError(err)
		}
		now, err := src.ReadFile(path, nil)
		if err != nil {
			now = nil // the fix took the file away
		}
		f, err := s.File(id)
		if err != nil {
			return nil, indexError(err)
		}
		after := chunk.Parse(ctx, f.Language, path, now).Chunks
		for _, i := range eval.Changed(before, after, old, now) {
			names = append(names, functionName(path, before[i].Qualified(), before[i].EndLine))
		}
	}
	return names, nil
}
