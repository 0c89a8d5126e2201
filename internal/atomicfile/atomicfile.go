// Package atomicfile replaces files as a whole: a reader sees the old content or
// the new one, and a writer that dies leaves the old one.
package atomicfile

import (
	"io"
	"os"
	"path/filepath"

	"github.com/topo-dev/topo/internal/zst"
)

// Write writes the file name, compressed when its name ends in .zst, through a
// temporary name in the same folder. On any failure the file that was there
// stays and nothing else is left.
func Write(name string, write func(io.Writer) error) (err error) {
	tmp, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".tmp*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			tmp.Close()
			os.Remove(tmp.Name())
		}
	}()
	w, err := zst.NewWriter(tmp, name)
	if err != nil {
		return err
	}
	if err := write(w); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	if err := tmp.Chmod(0o644); err != nil {
		return err
	}
	if err := tmp.Sync(); err != nil {
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), name)
}
