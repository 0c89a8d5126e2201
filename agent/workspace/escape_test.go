//go:build unix

package workspace

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestEscapes tries to read what lies outside, and to write outside or what is
// protected. None may succeed, none may wait for another process, and nothing
// outside may be another afterwards.
func TestEscapes(t *testing.T) {
	w, dir := open(t)
	outside, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	put(t, outside, "secret", "the secret")
	prepare(t, dir, outside)
	up := strings.Repeat("../", 30)
	attempts := []struct {
		name, path string
		readable   bool // only writing is refused
	}{
		{"parent", "..", false},
		{"file beside the root", "../" + filepath.Base(outside) + "/secret", false},
		{"out and back", "../" + filepath.Base(dir) + "/main.go", false},
		{"down and out", "sub/../../x", false},
		{"deep down and out", "sub/deep/../../../x", false},
		{"to the top", up + "etc/passwd", false},
		{"out through what is not there", "no/../../x", false},
		{"absolute", "/etc/passwd", false},
		{"absolute, outside", filepath.Join(outside, "secret"), false},
		{"absolute with dots", dir + "/../" + filepath.Base(outside) + "/secret", false},
		{"absolute, longer name", dir + "x/secret", false},
		{"absolute, two slashes", "//etc/passwd", false},
		{"home", "~/.ssh/id_rsa", false},
		{"home itself", "~", false},
		{"link to a file outside", "link-secret", false},
		{"link to a directory outside", "link-out/secret", false},
		{"new file through a link outside", "link-out/new", false},
		{"link to the parent", "link-up/" + filepath.Base(outside) + "/secret", false},
		{"link to the top", "link-top/etc/passwd", false},
		{"link to a link outside", "link-link", false},
		{"link to a missing file outside", "link-new", false},
		{"link that goes out and comes back", "link-back/main.go", false},
		{"absolute link with dots", "link-dots/secret", false},
		{"link to /proc", "link-proc/self/environ", false},
		{"link to the root of a process", filepath.Join("link-proc/self/root", "etc/passwd"), false},
		{"link to a device", "link-null", false},
		{"circle of links", "loop-a", false},
		{"link to itself", "loop", false},
		{"long chain of links", "chain-50", false},
		{"pipe", "pipe", false},
		{"socket", "socket", false},
		{"directory as a file", "sub", false},
		{"root as a file", ".", false},
		{"file as a directory", "main.go/x", false},
		{"empty", "", false},
		{"NUL", "main.go\x00.txt", false},
		{"long name", strings.Repeat("n", 256), false},
		{"long path", strings.Repeat("n/", 3000), false},
		{"git's settings", ".git/config", true},
		{"git's hooks", ".git/hooks/pre-commit", true},
		{"git's directory itself", ".git", true},
		{"git by upper case", ".GIT/config", true},
		{"git by mixed case", ".gIt/hooks/x", true},
		{"git by the absolute path", dir + "/.git/config", true},
		{"git by dots", "sub/../.git/config", true},
		{"git by a link", "link-git/config", true},
		{"git by a link to a file", "link-git-config", true},
		{"git by an NTFS short name", "GIT~1/config", true},
		{"git with a trailing dot", ".git./config", true},
		{"git with a trailing space", ".git /config", true},
		{"git as a stream", ".git::$INDEX_ALLOCATION/config", true},
		{"git with an invisible letter", ".g\u200cit/config", true},
		{"git with a byte order mark", "\ufeff.git/config", true},
		{"git by a backslash", `sub\.git\config`, true},
		{"git of a nested repository", "sub/.git/config", true},
		{"git file of a submodule", "sub/deep/.git", true},
		{"the cache", ".topo-cache/x.deep.idx", true},
		{"the cache by another case", ".Topo-Cache/x", true},
		{"a nested cache", "sub/.topo-cache/x", true},
		{"a name with a line break", "a\nb", true},
		{"a name with an escape", "a\x1b[2Jb", true},
	}
	if len(attempts) < 60 {
		t.Errorf("only %d attempts", len(attempts))
	}
	for _, a := range attempts {
		t.Run(a.name, func(t *testing.T) {
			f, err := w.Read(a.path, 1<<20)
			if err == nil && (!a.readable || strings.Contains(string(f.Data), "secret")) {
				t.Errorf("read %q", f.Data)
			}
			if f, _, err := w.OpenFile(a.path); err == nil {
				f.Close()
				if !a.readable {
					t.Error("opened")
				}
			}
			if err := w.Write(a.path, []byte("evil"), f); err == nil {
				t.Error("written")
			}
			if err := w.Write(a.path, []byte("evil"), nil); err == nil {
				t.Error("written as new")
			}
		})
	}
	if b, _ := os.ReadFile(filepath.Join(outside, "secret")); string(b) != "the secret" {
		t.Errorf("outside is now %q", b)
	}
	if entries, _ := os.ReadDir(outside); len(entries) != 1 {
		t.Errorf("outside holds %v", entries)
	}
	if b, _ := os.ReadFile(filepath.Join(dir, ".git/config")); string(b) != "[core]\n" {
		t.Errorf(".git/config is now %q", b)
	}
}

func prepare(t *testing.T, dir, outside string) {
	t.Helper()
	for name, target := range map[string]string{
		"link-secret": filepath.Join(outside, "secret"), "link-out": outside, "link-up": "..", "link-top": "/",
		"link-link": "link-secret", "link-new": filepath.Join(outside, "new"), "link-back": "../" + filepath.Base(dir),
		"link-dots": dir + "/../" + filepath.Base(outside), "link-proc": "/proc", "link-null": "/dev/null",
		"loop-a": "loop-b", "loop-b": "loop-a", "loop": "loop", "link-git": ".git", "link-git-config": ".git/config",
	} {
		link(t, dir, name, target)
	}
	link(t, dir, "chain-0", "main.go")
	for i := range 50 {
		link(t, dir, "chain-"+itoa(i+1), "chain-"+itoa(i))
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o644); err != nil {
		t.Skipf("pipes cannot be made here: %v", err)
	}
	// The path of a socket is short on every system, so it is made from within.
	t.Chdir(dir)
	ln, err := net.Listen("unix", "socket")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}

// TestHardLink holds that a file outside that has a name in the tree is not
// changed by writing to that name.
func TestHardLink(t *testing.T) {
	w, dir := open(t)
	outside := t.TempDir()
	put(t, outside, "f", "outside")
	if err := os.Link(filepath.Join(outside, "f"), filepath.Join(dir, "f")); err != nil {
		t.Skipf("hard links cannot be made here: %v", err)
	}
	f, err := w.Read("f", 100)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write("f", []byte("mine"), f); err != nil {
		t.Fatal(err)
	}
	in, _ := os.ReadFile(filepath.Join(dir, "f"))
	if out, _ := os.ReadFile(filepath.Join(outside, "f")); string(out) != "outside" || string(in) != "mine" {
		t.Errorf("outside %q, inside %q", out, in)
	}
}

// TestSwappedLinks changes a directory into a link to the outside and back while
// files are read and written through it.
func TestSwappedLinks(t *testing.T) {
	w, dir := open(t)
	outside := t.TempDir()
	put(t, outside, "f", "secret")
	put(t, dir, "real/f", "mine")
	link(t, dir, "out", outside)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		a, b, c := filepath.Join(dir, "real"), filepath.Join(dir, "out"), filepath.Join(dir, "tmp")
		for {
			select {
			case <-stop:
				return
			default:
			}
			_ = os.Rename(a, c)
			_ = os.Rename(b, a)
			_ = os.Rename(c, b)
		}
	}()
	for range 150 {
		if f, err := w.Read("real/f", 100); err == nil && string(f.Data) == "secret" {
			t.Error("read outside")
		}
		_ = w.Write("real/g", []byte("evil"), nil)
		_ = os.Remove(filepath.Join(dir, "real/g"))
	}
	close(stop)
	<-done
	if _, err := os.Stat(filepath.Join(outside, "g")); err == nil {
		t.Error("written outside")
	}
}

func TestKernelFiles(t *testing.T) {
	if _, err := os.Stat("/proc/self"); err != nil {
		t.Skip("there is no /proc here")
	}
	for _, dir := range []string{"/proc", "/proc/self", "/sys/kernel"} {
		if w, err := Open(dir); err == nil {
			w.Close()
			t.Errorf("%s was opened", dir)
		}
	}
}
