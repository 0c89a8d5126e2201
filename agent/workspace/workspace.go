package workspace

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// Reasons to refuse. Test for them with errors.Is.
var (
	ErrOutside    = errors.New("the path leaves the root")
	ErrBadPath    = errors.New("the path cannot be used")
	ErrProtected  = errors.New("the path is protected from writing")
	ErrNotRegular = errors.New("not a regular file")
	ErrTooLarge   = errors.New("the file is over the size limit")
	ErrUnread     = errors.New("the file has not been read")
	ErrChanged    = errors.New("the file changed since it was read")
)

// Workspace is an open directory tree. It is safe for concurrent use.
type Workspace struct {
	root  *os.Root
	dir   string   // absolute, links resolved
	names []string // absolute paths by which the root is known: dir, and as the caller gave it
	dev   uint64   // of the root; 0 where there is no such thing

	mu     sync.Mutex
	stamps map[string][sha256.Size]byte // resolved path → hash of what was read last
	locks  map[string]*pathLock
}

// Open opens the tree at dir. The root of the file system and file systems
// without real files are refused: nothing would be outside.
func Open(dir string) (*Workspace, error) {
	given, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open the workspace %s: %w", dir, err)
	}
	abs, err := filepath.EvalSymlinks(given)
	if err != nil {
		return nil, fmt.Errorf("open the workspace %s: %w", dir, err)
	}
	if filepath.Dir(abs) == abs {
		return nil, fmt.Errorf("open the workspace %s: the whole file system is not a workspace; name the directory of a project", dir)
	}
	root, err := os.OpenRoot(abs)
	if err != nil {
		return nil, fmt.Errorf("open the workspace %s: %w", dir, err)
	}
	w := &Workspace{root: root, dir: abs, names: []string{abs},
		stamps: map[string][sha256.Size]byte{}, locks: map[string]*pathLock{}}
	if given != abs {
		w.names = append(w.names, given)
	}
	if err := w.checkRoot(); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return w, nil
}

func (w *Workspace) checkRoot() error {
	f, err := w.root.Open(".")
	if err != nil {
		return fmt.Errorf("open the workspace %s: %w", w.dir, err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return fmt.Errorf("open the workspace %s: %w", w.dir, err)
	}
	if isVirtualFS(f) {
		return fmt.Errorf("open the workspace %s: its files are made up by the kernel; name the directory of a project", w.dir)
	}
	w.dev, _ = identity(st)
	return nil
}

// Dir is the absolute path of the root with its links resolved.
func (w *Workspace) Dir() string { return w.dir }

// Close releases the root. Files that are open stay open.
func (w *Workspace) Close() error { return w.root.Close() }

// Stat says what is at the path, links followed.
func (w *Workspace) Stat(path string) (fs.FileInfo, error) {
	rel, err := w.Resolve(path)
	if err != nil {
		return nil, err
	}
	st, err := w.root.Stat(rel)
	return st, plain(path, err)
}

// ReadDir lists the directory in the order of the names, at most max entries.
// more reports that there are further ones.
func (w *Workspace) ReadDir(path string, max int) (entries []fs.DirEntry, more bool, err error) {
	rel, err := w.Resolve(path)
	if err != nil {
		return nil, false, err
	}
	f, err := w.root.Open(rel)
	if err != nil {
		return nil, false, plain(path, err)
	}
	defer f.Close()
	entries, err = f.ReadDir(max + 1)
	if len(entries) == 0 && err != nil && !isEnd(err) {
		return nil, false, plain(path, err)
	}
	if len(entries) > max {
		entries, more = entries[:max], true
	}
	sortEntries(entries)
	return entries, more, nil
}
