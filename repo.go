package topo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/index/fresh"
	"github.com/topo-dev/topo/internal/fault"
	"github.com/topo-dev/topo/internal/lazy"
	"github.com/topo-dev/topo/scan"
	"github.com/topo-dev/topo/score/embed"
	"github.com/topo-dev/topo/stream"
)

// Options say how to open a repository.
type Options struct {
	// Exact makes the folder that is opened the root. Otherwise the root is the
	// project around it: see [Open].
	Exact bool
	// Rev is a commit by any name, read from git's objects; empty is the working
	// tree.
	Rev string
	// CacheDir is the folder of the index; empty is .topo-cache in the root.
	CacheDir string
	// IndexFile is a deep index to answer from as it is, wherever it was built. It
	// is written by [Repo.Index] alone. Empty is the one of the cache folder.
	IndexFile string
	// MaxFileSize is the size in bytes above which a file is listed without its
	// content being used; 0 is [DefaultMaxFileSize].
	MaxFileSize int64
	// Services are asked by preset thorough, Rerank and Embed; nil for none. See
	// [embed.Configure].
	Services *embed.Services
	Report   Report
}

// DefaultMaxFileSize is the size in bytes above which a file's content is not
// used.
const DefaultMaxFileSize = scan.DefaultMaxFileSize

// Repo is a repository at one state, with what its cache folder holds. It is for
// one goroutine at a time. Close it.
type Repo struct {
	o     Options
	given string // root as a later stage finds it, empty for the current directory
	root  string // the same, never empty
	dir   string // the folder that was opened, below the root, slash-separated; empty is the root
	rev   string // full commit ID; empty is the working tree
	repo  scan.Repo
	cache string

	maxSize int64 // of the files that are read, bytes; 0 is the default
	src     *scan.Source
	deep    *index.Index // nil when there is none or it was not asked for
	updated bool         // the deep index was brought up to date by this Repo

	lent  []*index.Index // that a Graph reads, replaced since; closed with the Repo
	graph bool           // a Graph, or Passages, read deep
	files []stream.File  // of a snapshot, which owns the index; nil without one
}

// Open opens the project around dir; empty is the current directory. The project
// is the work tree of git that dir is in, or the nearest folder from dir upwards
// with a folder .topo in it, or dir itself. With [Options.Exact] it is dir.
// Nothing is read but what tells the repository's identity.
//
// The error has the kind [Usage] when there is no such directory or commit.
func Open(ctx context.Context, dir string, o Options) (*Repo, error) {
	if err := checkDir(dir); err != nil {
		return nil, err
	}
	r := &Repo{o: o, given: dir, maxSize: o.MaxFileSize}
	if !o.Exact {
		r.given, r.dir = ProjectAround(dir)
	}
	r.root = r.given
	if r.root == "" {
		r.root = "."
	}
	r.cache = o.CacheDir
	if r.cache == "" {
		r.cache = filepath.Join(r.root, fresh.Folder)
	}
	var err error
	if r.repo, err = fresh.Identify(ctx, r.root, r.cache); err != nil {
		return nil, scanError(err)
	}
	if r.rev, err = fullRev(ctx, r.root, o.Rev); err != nil {
		return nil, err
	}
	return r, nil
}

var fullID = lazy.Regexp(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

// fullRev is the ID of a commit.
func fullRev(ctx context.Context, root, rev string) (string, error) {
	if rev == "" || fullID().MatchString(rev) {
		return rev, nil
	}
	commits, err := scan.History(ctx, root, rev, 1)
	if err != nil {
		return "", scanError(err)
	}
	if len(commits) == 0 {
		return "", fault.Usagef("revision %s: %s is not a git repository; drop --rev", rev, root)
	}
	return commits[0].ID, nil
}

// checkDir explains why a folder cannot be opened. Empty is the current directory.
func checkDir(dir string) error {
	if dir == "" {
		return nil
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fault.Usagef("root %s: no such directory; give an existing one with --root", dir)
	case errors.Is(err, fs.ErrPermission):
		return fault.Environmentf("root %s: permission denied; make it readable", dir)
	case err != nil:
		return fault.Usagef("root %s: %w; give an existing directory with --root", dir, err)
	case !info.IsDir():
		return fault.Usagef("root %s: not a directory; give the directory that holds it with --root", dir)
	}
	return nil
}

// ProjectAround is the root of the project that dir is in, as [Open] finds it, and
// where in it dir is, slash-separated. Empty is the current directory and the root.
func ProjectAround(dir string) (root, below string) {
	if repo, err := scan.Identify(orDot(dir)); err == nil && repo.GitDir != "" {
		return above(dir, repo.Prefix), repo.Prefix
	}
	abs, err := filepath.Abs(orDot(dir))
	if err != nil {
		return dir, ""
	}
	for at := abs; ; at = filepath.Dir(at) {
		if isMarked(at) {
			rel, err := filepath.Rel(at, abs)
			if err != nil || rel == "." {
				return dir, ""
			}
			below = filepath.ToSlash(rel)
			return above(dir, below), below
		}
		if at == filepath.Dir(at) {
			return dir, ""
		}
	}
}

// markFolder marks the root of a project outside of git: its configuration lies
// there.
const markFolder = ".topo"

func isMarked(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, markFolder))
	return err == nil && info.IsDir()
}

// above is dir without the steps of below at its end.
func above(dir, below string) string {
	if below == "" {
		return dir
	}
	up := filepath.FromSlash(strings.TrimSuffix(strings.Repeat("../", strings.Count(below, "/")+1), "/"))
	if dir == "" || dir == "." {
		return up
	}
	return filepath.Join(dir, up)
}

func orDot(dir string) string {
	if dir == "" {
		return "."
	}
	return dir
}

// Close frees what the repository has open.
func (r *Repo) Close() {
	if r.src != nil {
		r.src.Close()
		r.src = nil
	}
	r.closeDeep()
	for _, x := range r.lent {
		x.Close()
	}
	r.lent = nil
}

// Root is the root of the project as a path from the current directory, or as
// absolute as the folder that was opened.
func (r *Repo) Root() string { return r.root }

// Dir is the folder that was opened, relative to the root and slash-separated;
// empty is the root. Answers are narrowed to it.
func (r *Repo) Dir() string { return r.dir }

// Rev is the full ID of the commit that is read; empty is the working tree.
func (r *Repo) Rev() string { return r.rev }

// Fingerprint is the identity of the repository, which names its index.
func (r *Repo) Fingerprint() string { return r.repo.Fingerprint }

// Cache is the folder of the index.
func (r *Repo) Cache() string { return r.cache }

// place is where the tree and its caches are.
func (r *Repo) place() fresh.Place {
	return fresh.Place{Root: r.root, Rev: r.rev, Repo: r.repo, Cache: r.cache, Chosen: r.o.CacheDir != "", Index: r.o.IndexFile}
}

// prepareCache makes the cache folder.
func (r *Repo) prepareCache() error {
	err := r.place().Prepare()
	if errors.Is(err, fresh.ErrLinkedCache) {
		return fault.Environmentf("cache folder %s: a symbolic link; remove it, or choose another folder with --cache-dir or TOPO_CACHE_DIR", r.cache)
	} else if err != nil {
		return fault.Environmentf("cache folder %s: %w; choose another one with --cache-dir or TOPO_CACHE_DIR", r.cache, pathCause(err))
	}
	return nil
}

// source reads the contents of the tree.
func (r *Repo) source(ctx context.Context) (*scan.Source, error) {
	if r.src == nil {
		src, err := scan.OpenSource(ctx, r.root, r.rev, r.maxSize)
		if err != nil {
			return nil, scanError(err)
		}
		r.src = src
	}
	return r.src, nil
}

// allow makes the source read every file that the stream says has content: a
// scan may have been given a higher limit than the default.
func (r *Repo) allow(files []stream.File) {
	for i := range files {
		if files[i].Skipped == "" && files[i].Size > max(r.maxSize, scan.DefaultMaxFileSize) {
			r.maxSize = files[i].Size
		}
	}
}

// openDeep opens the deep index; nil when there is none.
func (r *Repo) openDeep() (*index.Index, error) {
	if r.deep != nil {
		return r.deep, nil
	}
	x, err := index.Open(r.place().Deep())
	if errors.Is(err, fs.ErrNotExist) && r.o.IndexFile == "" {
		return nil, nil
	} else if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.Usagef("--index %s: no such file; build it with: topo index --deep --index %s", r.o.IndexFile, r.o.IndexFile)
	} else if err != nil {
		return nil, fault.Of(fault.Environment, err)
	}
	r.deep = x
	return x, nil
}

// closeDeep lets the index be replaced.
func (r *Repo) closeDeep() {
	if r.graph && r.deep != nil && r.files == nil {
		r.lent = append(r.lent, r.deep)
		r.deep, r.graph = nil, false
	}
	if r.deep != nil && r.files == nil {
		r.deep.Close()
		r.deep = nil
	}
}

// scanError gives an error of the scan its kind.
func scanError(err error) error {
	var e *scan.Error
	if errors.As(err, &e) {
		if e.Usage() {
			return fault.Of(fault.Usage, err)
		}
		return fault.Of(fault.Environment, err)
	}
	return fmt.Errorf("scan: %w", err)
}

// Given is the root as a later stage finds it from the same current directory; empty
// is that directory. It is [stream.Header.Root].
func (r *Repo) Given() string { return r.given }
