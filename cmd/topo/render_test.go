package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOutputWithoutABudget: render prints at most 100,000 bytes where nobody says what
// the output may cost, and says so.
func TestOutputWithoutABudget(t *testing.T) {
	dir := t.TempDir()
	for i := range 10 {
		text := fmt.Sprintf("%d\n", i) + strings.Repeat("sessions expire after an hour\n", 1000)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("notes%d.txt", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	global := []string{"--root", dir, "--cache-dir", t.TempDir()}
	quick := func(args ...string) []byte {
		return stage(t, nil, append(append([]string{"quick", "when do sessions expire"}, args...), global...)...)
	}
	all := quick()
	const note = "no budget was given: printing at most 100,000 bytes"
	for _, c := range []struct {
		name     string
		stream   []byte
		args     []string
		min, max int // bytes of the output
		note     bool
	}{
		{"nothing given", all, nil, 97_000, 100_000, true},
		{"another format", all, []string{"--format", "xml"}, 97_000, 100_000, true},
		{"all of it", all, []string{"--max-bytes", "0"}, 300_000, 400_000, false},
		{"a budget of tokens", all, []string{"--max-tokens", "50000"}, 200_000, 400_000, false},
		{"a budget in the stream", quick("--max-bytes", "200k"), nil, 190_000, 200 << 10, false},
		{"the same in another format", quick("--max-bytes", "200k"), []string{"--format", "json"}, 190_000, 200 << 10, false},
		{"a short output", quick("--top", "1"), nil, 29_000, 32_000, false},
		{"no content", all, []string{"--format", "paths"}, 10, 200, false},
	} {
		f, out, errOut := fake(nil)
		f.in, f.inStream = bytes.NewReader(c.stream), true
		if code := run(context.Background(), f, append(append([]string{"render"}, c.args...), global...)); code != exitOK {
			t.Fatalf("%s: exit code %d: %s", c.name, code, errOut)
		}
		if n := out.Len(); n < c.min || n > c.max {
			t.Errorf("%s: %d bytes, want %d to %d", c.name, n, c.min, c.max)
		}
		if got := strings.Count(errOut.String(), note); got > 1 || (got == 1) != c.note || strings.Count(errOut.String(), "\n") != got {
			t.Errorf("%s: says %q", c.name, errOut)
		}
	}
}
