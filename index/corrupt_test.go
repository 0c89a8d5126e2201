package index

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
)

// readAll reads everything in data, an index file.
func readAll(data []byte) (text string, err error) {
	x, err := newIndex("x.deep.idx", data)
	if err != nil {
		return "", err
	}
	defer func() {
		if x.decoder != nil {
			x.decoder.Close()
		}
	}()
	text, err = dump(x)
	return text, errors.Join(err, x.Check())
}

// damaged fails unless err says what is damaged and how to rebuild it.
func damaged(t *testing.T, what string, at int, err error) {
	t.Helper()
	var corrupt *CorruptError
	var newer *VersionError
	switch {
	case err == nil:
		t.Fatalf("%s at %d went unnoticed", what, at)
	case !errors.As(err, &corrupt) && !errors.As(err, &newer):
		t.Fatalf("%s at %d: %v (%T)", what, at, err, err)
	case corrupt != nil && corrupt.Section == "" || !strings.Contains(err.Error(), RebuildCommand):
		t.Fatalf("%s at %d: %v: names no section or no command", what, at, err)
	}
}

func TestEveryTruncation(t *testing.T) {
	_, in := small()
	data := build(t, in)
	for n := range data {
		_, err := readAll(data[:n:n])
		damaged(t, "truncation", n, err)
	}
	_, err := readAll(append(data[:len(data):len(data)], 0))
	damaged(t, "addition", len(data), err)
}

func TestEveryFlippedByte(t *testing.T) {
	_, in := small()
	data := build(t, in)
	want, err := readAll(data)
	if err != nil {
		t.Fatal(err)
	}
	for i := range data {
		masks := []byte{1 << (i % 8)}
		if slow() {
			masks = []byte{1, 2, 4, 8, 16, 32, 64, 128, 255}
		}
		for _, mask := range masks {
			data[i] ^= mask
			_, err := readAll(data)
			damaged(t, "flip", i, err)
			// Without Check, whatever is given out must be right.
			if x, err := newIndex("x", data); err == nil {
				if got, err := dump(x); err == nil && got != want {
					t.Fatalf("flip at %d: a wrong answer", i)
				}
			}
			data[i] ^= mask
		}
	}
}

// TestForgedSections damages sections and mends the checksums, so only
// the checks of the records themselves keep the damage from causing a panic.
func TestForgedSections(t *testing.T) {
	_, in := small()
	data := build(t, in)
	x, err := newIndex("x", data)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range x.rows[:len(x.rows)-1] {
		for i := r.offset; i < r.offset+r.length; i++ {
			values := []byte{0, 1, 0x7f, 0x80, 0xfe, 0xff}
			if !slow() {
				values = values[i%6:][:1]
			}
			for _, v := range values {
				forged := append([]byte(nil), data...)
				forged[i] = v
				mend(forged)
				if _, err := readAll(forged); err != nil {
					damaged(t, "forged "+r.tag, int(i), err)
				}
			}
		}
	}
}

// mend makes all checksums of data right again.
func mend(data []byte) {
	n := int(le.Uint32(data[12:]))
	row := func(i int) (off, length uint64, p []byte) {
		p = data[headerSize+i*tableEntry:]
		return le.Uint64(p[8:]), le.Uint64(p[16:]), p
	}
	sumsOff, sumsLen, sumsRow := row(n - 1)
	at := sumsOff
	for i := range n - 1 {
		off, length, p := row(i)
		padded := (length + 7) &^ 7
		from := at
		for k := uint64(0); k < padded; k += pageSize {
			le.PutUint64(data[at:], xxhash.Sum64(data[off+k:off+min(k+pageSize, padded)]))
			at += 8
		}
		le.PutUint64(p[32:], xxhash.Sum64(data[from:at]))
	}
	le.PutUint64(sumsRow[32:], xxhash.Sum64(data[sumsOff:sumsOff+sumsLen]))
	end := headerSize + n*tableEntry
	le.PutUint64(data[end:], xxhash.Sum64(data[:end]))
}

func FuzzOpen(f *testing.F) {
	_, in := small()
	data := build(f, in)
	f.Add(data)
	f.Add(data[:len(data)/2])
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := readAll(data); err != nil {
			damaged(t, "input", 0, err)
		}
		// The same with the checksums mended, as far as the frame allows.
		if h, rows, err := decodeHeader("x", data); err == nil && len(rows) > 0 && h.version > 0 {
			if _, err := newIndex("x", data); err == nil {
				mend(data)
				_, _ = readAll(data)
			}
		}
	})
}

func FuzzEntry(f *testing.F) {
	_, in := small()
	x, err := newIndex("x", build(f, in))
	if err != nil {
		f.Fatal(err)
	}
	for id := range x.NumFiles() {
		if b, err := x.chunkBlob(id); err == nil {
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if chunks, ok := decodeChunks(b); !ok && chunks != nil && len(chunks) > len(b) {
			t.Error("more chunks than bytes")
		}
		if imports, ok := decodeImports(b); ok && len(imports) > len(b) {
			t.Error("more imports than bytes")
		}
	})
}

func TestNewerVersionIsRefused(t *testing.T) {
	_, in := small()
	path := filepath.Join(t.TempDir(), "x.deep.idx")
	data := updated(t, path, in)
	le.PutUint32(data[8:], FormatVersion+1)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	var newer *VersionError
	if _, err := Open(path); !errors.As(err, &newer) || !strings.Contains(err.Error(), RebuildCommand) {
		t.Errorf("Open: %v", err)
	}
	if _, err := Update(t.Context(), path, in); !errors.As(err, &newer) {
		t.Errorf("Update: %v", err)
	}
	in.Force = true
	if _, err := Update(t.Context(), path, in); err != nil {
		t.Errorf("Update with Force: %v", err)
	}
	if err := open(t, path).Check(); err != nil {
		t.Error(err)
	}
}

func TestUnknownSectionIsSkipped(t *testing.T) {
	_, in := small()
	data := build(t, in)
	want, err := readAll(data)
	if err != nil {
		t.Fatal(err)
	}
	x, err := newIndex("x", data)
	if err != nil {
		t.Fatal(err)
	}
	var f memFile
	w := &fileWriter{to: &f, buf: make([]byte, 0, 64*pageSize)}
	n := len(x.rows) + 1
	f.Write(make([]byte, headerSize+n*tableEntry+8))
	w.off = uint64(len(f.b))
	w.section("NEW!", []byte("something from the future"), 0)
	for _, r := range x.rows[:len(x.rows)-1] {
		w.section(r.tag, data[r.offset:r.offset+r.length], r.raw)
	}
	h := *x.head
	if err := w.finish(&h); err != nil {
		t.Fatal(err)
	}
	if got, err := readAll(f.b); err != nil || got != want {
		t.Errorf("with an unknown section: %v", err)
	}
}

// memFile is a sink in memory.
type memFile struct{ b []byte }

func (f *memFile) Write(p []byte) (int, error) {
	f.b = append(f.b, p...)
	return len(p), nil
}

func (f *memFile) WriteAt(p []byte, off int64) (int, error) { return copy(f.b[off:], p), nil }
