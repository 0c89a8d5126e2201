package index

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// vectorRow makes a row from a number.
func vectorRow(n, dims int) VectorRow {
	r := VectorRow{Key: sha256.Sum256(fmt.Appendf(nil, "key %d", n)), Scale: float32(n+1) / 1000, Data: make([]int8, dims)}
	text := sha256.Sum256(fmt.Appendf(nil, "text %d", n))
	copy(r.Text[:], text[:])
	rng := rand.New(rand.NewPCG(uint64(n), 1))
	for i := range r.Data {
		r.Data[i] = int8(rng.IntN(255) - 127)
	}
	return r
}

func vectorRows(from, to, dims int) (out []VectorRow) {
	for n := from; n < to; n++ {
		out = append(out, vectorRow(n, dims))
	}
	return out
}

func openVectors(t *testing.T, path, model string) *Vectors {
	t.Helper()
	v, err := OpenVectors(path, model)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	return v
}

func appendVectors(t *testing.T, v *Vectors, rows []VectorRow) {
	t.Helper()
	if err := v.Append(context.Background(), rows); err != nil {
		t.Fatal(err)
	}
}

// holds checks that v holds rows from..to-1 and says how many it holds.
func holds(t *testing.T, v *Vectors, from, to, dims int) {
	t.Helper()
	for n := from; n < to; n++ {
		want := vectorRow(n, dims)
		got, ok := v.Get(want.Key)
		if same, ok2 := v.Same(want.Text); !ok || !ok2 || got.Scale != want.Scale || !slices.Equal(got.Data, want.Data) || !slices.Equal(same.Data, want.Data) {
			t.Fatalf("row %d of %d: %v %v", n, v.Len(), ok, ok2)
		}
	}
}

func TestVectorsKeep(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.vec")
	for _, dims := range []int{1, 63, 64, 65, 384} { // each drops what was of another length
		v := openVectors(t, path, "m")
		appendVectors(t, v, vectorRows(0, 10, dims))
		appendVectors(t, v, vectorRows(10, 11, dims))
		appendVectors(t, v, nil)
		holds(t, v, 0, 11, dims)
		v.Close()
		v = openVectors(t, path, "m")
		if v.Len() != 11 || v.Dims() != dims {
			t.Fatalf("%d vectors of %d dimensions, want 11 of %d", v.Len(), v.Dims(), dims)
		}
		holds(t, v, 0, 11, dims)
		if _, ok := v.Get(vectorRow(11, dims).Key); ok {
			t.Error("a vector that nobody added")
		}
	}
}

func TestVectorsOfAnotherModel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.vec")
	v := openVectors(t, path, "m")
	appendVectors(t, v, vectorRows(0, 3, 8))
	other := openVectors(t, path, "n")
	if other.Len() != 0 {
		t.Error("vectors of another model were taken")
	}
	for _, name := range []string{"", string(make([]byte, 300))} {
		if _, err := OpenVectors(path, name); err == nil {
			t.Errorf("model name of %d bytes was taken", len(name))
		}
	}
	if err := v.Append(context.Background(), []VectorRow{vectorRow(1, 8), vectorRow(2, 9)}); err == nil {
		t.Error("rows of two lengths were taken")
	}
}

// TestVectorsOfTwoWriters appends by two handles in turn; nothing is lost.
func TestVectorsOfTwoWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.vec")
	a, b := openVectors(t, path, "m"), openVectors(t, path, "m")
	appendVectors(t, a, vectorRows(0, 5, 16))
	appendVectors(t, b, vectorRows(5, 9, 16))
	appendVectors(t, a, vectorRows(9, 12, 16))
	holds(t, openVectors(t, path, "m"), 0, 12, 16)
}

// TestVectorsKilled cuts the file at every length that a killed writer may
// leave: whole rows stay, and what is added afterwards too.
func TestVectorsKilled(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.vec")
	v := openVectors(t, path, "m")
	appendVectors(t, v, vectorRows(0, 4, 8))
	v.Close()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	stride := vectorStride(8)
	for cut := 0; cut <= len(whole); cut += 7 {
		if err := os.WriteFile(path, whole[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		v := openVectors(t, path, "m")
		rows := max(0, (cut-vectorHeader)/stride)
		if v.Len() != rows {
			t.Fatalf("cut at %d: %d rows, want %d", cut, v.Len(), rows)
		}
		holds(t, v, 0, rows, 8)
		appendVectors(t, v, vectorRows(4, 6, 8))
		v.Close()
		v = openVectors(t, path, "m")
		holds(t, v, 0, rows, 8)
		holds(t, v, 4, 6, 8)
		v.Close()
	}
}

// TestVectorsDamaged changes each byte in turn: a vector is the right one or
// absent.
func TestVectorsDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.vec")
	v := openVectors(t, path, "m")
	appendVectors(t, v, vectorRows(0, 2, 8))
	v.Close()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := range whole {
		bad := slices.Clone(whole)
		bad[at] ^= 0x41
		if err := os.WriteFile(path, bad, 0o644); err != nil {
			t.Fatal(err)
		}
		v := openVectors(t, path, "m")
		if v.Len() == 2 {
			t.Errorf("damage at %d went unnoticed", at)
		}
		for n := range 2 {
			want := vectorRow(n, 8)
			if got, ok := v.Get(want.Key); ok && (got.Scale != want.Scale || !slices.Equal(got.Data, want.Data)) {
				t.Errorf("damage at %d: row %d is wrong", at, n)
			}
		}
		v.Close()
	}
}

func TestVectorsTrim(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.vec")
	v := openVectors(t, path, "m")
	appendVectors(t, v, vectorRows(0, 100, 64))
	appendVectors(t, v, vectorRows(0, 50, 64)) // again: the first of each is of no use
	live := func(k VectorKey) bool { return k == vectorRow(3, 64).Key || k == vectorRow(60, 64).Key }
	size := int64(vectorHeader + 150*vectorStride(64))
	if err := v.Trim(context.Background(), size, live); err != nil || v.Len() != 100 {
		t.Fatalf("short enough: %d vectors, %v", v.Len(), err)
	}
	if err := v.Trim(context.Background(), size-1, live); err != nil {
		t.Fatal(err)
	}
	for _, x := range []*Vectors{v, openVectors(t, path, "m")} {
		if x.Len() < 70 || x.Len() > 75 {
			t.Errorf("%d vectors left", x.Len())
		}
		holds(t, x, 3, 4, 64)
		holds(t, x, 60, 61, 64)
		holds(t, x, 0, 50, 64) // the newest
	}
	appendVectors(t, v, vectorRows(200, 201, 64))
	holds(t, openVectors(t, path, "m"), 200, 201, 64)
}

// TestVectorsNotAFile puts other things in the file's place.
func TestVectorsNotAFile(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "target")
	if err := os.WriteFile(target, []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "a.vec")
	if err := os.Symlink(target, path); err != nil {
		t.Skip("no symbolic links here")
	}
	v := openVectors(t, path, "m")
	if v.Len() != 0 {
		t.Error("a link was followed")
	}
	appendVectors(t, v, vectorRows(0, 2, 8))
	if text, _ := os.ReadFile(target); string(text) != "precious" {
		t.Errorf("what the link points to was written to: %q", text)
	}
	holds(t, openVectors(t, path, "m"), 0, 2, 8)
}

func FuzzVectorsOpen(f *testing.F) {
	path := filepath.Join(f.TempDir(), "seed.vec")
	v, err := OpenVectors(path, "m")
	if err != nil {
		f.Fatal(err)
	}
	if err := v.Append(context.Background(), vectorRows(0, 2, 8)); err != nil {
		f.Fatal(err)
	}
	v.Close()
	seed, _ := os.ReadFile(path)
	f.Add(seed)
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "a.vec")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		v := openVectors(t, path, "m")
		for key := range v.byKey {
			if r, ok := v.Get(key); !ok || len(r.Data) != v.Dims() {
				t.Errorf("%v, %d of %d dimensions", ok, len(r.Data), v.Dims())
			}
		}
	})
}

// BenchmarkVectorsOpen opens 10,000 vectors of 768 dimensions, all verified.
func BenchmarkVectorsOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "a.vec")
	v, err := OpenVectors(path, "m")
	if err != nil {
		b.Fatal(err)
	}
	if err := v.Append(context.Background(), vectorRows(0, 10000, 768)); err != nil {
		b.Fatal(err)
	}
	v.Close()
	for b.Loop() {
		v, err := OpenVectors(path, "m")
		if err != nil || v.Len() != 10000 {
			b.Fatal(err, v.Len())
		}
		v.Close()
	}
}
