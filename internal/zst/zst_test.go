package zst

import (
	"bytes"
	"errors"
	"io"
	"math/rand"
	"testing"
	"testing/iotest"
)

func compress(t testing.TB, name string, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := NewWriter(&b, name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func read(data []byte, limit int64) ([]byte, error) {
	r, err := NewReader(iotest.HalfReader(bytes.NewReader(data)), limit)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

func TestRoundTrip(t *testing.T) {
	noise := make([]byte, 300_000)
	rand.New(rand.NewSource(1)).Read(noise)
	for _, data := range [][]byte{nil, []byte("x"), []byte("a line\n"), bytes.Repeat([]byte("topo "), 100_000), noise} {
		plain, packed := compress(t, "s.jsonl", data), compress(t, "s.jsonl.zst", data)
		if !bytes.Equal(plain, data) {
			t.Errorf("%d bytes changed on the way to a plain file", len(data))
		}
		if len(data) > 0 && bytes.Equal(packed, data) {
			t.Errorf("%d bytes were not compressed", len(data))
		}
		for _, file := range [][]byte{plain, packed} {
			got, err := read(file, int64(len(data))+1)
			if err != nil || !bytes.Equal(got, data) {
				t.Errorf("%d bytes: read %d, %v", len(data), len(got), err)
			}
		}
	}
}

func TestLimit(t *testing.T) {
	bomb := compress(t, "x.zst", make([]byte, 64<<20))
	if len(bomb) > 64<<10 {
		t.Fatalf("the bomb has %d bytes; it should be small", len(bomb))
	}
	got, err := read(bomb, 1000)
	if !errors.Is(err, ErrTooLarge) || len(got) != 1000 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	exact := compress(t, "x.zst", make([]byte, 1000))
	if got, err := read(exact, 1000); err != nil || len(got) != 1000 {
		t.Errorf("exactly at the limit: %d bytes, %v", len(got), err)
	}
}

// A file that is cut anywhere is an error, but at a length where nothing of
// the frame is left to see.
func TestTruncated(t *testing.T) {
	file := compress(t, "x.zst", bytes.Repeat([]byte("topo finds code. "), 500))
	for n := len(magic); n < len(file); n++ {
		if _, err := read(file[:n], 0); err == nil {
			t.Errorf("cut to %d of %d bytes: no error", n, len(file))
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("plain"))
	f.Add(compress(f, "x.zst", []byte("packed packed packed")))
	f.Add(append([]byte(nil), magic...))
	f.Fuzz(func(t *testing.T, data []byte) {
		const limit = 1 << 16
		got, err := read(data, limit)
		if bytes.HasPrefix(data, magic) {
			if len(got) > limit {
				t.Fatalf("%d bytes over a limit of %d", len(got), limit)
			}
		} else if err != nil || !bytes.Equal(got, data) {
			t.Fatalf("plain content changed: %v", err)
		}
	})
}
