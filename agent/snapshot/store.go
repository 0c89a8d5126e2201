package snapshot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/topo-dev/topo/internal/flock"
)

// MaxUntracked is the default size in bytes over which a file that the user's
// repository does not track is left out: data sets and binaries, not sources.
const MaxUntracked = 10 << 20

// Options say where snapshots are taken of and kept.
type Options struct {
	Root string // of the working tree
	Dir  string // of the store; made when it is not there
	// Exclude holds ignore patterns besides those of the tree and of the user's
	// repository, such as the lines of the user's global ignore file.
	Exclude []string
	// Apart are folders that are no part of the tree although they may be below its
	// root, such as that of the index; absolute.
	Apart        []string
	MaxUntracked int64 // bytes; 0 is [MaxUntracked]
}

// Store holds the snapshots of one working tree. Its methods may be called by
// several goroutines and processes at once; they wait for each other.
type Store struct {
	root, dir string
	maxSize   int64
	exclude   []string
	apart     []string
	user      bool // the root has a git repository of its own
	last      taken
}

// Open opens the store in o.Dir and makes it when it is not there. It needs the
// git program.
func Open(ctx context.Context, o Options) (*Store, error) {
	root, err := filepath.Abs(o.Root)
	if err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	s := &Store{root: root, dir: dir, maxSize: o.MaxUntracked, exclude: o.Exclude, apart: append([]string{dir}, o.Apart...)}
	if s.maxSize == 0 {
		s.maxSize = MaxUntracked
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if _, err := os.Stat(filepath.Join(dir, "HEAD")); errors.Is(err, os.ErrNotExist) {
		if err := s.create(ctx); err != nil {
			return nil, err
		}
	}
	_, err = s.userGit(ctx, "rev-parse", "--git-dir")
	s.user = err == nil
	return s, s.writeRules(ctx)
}

// create makes the store as an empty repository. HEAD is written last by git
// init itself only when the rest is there, so a killed create is made again.
func (s *Store) create(ctx context.Context) error {
	tmp, err := os.MkdirTemp(s.dir, "new")
	if err != nil {
		return fmt.Errorf("snapshot: %w", err)
	}
	defer os.RemoveAll(tmp)
	// Without the user's configuration the format is the one that config says.
	env := []string{"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull}
	if _, err := runGit(ctx, s.dir, env, nil, "init", "--quiet", "--bare", "--template=", tmp); err != nil {
		return err
	}
	config := "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tfilemode = true\n\tlogallrefupdates = false\n" +
		"\tprotectNTFS = false\n\tprotectHFS = false\n[gc]\n\tauto = 0\n"
	if err := os.WriteFile(filepath.Join(tmp, "config"), []byte(config), 0o666); err != nil {
		return fmt.Errorf("snapshot: %w", err)
	}
	for _, name := range []string{"config", "objects", "refs", "HEAD"} {
		to := filepath.Join(s.dir, name)
		if err := os.RemoveAll(to); err != nil {
			return fmt.Errorf("snapshot: %w", err)
		}
		if err := os.Rename(filepath.Join(tmp, name), to); err != nil {
			return fmt.Errorf("snapshot: %w", err)
		}
	}
	return nil
}

// writeRules writes what is ignored beyond the ignore files of the tree, and
// the attributes that keep contents exact: these win over any in the tree.
func (s *Store) writeRules(ctx context.Context) error {
	info := filepath.Join(s.dir, "info")
	if err := os.MkdirAll(info, 0o777); err != nil {
		return fmt.Errorf("snapshot: %w", err)
	}
	rules := append([]string(nil), s.exclude...)
	if s.user {
		if name, err := s.userGit(ctx, "rev-parse", "--path-format=absolute", "--git-path", "info/exclude"); err == nil {
			if text, err := os.ReadFile(strings.TrimSuffix(string(name), "\n")); err == nil {
				rules = append(rules, string(text))
			}
		}
	}
	for _, dir := range s.apart {
		if rel, err := filepath.Rel(s.root, dir); err == nil && filepath.IsLocal(rel) && rel != "." {
			rules = append(rules, "/"+escapePattern(filepath.ToSlash(rel))+"/")
		}
	}
	const exact = "* -text !eol -ident -filter !working-tree-encoding !diff\n"
	for name, text := range map[string]string{
		"exclude":    strings.Join(rules, "\n") + "\n",
		"attributes": exact,
	} {
		if err := replace(filepath.Join(info, name), text); err != nil {
			return fmt.Errorf("snapshot: %w", err)
		}
	}
	return nil
}

// replace writes a file unless it holds text already.
func replace(name, text string) error {
	if old, err := os.ReadFile(name); err == nil && string(old) == text {
		return nil
	}
	tmp := name + ".lock" // git does not take it for a reference, should it stay
	if err := os.WriteFile(tmp, []byte(text), 0o666); err != nil {
		return err
	}
	return os.Rename(tmp, name)
}

// escapePattern makes a path an ignore pattern that means itself.
func escapePattern(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// lock takes the store for one operation and removes what a killed git left.
func (s *Store) lock(ctx context.Context) (unlock func(), err error) {
	f, err := flock.Open(filepath.Join(s.dir, "lock"))
	if err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		ok, err := flock.Try(f)
		if ok {
			// git takes its own locks; with the store locked, one that is there is
			// of a process that died.
			_ = os.Remove(filepath.Join(s.dir, "index.lock"))
			_ = os.Remove(filepath.Join(s.dir, "plan.index.lock"))
			return func() { f.Close() }, nil
		}
		if err != nil {
			f.Close()
			return nil, fmt.Errorf("snapshot: lock: %w", err)
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, ctx.Err()
		case <-time.After(wait):
		}
	}
}
