//go:build !linux

package scan

import (
	"io/fs"
	"os"
	"path"
)

// Elsewhere os.Root keeps every path inside the root.

// tree is an open root.
type tree struct{ root *os.Root }

func openTree(root string) (*tree, error) {
	r, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	return &tree{r}, nil
}

func (t *tree) close() error { return t.root.Close() }

// open opens the directory at path, "" being the root.
func (t *tree) open(dir string) (folder, error) {
	if dir == "" {
		return folder{t.root, "."}, nil
	}
	st, err := t.root.Lstat(dir)
	if err == nil && !st.IsDir() {
		err = ErrNotRegular
	}
	return folder{t.root, dir}, err
}

// folder is a directory below the root.
type folder struct {
	root *os.Root
	path string
}

func (d folder) close() {}

// list calls fn for each entry in no order.
func (d folder) list(_ []byte, fn func(name []byte, typ fileType)) error {
	f, err := d.root.Open(d.path)
	if err != nil {
		return err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	for _, e := range entries {
		fn([]byte(e.Name()), modeKind(e.Type()))
	}
	return err
}

func modeKind(m fs.FileMode) fileType {
	switch {
	case m.IsRegular():
		return typeRegular
	case m.IsDir():
		return typeDir
	case m&fs.ModeSymlink != 0:
		return typeLink
	}
	return typeOther
}

// stat looks at the entry called name, not at what it may point to.
func (d folder) stat(name string) (fileStat, error) {
	st, err := d.root.Lstat(path.Join(d.path, name))
	if err != nil {
		return fileStat{}, err
	}
	return newStat(st), nil
}

func newStat(st fs.FileInfo) fileStat {
	return fileStat{size: st.Size(), mtime: st.ModTime().UnixNano(), mode: uint32(st.Mode()), typ: modeKind(st.Mode())}
}

func (d folder) readlink(name string) (string, error) {
	return d.root.Readlink(path.Join(d.path, name))
}

// read appends the content of the regular file called name to buf[:0].
func (d folder) read(name string, buf []byte, limit int64) ([]byte, fileStat, error) {
	st, err := d.stat(name)
	switch {
	case err != nil:
		return nil, st, err
	case st.typ != typeRegular:
		return nil, st, ErrNotRegular
	case st.size > limit:
		return nil, st, ErrTooLarge
	}
	f, err := d.root.OpenFile(path.Join(d.path, name), os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, st, err
	}
	defer f.Close()
	out, err := readAll(f, buf, st.size, limit)
	return out, st, err
}
