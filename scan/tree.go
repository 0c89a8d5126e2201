package scan

import (
	"io"
	"os"
)

// treeReader reads regular files below a directory.
type treeReader interface {
	read(path string, buf []byte, limit int64) ([]byte, error)
	close() error
}

// rootReader is the portable treeReader. os.Root keeps every path inside the
// directory, whatever links are put in its way while it is read.
type rootReader struct{ root *os.Root }

func (r rootReader) close() error { return r.root.Close() }

func (r rootReader) read(path string, buf []byte, limit int64) ([]byte, error) {
	st, err := r.root.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, ErrNotRegular
	}
	f, err := r.root.OpenFile(path, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readOpen(f, buf, limit)
}

// readOpen appends what is in f to buf[:0].
func readOpen(f *os.File, buf []byte, limit int64) ([]byte, error) {
	st, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !st.Mode().IsRegular():
		return nil, ErrNotRegular
	case st.Size() > limit:
		return nil, ErrTooLarge
	}
	return readAll(f, buf, st.Size(), limit)
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
