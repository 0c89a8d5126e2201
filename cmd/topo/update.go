package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sort"

	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/index/fresh"
	"github.com/topo-dev/topo/scan"
	"github.com/topo-dev/topo/stream"
)

// writeShallow writes the list of files unless it is the one that is there.
func (t *tree) writeShallow(ctx context.Context, s *wholeStream, files []stream.File) error {
	h := s.header
	h.Query, h.Scoring, h.Root = "", "", ""
	h.Budget, h.MinScore = stream.Budget{}, 0
	plain := make([]stream.File, len(files))
	for i, f := range files {
		f.Score, f.Signals, f.Chunks = 0, nil, nil
		plain[i] = f
	}
	sort.Slice(plain, func(i, j int) bool { return plain[i].Path < plain[j].Path })
	return index.WriteShallow(ctx, t.shallowPath(), h, plain, s.footer.ScannedFiles)
}

// updateDeep makes the deep index show files.
func (t *tree) updateDeep(ctx context.Context, files []stream.File, force bool) (stats index.Stats, err error) {
	collectAfter(quietUpdate)
	t.closeDeep()
	src, err := t.source(ctx)
	if err != nil {
		return stats, err
	}
	bar := t.f.progress("index", len(files))
	defer bar.finish()
	stats, err = t.place().Update(ctx, fresh.UpdateOptions{Files: files, Source: src, Force: force, Progress: bar.of,
		Note: func(s string) { t.f.notef("%s", s) }})
	t.updated = err == nil
	var scanned *scan.Error
	if errors.As(err, &scanned) {
		return stats, scanError(err)
	}
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
func (t *tree) partial(files []stream.File) bool {
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
