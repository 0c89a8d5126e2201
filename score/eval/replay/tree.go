package replay

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/index/fresh"
	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/internal/fault"
	"github.com/topo-dev/topo/scan"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/score/embed"
	"github.com/topo-dev/topo/score/eval"
	"github.com/topo-dev/topo/stream"
)

// Tree is a repository at the commit of a case, indexed.
type Tree struct {
	*index.Index
	Case  eval.Case
	Root  string        // of the repository
	Files []stream.File // of the tree
	Order int           // place of the case among all, by repository and time of the commit

	r       *Runner
	repo    *repository
	path    string          // of the index
	ranked  map[string]bool // by path: whether an evaluation ranks the file
	matched bool
	changes Changes
	fixed   bool // changes are known
}

// Ranks reports whether the ranking is asked for the file: it is in the tree and
// [IsSource].
func (t *Tree) Ranks(path string) bool { return t.ranked[path] }

// Matched reports whether a wanted file is in the tree. A case without one
// measures nothing.
func (t *Tree) Matched() bool { return t.matched }

// open brings the repository's index to the commit of the case.
func (r *Runner) open(ctx context.Context, j job, c eval.Case) (*Tree, error) {
	res, err := scan.Run(ctx, scan.Options{Root: j.root, Rev: c.BaseCommit})
	if err != nil {
		return nil, err
	}
	t := &Tree{Case: c, Root: j.root, Files: res.Files, Order: j.order, r: r, repo: r.repository(j.root), ranked: map[string]bool{}}
	if err := t.update(ctx, res); err != nil {
		return nil, err
	}
	for i := range t.Files {
		t.ranked[t.Files[i].Path] = IsSource(&t.Files[i])
	}
	t.matched = slices.ContainsFunc(c.Gold, func(path string) bool { _, ok := t.ranked[path]; return ok })
	if r.DropAbsent {
		t.Case.Gold = slices.DeleteFunc(slices.Clone(c.Gold), func(path string) bool { return !t.ranked[path] })
		t.matched = t.matched && len(t.Case.Gold) > 0
	}
	t.Index, err = index.Open(t.path)
	return t, err
}

// update brings the repository's index to the commit that was scanned.
func (t *Tree) update(ctx context.Context, res *scan.Result) error {
	id, err := fresh.Identify(ctx, t.Root, t.r.Dir)
	if err != nil {
		return err
	}
	h, err := scan.HistoryFrom(ctx, t.Root, res.Rev, fresh.MaxHistory, t.repo.history)
	if err != nil {
		return err
	}
	t.repo.history = h
	src, err := scan.OpenSource(ctx, t.Root, res.Rev, 0)
	if err != nil {
		return err
	}
	defer src.Close()
	in := index.Input{Files: res.Files, Source: src, History: fresh.Commits(h), Head: res.Rev, Links: graph.Link, LinksVersion: graph.Version}
	t.path = filepath.Join(t.r.Dir, id.Fingerprint+fresh.DeepExt)
	_, err = index.Update(ctx, t.path, in)
	return err
}

// Judge ranks the case as the runner's options say.
func (t *Tree) Judge(ctx context.Context) (out eval.Result, err error) {
	if !t.matched {
		out.Case, out.Unmatched = t.Case, true
		return out, nil
	}
	var files []stream.File
	if out.Outcome, files, err = t.rank(ctx, t.r.Fusion); err != nil {
		return out, err
	}
	if t.r.Functions {
		if out.Functions, err = t.judgeFunctions(ctx, files); err != nil {
			return out, err
		}
	}
	if t.r.Against != "" {
		other, _, err := t.rank(ctx, t.r.Against)
		if err != nil {
			return out, err
		}
		out.Against = &other
	}
	return out, nil
}

// rank times one ranking and judges it.
func (t *Tree) rank(ctx context.Context, fusion string) (out eval.Outcome, files []stream.File, err error) {
	q, err := score.ParseQuery(t.Case.Query)
	if err != nil {
		return out, nil, fault.Of(fault.Usage, err)
	}
	o := score.Options{Query: q, Preset: t.r.Preset, Fusion: fusion, Scope: t.Ranks}
	corpus := &score.Deep{Index: t.Index}
	space, err := t.addServices(ctx, corpus, &o)
	if err != nil {
		return out, nil, err
	}
	defer space.Close()
	start := time.Now()
	files, err = score.Rank(ctx, corpus, t.Files, o)
	if err != nil {
		return out, nil, err
	}
	secs := time.Since(start).Seconds()
	paths, cost := make([]string, 0, len(files)), make([]int, 0, len(files))
	for _, f := range files {
		paths, cost = append(paths, f.Path), append(cost, f.Tokens)
	}
	out = eval.Judge(t.Case, paths, cost)
	out.Seconds = secs
	return out, files, nil
}

// addServices adds the services that preset thorough asks. What is embedded for a
// case is kept for the next, and not counted as time of the ranking.
func (t *Tree) addServices(ctx context.Context, corpus score.Corpus, o *score.Options) (*embed.KeptSpace, error) {
	have := t.r.Services
	if o.Preset != "thorough" || have == nil {
		return nil, nil
	}
	if have.Reranker != nil {
		o.Rerank = have.Reranker
	}
	if have.Embedder == nil {
		return nil, nil
	}
	name := strings.TrimSuffix(filepath.Base(t.path), fresh.DeepExt)
	space, err := have.Open(t.r.Dir, name, name)
	if err != nil {
		return nil, err
	}
	ranked := slices.DeleteFunc(slices.Clone(t.Files), func(f stream.File) bool { return !t.ranked[f.Path] })
	if _, err := space.SyncFiles(ctx, corpus, ranked); err != nil {
		space.Close()
		return nil, err
	}
	o.Extra = []score.Extra{space.FileSignal(corpus, ranked)}
	return space, nil
}
