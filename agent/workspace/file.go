package workspace

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// File is what was read of a file.
type File struct {
	Path string // resolved, relative to the root
	Data []byte
	Mode fs.FileMode
	sum  [sha256.Size]byte
	info fs.FileInfo
}

// OpenFile opens a regular file for reading. The caller closes it.
func (w *Workspace) OpenFile(path string) (f *os.File, rel string, err error) {
	if rel, err = w.Resolve(path); err != nil {
		return nil, "", err
	}
	f, err = w.open(rel)
	return f, rel, plain(path, err)
}

// open opens a regular file. Its kind is looked at first, because opening a
// device can act on it and opening a pipe can wait forever, and again once it is
// open, because it may have been replaced.
func (w *Workspace) open(rel string) (*os.File, error) {
	name := filepath.FromSlash(rel)
	st, err := w.root.Stat(name)
	if err != nil {
		return nil, err
	}
	if err := regular(st); err != nil {
		return nil, err
	}
	f, err := w.root.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	if st, err = f.Stat(); err == nil {
		err = regular(st)
	}
	if dev, _ := identity(st); err == nil && dev != w.dev && isVirtualFS(f) {
		err = fmt.Errorf("%w: the kernel makes it up", ErrNotRegular)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func regular(st fs.FileInfo) error {
	switch m := st.Mode(); {
	case m.IsRegular():
		return nil
	case m.IsDir():
		return fmt.Errorf("%w but a directory; list it with ls", ErrNotRegular)
	case m&fs.ModeNamedPipe != 0:
		return fmt.Errorf("%w but a pipe", ErrNotRegular)
	case m&fs.ModeSocket != 0:
		return fmt.Errorf("%w but a socket", ErrNotRegular)
	}
	return fmt.Errorf("%w but a device", ErrNotRegular)
}

// Read reads a whole file of at most max bytes.
func (w *Workspace) Read(path string, max int64) (*File, error) {
	f, rel, err := w.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, plain(path, err)
	}
	data, err := io.ReadAll(io.LimitReader(f, max+1))
	if err != nil {
		return nil, plain(path, err)
	}
	if int64(len(data)) > max {
		return nil, fmt.Errorf("%s: %w: it has %d bytes, and the most is %d", show(path), ErrTooLarge, st.Size(), max)
	}
	return &File{Path: rel, Data: data, Mode: st.Mode(), sum: sha256.Sum256(data), info: st}, nil
}

// ReadBytes reads a file at a resolved path, such as one from a listing, and
// keeps no stamp of it.
func (w *Workspace) ReadBytes(rel string, max int64) ([]byte, error) {
	f, err := w.open(rel)
	if err != nil {
		return nil, plain(rel, err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, plain(rel, err)
	}
	if st.Size() > max {
		return nil, fmt.Errorf("%s: %w: it has %d bytes, and the most is %d", show(rel), ErrTooLarge, st.Size(), max)
	}
	var b bytes.Buffer
	b.Grow(int(st.Size()) + bytes.MinRead)
	if _, err := b.ReadFrom(io.LimitReader(f, max)); err != nil {
		return nil, plain(rel, err)
	}
	return b.Bytes(), nil
}

// Write replaces a file, or makes it with the directories above it. old is what
// [Workspace.Read] returned for it just before, nil when it did not exist; when
// the file is another by now, the error is ErrChanged and nothing is written.
// What was written counts as read.
func (w *Workspace) Write(path string, data []byte, old *File) error {
	rel, err := w.Resolve(path)
	if err != nil {
		return err
	}
	if err := writable(path, rel); err != nil {
		return err
	}
	name := filepath.FromSlash(rel)
	if err := w.checkUnmoved(name, old); err != nil {
		return plain(path, err)
	}
	if err := w.root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return plain(path, err)
	}
	if err := w.replace(name, data, old); err != nil {
		return plain(path, err)
	}
	w.remember(rel, sha256.Sum256(data))
	return nil
}

// checkUnmoved reports an error unless the name still names what was read.
func (w *Workspace) checkUnmoved(name string, old *File) error {
	st, err := w.root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && old == nil:
		return nil
	case err != nil:
		return err
	case old == nil:
		if err := regular(st); err != nil {
			return err
		}
		return fmt.Errorf("%w: it was made meanwhile; read it first", ErrChanged)
	case st.Mode().Perm()&0o222 == 0:
		return fmt.Errorf("the file is write-protected (mode %04o); ask whether it should be changed", st.Mode().Perm())
	case !os.SameFile(st, old.info) || st.Size() != old.info.Size() || !st.ModTime().Equal(old.info.ModTime()):
		return fmt.Errorf("%w; read it again", ErrChanged)
	}
	return nil
}

// replace writes a temporary file next to the name and renames it.
func (w *Workspace) replace(name string, data []byte, old *File) (err error) {
	temp := filepath.Join(filepath.Dir(name), ".topo-new-"+strings.ToLower(rand.Text()))
	f, err := w.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = w.root.Remove(temp) // best effort: the first error is what counts
		}
	}()
	_, err = f.Write(data)
	if err == nil && old != nil {
		err = f.Chmod(old.Mode & (fs.ModePerm | fs.ModeSetgid | fs.ModeSticky))
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err = w.checkUnmoved(name, old); err != nil {
		return err
	}
	return w.root.Rename(temp, name)
}
