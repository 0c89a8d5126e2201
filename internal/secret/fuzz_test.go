package secret

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// FuzzMask holds the promises of the package on any content.
func FuzzMask(f *testing.F) {
	for _, c := range trials(1) {
		if len(c.text)%7 == 0 {
			f.Add([]byte(c.text))
		}
	}
	for _, text := range hostile {
		f.Add(repeated(text, 200))
	}
	f.Add([]byte(source{rand.New(rand.NewPCG(1, 1))}.pem("RSA ")))
	f.Fuzz(func(t *testing.T, content []byte) { checkPromises(t, content) })
}

func checkPromises(t *testing.T, content []byte) {
	t.Helper()
	original := bytes.Clone(content)
	last := 0
	for _, f := range Find(content) {
		if f.Start < last || f.End <= f.Start || f.End > len(content) {
			t.Fatalf("finding %v after %d in %q", f, last, content)
		}
		if want := 1 + bytes.Count(content[:f.Start], []byte("\n")); f.Line != want {
			t.Fatalf("finding %v is in line %d of %q", f, want, content)
		}
		last = f.End
	}
	masked, n := Mask(content)
	if !bytes.Equal(content, original) {
		t.Fatal("Mask changed its argument")
	}
	if n == 0 != bytes.Equal(masked, content) {
		t.Fatalf("%d found in %q, masked %q", n, content, masked)
	}
	if bytes.Count(masked, []byte("\n")) != bytes.Count(content, []byte("\n")) {
		t.Fatalf("lines of %q changed: %q", content, masked)
	}
	if left := Find(masked); len(left) != 0 {
		t.Fatalf("%v is left in %q, masked from %q", left, masked, content)
	}
}

// TestPromises mixes parts of secrets, which random bytes would never do.
func TestPromises(t *testing.T) {
	r := source{rand.New(rand.NewPCG(9, 10))}
	parts := []string{"[", "]", "\"", "'", " ", "\n", "=", ": ", "-", "_", ".", "@", ":", "/", "\\", "\\n", "://", "key", "password", "value", "secret"}
	for _, name := range slices.Sorted(maps.Keys(hostile)) {
		parts = append(parts, hostile[name])
	}
	for _, f := range formats {
		parts = append(parts, strings.Split(f.pattern, "{")[0])
	}
	for _, k := range kinds {
		parts = append(parts, k.make(r), k.name)
	}
	rounds := 20_000
	if os.Getenv("TOPO_SLOW") != "" {
		rounds = 2_000_000
	}
	for range rounds {
		var b []byte
		for range r.IntN(12) {
			p := parts[r.IntN(len(parts))]
			if r.IntN(4) == 0 {
				p = p[:r.IntN(len(p)+1)]
			}
			b = append(b, p...)
		}
		checkPromises(t, b)
	}
}
