package index

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var updateGolden = flag.Bool("update", false, "write the frozen index of the current format version")

// TestFrozenVersions opens one index of each format version that there was.
// Those files never change: -update only makes one that is not there yet.
func TestFrozenVersions(t *testing.T) {
	for v := 1; v <= FormatVersion; v++ {
		name := filepath.Join("testdata", fmt.Sprintf("v%d.deep.idx", v))
		golden := strings.TrimSuffix(name, ".deep.idx") + ".txt"
		if _, err := os.Stat(name); err != nil && *updateGolden && v == FormatVersion {
			_, in := small()
			data := build(t, in)
			text, err := readAll(data)
			if err != nil {
				t.Fatal(err)
			}
			os.MkdirAll("testdata", 0o755)
			if err := os.WriteFile(name, data, 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(golden, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		x := open(t, name)
		if err := x.Check(); err != nil {
			t.Errorf("version %d: %v", v, err)
		}
		got, err := dump(x)
		if err != nil {
			t.Fatalf("version %d: %v", v, err)
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("version %d reads as something else than when it was frozen:\n%s", v, got)
		}
	}
}

// TestCompressorIsFrozen fails when the compressor gives other bytes than it
// gave when the format version was made. Then the version must be raised, or
// updated indexes and rebuilt ones would differ.
func TestCompressorIsFrozen(t *testing.T) {
	enc, err := newEncoder()
	if err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	for _, n := range []int{1, 10, 100, 1000, 10000} {
		h.Write(pack(enc, []byte(strings.Repeat(fmt.Sprintf("func f%d() { evict(pod, %d) }\n", n, n*n), n))))
	}
	const want = "c11265a6985860202d7b70eeaed5f6431f2c0c54e1736e9f3364789c59a6f06a"
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		t.Errorf("blocks hash to %s, format version %d was made with %s; raise FormatVersion", got, FormatVersion, want)
	}
}
