package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/topo-dev/topo/agent"
)

// open makes a workspace with a few files in it.
func open(t *testing.T) (*Workspace, string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, "main.go", "package main\n")
	put(t, dir, "sub/deep/f.txt", "f\n")
	put(t, dir, ".git/config", "[core]\n")
	w, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w, dir
}

func put(t *testing.T, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, dir, name, target string) {
	t.Helper()
	if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
		t.Skipf("symbolic links cannot be made here: %v", err)
	}
}

func TestResolve(t *testing.T) {
	w, dir := open(t)
	link(t, dir, "to", "sub/deep")
	link(t, dir, "abs", filepath.Join(dir, "sub"))
	link(t, dir, "sub/up", "../main.go")
	link(t, dir, "new", "sub/not/yet")
	for _, c := range []struct{ path, want string }{
		{".", "."}, {"./", "."}, {dir, "."}, {dir + "/", "."},
		{"main.go", "main.go"}, {"./main.go", "main.go"}, {"sub//deep/./f.txt", "sub/deep/f.txt"},
		{dir + "/sub/deep", "sub/deep"}, {"sub/../main.go", "main.go"}, {"sub/deep/", "sub/deep"},
		{"to/f.txt", "sub/deep/f.txt"}, {"to/../f.txt", "sub/f.txt"}, {"abs/deep", "sub/deep"}, {"sub/up", "main.go"},
		{"new", "sub/not/yet"}, {"new/x", "sub/not/yet/x"}, {"nothing/at/all", "nothing/at/all"},
		{"..x/y", "..x/y"}, {"a b/\"", "a b/\""}, {"abs/up", "main.go"},
	} {
		got, err := w.Resolve(c.path)
		if err != nil || got != c.want {
			t.Errorf("Resolve(%q) = %q, %v; want %q", c.path, got, err, c.want)
		}
		again, err := w.Resolve(got)
		if err != nil || again != got {
			t.Errorf("Resolve(Resolve(%q)) = %q, %v", c.path, again, err)
		}
	}
	link(t, t.TempDir(), "unused", dir)
}

func TestRootByLink(t *testing.T) {
	_, dir := open(t)
	other := t.TempDir()
	link(t, other, "root", dir)
	w, err := Open(filepath.Join(other, "root"))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, p := range []string{filepath.Join(other, "root", "main.go"), filepath.Join(dir, "main.go")} {
		if got, err := w.Resolve(p); got != "main.go" || err != nil {
			t.Errorf("Resolve(%q) = %q, %v", p, got, err)
		}
	}
	if w.Dir() != dir {
		t.Errorf("Dir() = %q", w.Dir())
	}
}

func TestOpenRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	put(t, filepath.Dir(file), "f", "")
	for _, dir := range []string{"/", file, filepath.Join(file, "x"), filepath.Join(filepath.Dir(file), "missing")} {
		if w, err := Open(dir); err == nil {
			w.Close()
			t.Errorf("Open(%q) succeeded", dir)
		}
	}
}

func TestReadWrite(t *testing.T) {
	w, dir := open(t)
	f, err := w.Read("main.go", 100)
	if err != nil || string(f.Data) != "package main\n" || f.Path != "main.go" {
		t.Fatalf("%+v, %v", f, err)
	}
	if err := w.Known(f); !errors.Is(err, ErrUnread) {
		t.Errorf("before it was seen: %v", err)
	}
	w.Seen(f)
	if err := w.Known(f); err != nil {
		t.Errorf("after it was seen: %v", err)
	}
	if err := w.Write("main.go", []byte("package x\n"), f); err != nil {
		t.Fatal(err)
	}
	g, err := w.Read("main.go", 100)
	if err != nil || string(g.Data) != "package x\n" || w.Known(g) != nil {
		t.Errorf("%q, %v, %v", g.Data, err, w.Known(g))
	}
	if err := w.Write("main.go", []byte("y"), f); !errors.Is(err, ErrChanged) {
		t.Errorf("with an old file: %v", err)
	}
	put(t, dir, "main.go", "by another\n")
	h, _ := w.Read("main.go", 100)
	if err := w.Known(h); !errors.Is(err, ErrChanged) {
		t.Errorf("changed by another: %v", err)
	}
	if err := w.Write("a/new/dir/f", []byte("x"), nil); err != nil {
		t.Error(err)
	}
	if err := w.Write("a/new/dir/f", []byte("y"), nil); !errors.Is(err, ErrChanged) {
		t.Errorf("made meanwhile: %v", err)
	}
	if _, err := w.Read("main.go", 3); !errors.Is(err, ErrTooLarge) {
		t.Errorf("too large: %v", err)
	}
	if _, err := w.ReadBytes("main.go", 3); !errors.Is(err, ErrTooLarge) {
		t.Errorf("too large: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*", ".topo-new-*")); len(left) > 0 {
		t.Errorf("temporary files are left: %v", left)
	}
}

func TestModeAndLinks(t *testing.T) {
	w, dir := open(t)
	script := filepath.Join(dir, "run.sh")
	put(t, dir, "run.sh", "a")
	if err := os.Chmod(script, 0o751); err != nil {
		t.Fatal(err)
	}
	f, err := w.Read("run.sh", 10)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write("run.sh", []byte("b"), f); err != nil {
		t.Fatal(err)
	}
	if st, _ := os.Stat(script); st.Mode().Perm() != 0o751 {
		t.Errorf("mode %v", st.Mode())
	}
	link(t, dir, "l", "run.sh")
	f, err = w.Read("l", 10)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write("l", []byte("c"), f); err != nil {
		t.Fatal(err)
	}
	if st, _ := os.Lstat(filepath.Join(dir, "l")); st.Mode()&fs.ModeSymlink == 0 {
		t.Error("writing through a link replaced the link")
	}
	if err := os.Chmod(script, 0o444); err != nil {
		t.Fatal(err)
	}
	if f, err = w.Read("run.sh", 10); err != nil || string(f.Data) != "c" {
		t.Fatalf("%v, %v", f, err)
	}
	if err := w.Write("run.sh", []byte("d"), f); err == nil || !strings.Contains(err.Error(), "write-protected") {
		t.Errorf("a write-protected file: %v", err)
	}
}

func TestAccess(t *testing.T) {
	w, dir := open(t)
	link(t, dir, "alias", "sub")
	list, err := w.Access(agent.OpWrite, "alias/x")
	if err != nil || len(list) != 2 || list[0].Path != "sub/x" || list[1].Path != "alias/x" || list[0].Op != agent.OpWrite {
		t.Errorf("%v, %v", list, err)
	}
	list, err = w.Access(agent.OpRead, dir+"/./main.go")
	if err != nil || len(list) != 1 || list[0].Path != "main.go" {
		t.Errorf("%v, %v", list, err)
	}
}

func TestReadDir(t *testing.T) {
	w, _ := open(t)
	entries, more, err := w.ReadDir(".", 2)
	if err != nil || len(entries) != 2 || !more {
		t.Errorf("%v, %v, %v", entries, more, err)
	}
	entries, more, err = w.ReadDir("sub", 2)
	if err != nil || len(entries) != 1 || more || entries[0].Name() != "deep" {
		t.Errorf("%v, %v, %v", entries, more, err)
	}
	if _, _, err := w.ReadDir("main.go", 2); err == nil {
		t.Error("a file was listed")
	}
	if st, err := w.Stat("sub"); err != nil || !st.IsDir() {
		t.Errorf("%v, %v", st, err)
	}
}

func TestLock(t *testing.T) {
	w, _ := open(t)
	var wg sync.WaitGroup
	n := 0
	for range 50 {
		wg.Go(func() {
			defer w.Lock("main.go")()
			n++
		})
	}
	wg.Wait()
	if n != 50 || len(w.locks) != 0 {
		t.Errorf("%d, %d locks left", n, len(w.locks))
	}
}

// FuzzResolve holds that whatever is resolved stays inside: the directory that
// the answer lies in is the root or below it, by the system's own reckoning.
func FuzzResolve(f *testing.F) {
	dir, err := filepath.EvalSymlinks(f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	for _, l := range [][2]string{{"up", ".."}, {"etc", "/etc"}, {"self", "self"}, {"in", "a/b"}, {"a/b/out", "../../.."}, {"a/back", dir}} {
		_ = os.MkdirAll(filepath.Join(dir, "a/b"), 0o755)
		if err := os.Symlink(l[1], filepath.Join(dir, l[0])); err != nil {
			f.Skip("symbolic links cannot be made here")
		}
	}
	w, err := Open(dir)
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range []string{"", ".", "a/b", "up/x", "etc/passwd", "in/out/x", "a/back/a/back", "/etc", dir + "/a", dir + "x", "a/../..", "\x00", "self", "~", `..\x`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		rel, err := w.Resolve(path)
		if err != nil {
			return
		}
		if !filepath.IsLocal(rel) || filepath.Clean(rel) != rel {
			t.Fatalf("Resolve(%q) = %q is not a clean path", path, rel)
		}
		whole := filepath.Join(dir, filepath.FromSlash(rel))
		for whole != dir {
			real, err := filepath.EvalSymlinks(whole)
			if err == nil {
				if real != dir && !strings.HasPrefix(real, dir+"/") {
					t.Fatalf("Resolve(%q) = %q leads to %q", path, rel, real)
				}
				return
			}
			whole = filepath.Dir(whole)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	dir := b.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "f"), make([]byte, 32<<10), 0o644); err != nil {
		b.Fatal(err)
	}
	w, err := Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	for b.Loop() {
		if _, err := w.Read("f", 1<<20); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	dir := b.TempDir()
	w, err := Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	data := make([]byte, 32<<10)
	if err := w.Write("f", data, nil); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		f, err := w.Read("f", 1<<20)
		if err != nil {
			b.Fatal(err)
		}
		if err := w.Write("f", data, f); err != nil {
			b.Fatal(err)
		}
	}
}
