package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestWrite fails in the middle and must leave what was there.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x")
	ok := func(w io.Writer) error { _, err := io.WriteString(w, "old"); return err }
	if err := Write(name, ok); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := Write(name, func(w io.Writer) error { io.WriteString(w, "new"); return broken })
	if !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	if got, _ := os.ReadFile(name); string(got) != "old" {
		t.Errorf("the file holds %q", got)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}
