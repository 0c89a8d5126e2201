package flock

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestOneHolder(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	first, second := open(t, name), open(t, name)
	if ok, err := Try(first); !ok || err != nil {
		t.Fatalf("first: %v, %v", ok, err)
	}
	if ok, err := Try(second); ok || err != nil {
		t.Fatalf("second, while held: %v, %v; want false without an error", ok, err)
	}
	first.Close()
	if ok, err := Try(second); !ok || err != nil {
		t.Fatalf("second, after release: %v, %v", ok, err)
	}
}

func TestLinkIsNotFollowed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege on Windows")
	}
	dir := t.TempDir()
	target := filepath.Join(dir, "elsewhere")
	if err := os.Symlink(target, filepath.Join(dir, "lock")); err != nil {
		t.Fatal(err)
	}
	if f, err := Open(filepath.Join(dir, "lock")); err == nil {
		f.Close()
		t.Fatal("a link in place of the lock file was followed")
	}
	if _, err := os.Lstat(target); err == nil {
		t.Fatal("the target of the link was made")
	}
}

func open(t *testing.T, name string) *os.File {
	t.Helper()
	f, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}
