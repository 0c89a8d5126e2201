package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// staleLimit is how many files of an answer are compared with the tree.
const staleLimit = 200

// stale says first which files of an answer are not as they were indexed: their
// lines may be others by now. Only files that were written after the index are
// read.
func (s *graphSession) stale(a *answer) {
	ofDiff := slices.ContainsFunc(a.symbols, func(r symbolRecord) bool { return r.Change != "" })
	if s.t.rev != "" || ofDiff { // a commit never changes, and a diff says so itself
		return
	}
	made, err := os.Stat(s.t.deepPath())
	if err != nil {
		return
	}
	var changed []string
	for _, path := range a.paths() {
		if s.rewritten(path, made.ModTime()) {
			changed = append(changed, path)
		}
	}
	if len(changed) == 0 {
		return
	}
	what := changed[0]
	if more := len(changed) - 1; more > 0 {
		what += " and " + plural(more, "more file")
	}
	a.hints = append([]string{fmt.Sprintf("%s changed since the index was made: the answer is of before; bring it up to date with: %s", what, s.o.indexCommand(""))}, a.hints...)
}

// rewritten reports whether a file holds something else than at that time.
func (s *graphSession) rewritten(path string, since time.Time) bool {
	st, err := os.Lstat(filepath.Join(s.t.root, filepath.FromSlash(path)))
	if err == nil && st.ModTime().Before(since) {
		return false
	}
	id, ok := s.x.Lookup(path)
	if !ok {
		return false
	}
	indexed, err := s.x.Content(id, nil)
	return err == nil && s.t.changed(s.o.f.cmd.Context(), path, indexed)
}

// paths are the files that an answer speaks of, the first ones.
func (a *answer) paths() (list []string) {
	seen := map[string]bool{}
	add := func(path string) {
		if path != "" && !seen[path] && len(list) < staleLimit {
			seen[path] = true
			list = append(list, path)
		}
	}
	for i := range a.symbols {
		add(a.symbols[i].Path)
		for _, site := range a.symbols[i].Sites {
			add(site.Path)
		}
	}
	for i := range a.edges {
		for _, site := range a.edges[i].Sites {
			add(site.Path)
		}
	}
	slices.Sort(list)
	return list
}
