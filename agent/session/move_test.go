package session

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// TestMove takes a session over with its outputs, and nothing that is in the way
// or in use.
func TestMove(t *testing.T) {
	from := written(t, "s1", sample("s1"))
	if err := os.Mkdir(from.Outputs("s1"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(from.Outputs("s1"), "o"), []byte("long"), 0o600); err != nil {
		t.Fatal(err)
	}
	to := Open(filepath.Join(t.TempDir(), "sessions"))
	log, _, err := from.Resume("s1")
	if err != nil {
		t.Fatal(err)
	}
	if err := to.Move(from, "s1"); !errors.Is(err, ErrBusy) {
		t.Errorf("in use: %v", err)
	}
	log.Close()
	want, err := from.Events("s1")
	if err != nil {
		t.Fatal(err)
	}
	if err := to.Move(from, "s1"); err != nil {
		t.Fatal(err)
	}
	if got, err := to.Events("s1"); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("moved: %v, %v", got, err)
	}
	if text, err := os.ReadFile(filepath.Join(to.Outputs("s1"), "o")); string(text) != "long" {
		t.Errorf("output %q, %v", text, err)
	}
	if _, err := os.Lstat(from.dir); err == nil {
		t.Error("the other store is still there")
	}
	twin := written(t, "s1", sample("s1")[:3])
	if err := to.Move(twin, "s1"); !errors.Is(err, os.ErrExist) {
		t.Errorf("of a name that there is: %v", err)
	}
	if got, err := to.Events("s1"); err != nil || len(got) != len(want) {
		t.Errorf("%d events are left of %d, %v", len(got), len(want), err)
	}
}
