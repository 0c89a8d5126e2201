package snapshot

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

// bulk is the number of new files from which they are written into one pack
// instead of a file each.
const bulk = 200

// Snapshot records the tree as it is now and returns its identity, the id of a
// git tree: the same tree has the same identity. Skipped names what was left
// out, slash-separated and with the reason in brackets, sorted. The label is
// not part of a snapshot; the caller's log has it.
//
// On 8,000 unchanged files it takes about 50 ms, the first time a few seconds.
func (s *Store) Snapshot(ctx context.Context, label string) (id string, skipped []string, err error) {
	unlock, err := s.lock(ctx)
	if err != nil {
		return "", nil, err
	}
	defer unlock()
	return s.take(ctx)
}

func (s *Store) take(ctx context.Context) (id string, skipped []string, err error) {
	var paths, forced []string
	group, listing := errgroup.WithContext(ctx)
	group.Go(func() error {
		out, err := s.git(listing, "", "ls-files", "-z", "--others", "--modified", "--deleted", "--exclude-standard")
		paths = splitNUL(out)
		return err
	})
	group.Go(func() (err error) {
		forced, err = s.tracked(listing, "--cached", "--ignored", "--exclude-standard")
		return err
	})
	if err := group.Wait(); err != nil {
		return "", nil, err
	}
	paths = append(paths, forced...)
	slices.Sort(paths)
	add, remove, skipped, err := s.sort(ctx, slices.Compact(paths))
	if err != nil {
		return "", nil, err
	}
	if id := s.unchanged(); id != "" && len(add)+len(remove) == 0 {
		return id, skipped, nil
	}
	if err := s.stage(ctx, add, remove); err != nil {
		return "", nil, err
	}
	out, err := s.git(ctx, "", "write-tree")
	if err != nil {
		return "", nil, err
	}
	id = strings.TrimSpace(string(out))
	if err = s.writeRef(id); err == nil {
		s.remember(id)
	}
	return id, skipped, err
}

// writeRef makes the reference that keeps the tree when the store is packed. It is
// written as git writes a loose one, a file put in place by a rename: a process
// of git for it would cost as much as making the tree. The store is locked.
func (s *Store) writeRef(id string) error {
	if err := checkIDs(id); err != nil {
		return err
	}
	dir := filepath.Join(s.dir, "refs", "trees")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("snapshot: %w", err)
	}
	if err := replace(filepath.Join(dir, id), id+"\n"); err != nil {
		return fmt.Errorf("snapshot: %w", err)
	}
	return nil
}

// taken is the last snapshot of a store, and the index as it was then. Writing
// the index replaces its file: its identity shows whether it was written
// since, by whatever process.
type taken struct {
	mu    sync.Mutex
	id    string
	index os.FileInfo
}

// unchanged is the snapshot that the index still is; empty when it is not known.
func (s *Store) unchanged() string {
	info, err := os.Stat(filepath.Join(s.dir, "index"))
	s.last.mu.Lock()
	defer s.last.mu.Unlock()
	if err != nil || s.last.index == nil || !os.SameFile(info, s.last.index) || !info.ModTime().Equal(s.last.index.ModTime()) || info.Size() != s.last.index.Size() {
		return ""
	}
	return s.last.id
}

func (s *Store) remember(id string) {
	info, err := os.Stat(filepath.Join(s.dir, "index"))
	s.last.mu.Lock()
	defer s.last.mu.Unlock()
	if s.last.id, s.last.index = id, info; err != nil {
		s.last.id, s.last.index = "", nil
	}
}

// stage brings the index up to date with the paths.
func (s *Store) stage(ctx context.Context, add, remove []string) error {
	if len(remove) > 0 {
		if _, err := s.git(ctx, strings.Join(remove, "\x00")+"\x00", "update-index", "-z", "--force-remove", "--stdin"); err != nil {
			return err
		}
	}
	if len(add) == 0 {
		return nil
	}
	args := []string{"update-index", "-z", "--add", "--remove", "--replace", "--stdin"}
	if len(add) >= bulk {
		args = append([]string{"-c", "core.bigFileThreshold=1", "-c", "core.compression=1"}, args...)
	}
	_, err := s.git(ctx, strings.Join(add, "\x00")+"\x00", args...)
	return err
}

// tracked lists files that the user's repository tracks.
func (s *Store) tracked(ctx context.Context, args ...string) ([]string, error) {
	if !s.user {
		return nil, nil
	}
	out, err := s.userGit(ctx, append([]string{"ls-files", "-z"}, args...)...)
	return splitNUL(out), err
}

// sort separates what is to be stored from what is gone and what is left out.
func (s *Store) sort(ctx context.Context, paths []string) (add, remove, skipped []string, err error) {
	var large []string
	links := linkCache{root: s.root, seen: map[string]bool{}}
	for _, path := range paths {
		// An untracked repository is listed as one folder.
		if strings.HasSuffix(path, "/") {
			skipped = append(skipped, path+" (a repository of its own)")
			continue
		}
		if !storable(path) {
			skipped = append(skipped, path+" (its name)")
			continue
		}
		info, err := os.Lstat(filepath.Join(s.root, filepath.FromSlash(path)))
		switch {
		case err != nil || links.hasLinkAbove(path):
			remove = append(remove, path) // gone, or seen through a link only
		case info.Mode()&os.ModeSymlink != 0:
			add = append(add, path)
		case info.IsDir():
			remove = append(remove, path) // a folder took the file's place
		case !info.Mode().IsRegular():
			remove = append(remove, path)
			skipped = append(skipped, path+" (not a regular file)")
		case !readable(filepath.Join(s.root, filepath.FromSlash(path))):
			skipped = append(skipped, path+" (unreadable)")
		case info.Size() > s.maxSize:
			large = append(large, path)
		default:
			add = append(add, path)
		}
	}
	if len(large) > 0 {
		own, err := s.tracked(ctx, append([]string{"--cached", "--"}, large...)...)
		if err != nil {
			return nil, nil, nil, err
		}
		for _, path := range large {
			if slices.Contains(own, path) {
				add = append(add, path)
				continue
			}
			remove = append(remove, path)
			skipped = append(skipped, fmt.Sprintf("%s (untracked and over %d MB)", path, s.maxSize>>20))
		}
	}
	slices.Sort(skipped)
	return add, remove, skipped, nil
}

// storable reports whether git can hold the path: a part named .git, in any
// case, would be a repository inside the tree.
func storable(path string) bool {
	for part := range strings.SplitSeq(path, "/") {
		if strings.EqualFold(part, ".git") {
			return false
		}
	}
	return true
}

func readable(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	f.Close()
	return true
}

// linkCache remembers which folders are links.
type linkCache struct {
	root string
	seen map[string]bool // folder → it or a folder above it is a link
}

// hasLinkAbove reports whether a folder above the path is a link.
func (l linkCache) hasLinkAbove(path string) bool {
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return false
	}
	dir := path[:i]
	link, ok := l.seen[dir]
	if !ok {
		info, err := os.Lstat(filepath.Join(l.root, filepath.FromSlash(dir)))
		link = err == nil && info.Mode()&os.ModeSymlink != 0 || l.hasLinkAbove(dir)
		l.seen[dir] = link
	}
	return link
}
