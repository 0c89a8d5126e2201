package stream

import (
	"bytes"
	"math"
	"testing"
)

// checkPlain compares the short way of coding a file with the general one.
func checkPlain(t *testing.T, f File) {
	t.Helper()
	want, err := marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := f.appendPlain(nil); ok && !bytes.Equal(got, want) {
		t.Errorf("%+v is coded as %s, want %s", f, got, want)
	}
	var buf bytes.Buffer
	w := NewWriter(&buf)
	for _, v := range []any{f, &f} {
		if err := w.Write(v); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if got := buf.String(); got != string(want)+"\n"+string(want)+"\n" {
		t.Errorf("%+v is written as %s, want %s", f, got, want)
	}
}

func TestPlainFilesAreCodedAlike(t *testing.T) {
	plain := File{Path: "cmd/<main> & 'x'.go", Tokens: 12, Language: "go", Role: RoleImpl, Size: 48, Sha256: "ab12"}
	if _, ok := plain.appendPlain(nil); !ok {
		t.Error("a plain file is not taken for one")
	}
	for _, f := range []File{plain, {}, {Path: "a", Skipped: SkipSymlink, Target: "../b"}, {Path: "a\"b"}, {Path: "a\\b"}, {Path: "a\x7f"},
		{Path: "ä"}, {Path: "bad\xff"}, {Path: "a", Language: "x\n"}, {Path: "a", Score: 0.5}, {Path: "a", Score: math.Copysign(0, -1)},
		{Path: "a", Signals: map[string]float64{"Body": 1}}, {Path: "a", Chunks: []Chunk{{Name: "f"}}}, {Path: "a", Size: -1, Tokens: -7}} {
		checkPlain(t, f)
	}
}

func FuzzPlain(f *testing.F) {
	f.Add("cmd/main.go", "go", "impl", "", int64(3), 1)
	f.Add("\u2028\x00\"", "<", "\\", "\xff", int64(-3), -1)
	f.Fuzz(func(t *testing.T, path, language, role, target string, size int64, tokens int) {
		checkPlain(t, File{Path: path, Language: language, Role: Role(role), Target: target, Size: size, Tokens: tokens})
	})
}
