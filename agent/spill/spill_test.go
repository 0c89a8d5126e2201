package spill

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCap(t *testing.T) {
	var lines strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&lines, "line %d\n", i+1)
	}
	for _, c := range []struct {
		name, text, handle string
		limit              int
		want               string
	}{
		{"short", "abc", "output:x", 3, "abc"},
		{"invalid bytes", "a\xffb", "", 100, "a\uFFFDb"},
		{"empty", "", "", 0, ""},
		{"no room", "abcdef", "", 4, "abcd"},
		{"no room in a rune", "aé", "", 2, "a"},
		{"negative", "abc", "", -1, ""},
		{"lines", lines.String(), "output:0123", maxNote + 40,
			"line 1\nline 2\nline 3\n[… 995 lines, 8853 bytes left out; read output:0123 from line 4 …]\nline 999\nline 1000\n"},
		{"one long line", strings.Repeat("é", 500), "", maxNote + 12,
			"ééé\n[… 1 lines, 988 bytes left out …]\nééé"},
	} {
		if got := Cap(c.text, c.handle, c.limit); got != c.want {
			t.Errorf("%s: %q\nwant %q", c.name, got, c.want)
		}
	}
}

func TestStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	s := Open(dir)
	long := strings.Repeat("a line\n", 1000)
	content, handle, err := s.Cap(long, 400)
	if err != nil || !IsHandle(handle) || !strings.Contains(content, handle) || len(content) > 400 {
		t.Fatalf("Cap: %q, %q, %v", content, handle, err)
	}
	if again, err := s.Put(long); err != nil || again != handle {
		t.Errorf("the same text: %q, %v; want %q", again, err, handle)
	}
	f, err := s.Open(handle)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got, err := io.ReadAll(f); err != nil || string(got) != long {
		t.Errorf("read %d bytes, %v", len(got), err)
	}
	if content, handle, err := s.Cap("short", 400); content != "short" || handle != "" || err != nil {
		t.Errorf("short: %q, %q, %v", content, handle, err)
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != 1 {
		t.Errorf("%d files in the store, want 1", len(entries))
	}
	if st, err := os.Stat(dir); err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("folder %v, %v", st.Mode(), err)
	}
}

func TestStoreCannotWrite(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	content, handle, err := Open(filepath.Join(file, "out")).Cap(strings.Repeat("x", 1000), 300)
	if err == nil || handle != "" || len(content) > 300 || !strings.Contains(content, "left out") {
		t.Errorf("%q, %q, %v", content, handle, err)
	}
}

func TestHandles(t *testing.T) {
	s := Open(t.TempDir())
	for _, h := range []string{"", "output:", "x", "output:../../../../etc/pa", "output:0123456789ABCDEF",
		"output:0123456789abcde/", "output:0123456789abcdef0", "output:0123456789abcdef"} {
		if f, err := s.Open(h); err == nil {
			f.Close()
			t.Errorf("%q opened", h)
		}
	}
}

func FuzzCap(f *testing.F) {
	f.Add("a\nb\xff\n", 3)
	f.Add(strings.Repeat("é\n", 300), 200)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		got := Cap(text, "output:0123456789abcdef", limit)
		if !utf8.ValidString(got) {
			t.Errorf("not UTF-8: %q", got)
		}
		if len(got) > max(limit, 0) {
			t.Errorf("%d bytes, the limit is %d", len(got), limit)
		}
	})
}

func BenchmarkCap(b *testing.B) {
	text := strings.Repeat("a line of some output\n", 50_000)
	for b.Loop() {
		Cap(text, "output:0123456789abcdef", 30_000)
	}
}
