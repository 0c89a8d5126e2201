// Package replay ranks the files of repositories as they were at the commits of
// cases with known answers.
//
// What always holds: a case sees the tree and the history of its commit and
// nothing later. Each repository has one index, which is brought from one case's
// commit to the next: what did not change between them is not read again. The
// cases of a repository are ranked one after the other, oldest commit first.
package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/internal/fault"
	"github.com/topo-dev/topo/scan"
	"github.com/topo-dev/topo/score/embed"
	"github.com/topo-dev/topo/score/eval"
)

// Options say how cases are ranked. The zero value is the default of each.
type Options struct {
	Repos      string // folder of the repositories, see [Runner.Run]; empty ranks every case in the root
	Preset     string // one of [score.Presets]
	Fusion     string // one of [score.Fusions]
	Against    string // another fusion to rank by too
	Functions  bool   // rank functions too
	DropAbsent bool   // drop wanted files that the tree does not have, such as those that a commit added
	Jobs       int    // repositories at a time; above 1 the times are those of a busy machine
}

// Runner ranks cases.
type Runner struct {
	Options
	Root     string          // repository of the cases that name none
	Dir      string          // of the indexes; it is made
	Services *embed.Services // asked by preset thorough
	// Progress tells how many of total cases are done: 0 at the start, -1 at the
	// end. It may be called by several goroutines. Nil is not called.
	Progress func(done, total int)

	mu    sync.Mutex
	repos map[string]*repository // by root
}

// repository is what is known of a repository. Its cases are ranked one after the
// other.
type repository struct {
	history []scan.Commit // of the case before
	commits []scan.Commit // of the head, newest first; nil until they are asked for
}

// Run ranks the cases and returns their results in the order given. The
// repository of a case is looked for in [Options.Repos] as owner+name, owner/name
// or name; a case without one is ranked in the root.
func (r *Runner) Run(ctx context.Context, cases []eval.Case) ([]eval.Result, error) {
	out := make([]eval.Result, len(cases))
	err := r.Each(ctx, cases, func(i int, t *Tree) (err error) {
		out[i], err = t.Judge(ctx)
		return err
	})
	return out, err
}

// Each calls visit with the place of every case and its tree, which is closed
// afterwards: repository by repository and oldest commit first, with Jobs
// repositories at a time.
func (r *Runner) Each(ctx context.Context, cases []eval.Case, visit func(i int, t *Tree) error) error {
	if err := os.MkdirAll(r.Dir, 0o755); err != nil {
		return fault.Environmentf("eval: %w", err)
	}
	jobs, err := r.jobs(ctx, cases)
	if err != nil {
		return err
	}
	progress := r.Progress
	if progress == nil {
		progress = func(int, int) {}
	}
	progress(0, len(cases))
	defer progress(-1, len(cases))
	var mu sync.Mutex
	finished := 0
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(1, r.Jobs))
	for _, group := range byRepository(jobs) {
		g.Go(func() error {
			for _, j := range group {
				if err := r.visit(ctx, j, cases[j.at], visit); err != nil {
					return err
				}
				mu.Lock()
				finished++
				progress(finished, len(cases))
				mu.Unlock()
			}
			return nil
		})
	}
	return g.Wait()
}

// visit opens the tree of one case.
func (r *Runner) visit(ctx context.Context, j job, c eval.Case, visit func(i int, t *Tree) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t, err := r.open(ctx, j, c)
	if err == nil {
		err = visit(j.at, t)
		t.Close()
	}
	if err != nil {
		return fmt.Errorf("case %s: %w", c.ID, withKind(err))
	}
	return nil
}

// job is a case to be ranked.
type job struct {
	at    int    // place of the case in the list
	order int    // place among the jobs
	root  string // of its repository
	time  int64  // of its commit
}

// jobs lists the cases by repository and time.
func (r *Runner) jobs(ctx context.Context, cases []eval.Case) ([]job, error) {
	jobs := make([]job, len(cases))
	for i, c := range cases {
		root, err := r.find(c)
		if err != nil {
			return nil, err
		}
		h, err := scan.History(ctx, root, c.BaseCommit, 1)
		if err != nil {
			return nil, fault.Usagef("eval: case %s: commit %s of %s: %w", c.ID, c.BaseCommit, c.Repo, err)
		}
		if len(h) == 0 {
			return nil, fault.Usagef("eval: case %s: %s is not a git repository; name the folder that holds the clone of %q", c.ID, root, c.Repo)
		}
		jobs[i] = job{at: i, root: root, time: h[0].Time}
	}
	slices.SortStableFunc(jobs, func(a, b job) int {
		return cmp.Or(strings.Compare(a.root, b.root), cmp.Compare(a.time, b.time))
	})
	for n := range jobs {
		jobs[n].order = n
	}
	return jobs, nil
}

// byRepository cuts jobs, sorted by root, where the repository changes.
func byRepository(jobs []job) (out [][]job) {
	from := 0
	for n := range jobs {
		if n+1 == len(jobs) || jobs[n+1].root != jobs[n].root {
			out = append(out, jobs[from:n+1])
			from = n + 1
		}
	}
	return out
}

// find returns the root of the repository of a case.
func (r *Runner) find(c eval.Case) (string, error) {
	if c.Repo == "" || r.Repos == "" {
		return r.Root, nil
	}
	for _, name := range []string{strings.ReplaceAll(c.Repo, "/", "+"), c.Repo, filepath.Base(c.Repo)} {
		for _, sub := range []string{"", "repo", ".git"} {
			dir := filepath.Join(r.Repos, name, sub)
			if id, err := scan.Identify(dir); err == nil && id.GitDir != "" {
				return dir, nil
			}
		}
	}
	return "", fault.Usagef("eval: no repository %q in %s; clone it there as %s", c.Repo, r.Repos, strings.ReplaceAll(c.Repo, "/", "+"))
}

// repository returns what is known of the repository at root.
func (r *Runner) repository(root string) *repository {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.repos == nil {
		r.repos = map[string]*repository{}
	}
	if r.repos[root] == nil {
		r.repos[root] = &repository{}
	}
	return r.repos[root]
}

// withKind gives an error of the scan and of writing the index its kind.
func withKind(err error) error {
	var scanned *scan.Error
	var write *index.WriteError
	switch {
	case errors.As(err, &scanned) && scanned.Usage():
		return fault.Of(fault.Usage, err)
	case errors.As(err, &scanned):
		return fault.Of(fault.Environment, err)
	case errors.As(err, &write):
		return fault.Environmentf("%w; choose another cache folder with --cache-dir or TOPO_CACHE_DIR", err)
	}
	return err
}
