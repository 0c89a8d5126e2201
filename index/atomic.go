package index

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/topo-dev/topo/internal/flock"
)

// A file is replaced in this order, so at any moment the name stands for
// a whole file, the old one or the new one: take the lock, remove what a
// killed writer left, write a temporary file in the same folder, sync it, read
// it back, rename it, sync the folder.

// lock takes the lock that guards writing path, waiting until ctx ends.
func lock(ctx context.Context, path string) (unlock func(), err error) {
	name := path + ".lock"
	f, err := flock.Open(name)
	if err != nil {
		return nil, &WriteError{path, "lock", err}
	}
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		ok, err := flock.Try(f)
		if ok {
			return func() { f.Close() }, nil
		}
		if err != nil {
			f.Close()
			return nil, &WriteError{path, "lock", err}
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, &LockError{name, context.Cause(ctx)}
		case <-time.After(wait):
		}
	}
}

// removeStale removes what a killed writer left next to path, unless another one is
// writing now.
func removeStale(path string) {
	if _, err := os.Lstat(tempName(path)); err != nil {
		return
	}
	f, err := flock.Open(path + ".lock")
	if err != nil {
		return
	}
	defer f.Close()
	if ok, _ := flock.Try(f); ok {
		_ = os.Remove(tempName(path))
	}
}

// tempName is the temporary name of path. One name is enough: who writes it
// holds the lock.
func tempName(path string) string { return path + ".tmp" }

// replace rewrites path through write, which must not keep f. check, if
// not nil, reads the finished file back under its temporary name.
func replace(path string, create func(name string) (writeFile, error), write func(f writeFile) error, check func(name string) error) (err error) {
	name := tempName(path)
	fail := func(op string, err error) error {
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		var corrupt *CorruptError
		if errors.As(err, &corrupt) && op == "write" {
			return err // of the index that was read, not of the one written
		}
		return &WriteError{path, op, err}
	}
	_ = os.Remove(name)
	f, err := create(name)
	if err != nil {
		return fail("create", err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(name)
		}
	}()
	if op, err := writeAndSync(f, write); err != nil {
		return fail(op, err)
	}
	if check != nil {
		if err := check(name); err != nil {
			return fail("verify", err)
		}
	}
	if err := os.Rename(name, path); err != nil {
		return fail("rename", err)
	}
	// The new file has its final name by now. If the folder cannot be synced,
	// a power cut may bring the old one back, which is whole too.
	_ = syncFolder(filepath.Dir(path))
	return nil
}

// writeAndSync writes, syncs and closes f; op is what failed.
func writeAndSync(f writeFile, write func(f writeFile) error) (op string, err error) {
	if err := write(f); err != nil {
		_ = f.Close()
		return "write", err
	}
	if err := f.Sync(); err != nil {
		_ = f.Close()
		return "sync", err
	}
	return "close", f.Close()
}

// writeFile is the part of *os.File that replace needs.
type writeFile interface {
	sink
	Sync() error
	Close() error
}

func createFile(name string) (writeFile, error) {
	return os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
}

// syncFolder makes a rename last, where the system can.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// PrepareFolder makes the folder that index files live in, with a .gitignore
// that keeps all of it out of version control.
func PrepareFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return &WriteError{dir, "create folder", err}
	}
	name := filepath.Join(dir, ".gitignore")
	if _, err := os.Lstat(name); err == nil {
		return nil
	}
	if err := os.WriteFile(name, []byte("*\n"), 0o644); err != nil {
		return &WriteError{dir, "write .gitignore", err}
	}
	return nil
}
