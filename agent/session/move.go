package session

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/topo-dev/topo/internal/flock"
)

// Move takes a session over from another store. The error is [ErrBusy] when a
// process writes it and [os.ErrExist] when there is one of that name. What cannot
// be removed there stays.
func (s *Store) Move(from *Store, id string) error {
	old, err := from.open(id, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer old.Close()
	if ok, err := flock.Try(old); err != nil {
		return fmt.Errorf("session %s: %w", id, err)
	} else if !ok {
		return ErrBusy
	}
	path, err := s.path(id)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(path); err == nil {
		return os.ErrExist
	}
	if err := s.mkdir(); err != nil {
		return fmt.Errorf("session %s: %w", id, err)
	}
	// The log comes last: with it the session is there, and whole.
	if info, err := os.Lstat(from.Outputs(id)); err == nil && info.IsDir() {
		if err := errors.Join(os.RemoveAll(s.Outputs(id)), copyOutputs(from.Outputs(id), s.Outputs(id))); err != nil {
			return fmt.Errorf("session %s: %w", id, err)
		}
	}
	if err := placeLog(old, path); err != nil {
		return fmt.Errorf("session %s: %w", id, err)
	}
	if gone, err := from.path(id); err == nil {
		_ = os.Remove(gone) // best effort: the session is in both places then
		_ = os.RemoveAll(from.Outputs(id))
		_ = os.Remove(filepath.Dir(gone)) // when it was the last
	}
	return nil
}

// placeLog writes what in holds under the name, whole or not at all.
func placeLog(in io.Reader, name string) error {
	tmp, err := os.CreateTemp(filepath.Dir(name), ".new-*")
	if err != nil {
		return err
	}
	_, err = io.Copy(tmp, in)
	if err == nil {
		err = datasync(tmp)
	}
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		_ = os.Remove(tmp.Name()) // best effort: the first error is what counts
	}
	return err
}
