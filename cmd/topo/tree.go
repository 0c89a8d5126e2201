package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/index/fresh"
	"github.com/topo-dev/topo/internal/lazy"
	"github.com/topo-dev/topo/scan"
)

// tree is the repository a command works on, at one state, with the files
// that the cache folder keeps of it.
type tree struct {
	f     *factory
	given string // root as the user gave it, empty for the current directory
	root  string // the same, never empty
	rev   string // full commit id; empty is the working tree
	repo  scan.Repo
	cache string // folder of the index

	maxSize int64 // of the files that are read, bytes; 0 is the default
	src     *scan.Source
	deep    *index.Index // open, nil when there is none or it was not asked for
}

var fullID = lazy.Regexp(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

// openTree identifies the repository at root. rev is a full commit id, any
// name of a commit, or empty.
func (f *factory) openTree(ctx context.Context, root, rev string) (*tree, error) {
	t := &tree{f: f, given: root, root: root, rev: rev}
	if t.root == "" {
		t.root = "."
	}
	t.cache = f.cachePath(t.root)
	var err error
	if t.repo, err = fresh.Identify(ctx, t.root, t.cache); err != nil {
		return nil, scanError(err)
	}
	if rev != "" && !fullID().MatchString(rev) {
		commits, err := scan.History(ctx, t.root, rev, 1)
		if err != nil {
			return nil, scanError(err)
		}
		if len(commits) == 0 {
			return nil, usagef("revision %s: %s is not a git repository; drop --rev", rev, t.root)
		}
		t.rev = commits[0].ID
	}
	return t, nil
}

// Close frees what the tree has open.
func (t *tree) Close() {
	if t.src != nil {
		t.src.Close()
	}
	if t.deep != nil {
		t.deep.Close()
	}
}

// place is where the tree and its caches are.
func (t *tree) place() fresh.Place {
	return fresh.Place{Root: t.root, Rev: t.rev, Repo: t.repo, Cache: t.cache, Chosen: t.f.cacheDir != "", Index: t.f.indexFile}
}

func (t *tree) deepPath() string { return t.place().Deep() }

// rootCause is the reason without the path that the message names already.
func rootCause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// source reads the contents of the tree.
func (t *tree) source(ctx context.Context) (*scan.Source, error) {
	if t.src == nil {
		src, err := scan.OpenSource(ctx, t.root, t.rev, t.maxSize)
		if err != nil {
			return nil, scanError(err)
		}
		t.src = src
	}
	return t.src, nil
}

// openDeep opens the deep index; nil when there is none.
func (t *tree) openDeep() (*index.Index, error) {
	if t.deep != nil {
		return t.deep, nil
	}
	x, err := index.Open(t.deepPath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, envError{err}
	}
	t.deep = x
	return x, nil
}

// scanError gives an error of the scan its exit code.
func scanError(err error) error {
	var e *scan.Error
	if errors.As(err, &e) {
		if e.Usage() {
			return usageError{err}
		}
		return envError{err}
	}
	return fmt.Errorf("scan: %w", err)
}

// changed reports whether the working tree holds another content than the one
// that was indexed.
func (t *tree) changed(ctx context.Context, path string, indexed []byte) bool {
	if t.rev != "" {
		return false // a commit never changes
	}
	src, err := t.source(ctx)
	if err != nil {
		return false
	}
	now, err := src.ReadFile(path, nil)
	return err != nil && errors.Is(err, fs.ErrNotExist) || err == nil && string(now) != string(indexed)
}
