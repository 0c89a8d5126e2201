package scan

import (
	"context"
	"fmt"
	"os"
	"sync"

	"github.com/topo-dev/topo/stream"
)

// Source reads the contents of the tree that a scan listed. It never leaves
// the root, never follows a symbolic link and never reads more than its size
// limit. It is safe for concurrent use.
type Source struct {
	max  int64
	tree *tree // nil under a revision

	mu    sync.Mutex
	cat   *catFile
	blobs map[string]blob
}

// OpenSource opens the tree at root, as the working tree has it or, when
// rev is not empty, at that commit. maxSize is in bytes, 0 being
// [DefaultMaxFileSize]. The context ends the git process of a revision.
func OpenSource(ctx context.Context, root, rev string, maxSize int64) (*Source, error) {
	abs, err := resolveRoot(root)
	if err != nil {
		return nil, err
	}
	if maxSize <= 0 {
		maxSize = DefaultMaxFileSize
	}
	s := &Source{max: maxSize}
	if rev == "" {
		if s.tree, err = openTree(abs); err != nil {
			return nil, &Error{Reason: ErrUnreadable, Where: root, Advice: "check its permissions", Err: err}
		}
		return s, nil
	}
	repo, ok := discover(abs)
	if !ok {
		return nil, notRepo(root)
	}
	id, err := resolveRev(ctx, abs, rev)
	if err != nil {
		return nil, err
	}
	list, err := lsTree(ctx, abs, repo, id)
	if err != nil {
		return nil, err
	}
	s.blobs = make(map[string]blob, len(list))
	for _, b := range list {
		s.blobs[b.path] = b
	}
	s.cat, err = startCatFile(ctx, abs)
	return s, err
}

func notRepo(root string) error {
	return &Error{Reason: ErrNotRepo, Where: root, Advice: "a revision needs a git repository; scan without one"}
}

// ReadFile appends the content of the file at path, relative to the root, to
// buf[:0]. Errors are [ErrTooLarge], [ErrNotRegular] (a link, a directory),
// [ErrMissing] (not in this clone), [ErrOutside], and those of the os package.
func (s *Source) ReadFile(path string, buf []byte) ([]byte, error) {
	if err := stream.CheckPath(path); err != nil {
		return buf[:0], fmt.Errorf("%w: %w", ErrOutside, err)
	}
	if s.tree != nil {
		out, err := s.tree.read(path, buf, s.max)
		if err != nil {
			return buf[:0], fmt.Errorf("read %q: %w", path, err)
		}
		return out, nil
	}
	out, err := s.readBlob(path, buf)
	if err != nil {
		return buf[:0], fmt.Errorf("read %q at the revision: %w", path, err)
	}
	return out, nil
}

func (s *Source) readBlob(path string, buf []byte) ([]byte, error) {
	b, ok := s.blobs[path]
	switch {
	case !ok:
		return nil, os.ErrNotExist
	case b.mode&modeType != modeRegular:
		return nil, ErrNotRegular
	case b.size < 0:
		return nil, ErrMissing
	case b.size > s.max:
		return nil, ErrTooLarge
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cat == nil {
		return nil, os.ErrClosed
	}
	if err := s.cat.request(b.id); err != nil {
		return nil, s.cat.failed(err)
	}
	return s.cat.read(buf, s.max)
}

// Close ends the git process or closes the root.
func (s *Source) Close() error {
	if s.tree != nil {
		return s.tree.close()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cat == nil {
		return nil
	}
	err := s.cat.Close()
	s.cat = nil
	return err
}
