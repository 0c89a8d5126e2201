package scan

import (
	"errors"
	"io"
	"io/fs"
)

// fileType is what kind of entry a directory holds.
type fileType uint8

const (
	typeUnknown fileType = iota
	typeRegular
	typeDir
	typeLink
	typeOther // a pipe, a socket, a device: never listed
)

// fileStat is the file system's metadata of a file. A system that does not tell
// the change time or the inode leaves them 0.
type fileStat struct {
	size         int64
	mtime, ctime int64 // Unix nanoseconds
	inode        uint64
	mode         uint32
	typ          fileType
}

// read appends the content of the regular file at path to buf[:0].
func (t *tree) read(path string, buf []byte, limit int64) ([]byte, error) {
	d, name, err := t.parent(path)
	if err != nil {
		return nil, err
	}
	defer d.close()
	out, _, err := d.read(name, buf, limit)
	return out, err
}

// parent opens the directory that holds path.
func (t *tree) parent(path string) (folder, string, error) {
	dir, name := splitPath(path)
	d, err := t.open(dir)
	return d, name, err
}

// splitPath is path.Split without the slash.
func splitPath(p string) (dir, name string) {
	for i := len(p) - 1; i >= 0; i-- {
		if p[i] == '/' {
			return p[:i], p[i+1:]
		}
	}
	return "", p
}

// readAll reads r to its end into buf[:0]; size is what it is expected to hold.
func readAll(r io.Reader, buf []byte, size, limit int64) ([]byte, error) {
	if int64(cap(buf)) < size+1 {
		buf = make([]byte, 0, size+1)
	}
	buf = buf[:0]
	for {
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if int64(len(buf)) > limit {
			return nil, ErrTooLarge
		}
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return nil, err
		}
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
	}
}

func isNotExist(err error) bool { return errors.Is(err, fs.ErrNotExist) }

func isPermission(err error) bool { return errors.Is(err, fs.ErrPermission) }
