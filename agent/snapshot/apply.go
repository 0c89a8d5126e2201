package snapshot

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

// ErrChanged says that the tree changed between the making of a plan and its
// carrying out. Nothing was restored; make a new plan.
var ErrChanged = errors.New("snapshot: the files changed in the meantime; nothing was restored, look at the plan again")

// Apply carries a plan out. New contents are written next to their places first:
// a full disk or a missing permission leaves everything as it was. Then
// files are removed and renamed. Should a rename fail half-way, the error names
// the path, and a new plan with the same steps does the rest.
func (s *Store) Apply(ctx context.Context, p Plan) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	now, _, err := s.take(ctx)
	if err != nil {
		return err
	}
	if now != p.Now {
		return ErrChanged
	}
	root, err := os.OpenRoot(s.root)
	if err != nil {
		return fmt.Errorf("snapshot: %w", err)
	}
	defer root.Close()
	w := writer{root: root, staged: map[string]string{}}
	defer w.discard()
	if err := w.stage(ctx, s, p.Restore); err != nil {
		return err
	}
	return w.commit(p.Restore)
}

// writer restores files in two phases.
type writer struct {
	root   *os.Root
	staged map[string]string // path → temporary file or link with its new content
}

// stage writes every new content to a temporary file.
func (w *writer) stage(ctx context.Context, s *Store, changes []Change) error {
	var ids strings.Builder
	for _, c := range changes {
		if c.new.mode == "160000" || c.old.mode == "160000" {
			return fmt.Errorf("snapshot: %s is a repository of its own, which snapshots do not hold; restore it with its own git", c.Path)
		}
		if c.new != (state{}) {
			ids.WriteString(c.new.id + "\n")
		}
	}
	cmd, err := gitCommand(ctx, s.root, s.storeEnv(), "cat-file", "--batch")
	if err != nil {
		return err
	}
	cmd.Stdin = strings.NewReader(ids.String())
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return fmt.Errorf("snapshot: git cat-file: %w", err)
	}
	err = w.readAll(bufio.NewReader(out), changes)
	// Let git end when not all of its output was read.
	_, _ = io.Copy(io.Discard, out)
	if end := cmd.Wait(); err == nil && end != nil {
		err = fmt.Errorf("snapshot: git cat-file: %w", end)
	}
	return err
}

// readAll reads the contents in the order of the changes.
func (w *writer) readAll(r *bufio.Reader, changes []Change) error {
	for _, c := range changes {
		if c.new == (state{}) {
			continue
		}
		head, err := r.ReadString('\n')
		if err != nil {
			return fmt.Errorf("snapshot: git cat-file ended early: %w", err)
		}
		f := strings.Fields(head)
		if len(f) != 3 || f[1] != "blob" {
			return fmt.Errorf("snapshot: the content of %s is not in the store (%.80s)", c.Path, strings.TrimSpace(head))
		}
		size, err := strconv.ParseInt(f[2], 10, 64)
		if err != nil {
			return fmt.Errorf("snapshot: git cat-file wrote %.80q", head)
		}
		if err := w.write(c, io.LimitReader(r, size)); err != nil {
			return fmt.Errorf("snapshot: restore %s: %w", c.Path, err)
		}
		if _, err := r.Discard(1); err != nil {
			return fmt.Errorf("snapshot: git cat-file ended early: %w", err)
		}
	}
	return nil
}

// write stages one content in the nearest folder that is there.
func (w *writer) write(c Change, content io.Reader) error {
	dir := path.Dir(c.Path)
	for dir != "." {
		if info, err := w.root.Lstat(dir); err == nil && info.IsDir() {
			break
		}
		dir = path.Dir(dir)
	}
	name := path.Join(dir, fmt.Sprintf(".topo-undo-%d-%d.tmp", os.Getpid(), len(w.staged)))
	if c.new.mode == "120000" {
		target, err := io.ReadAll(content)
		if err != nil {
			return err
		}
		w.staged[c.Path] = name
		return w.root.Symlink(string(target), name)
	}
	perm, keep := fs.FileMode(0o666), fs.FileMode(0)
	if c.new.mode == "100755" {
		perm = 0o777
	}
	if info, err := w.root.Lstat(c.Path); err == nil && info.Mode().IsRegular() {
		keep = info.Mode().Perm() &^ 0o111
		if perm&0o100 != 0 {
			keep |= keep & 0o444 >> 2 // who may read may execute
		}
	}
	f, err := w.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	w.staged[c.Path] = name
	_, err = io.Copy(f, content)
	if err == nil && keep != 0 {
		err = f.Chmod(keep)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// commit removes what has to go, then puts the staged files in place.
func (w *writer) commit(changes []Change) error {
	for _, c := range changes {
		if c.new != (state{}) {
			continue
		}
		if err := w.root.Remove(c.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("snapshot: remove %s: %w", c.Path, err)
		}
		// Folders that held nothing else go too, as git would have it.
		for dir := path.Dir(c.Path); dir != "." && w.root.Remove(dir) == nil; dir = path.Dir(dir) {
		}
	}
	for _, c := range changes {
		name, ok := w.staged[c.Path]
		if !ok {
			continue
		}
		if err := w.root.MkdirAll(path.Dir(c.Path), 0o777); err != nil {
			return fmt.Errorf("snapshot: restore %s: %w", c.Path, err)
		}
		w.prune(c.Path)
		if err := w.root.Rename(name, c.Path); err != nil {
			return fmt.Errorf("snapshot: restore %s: %w", c.Path, err)
		}
		delete(w.staged, c.Path)
	}
	return nil
}

// prune removes the folder at dir when there are but folders in it: git knows
// no empty folders, so none is part of a plan.
func (w *writer) prune(dir string) {
	if info, err := w.root.Lstat(dir); err != nil || !info.IsDir() {
		return
	}
	var dirs []string
	_ = fs.WalkDir(w.root.FS(), dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			dirs = append(dirs, name)
		}
		return err
	})
	for _, d := range slices.Backward(dirs) {
		_ = w.root.Remove(d) // one that holds something stays, and the rename says so
	}
}

// discard removes what is still staged.
func (w *writer) discard() {
	for _, name := range w.staged {
		_ = w.root.Remove(name)
	}
}
