// Package regular opens files of a repository, which may be hostile.
package regular

import (
	"errors"
	"os"
)

// ErrNotRegular refuses what may block or never end when it is read.
var ErrNotRegular = errors.New("not a regular file")

// Open opens a file below dir. The repository may have put a named pipe or a
// device in its place: opening one of those may wait for ever, so anything else
// than a regular file is ErrNotRegular.
func Open(dir *os.Root, name string) (*os.File, error) {
	info, err := dir.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, ErrNotRegular
	}
	return dir.Open(name)
}
