package main

import (
	"context"
	"slices"

	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/scan"
	"github.com/topo-dev/topo/scan/lang"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/score/eval"
	"github.com/topo-dev/topo/score/signal"
	"github.com/topo-dev/topo/score/train"
	"github.com/topo-dev/topo/stream"
)

// caseTree is a repository at the commit of a case.
type caseTree struct {
	*index.Index
	path   string // of the index
	files  []stream.File
	ranked map[string]bool // by path: whether an evaluation ranks the file
}

// holds reports whether the file is in the tree.
func (s *caseTree) holds(path string) bool {
	_, ok := s.ranked[path]
	return ok
}

// open brings the repository's index to the commit of the case.
func (b *bench) open(ctx context.Context, root string, c eval.Case) (*caseTree, error) {
	res, err := scan.Run(ctx, scan.Options{Root: root, Rev: c.BaseCommit})
	if err != nil {
		return nil, scanError(err)
	}
	path, err := b.update(ctx, root, c, res)
	if err != nil {
		return nil, err
	}
	x, err := index.Open(path)
	if err != nil {
		return nil, envError{err}
	}
	s := &caseTree{Index: x, path: path, files: res.Files, ranked: map[string]bool{}}
	for i := range res.Files {
		s.ranked[res.Files[i].Path] = sourceFile(&res.Files[i])
	}
	return s, nil
}

// What cases that are not to be ranked count when weights are learned.
const (
	extraWeight = 0.5
	afterWeight = 0.4
)

// learn collects the examples of a case and of the commits after it.
func (b *bench) learn(ctx context.Context, root string, s *caseTree, c evalCase, row *evalRow) (err error) {
	if b.o.Train == "" && b.o.Tables == "" && !b.o.Ablate {
		return nil
	}
	e, paths, err := s.example(ctx, c.Case)
	if err != nil {
		return err
	}
	if row.changed.any() {
		if e.Chunks, err = s.chunks(c.Case, paths, e.RankedCandidates(signal.Weights), row.changed); err != nil {
			return err
		}
	}
	if row.Example = e; b.o.Train == "" && b.o.Tables == "" {
		return nil
	}
	if e.Set, e.Extra = c.set, c.extra; c.extra {
		e.Weight = extraWeight
	}
	row.learned = append(row.learned, e)
	if b.o.After == 0 {
		return nil
	}
	more, err := b.after(ctx, root, s, c.Case)
	for _, m := range more {
		e, _, err := s.example(ctx, m)
		if err != nil {
			return err
		}
		e.Extra, e.Weight = true, afterWeight
		row.learned = append(row.learned, e)
	}
	return err
}

// laterCommits are a repository's commits, newest first, and those that were
// made into cases.
type laterCommits struct {
	list []scan.Commit
	used map[string]bool
}

// after makes cases of the commits that followed that of c, to be searched at
// the same tree: much to learn from for no further index.
func (b *bench) after(ctx context.Context, root string, s *caseTree, c eval.Case) ([]eval.Case, error) {
	const near = 40 // commits after the case's
	commits, err := b.following(ctx, root, c, near)
	if err != nil {
		return nil, err
	}
	l := b.at(root).later
	var changes []eval.Change
	for _, k := range commits {
		changes = append(changes, eval.Change{ID: k.ID, Subject: k.Subject, Body: k.Body, Files: k.Files})
	}
	var out []eval.Case
	for _, m := range eval.FromChanges(c.Repo, changes, near, sourcePath) {
		known := slices.IndexFunc(m.Gold, func(g string) bool { return !s.ranked[g] }) < 0
		if known && !slices.Equal(m.Gold, c.Gold) && !l.used[m.BaseCommit] && len(out) < b.o.After {
			l.used[m.BaseCommit] = true
			out = append(out, m)
		}
	}
	return out, nil
}

// following lists up to n commits after that of c, oldest first; none when it is
// not in the history of the repository's head.
func (b *bench) following(ctx context.Context, root string, c eval.Case, n int) ([]scan.Commit, error) {
	const look = 60000 // commits of the history
	l := b.at(root).later
	if l == nil {
		h, err := scan.History(ctx, root, "", look)
		if err != nil {
			return nil, scanError(err)
		}
		l = &laterCommits{h, map[string]bool{}}
		b.at(root).later = l
	}
	base, err := scan.History(ctx, root, c.BaseCommit, 1)
	if err != nil {
		return nil, scanError(err)
	}
	at := slices.IndexFunc(l.list, func(k scan.Commit) bool { return k.ID == base[0].ID })
	if at < 0 {
		return nil, nil
	}
	out := slices.Clone(l.list[max(0, at-n):at])
	slices.Reverse(out)
	return out, nil
}

// sourcePath reports whether a file of that path would be ranked.
func sourcePath(p string) bool {
	f := stream.File{Path: p, Language: lang.Detect(p, nil)}
	f.Role = lang.RoleOf(p, f.Language, nil)
	return sourceFile(&f)
}

// example is the values of all signals for the candidates of a case, whose paths
// it returns too.
func (s *caseTree) example(ctx context.Context, c eval.Case) (e train.Example, paths []string, err error) {
	corpus := &score.Deep{Index: s.Index}
	in := signal.Input{Corpus: corpus, Query: c.Query, Files: s.files, Ranked: make([]bool, len(s.files)), All: true}
	for i := range s.files {
		in.Ranked[i] = s.ranked[s.files[i].Path]
	}
	if in.IDs, err = corpus.Match(func(i int) string { return s.files[i].Path }, len(s.files)); err != nil {
		return e, nil, err
	}
	t, err := signal.Compute(ctx, in)
	if err != nil {
		return e, nil, err
	}
	e = train.Example{ID: c.ID, Repo: c.Repo, Golds: len(c.Gold)}
	for k, values := range t.Normal() {
		e.Names = append(e.Names, t.Features[k].Name)
		column := make([]float32, len(values))
		for i, x := range values {
			column[i] = float32(x)
		}
		e.Values = append(e.Values, column)
	}
	for _, i := range t.Candidates {
		e.Gold = append(e.Gold, slices.Contains(c.Gold, s.files[i].Path))
		paths = append(paths, s.files[i].Path)
	}
	return e, paths, nil
}
