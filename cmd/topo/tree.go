package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/index/fresh"
	"github.com/topo-dev/topo/internal/lazy"
	"github.com/topo-dev/topo/scan"
	"github.com/topo-dev/topo/stream"
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
	updated bool         // the deep index was brought up to date by this process
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
	if t.repo, err = scan.Identify(t.root); err != nil {
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

// indexAbove is the tree of the nearest folder above a root that was not chosen,
// within the same repository, which has a deep index, and where in it the root is;
// the tree itself when there is none.
func (f *factory) indexAbove(ctx context.Context, t *tree) (above *tree, below string) {
	if t.given != "" || f.cacheDir != "" || t.repo.Prefix == "" {
		return t, ""
	}
	steps := strings.Split(t.repo.Prefix, "/")
	for k := range steps {
		root := ".." + strings.Repeat("/..", k)
		up, err := f.openTree(ctx, root, t.rev)
		if err != nil {
			continue
		}
		if x, err := up.openDeep(); err == nil && x != nil {
			t.Close()
			f.notef("this folder has no index; the answer is that of %s", root)
			return up, strings.Join(steps[len(steps)-1-k:], "/")
		}
		up.Close()
	}
	return t, ""
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
	return fresh.Place{Root: t.root, Rev: t.rev, Repo: t.repo, Cache: t.cache, Chosen: t.f.cacheDir != ""}
}

func (t *tree) shallowPath() string { return t.place().Shallow() }
func (t *tree) deepPath() string    { return t.place().Deep() }

// prepareCache makes the cache folder.
func (t *tree) prepareCache() error {
	err := t.place().Prepare()
	if errors.Is(err, fresh.ErrLinkedCache) {
		return envf("cache folder %s: a symbolic link; remove it, or choose another folder with --cache-dir or TOPO_CACHE_DIR", t.cache)
	} else if err != nil {
		return envf("cache folder %s: %w; choose another one with --cache-dir or TOPO_CACHE_DIR", t.cache, rootCause(err))
	}
	return nil
}

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

// allow makes the source read every file that the stream says has content: a
// scan may have been told a higher limit than the default.
func (t *tree) allow(files []stream.File) {
	for i := range files {
		if files[i].Skipped == "" && files[i].Size > max(t.maxSize, scan.DefaultMaxFileSize) {
			t.maxSize = files[i].Size
		}
	}
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

// closeDeep lets the index be replaced.
func (t *tree) closeDeep() {
	if t.deep != nil {
		t.deep.Close()
		t.deep = nil
	}
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
