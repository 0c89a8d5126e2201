package topo

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/topo-dev/topo/internal/english"
	"github.com/topo-dev/topo/internal/fault"
	"github.com/topo-dev/topo/stream"
)

// On a tree with more files than staleAll, those of the index are not all looked at for
// a query whose preset needs no fresh index: it would take as long as the query. The
// staleBest best ones are.
const (
	staleAll  = 2000
	staleBest = 50
)

// noteStale reports that the index at a path is older than the tree. files are those
// of the index, best the first of the answer. A commit never changes, and a named index
// may be of another tree.
func (r *Repo) noteStale(ctx context.Context, q *Query, name string, files, best []stream.File) error {
	if r.rev != "" || r.o.IndexFile != "" || r.files != nil {
		return nil
	}
	look := files
	if len(files) > staleAll && !q.plan.Preset.Fresh {
		look = best[:min(len(best), staleBest)]
	}
	made, err := os.Stat(name)
	if err != nil || !r.touchedSince(look, made.ModTime()) {
		return nil
	}
	now, _, err := r.Scan(ctx, q.o.Tree)
	if err != nil {
		return ctx.Err() // the query answers from the index all the same
	}
	if r.deep != nil {
		files = slices.Clone(files)
		if err := r.deep.Complete(files); err != nil {
			return fault.Of(fault.Environment, err)
		}
	}
	if n, what := differ(files, now.Files()); n > 0 {
		if n > 1 {
			what += " and " + english.Count(n-1, "more file")
		}
		r.o.Report.note(fmt.Sprintf("the index is older than the tree: %s changed; topo index --deep brings it up to date, topo quick does by itself", what))
	}
	return nil
}

// touchedSince reports whether a file or a folder of the index was written since a
// time, or is gone. The tree can differ from the index only then.
func (r *Repo) touchedSince(files []stream.File, since time.Time) bool {
	touched := func(p string) bool {
		info, err := os.Lstat(filepath.Join(r.root, filepath.FromSlash(p)))
		return err != nil || !info.ModTime().Before(since)
	}
	folders := map[string]bool{}
	for i := range files {
		for dir := path.Dir(files[i].Path); !folders[dir]; dir = path.Dir(dir) {
			if folders[dir] = true; touched(dir) {
				return true
			}
		}
		if touched(files[i].Path) {
			return true
		}
	}
	return false
}

// differ counts the files of which two lists have different contents, and names the
// first. Both are sorted by path.
func differ(a, b []stream.File) (n int, first string) {
	changed := func(p string) {
		if n++; n == 1 {
			first = p
		}
	}
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case j == len(b) || i < len(a) && a[i].Path < b[j].Path:
			changed(a[i].Path)
			i++
		case i == len(a) || b[j].Path < a[i].Path:
			changed(b[j].Path)
			j++
		default:
			if a[i].Sha256 != b[j].Sha256 || a[i].Skipped != b[j].Skipped {
				changed(a[i].Path)
			}
			i, j = i+1, j+1
		}
	}
	return n, first
}
