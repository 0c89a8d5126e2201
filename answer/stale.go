package answer

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/topo-dev/topo/internal/english"
	"github.com/topo-dev/topo/scan"
)

// staleFiles is how many files of an answer are compared with the tree.
const staleFiles = 200

// noteStale says first which files of an answer are not as they were indexed:
// their lines may be others by now. Only files that were written after the index
// are read.
func (s *Session) noteStale(ctx context.Context, a *Tail, symbols []SymbolRecord, edges []EdgeRecord) {
	if s.Rev != "" || s.Indexed.IsZero() { // a commit never changes
		return
	}
	var changed []string
	var src *scan.Source
	for _, path := range pathsOf(symbols, edges) {
		if !s.writtenSince(path, s.Indexed) {
			continue
		}
		if src == nil {
			var err error
			if src, err = scan.OpenSource(ctx, s.Tree, "", 0); err != nil {
				return
			}
			defer src.Close()
		}
		if s.differs(src, path) {
			changed = append(changed, path)
		}
	}
	if len(changed) == 0 {
		return
	}
	what := changed[0]
	if more := len(changed) - 1; more > 0 {
		what += " and " + english.Count(more, "more file")
	}
	a.Hints = slices.Insert(a.Hints, 0, Hint{what + " changed since the index was made: the answer is of before; bring it up to date with: {ask}", []Ask{{Question: "index"}}})
}

// writtenSince reports whether a file was written since that time, or is gone.
func (s *Session) writtenSince(path string, since time.Time) bool {
	st, err := os.Lstat(filepath.Join(s.Tree, filepath.FromSlash(path)))
	return err != nil || !st.ModTime().Before(since)
}

// differs reports whether a file holds something else than what was indexed.
func (s *Session) differs(src *scan.Source, path string) bool {
	id, ok := s.Index.Lookup(path)
	if !ok {
		return false
	}
	indexed, err := s.Index.Content(id, nil)
	if err != nil {
		return false
	}
	now, err := src.ReadFile(path, nil)
	return errors.Is(err, fs.ErrNotExist) || err == nil && !bytes.Equal(now, indexed)
}

// pathsOf are the files that an answer speaks of, the first ones.
func pathsOf(symbols []SymbolRecord, edges []EdgeRecord) (list []string) {
	seen := map[string]bool{}
	add := func(path string) {
		if path != "" && !seen[path] && len(list) < staleFiles {
			seen[path] = true
			list = append(list, path)
		}
	}
	for i := range symbols {
		add(symbols[i].Path)
		for _, site := range symbols[i].Sites {
			add(site.Path)
		}
	}
	for i := range edges {
		for _, site := range edges[i].Sites {
			add(site.Path)
		}
	}
	slices.Sort(list)
	return list
}
