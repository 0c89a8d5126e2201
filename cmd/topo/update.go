package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"sync/atomic"
	"time"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/index/graph"
)

// lockWait is how long a command waits for another that writes the same index.
const lockWait = 20 * time.Second

// locked runs an update and gives up when it does not get the index's lock in
// time. The update calls got once it is at work.
func (t *tree) locked(ctx context.Context, update func(ctx context.Context, got func()) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var working atomic.Bool
	timer := time.AfterFunc(lockWait, func() {
		if !working.Load() {
			cancel(fmt.Errorf("gave up after %s", lockWait))
		}
	})
	defer timer.Stop()
	return update(ctx, func() { working.Store(true) })
}

// writeShallow writes the list of files unless it is the one that is there.
func (t *tree) writeShallow(ctx context.Context, s *stream, files []topo.File) error {
	h := s.header
	h.Query, h.Scoring, h.Root = "", "", ""
	h.Budget, h.MinScore = topo.Budget{}, 0
	plain := make([]topo.File, len(files))
	for i, f := range files {
		f.Score, f.Signals, f.Chunks = 0, nil, nil
		plain[i] = f
	}
	sort.Slice(plain, func(i, j int) bool { return plain[i].Path < plain[j].Path })
	return index.WriteShallow(ctx, t.shallowPath(), h, plain, s.footer.ScannedFiles)
}

// notingReader tells when the first file is read.
type notingReader struct {
	index.Reader
	got func()
}

func (r notingReader) ReadFile(path string, buf []byte) ([]byte, error) {
	r.got()
	return r.Reader.ReadFile(path, buf)
}

// updateDeep makes the deep index show files.
func (t *tree) updateDeep(ctx context.Context, files []topo.File, force bool) (stats index.Stats, err error) {
	collectAfter(quietUpdate)
	t.closeDeep()
	src, err := t.source(ctx)
	if err != nil {
		return stats, err
	}
	commits, err := t.history(ctx)
	if err != nil {
		return stats, err
	}
	sorted := append([]topo.File(nil), files...)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i].Path < sorted[j].Path })
	bar := t.f.progress("index", len(files))
	defer bar.finish()
	err = t.locked(ctx, func(ctx context.Context, got func()) error {
		stats, err = index.Update(ctx, t.deepPath(), index.Input{
			Files: sorted, Source: notingReader{src, got}, History: commits, Head: t.head(),
			Links: func(in index.LinkInput) index.Links { got(); return graph.Link(in) }, LinksVersion: graph.Version, Graph: graph.Build, GraphVersion: graph.BuildVersion,
			Seed: t.seeds(), Force: force,
			Progress: func(done, total int) { got(); bar.of(done, total) },
		})
		return err
	})
	t.updated = err == nil
	return stats, indexError(err)
}

// indexError gives an error of the index its exit code.
func indexError(err error) error {
	var write *index.WriteError
	if errors.As(err, &write) {
		return envf("%w; choose another cache folder with --cache-dir or TOPO_CACHE_DIR", err)
	}
	return err
}

// partial reports whether files are only a part of what the deep index shows:
// it holds a file that they lack and that is still there. An update that
// nobody asked for must not drop such files from it.
func (t *tree) partial(files []topo.File) bool {
	x, err := t.openDeep()
	if err != nil || x == nil {
		return false
	}
	have := make(map[string]bool, len(files))
	for i := range files {
		have[files[i].Path] = true
	}
	for id := range x.NumFiles() {
		f, err := x.File(id)
		if err != nil {
			return false // damaged: the update will tell
		}
		if have[f.Path] {
			continue
		}
		if t.rev != "" {
			return true // a commit never loses a file
		}
		if _, err := os.Lstat(filepath.Join(t.root, filepath.FromSlash(f.Path))); err == nil {
			return true
		}
	}
	return false
}
