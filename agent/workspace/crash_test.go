//go:build unix

package workspace

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// crashArg makes this test binary a writer that never stops by itself.
const crashArg = "write-until-killed"

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == crashArg {
		writeForever(os.Args[2])
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// writeForever writes a file of one letter and then one of another, again and
// again, and says when it has begun.
func writeForever(dir string) {
	w, err := Open(dir)
	if err != nil {
		return
	}
	for i := 0; ; i++ {
		f, err := w.Read("f", 1<<21)
		if err != nil {
			return
		}
		if err := w.Write("f", bytes.Repeat([]byte{"ab"[i%2]}, 1<<20), f); err != nil {
			return
		}
		if i == 1 {
			os.Stdout.WriteString("begun\n")
		}
	}
}

// TestKilledWriter kills a writer and finds the file whole: all of one letter.
func TestKilledWriter(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	runs := 5
	if os.Getenv("TOPO_SLOW") != "" {
		runs = 200
	}
	dir := t.TempDir()
	put(t, dir, "f", strings.Repeat("a", 1<<20))
	for range runs {
		cmd := exec.Command(self, crashArg, dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 10)); err != nil {
			t.Fatalf("the writer did not begin: %v", err)
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
		b, err := os.ReadFile(filepath.Join(dir, "f"))
		if err != nil || len(b) != 1<<20 || bytes.Count(b, b[:1]) != len(b) {
			t.Fatalf("%d bytes, %v", len(b), err)
		}
	}
}

// TestReadersSeeWholeFiles reads while another writes.
func TestReadersSeeWholeFiles(t *testing.T) {
	w, dir := open(t)
	put(t, dir, "f", strings.Repeat("a", 1<<18))
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			f, err := w.Read("f", 1<<20)
			if err == nil {
				err = w.Write("f", bytes.Repeat([]byte{"ab"[i%2]}, 1<<18), f)
			}
			if err != nil {
				t.Error(err)
				return
			}
		}
	}()
	for range 100 {
		b, err := os.ReadFile(filepath.Join(dir, "f"))
		if err != nil || len(b) != 1<<18 || bytes.Count(b, b[:1]) != len(b) {
			t.Fatalf("%d bytes, %v", len(b), err)
		}
	}
	close(stop)
	<-done
}

// TestModes keeps the bits of a mode that a file may have, and gives a new file
// what the user's mask leaves.
func TestModes(t *testing.T) {
	w, dir := open(t)
	for _, mode := range []os.FileMode{0o600, 0o644, 0o755, 0o700, 0o664, 0o640} {
		put(t, dir, "m", "x")
		if err := os.Chmod(filepath.Join(dir, "m"), mode); err != nil {
			t.Fatal(err)
		}
		f, err := w.Read("m", 10)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write("m", []byte("y"), f); err != nil {
			t.Fatal(err)
		}
		if st, _ := os.Stat(filepath.Join(dir, "m")); st.Mode().Perm() != mode {
			t.Errorf("%v became %v", mode, st.Mode().Perm())
		}
	}
	plain, err := os.Create(filepath.Join(dir, "plain"))
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	if err := w.Write("new", []byte("y"), nil); err != nil {
		t.Fatal(err)
	}
	want, _ := plain.Stat()
	if got, _ := os.Stat(filepath.Join(dir, "new")); got.Mode() != want.Mode() {
		t.Errorf("a new file has %v, not %v", got.Mode(), want.Mode())
	}
	if os.Geteuid() == 0 {
		return // root reads and writes whatever the mode is
	}
	if err := os.Chmod(filepath.Join(dir, "m"), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Read("m", 10); err == nil {
		t.Error("a file that is closed to us was read")
	}
}
