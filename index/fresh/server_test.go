package fresh

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/topo-dev/topo/index"
)

// patient waits for the first index as long as the test runs.
const patient = time.Hour

func write(t *testing.T, root, name, text string) {
	t.Helper()
	name = filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func startServer(t *testing.T, root string, o Options) *Server {
	t.Helper()
	p, err := At(context.Background(), root, "")
	if err != nil {
		t.Fatal(err)
	}
	o.Place = p
	k := NewServer(o)
	t.Cleanup(k.Close)
	return k
}

// defines reports whether the server's index has a definition of that name.
func defines(t *testing.T, k *Server, name string) bool {
	t.Helper()
	v, err := k.Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	ids, err := v.Graph.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return len(ids) > 0
}

func TestFollowsTheTree(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.go", "package a\n\nfunc One() {}\n")
	k := startServer(t, root, Options{Patience: patient})
	if !defines(t, k, "One") || defines(t, k, "Two") {
		t.Fatal("the first index does not show the tree")
	}
	write(t, root, "sub/b.go", "package sub\n\nfunc Two() {}\n")
	if !defines(t, k, "Two") {
		t.Error("a new file is not seen")
	}
	write(t, root, "a.go", "package a\n\nfunc Three() {}\n")
	if defines(t, k, "One") || !defines(t, k, "Three") {
		t.Error("a changed file is not seen")
	}
	os.Remove(filepath.Join(root, "sub/b.go"))
	if defines(t, k, "Two") {
		t.Error("a removed file is still there")
	}
}

func TestEditedEndsMaxAge(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.go", "package a\n\nfunc One() {}\n")
	k := startServer(t, root, Options{Patience: patient, MaxAge: time.Hour})
	if !defines(t, k, "One") {
		t.Fatal("no index")
	}
	write(t, root, "a.go", "package a\n\nfunc Two() {}\n")
	if defines(t, k, "Two") {
		t.Error("checked again within MaxAge without an edit")
	}
	k.Edited()
	if !defines(t, k, "Two") {
		t.Error("a reported edit is not seen")
	}
}

func TestViewOutlivesTheState(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.go", "package a\n\nfunc One() {}\n")
	k := startServer(t, root, Options{Patience: patient})
	old, err := k.Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	write(t, root, "a.go", "package a\n\nfunc Two() {}\n")
	if !defines(t, k, "Two") {
		t.Fatal("no refresh")
	}
	if got := old.state.users.Load(); got != 1 {
		t.Errorf("%d users of the old state, want this snapshot alone", got)
	}
	if ids, err := old.Graph.Named("One"); err != nil || len(ids) != 1 {
		t.Errorf("the old snapshot lost its state: %v, %v", ids, err)
	}
	old.Close()
	old.Close() // a second time is harmless
	if got := old.state.users.Load(); got != 0 {
		t.Errorf("%d users after the last was done", got)
	}
}

func TestBuildingIsSaidAtOnce(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.go", "package a\n\nfunc One() {}\n")
	p, err := At(context.Background(), root, "")
	if err != nil {
		t.Fatal(err)
	}
	k := &Server{o: Options{Place: p}}
	k.ctx, k.cancel = context.WithCancel(context.Background())
	t.Cleanup(k.Close)
	k.running = &check{started: time.Now(), done: make(chan struct{})} // a first build that does not end
	k.progress = BuildingError{3, 9}
	_, err = k.Snapshot(context.Background())
	var building *BuildingError
	if !errors.As(err, &building) || !errors.Is(err, ErrBuilding) || err.Error() != "the index is being built: 3 of 9 files" {
		t.Errorf("error %v", err)
	}
}

func TestFailureKeepsTheOldState(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.go", "package a\n\nfunc One() {}\n")
	k := startServer(t, root, Options{Patience: patient})
	if !defines(t, k, "One") {
		t.Fatal("no index")
	}
	k.o.Place.Root = filepath.Join(root, "gone")
	v, err := k.Snapshot(context.Background())
	if err != nil || v.Warning == "" {
		t.Fatalf("warning %q, error %v; want the old state with a warning", v.Warning, err)
	}
	v.Close()
}

func TestNoTree(t *testing.T) {
	k := NewServer(Options{Place: Place{Root: filepath.Join(t.TempDir(), "gone")}, Patience: patient})
	defer k.Close()
	if _, err := k.Snapshot(context.Background()); err == nil || errors.Is(err, ErrBuilding) {
		t.Errorf("error %v, want the reason", err)
	}
	k.Close()
	if _, err := k.Snapshot(context.Background()); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

func TestLinkedCacheIsRefused(t *testing.T) {
	root, elsewhere := t.TempDir(), t.TempDir()
	write(t, root, "a.go", "package a\n")
	if err := os.Symlink(elsewhere, filepath.Join(root, Folder)); err != nil {
		t.Skip("no symbolic links here")
	}
	k := startServer(t, root, Options{Patience: patient})
	if _, err := k.Snapshot(context.Background()); !errors.Is(err, ErrLinkedCache) {
		t.Errorf("error %v", err)
	}
	if entries, _ := os.ReadDir(elsewhere); len(entries) != 0 {
		t.Errorf("written through the link: %v", entries)
	}
}

// TestManyReaders edits while many ask: each answer must be of one state, no
// older than the newest edit before the question.
func TestManyReaders(t *testing.T) {
	root, aside := t.TempDir(), t.TempDir()
	text := func(n int) string { return fmt.Sprintf("package a\n\nfunc F%d() {}\n", n) }
	write(t, root, "a.go", text(0))
	k := startServer(t, root, Options{Patience: patient})
	var mu sync.RWMutex
	edit := 0
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 10 {
				mu.RLock()
				least := edit
				mu.RUnlock()
				v, err := k.Snapshot(context.Background())
				if err != nil {
					t.Error(err)
					return
				}
				id, ok := v.Index.Lookup("a.go")
				content, err := v.Index.Content(id, nil)
				got := 0
				if _, scanErr := fmt.Sscanf(string(content), "package a\n\nfunc F%d", &got); !ok || err != nil || scanErr != nil || got < least {
					t.Errorf("asked after edit %d, got the state of %d (%v, %v)", least, got, err, scanErr)
				}
				v.Close()
			}
		})
	}
	wg.Go(func() {
		for n := 1; n <= 5; n++ {
			write(t, aside, "a.go", text(n))
			if err := os.Rename(filepath.Join(aside, "a.go"), filepath.Join(root, "a.go")); err != nil {
				t.Error(err)
			}
			mu.Lock()
			edit = n
			mu.Unlock()
			v, err := k.Snapshot(context.Background())
			if err != nil {
				t.Error(err)
				return
			}
			v.Close()
		}
	})
	wg.Wait()
	if got := k.current.users.Load(); got != 1 {
		t.Errorf("%d users of the newest state, want the server alone", got)
	}
}

func TestUpdateAgreesWithServer(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.go", "package a\n\nfunc One() {}\n")
	k := startServer(t, root, Options{Patience: patient})
	if !defines(t, k, "One") {
		t.Fatal("no index")
	}
	x, err := index.Open(k.current.place.Deep())
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if err := x.Check(); err != nil {
		t.Error(err)
	}
}
