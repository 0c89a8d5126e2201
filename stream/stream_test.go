package stream

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
)

const (
	head = `{"Version":"0.3","Query":"","Preset":"scan","Budget":{},"MinScore":0}`
	foot = `{"TotalFiles":1,"TotalTokens":2,"ScannedFiles":3}`
	file = `{"Path":"a.go","Score":0,"Tokens":2,"Language":"go","Role":"impl"}`
)

// copyStream reads in whole, lets change see each record and writes it again.
func copyStream(in string, change func(*Record) error) (string, error) {
	r := NewReader(strings.NewReader(in))
	var out bytes.Buffer
	w := NewWriter(&out)
	for {
		rec, err := r.Next()
		if err == io.EOF {
			err := w.Flush()
			return out.String(), err
		} else if err != nil {
			return "", err
		}
		if change != nil {
			if err := change(&rec); err != nil {
				return "", err
			}
		}
		if err := w.Record(&rec); err != nil {
			return "", err
		}
	}
}

func lines(l ...string) string { return strings.Join(l, "\n") + "\n" }

func TestPassThroughKeepsBytes(t *testing.T) {
	in := lines(head,
		`{"Mine":1,"Path":"a.go","Other":{"z":1,"a":[1, 2]},"Score":0.10}`,
		`{"Detector":"x","Path":"a.go","Line":3}`,
		`{"From":"a","To":"b"}`, `{"Event":"done"}`, `{"anything":"<&>"}`, foot)
	got, err := copyStream(in, nil)
	if err != nil || got != in {
		t.Fatalf("err %v\n got %s\nwant %s", err, got, in)
	}
}

func TestSetKeepsUnknownFields(t *testing.T) {
	in := lines(head, `{"Mine":[1, 2],"Path":"a<b>.go","Score":0,"Skipped":"binary","Tokens":1,"Language":"go","Role":"impl","Yours":"x"}`, foot)
	got, err := copyStream(in, func(r *Record) error {
		if r.Kind != KindFile {
			return nil
		}
		f, err := r.File()
		if err != nil {
			return err
		}
		f.Score, f.Skipped, f.Sha256 = 1.5, "", "ab"
		return r.Set(f)
	})
	want := lines(head, `{"Mine":[1,2],"Path":"a<b>.go","Score":1.5,"Tokens":1,"Language":"go","Role":"impl","Yours":"x","Sha256":"ab"}`, foot)
	if err != nil || strings.ReplaceAll(got, "[1, 2]", "[1,2]") != want {
		t.Fatalf("err %v\n got %s\nwant %s", err, got, want)
	}
}

func TestFileRoundTrip(t *testing.T) {
	for _, p := range []string{"a.go", "dir with space/b", "line\nbreak", "tab\t\"quote\"", "bad\xff\xfebyte/\x80", "日本語", "<&>", "\u2028"} {
		want := File{Path: p, Score: 0.5, Tokens: 3, Language: "go", Role: RoleTest, Size: 9, Sha256: "00",
			Signals: map[string]float64{"Bm25f": 1}, Chunks: []Chunk{{Kind: "function", Name: "F", StartLine: 1, EndLine: 2}}}
		rec, err := NewRecord(want)
		if err != nil {
			t.Fatal(err)
		}
		if rec.Kind != KindFile {
			t.Errorf("%q: kind %d", p, rec.Kind)
		}
		got, err := rec.File()
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: err %v\n got %+v\nwant %+v", p, err, got, want)
		}
		if bytes.ContainsRune(rec.bytes(), '\n') {
			t.Errorf("%q: a record spans lines", p)
		}
	}
}

func TestReaderErrors(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", "empty input"},
		{"no header", lines(file, foot), "line 1: the first record must be a header"},
		{"no footer", lines(head, file), "line 2: the stream ends without a footer"},
		{"cut line", head + "\n" + file[:20], "line 2: not JSON"},
		{"not JSON", lines(head, "hello", foot), "line 2: not JSON"},
		{"array", lines(head, "[1]", foot), "line 2: a record must be a JSON object"},
		{"two values", lines(head, `{"a":1} {"b":2}`, foot), "line 2: more than one JSON value"},
		{"newer major", lines(strings.Replace(head, "0.3", "1.0", 1), foot), "newer than 0.3"},
		{"odd version", lines(strings.Replace(head, "0.3", "x", 1), foot), "not of the form"},
		{"version a number", lines(strings.Replace(head, `"0.3"`, "3", 1), foot), "line 1: header"},
		{"after footer", lines(head, foot, file), "line 3: a record after the footer"},
		{"path up", lines(head, `{"Path":"../x"}`, foot), "line 2: path"},
		{"path absolute", lines(head, `{"Path":"/etc/passwd"}`, foot), "leaves the root"},
		{"path inside up", lines(head, `{"Path":"a/../../x"}`, foot), "leaves the root"},
		{"path empty", lines(head, `{"Path":""}`, foot), "empty path"},
		{"path NUL", lines(head, `{"Path":"a\u0000b"}`, foot), "NUL"},
		{"path a number", lines(head, `{"Path":1}`, foot), "file record"},
		{"path bytes", lines(head, `{"Path":"x","PathBase64":"!"}`, foot), "PathBase64"},
		{"path bytes up", lines(head, `{"Path":"x","PathBase64":"Li4veA=="}`, foot), "leaves the root"},
		{"latin-1", lines(head, "{\"Path\":\"\xff\"}", foot), "not UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := copyStream(c.in, nil)
			var se *StreamError
			if !errors.As(err, &se) || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestMinorVersionsAreRead(t *testing.T) {
	if _, err := copyStream(lines(strings.Replace(head, "0.3", "0.9", 1), file, foot), nil); err != nil {
		t.Fatal(err)
	}
}

func TestLongLine(t *testing.T) {
	_, err := copyStream(lines(head, `{"x":"`+strings.Repeat("a", MaxLine)+`"}`, foot), nil)
	if err == nil || !strings.Contains(err.Error(), "line 2: longer than") {
		t.Fatal(err)
	}
}

func TestEstimateTokens(t *testing.T) {
	for n, want := range map[int64]int{0: 0, 1: 1, 4: 1, 5: 2, 2000: 500} {
		if got := EstimateTokens(n); got != want {
			t.Errorf("EstimateTokens(%d) = %d, want %d", n, got, want)
		}
	}
}

// FuzzReader checks that any bytes give records or a StreamError, and that
// what was read can be written and read again.
func FuzzReader(f *testing.F) {
	f.Add(lines(head, file, foot))
	f.Add(lines(head, `{"Path":"x","PathBase64":"/w=="}`, foot))
	f.Fuzz(func(t *testing.T, in string) {
		rewrite := func(r *Record) error {
			if r.Kind != KindFile {
				return nil
			}
			file, err := r.File()
			if err != nil {
				t.Fatalf("the reader let a bad file record pass: %v", err)
			}
			return r.Set(file)
		}
		once, err := copyStream(in, rewrite)
		if err != nil {
			var se *StreamError
			if !errors.As(err, &se) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		if twice, err := copyStream(once, rewrite); err != nil || twice != once {
			t.Fatalf("second pass: %v\n%q\n%q", err, once, twice)
		}
	})
}

func BenchmarkReader(b *testing.B) {
	in := head + "\n" + strings.Repeat(file+"\n", 8000) + foot + "\n"
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		if _, err := copyStream(in, nil); err != nil {
			b.Fatal(err)
		}
	}
}
