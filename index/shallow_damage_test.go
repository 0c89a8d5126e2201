package index

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/topo-dev/topo/stream"
)

// TestShallowDamage flips every bit and cuts at every length: no damage goes
// unnoticed.
func TestShallowDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.jsonl")
	files := []stream.File{{Path: "a.go", Tokens: 3, Language: "go", Role: stream.RoleImpl, Size: 9, Sha256: "00ff"}, {Path: "b", Role: stream.RoleOther}}
	if err := WriteShallow(context.Background(), path, stream.Header{Fingerprint: "f"}, files, 2); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, at int, data []byte) {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, _, _, err := ReadShallow(path); err == nil {
			t.Errorf("%s at %d goes unnoticed: %q", what, at, data)
		}
	}
	for i := range good {
		for bit := range 8 {
			bad := append([]byte(nil), good...)
			bad[i] ^= 1 << bit
			check("flip", i, bad)
		}
		check("cut", i, good[:i])
	}
	if err := os.WriteFile(path, good, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, got, foot, err := ReadShallow(path); err != nil || len(got) != 2 || foot.TotalTokens != 3 {
		t.Fatalf("%v %v %v", got, foot, err)
	}
}
