package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/index/fresh"
	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/scan"
	"github.com/topo-dev/topo/scan/lang"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/score/embed"
	"github.com/topo-dev/topo/score/eval"
	"github.com/topo-dev/topo/score/train"
	"github.com/topo-dev/topo/stream"
)

// evalHistory is how many commits a case's index knows.
const evalHistory = fresh.MaxHistory

// bench ranks cases. Each repository has one index, which is brought from one
// case's commit to the next: what did not change between them is not read again.
type bench struct {
	o        *evalOptions
	root     string
	dir      string          // of the indexes
	examples []train.Example // to learn from, with --train or --tables
	remote   *embed.Services

	mu    sync.Mutex
	repos map[string]*rankedRepo // by root
}

// rankedRepo is what is known of a repository; its cases are ranked one after the
// other.
type rankedRepo struct {
	later   *laterCommits
	history []scan.Commit // of the case before
}

func (b *bench) at(root string) *rankedRepo {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.repos[root] == nil {
		b.repos[root] = &rankedRepo{}
	}
	return b.repos[root]
}

// evalRow is one case, ranked.
type evalRow struct {
	eval.Outcome
	Set       string
	Example   train.Example // the candidates, under the linear fusion, with --ablate
	learned   []train.Example
	Against   *eval.Outcome // by the other fusion
	Functions *eval.Outcome // of the functions that the fix changed
	changed   changedChunks // what the fix changed
}

func (o *evalOptions) bench(ctx context.Context, root string) (*bench, error) {
	t, err := o.f.openTree(ctx, root, "")
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(t.cache, "eval")
	t.Close()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, envf("eval: %w", err)
	}
	if root == "" {
		root = "."
	}
	remote, err := o.f.services()
	return &bench{o: o, root: root, dir: dir, repos: map[string]*rankedRepo{}, remote: remote}, err
}

// repo finds the repository of a case.
func (b *bench) repo(c eval.Case) (string, error) {
	if c.Repo == "" || b.o.Repos == "" {
		return b.root, nil
	}
	for _, name := range []string{strings.ReplaceAll(c.Repo, "/", "+"), c.Repo, filepath.Base(c.Repo)} {
		for _, sub := range []string{"", "repo", ".git"} {
			dir := filepath.Join(b.o.Repos, name, sub)
			if r, err := scan.Identify(dir); err == nil && r.GitDir != "" {
				return dir, nil
			}
		}
	}
	return "", usagef("eval: no repository %q in %s; clone it there as %s", c.Repo, b.o.Repos, strings.ReplaceAll(c.Repo, "/", "+"))
}

// evalJob is a case to be ranked.
type evalJob struct {
	at   int    // place of the case
	root string // of its repository
	time int64  // of its commit
}

// byRepo cuts jobs, sorted by root, where the repository changes.
func byRepo(jobs []evalJob) (out [][]evalJob) {
	from := 0
	for n := range jobs {
		if n+1 == len(jobs) || jobs[n+1].root != jobs[n].root {
			out = append(out, jobs[from:n+1])
			from = n + 1
		}
	}
	return out
}

// run ranks the cases, repository by repository and oldest commit first, and
// returns them in the order given, without those to learn from only.
func (b *bench) run(ctx context.Context, cases []evalCase, done func(int)) ([]evalRow, error) {
	jobs := make([]evalJob, len(cases))
	for i, c := range cases {
		root, err := b.repo(c.Case)
		if err != nil {
			return nil, err
		}
		h, err := scan.History(ctx, root, c.BaseCommit, 1)
		if err != nil || len(h) == 0 {
			return nil, usagef("eval: case %s: commit %s of %s: %w", c.ID, c.BaseCommit, c.Repo, err)
		}
		jobs[i] = evalJob{i, root, h[0].Time}
	}
	sort.SliceStable(jobs, func(i, j int) bool {
		if jobs[i].root != jobs[j].root {
			return jobs[i].root < jobs[j].root
		}
		return jobs[i].time < jobs[j].time
	})
	rows := make([]evalRow, len(cases))
	if err := b.rankAll(ctx, cases, jobs, rows, done); err != nil {
		return nil, err
	}
	for _, j := range jobs {
		b.examples = append(b.examples, rows[j.at].learned...)
	}
	kept := rows[:0]
	for i, row := range rows {
		if !cases[i].extra {
			kept = append(kept, row)
		}
	}
	return kept, nil
}

// rankAll ranks the cases of sorted jobs, some repositories at a time.
func (b *bench) rankAll(ctx context.Context, cases []evalCase, jobs []evalJob, rows []evalRow, done func(int)) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	groups := make(chan []evalJob, len(jobs))
	for _, g := range byRepo(jobs) {
		groups <- g
	}
	close(groups)
	var mu sync.Mutex
	finished := 0
	var wg sync.WaitGroup
	for range b.o.Jobs {
		wg.Go(func() {
			for group := range groups {
				for _, j := range group {
					if ctx.Err() != nil {
						return
					}
					row, err := b.one(ctx, j.root, cases[j.at])
					if err != nil {
						stop(fmt.Errorf("case %s: %w", cases[j.at].ID, err))
						return
					}
					rows[j.at] = row
					mu.Lock()
					finished++
					done(finished)
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// one ranks a case and collects what is to be learned from it.
func (b *bench) one(ctx context.Context, root string, c evalCase) (row evalRow, err error) {
	s, err := b.open(ctx, root, c.Case)
	if err != nil {
		return row, err
	}
	defer s.Close()
	wanted := slices.ContainsFunc(c.Gold, s.holds)
	if b.o.FromGit > 0 { // a file that the commit made is not there before
		c.Gold = slices.DeleteFunc(slices.Clone(c.Gold), func(g string) bool { return !s.ranked[g] })
	}
	if !wanted || len(c.Gold) == 0 {
		row.Case, row.Unmatched = c.Case, true
		return row, nil
	}
	row.Set = c.set
	if !c.extra {
		files, err := []stream.File(nil), error(nil)
		if row.Outcome, files, err = b.rank(ctx, s, c.Case, b.o.Fusion); err != nil {
			return row, err
		}
		if b.o.Functions {
			if row.changed, err = b.changed(ctx, root, s, c.Case); err != nil {
				return row, err
			}
			if row.Functions, err = s.functions(c.Case, files, row.changed); err != nil {
				return row, err
			}
		}
		if b.o.Against != "" {
			other, _, err := b.rank(ctx, s, c.Case, b.o.Against)
			if err != nil {
				return row, err
			}
			row.Against = &other
		}
	}
	return row, b.learn(ctx, root, s, c, &row)
}

// rank times one ranking and judges it.
func (b *bench) rank(ctx context.Context, s *caseTree, c eval.Case, fusion string) (out eval.Outcome, files []stream.File, err error) {
	q, err := score.ParseQuery(c.Query)
	if err != nil {
		return out, nil, usagef("%w", err)
	}
	opts := score.Options{Query: q, Preset: b.o.Preset, Fusion: fusion, Scope: func(p string) bool { return s.ranked[p] }}
	corpus := &score.Deep{Index: s.Index}
	sp, err := b.semantic(ctx, s.path, corpus, s.files, &opts)
	if err != nil {
		return out, nil, err
	}
	defer sp.Close()
	start := time.Now()
	files, err = score.Rank(ctx, corpus, s.files, opts)
	if err != nil {
		return out, nil, err
	}
	secs := time.Since(start).Seconds()
	paths, cost := make([]string, 0, len(files)), make([]int, 0, len(files))
	for _, f := range files {
		paths, cost = append(paths, f.Path), append(cost, f.Tokens)
	}
	out = eval.Judge(c, paths, cost)
	out.Seconds = secs
	return out, files, nil
}

// semantic adds the services that preset thorough uses. What is embedded for a
// case is kept for the next, and not counted as time of the ranking.
func (b *bench) semantic(ctx context.Context, path string, corpus score.Corpus, files []stream.File, o *score.Options) (*embed.KeptSpace, error) {
	if o.Preset != "thorough" {
		return nil, nil
	}
	if b.remote.Reranker != nil {
		o.Rerank = b.remote.Reranker
	}
	if b.remote.Embedder == nil {
		return nil, nil
	}
	name := strings.TrimSuffix(filepath.Base(path), fresh.DeepExt)
	sp, err := b.remote.Open(b.dir, name, name)
	if err != nil {
		return nil, err
	}
	ranked := slices.DeleteFunc(slices.Clone(files), func(f stream.File) bool { return !o.Scope(f.Path) })
	if _, err := sp.SyncFiles(ctx, corpus, ranked); err != nil {
		sp.Close()
		return nil, err
	}
	o.Extra = []score.Extra{sp.FileSignal(corpus, ranked)}
	return sp, nil
}

// update brings the repository's index to the commit of the case.
func (b *bench) update(ctx context.Context, root string, c eval.Case, res *scan.Result) (string, error) {
	repo, err := fresh.Identify(ctx, root, b.dir)
	if err != nil {
		return "", scanError(err)
	}
	known := b.at(root)
	h, err := scan.HistoryFrom(ctx, root, res.Rev, evalHistory, known.history)
	if err != nil {
		return "", scanError(err)
	}
	known.history = h
	src, err := scan.OpenSource(ctx, root, res.Rev, 0)
	if err != nil {
		return "", scanError(err)
	}
	defer src.Close()
	in := index.Input{Files: res.Files, Source: src, History: fresh.Commits(h), Head: res.Rev, Links: graph.Link, LinksVersion: graph.Version}
	path := filepath.Join(b.dir, repo.Fingerprint+fresh.DeepExt)
	_, err = index.Update(ctx, path, in)
	return path, indexError(err)
}

// styles are languages whose files are code by their role but hold no logic.
var styles = map[string]bool{"css": true, "less": true, "scss": true, "sass": true, "stylus": true, "html": true, "svg": true, "xml": true}

// sourceFile reports whether an evaluation ranks the file: source code that is
// neither a test nor documentation nor someone else's.
func sourceFile(f *stream.File) bool {
	switch f.Role {
	case stream.RoleTest, stream.RoleDocs, stream.RoleOther:
		return false
	}
	l := lang.ByName(f.Language)
	return l != nil && l.Role == stream.RoleImpl && !styles[l.Name] && (f.Skipped == "" || f.Skipped == stream.SkipLarge)
}

// casesFromGit makes cases of the last commits of the root.
func casesFromGit(ctx context.Context, root string, n int) ([]eval.Case, error) {
	const look = 5000
	h, err := scan.History(ctx, root, "", look)
	if err != nil {
		return nil, scanError(err)
	}
	var changes []eval.Change
	for _, c := range h {
		changes = append(changes, eval.Change{ID: c.ID, Subject: c.Subject, Body: c.Body, Files: c.Files})
	}
	cases := eval.FromChanges("", changes, 2*n, sourcePath)
	var out []eval.Case
	for _, c := range cases {
		if _, err := scan.History(ctx, root, c.BaseCommit, 1); err != nil {
			continue // the first commit has no parent
		}
		if out = append(out, c); len(out) == n {
			break
		}
	}
	if len(out) == 0 {
		return nil, usagef("eval: no commit of the history changed source code and says why, which a case is made of; is this a git repository with commits? (root: %s)", cmp.Or(root, "."))
	}
	return out, nil
}
