package fresh

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/internal/lazy"
	"github.com/topo-dev/topo/scan"
)

// Folder holds the index, inside of the root unless another folder is chosen.
const Folder = ".topo-cache"

// DeepExt ends the name of a deep index.
const DeepExt = ".deep.idx"

// ErrLinkedCache says that the cache folder is a symbolic link in the
// repository.
var ErrLinkedCache = errors.New("a symbolic link")

// Place is a tree at one state, and the folder that keeps its index.
type Place struct {
	Root   string // directory
	Rev    string // full commit id; empty is the working tree
	Repo   scan.Repo
	Cache  string // folder of the index
	Chosen bool   // the user chose the folder, so it may be a link
	Index  string // the deep index, when the user named it; empty is that of the folder
}

// At is the working tree at root with its usual cache folder, or with cache
// when that is not empty.
func At(ctx context.Context, root, cache string) (Place, error) {
	p := Place{Root: root, Cache: cache, Chosen: cache != ""}
	if !p.Chosen {
		p.Cache = filepath.Join(root, Folder)
	}
	var err error
	p.Repo, err = Identify(ctx, root, p.Cache)
	return p, err
}

// Head is the commit that the tree's history ends at; empty without one.
func (p Place) Head() string {
	if p.Rev != "" {
		return p.Rev
	}
	return p.Repo.Head
}

// File is a file of the cache folder. Those of a revision have its ID in their
// names; clones may share them. Those of a working tree in a folder that clones may
// share have the worktree in their names.
func (p Place) File(ext string) string {
	name := p.Repo.Fingerprint
	switch {
	case p.Rev != "":
		name += "-" + p.Rev[:16]
	case p.Chosen:
		name += "." + p.Repo.Worktree
	}
	return filepath.Join(p.Cache, name+ext)
}

// Shallow is the file with the list of the tree's files.
func (p Place) Shallow() string { return p.File(".jsonl") }

// Deep is the deep index.
func (p Place) Deep() string {
	if p.Index != "" {
		return p.Index
	}
	return p.File(DeepExt)
}

// Seeds are the deep indexes of other states of the same repository.
func (p Place) Seeds() []string {
	const most = 8
	all, _ := filepath.Glob(filepath.Join(globEscape(p.Cache), p.Repo.Fingerprint+"*"+DeepExt))
	var out []string
	for _, name := range all {
		if name != p.Deep() && len(out) < most {
			out = append(out, name)
		}
	}
	return out
}

var globMeta = lazy.Regexp(`[*?\[\\]`)

func globEscape(p string) string { return globMeta().ReplaceAllString(p, `\$0`) }

// StatCache is the file that lets a scan skip what did not change; empty when
// there is no cache folder or the scan reads a revision.
func (p Place) StatCache() string {
	if info, err := os.Stat(p.Cache); err != nil || !info.IsDir() || p.Rev != "" || p.Linked() {
		return ""
	}
	return p.File(".stat")
}

// Linked reports whether the cache folder is a symbolic link in the
// repository. It may come with the repository and lead anywhere, so
// nothing is written through it; who wants the cache elsewhere says where.
func (p Place) Linked() bool {
	info, err := os.Lstat(p.Cache)
	return err == nil && !p.Chosen && info.Mode()&fs.ModeSymlink != 0
}

// Prepare makes the cache folder. The error is [ErrLinkedCache] or the
// operating system's.
func (p Place) Prepare() error {
	if p.Linked() {
		return ErrLinkedCache
	}
	if err := index.PrepareFolder(p.Cache); err != nil {
		return err
	}
	// Remembering only saves time.
	_ = rememberRoot(p.Cache, p.Repo)
	return nil
}

// Tracked reports whether the cache folder, or a part of it, came with the repository:
// git tracks it. What is in it then is not the user's.
func (p Place) Tracked(ctx context.Context) (bool, error) {
	if p.Chosen {
		return false, nil
	}
	return scan.Tracked(ctx, p.Root, Folder)
}
