package index

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/topo-dev/topo/stream"
)

// leftovers are the files in the folder of an index that should not be there.
func leftovers(t *testing.T, path string) (out []string) {
	t.Helper()
	list, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	base := filepath.Base(path)
	for _, e := range list {
		if n := e.Name(); n != base && n != base+".lock" && n != base+".parked" {
			out = append(out, n)
		}
	}
	return out
}

// twoTrees are the states that the killed child switches between.
func twoTrees() [2]Input {
	a, in := small()
	for i := range 150 {
		a[fmt.Sprintf("many/f%d.go", i)] = fmt.Sprintf("package many\n\nfunc F%d() { %s }\n", i, strings.Repeat("evict(pod); ", i))
	}
	b := maps.Clone(a)
	b["main.go"] += "\nfunc Other() {}\n"
	for i := range 40 {
		delete(b, fmt.Sprintf("many/f%d.go", 3*i))
	}
	one, two := a.input(), b.input()
	one.History, two.History = in.History, in.History[1:]
	return [2]Input{one, two}
}

// TestKilledWriter kills a process that keeps updating an index, at random
// moments: the index must be one of the two states, whole, every time.
func TestKilledWriter(t *testing.T) {
	const env = "TOPO_INDEX_KILLED_WRITER"
	states := twoTrees()
	if path := os.Getenv(env); path != "" { // the child
		for i := 0; ; i++ {
			if _, err := Update(context.Background(), path, states[i%2]); err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				fmt.Println("ready")
			}
		}
	}
	rounds := 12
	if slow() {
		rounds = 500
	}
	var want [2][]byte
	for i := range states {
		want[i] = build(t, states[i])
	}
	path := filepath.Join(t.TempDir(), "x.deep.idx")
	updated(t, path, states[0])
	seen := map[bool]int{}
	r := rand.New(rand.NewPCG(1, 2))
	for range rounds {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilledWriter$")
		cmd.Env = append(os.Environ(), env+"="+path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "ready\n" {
			t.Fatalf("the child says %q: %v", line, err)
		}
		time.Sleep(time.Duration(r.IntN(15000)) * time.Microsecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal("the child ended by itself:", err)
		}
		_ = cmd.Wait()
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(data, want[0]) && !bytes.Equal(data, want[1]) {
			t.Fatal("a killed writer left an index that is neither the old nor the new one")
		}
		_, err = os.Stat(tempName(path))
		seen[err == nil]++
		if err := open(t, path).Check(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("killed with a temporary file standing %d times of %d", seen[true], rounds)
	for i := range states {
		if got := updated(t, path, states[i]); !bytes.Equal(got, want[i]) {
			t.Error("the update after a kill gives other bytes")
		}
	}
	if l := leftovers(t, path); len(l) != 0 {
		t.Errorf("left behind: %q", l)
	}
}

func TestStaleTemporaryIsRemoved(t *testing.T) {
	_, in := small()
	path := filepath.Join(t.TempDir(), "x.deep.idx")
	updated(t, path, in)
	os.WriteFile(tempName(path), []byte("half an index"), 0o644)
	updated(t, path, in) // unchanged
	if l := leftovers(t, path); len(l) != 0 {
		t.Errorf("left behind: %q", l)
	}
}

// failing fails at the n-th byte, or at what op names.
type failing struct {
	*os.File
	left int
	op   string
}

var errDisk = errors.New("no space left on device")

func (f *failing) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errDisk
	}
	return f.File.Write(p)
}

func (f *failing) WriteAt(p []byte, off int64) (int, error) {
	if f.op == "header" {
		return 0, errDisk
	}
	return f.File.WriteAt(p, off)
}

func (f *failing) Sync() error {
	if f.op == "sync" {
		return errDisk
	}
	return f.File.Sync()
}

func (f *failing) Close() error {
	err := f.File.Close()
	switch f.op {
	case "close":
		return errDisk
	case "torn": // what was written is not what is read back
		data, _ := os.ReadFile(f.Name())
		data[len(data)/2] ^= 1
		os.WriteFile(f.Name(), data, 0o644)
	}
	return err
}

func TestWriteErrorsKeepTheOldIndex(t *testing.T) {
	states := twoTrees()
	path := filepath.Join(t.TempDir(), "x.deep.idx")
	old := updated(t, path, states[0])
	try := func(op string, bytesLeft int) {
		t.Helper()
		_, err := update(t.Context(), path, states[1], func(name string) (writeFile, error) {
			if op == "create" {
				return nil, errDisk
			}
			f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
			return &failing{f, bytesLeft, op}, err
		})
		var we *WriteError
		if !errors.As(err, &we) || op != "torn" && !errors.Is(err, errDisk) {
			t.Errorf("%s at %d: %v (%T)", op, bytesLeft, err, err)
		}
		if now, _ := os.ReadFile(path); !bytes.Equal(now, old) {
			t.Fatalf("%s at %d: the old index changed", op, bytesLeft)
		}
		if l := leftovers(t, path); len(l) != 0 {
			t.Errorf("%s: left behind: %q", op, l)
		}
	}
	for _, op := range []string{"create", "header", "sync", "close", "torn"} {
		try(op, 1<<30)
	}
	for n := 0; n < len(old)/2; n += 501 {
		try("write", n)
	}
}

func TestTwoWritersExcludeEachOther(t *testing.T) {
	states := twoTrees()
	path := filepath.Join(t.TempDir(), "x.deep.idx")
	unlock, err := lock(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err = Update(ctx, path, states[0])
	var le *LockError
	if !errors.As(err, &le) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("with the lock held: %v", err)
	}
	done := make(chan error)
	go func() {
		_, err := Update(context.Background(), path, states[0])
		done <- err
	}()
	time.Sleep(5 * time.Millisecond)
	unlock()
	if err := <-done; err != nil {
		t.Errorf("after the lock was given up: %v", err)
	}
}

// TestReadersAndWriters runs writers and readers on one index.
func TestReadersAndWriters(t *testing.T) {
	states := twoTrees()
	path := filepath.Join(t.TempDir(), "x.deep.idx")
	updated(t, path, states[0])
	var wg sync.WaitGroup
	for g := range 3 {
		wg.Go(func() {
			for i := range 4 {
				if _, err := Update(t.Context(), path, states[(i+g)%2]); err != nil {
					t.Error(err)
				}
			}
		})
		wg.Go(func() {
			for range 8 {
				x, err := Open(path)
				if err != nil {
					t.Error(err)
					return
				}
				var readers sync.WaitGroup
				for range 3 {
					readers.Go(func() {
						if _, err := dump(x); err != nil {
							t.Error(err)
						}
					})
				}
				readers.Wait()
				x.Close()
			}
		})
	}
	wg.Wait()
}

// cancelling ends the context at the n-th file it reads.
type cancelling struct {
	Reader
	left   int
	cancel func()
	mu     sync.Mutex
}

func (c *cancelling) ReadFile(path string, buf []byte) ([]byte, error) {
	c.mu.Lock()
	if c.left--; c.left == 0 {
		c.cancel()
	}
	c.mu.Unlock()
	return c.Reader.ReadFile(path, buf)
}

func TestCancelledUpdate(t *testing.T) {
	states := twoTrees()
	for _, n := range []int{1, 2, 50} {
		path := filepath.Join(t.TempDir(), "x.deep.idx")
		ctx, cancel := context.WithCancel(t.Context())
		in := states[0]
		in.Source = &cancelling{Reader: in.Source, left: n, cancel: cancel}
		if _, err := Update(ctx, path, in); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled at file %d: %v", n, err)
		}
		if l := leftovers(t, path); len(l) != 0 {
			t.Errorf("left behind: %q", l)
		}
		if _, err := os.Stat(path); err == nil {
			t.Error("a cancelled build left an index")
		}
	}
}

// TestFilesThatChangeDuringTheBuild reads other contents than the scan saw.
func TestFilesThatChangeDuringTheBuild(t *testing.T) {
	before, _ := small()
	now := maps.Clone(before)
	now["main.go"] = "package changed\n"
	now["util/copy.go"] = now["lib/a.py"]   // the first of two that shared a content
	now["util/do_test.go"] = now["main.go"] // another's new content
	delete(now, "README.md")
	in := before.input()
	in.Source = now
	path := filepath.Join(t.TempDir(), "x.deep.idx")
	updated(t, path, in)
	x := open(t, path)
	if err := x.Check(); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{"main.go", "util/do.go", "util/do_test.go", "util/copy.go"} {
		id, ok := x.Lookup(p)
		text, err := x.Content(id, nil)
		if !ok || err != nil || string(text) != now[p] {
			t.Errorf("%s: %q %v, want what was read", p, text, err)
		}
	}
	id, _ := x.Lookup("README.md")
	if f, err := x.File(id); err != nil || f.Skipped != stream.SkipMissing {
		t.Errorf("a file that is gone: %+v %v", f, err)
	}
	// The next scan sees what is there, and the index is as one built from it.
	if got := updated(t, path, now.input()); !bytes.Equal(got, build(t, now.input())) {
		t.Error("the next update differs from a rebuilt index")
	}
}

func TestBadInput(t *testing.T) {
	_, good := small()
	for what, change := range map[string]func(*Input){
		"path leaves the root": func(in *Input) { in.Files[0].Path = "../x" },
		"path twice":           func(in *Input) { in.Files[0].Path = in.Files[1].Path },
		"no digest":            func(in *Input) { in.Files[0].Sha256 = "zz" },
		"negative size":        func(in *Input) { in.Files[0].Size = -1 },
		"long head":            func(in *Input) { in.Head = strings.Repeat("a", 65) },
		"links": func(in *Input) {
			in.Links = func(LinkInput) Links { return Links{Off: []uint32{0}, To: []uint32{1}} }
		},
		"link too far": func(in *Input) {
			in.Links = func(l LinkInput) Links {
				off := make([]uint32, len(l.Files)+1)
				off[len(l.Files)] = 1
				return Links{Off: off, To: []uint32{99}}
			}
		},
	} {
		in := good
		in.Files = slices.Clone(good.Files)
		change(&in)
		path := filepath.Join(t.TempDir(), "x.deep.idx")
		if _, err := Update(t.Context(), path, in); err == nil {
			t.Errorf("%s: no error", what)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s: wrote an index", what)
		}
	}
}
