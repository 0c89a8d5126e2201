package workspace

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Bounds of a path. Linux allows as much; a longer one is an attack or a mistake.
const (
	maxPath  = 4096
	maxName  = 255
	maxLinks = 40
)

// Resolve turns a path as a model writes it, relative to the root or absolute,
// into the path that it leads to: slash-separated, relative to the root, every
// link followed, "." for the root itself. What does not exist yet is kept as
// written. The error is ErrOutside, ErrBadPath, or that of the file system.
func (w *Workspace) Resolve(path string) (string, error) {
	rel, err := w.relative(path)
	if err != nil {
		return "", err
	}
	todo, done, links := strings.Split(rel, "/"), []string(nil), 0
	for len(todo) > 0 {
		name := todo[0]
		todo = todo[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			if len(done) == 0 {
				return "", outside(path)
			}
			done = done[:len(done)-1]
			continue
		}
		at := strings.Join(append(done, name), "/")
		st, err := w.root.Lstat(filepath.FromSlash(at))
		if errors.Is(err, fs.ErrNotExist) {
			return missing(path, append(done, name), todo)
		}
		if err != nil {
			return "", plain(path, err)
		}
		if st.Mode()&fs.ModeSymlink == 0 {
			done = append(done, name)
			continue
		}
		if links++; links > maxLinks {
			return "", fmt.Errorf("%s: %w: it leads through more than %d links", show(path), ErrBadPath, maxLinks)
		}
		target, err := w.target(at)
		if err != nil {
			return "", plain(path, err)
		}
		if filepath.IsAbs(target) {
			if target, err = w.inside(path, target); err != nil {
				return "", err
			}
			done = nil
		}
		todo = append(strings.Split(filepath.ToSlash(target), "/"), todo...)
	}
	if len(done) == 0 {
		return ".", nil
	}
	return strings.Join(done, "/"), nil
}

func (w *Workspace) target(at string) (string, error) {
	target, err := w.root.Readlink(filepath.FromSlash(at))
	if err == nil && target == "" {
		err = ErrBadPath
	}
	return target, err
}

// missing is the path of what does not exist: done does not, and todo is below
// it. ".." below nothing means nothing.
func missing(path string, done, todo []string) (string, error) {
	for _, name := range todo {
		switch name {
		case "..":
			return "", plain(path, fs.ErrNotExist)
		case "", ".":
		default:
			done = append(done, name)
		}
	}
	return strings.Join(done, "/"), nil
}

// relative checks the text of a path and makes it relative to the root.
func (w *Workspace) relative(path string) (string, error) {
	switch {
	case path == "":
		return "", fmt.Errorf("%w: it is empty; name a file relative to the root", ErrBadPath)
	case strings.ContainsRune(path, 0):
		return "", fmt.Errorf("%s: %w: it holds a NUL byte", show(path), ErrBadPath)
	case len(path) > maxPath:
		return "", fmt.Errorf("%s: %w: it is longer than %d bytes", show(path), ErrBadPath, maxPath)
	case path == "~" || strings.HasPrefix(path, "~/"):
		return "", fmt.Errorf("%s: %w: ~ is not expanded, and only files below the root can be reached", show(path), ErrOutside)
	}
	for name := range strings.SplitSeq(filepath.ToSlash(path), "/") {
		if len(name) > maxName {
			return "", fmt.Errorf("%s: %w: a name in it is longer than %d bytes", show(path), ErrBadPath, maxName)
		}
	}
	if filepath.IsAbs(path) {
		return w.inside(path, path)
	}
	if filepath.VolumeName(path) != "" || os.IsPathSeparator(path[0]) {
		return "", outside(path)
	}
	return filepath.ToSlash(path), nil
}

// inside makes an absolute path relative to the root, by any name of the root.
func (w *Workspace) inside(path, abs string) (string, error) {
	for _, name := range w.names {
		if abs == name {
			return ".", nil
		}
		if rest, ok := strings.CutPrefix(abs, name+string(filepath.Separator)); ok {
			return filepath.ToSlash(rest), nil
		}
	}
	return "", outside(path)
}

func outside(path string) error {
	return fmt.Errorf("%s: %w; only files below it can be reached", show(path), ErrOutside)
}

// plain rewrites an error of the file system for a model: the path as it was
// given, the reason, and nothing of how the root is kept.
func plain(path string, err error) error {
	if err == nil {
		return nil
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	if strings.Contains(err.Error(), "path escapes") {
		return outside(path)
	}
	if errors.Is(err, syscall.ELOOP) {
		err = fmt.Errorf("%w: it leads through a circle of links", ErrBadPath)
	}
	return fmt.Errorf("%s: %w", show(path), err)
}

// show is the path for a message: short and on one line.
func show(path string) string {
	if r := []rune(path); len(r) > 120 {
		path = string(r[:120]) + "…"
	}
	if strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == 0x7f || r == 0xFFFD }) {
		return fmt.Sprintf("%q", path)
	}
	return path
}

func isEnd(err error) bool { return errors.Is(err, io.EOF) }

func sortEntries(e []fs.DirEntry) {
	slices.SortFunc(e, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
}
