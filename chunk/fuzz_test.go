package chunk

import (
	"bytes"
	"context"
	"reflect"
	"testing"
	"unicode/utf8"
)

// checkResult reports every break of what the package promises.
func checkResult(t *testing.T, src []byte, r Result) {
	t.Helper()
	lines := bytes.Count(src, newline) + 1
	for i, c := range r.Chunks {
		switch {
		case c.StartByte < 0 || c.StartByte >= c.EndByte || c.EndByte > len(src):
			t.Errorf("span outside the source of %d bytes: %+v", len(src), c)
		case c.SigEnd <= c.StartByte || c.SigEnd > c.EndByte:
			t.Errorf("signature outside the span: %+v", c)
		case c.DocStart > c.DocEnd || c.DocStart < 0 || c.DocEnd > len(src):
			t.Errorf("doc outside the source: %+v", c)
		case (c.DocEnd == 0) != (c.DocLine == 0):
			t.Errorf("doc without line: %+v", c)
		case c.StartLine < 1 || c.EndLine < c.StartLine || c.EndLine > lines:
			t.Errorf("lines outside the %d of the source: %+v", lines, c)
		case c.StartLine != bytes.Count(src[:c.StartByte], newline)+1:
			t.Errorf("wrong start line: %+v", c)
		case c.EndLine != bytes.Count(src[:c.EndByte-1], newline)+1:
			t.Errorf("wrong end line: %+v", c)
		case c.Name == "" || !utf8.ValidString(c.Qualified()) || int(c.Kind) >= len(kindNames):
			t.Errorf("bad name or kind: %+v", c)
		}
		if i > 0 {
			p := r.Chunks[i-1]
			if p.StartByte > c.StartByte || (p.StartByte == c.StartByte && p.EndByte < c.EndByte) {
				t.Errorf("not sorted: %+v before %+v", p, c)
			}
		}
	}
	for _, im := range r.Imports {
		if im.Path == "" || im.Line < 1 || im.Line > lines {
			t.Errorf("bad import %+v", im)
		}
	}
}

// FuzzParse feeds any bytes to any language.
func FuzzParse(f *testing.F) {
	all := Supported()
	position := map[string]int{}
	for i, s := range all {
		position[s.Language] = i
	}
	for language, src := range samples(f) {
		f.Add(uint16(position[language]), src)
	}
	f.Fuzz(func(t *testing.T, which uint16, src []byte) {
		if len(src) > 64<<10 {
			return
		}
		language := all[int(which)%len(all)].Language
		r := Parse(context.Background(), language, "sample.h", src)
		checkResult(t, src, r)
	})
}

// Every sample is read as every language, whole and cut anywhere: the results
// keep the promises and come out the same twice.
func TestAnyBytesAsAnyLanguage(t *testing.T) {
	all := samples(t)
	for _, s := range Supported() {
		for _, name := range []string{"c", "python", "html", "rust", s.Language} {
			src := all[name]
			for _, cut := range []int{len(src), len(src) / 2, len(src) / 3} {
				r := Parse(context.Background(), s.Language, "sample.h", src[:cut])
				checkResult(t, src[:cut], r)
				if again := Parse(context.Background(), s.Language, "sample.h", src[:cut]); !reflect.DeepEqual(r, again) {
					t.Errorf("%s read as %s differs when read again", name, s.Language)
				}
			}
		}
		if t.Failed() {
			t.Fatalf("language %s", s.Language)
		}
	}
}
