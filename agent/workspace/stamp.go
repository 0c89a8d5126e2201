package workspace

import (
	"crypto/sha256"
	"fmt"
	"sync"
)

// Seen remembers what the model knows of a file, and a later change is reported
// from what it saw.
func (w *Workspace) Seen(f *File) { w.remember(f.Path, f.sum) }

func (w *Workspace) remember(rel string, sum [sha256.Size]byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stamps[rel] = sum
}

// Known reports whether the model has seen the file as it is now: nil, or an
// error that is ErrUnread or ErrChanged. Stamps are hashes of contents, so a file
// that was only touched is known.
func (w *Workspace) Known(f *File) error {
	w.mu.Lock()
	sum, ok := w.stamps[f.Path]
	w.mu.Unlock()
	switch {
	case !ok:
		return fmt.Errorf("%s: %w; read it first", show(f.Path), ErrUnread)
	case sum != f.sum:
		return fmt.Errorf("%s: %w; read it again", show(f.Path), ErrChanged)
	}
	return nil
}

type pathLock struct {
	sync.Mutex
	users int
}

// Lock makes the caller the only one that changes the file at the resolved path
// until it calls unlock. Reading is not held up.
func (w *Workspace) Lock(rel string) (unlock func()) {
	w.mu.Lock()
	l := w.locks[rel]
	if l == nil {
		l = &pathLock{}
		w.locks[rel] = l
	}
	l.users++
	w.mu.Unlock()
	l.Lock()
	return func() {
		l.Unlock()
		w.mu.Lock()
		defer w.mu.Unlock()
		if l.users--; l.users == 0 {
			delete(w.locks, rel)
		}
	}
}
