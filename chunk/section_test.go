package chunk

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/topo-dev/topo/scan/lang"
)

// sectionSamples gives the samples of testdata/sections by name.
func sectionSamples(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/sections/*")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, f := range files {
		if strings.HasSuffix(f, ".golden") {
			continue
		}
		if out[filepath.Base(f)], err = os.ReadFile(f); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func TestSectionsGolden(t *testing.T) {
	all := sectionSamples(t)
	if len(all) < 15 {
		t.Fatalf("%d samples", len(all))
	}
	for name, src := range all {
		t.Run(name, func(t *testing.T) {
			cs := Sections(lang.Detect(name, src), name, src)
			checkResult(t, src, Result{Chunks: cs})
			var b strings.Builder
			for _, c := range cs {
				fmt.Fprintf(&b, "%d-%d %s %s\n\tsig %q\n", c.StartLine, c.EndLine, c.Kind, c.Qualified(), src[c.StartByte:c.SigEnd])
			}
			path := filepath.Join("testdata/sections", name+".golden")
			if *update {
				if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatalf("%v (run the test with -update)", err)
			}
			if b.String() != string(want) {
				t.Errorf("got:\n%s\nwant:\n%s", b.String(), want)
			}
		})
	}
}

// sectionLanguages are those that Sections knows, and none for logs.
func sectionLanguages() (names []string) {
	for _, l := range lang.All() {
		if sectionsOf(l.Name, "x") != nil {
			names = append(names, l.Name)
		}
	}
	return append(names, "")
}

// FuzzSections feeds any bytes to any format.
func FuzzSections(f *testing.F) {
	languages := sectionLanguages()
	for _, src := range sectionSamples(f) {
		for i := range languages {
			f.Add(uint16(i), src)
		}
	}
	f.Fuzz(func(t *testing.T, which uint16, src []byte) {
		if len(src) > 64<<10 {
			return
		}
		cs := Sections(languages[int(which)%len(languages)], "x.log", src)
		checkResult(t, src, Result{Chunks: cs})
		if len(cs) > maxSections+1 {
			t.Errorf("%d sections", len(cs))
		}
	})
}

// Every sample is read as every format, whole and cut anywhere.
func TestAnyBytesAsSections(t *testing.T) {
	languages := sectionLanguages()
	if len(languages) < 18 {
		t.Fatalf("formats: %v", languages)
	}
	for name, src := range sectionSamples(t) {
		for _, l := range languages {
			for cut := len(src); cut > 0; cut = cut * 3 / 4 {
				cs := Sections(l, "x.log", src[:cut])
				checkResult(t, src[:cut], Result{Chunks: cs})
				if !reflect.DeepEqual(cs, Sections(l, "x.log", src[:cut])) {
					t.Errorf("%s differs when cut again", name)
				}
			}
			if t.Failed() {
				t.Fatalf("%s as %s", name, l)
			}
		}
	}
}

// Runs cover a text and end at its empty lines.
func TestRuns(t *testing.T) {
	if cs := Runs("docs/short.txt", []byte("just\ntext\n")); len(cs) != 1 || cs[0].Name != "short.txt" || cs[0].EndLine != 2 {
		t.Errorf("a short text: %+v", cs)
	}
	if cs := Runs("x", []byte(" \n\n")); len(cs) != 0 {
		t.Errorf("nothing: %+v", cs)
	}
	for name, unit := range map[string]string{"paragraphs": strings.Repeat("some words\n", 30) + "\n", "no empty lines": "some words\n", "one line": "some words "} {
		src := []byte(strings.Repeat(unit, 20000/len(unit)))
		cs := Runs("x", src)
		checkResult(t, src, Result{Chunks: cs})
		last := 1
		for _, c := range cs {
			if text := src[last-1 : c.StartByte]; len(bytes.TrimSpace(text)) > 0 {
				t.Errorf("%s: %q is in no run", name, text)
			}
			last = c.EndByte + 1
			if name == "paragraphs" && c.EndByte < len(src) && !bytes.HasPrefix(src[c.EndByte:], []byte("\n\n")) {
				t.Errorf("%s: a run ends at line %d", name, c.EndLine)
			}
		}
		if want := name == "one line"; (len(cs) == 1) != want || len(cs) > 25 {
			t.Errorf("%s: %d runs", name, len(cs))
		}
	}
}

// A file of more parts than are listed still belongs to its sections to the end.
func TestManySections(t *testing.T) {
	for name, unit := range map[string]string{
		"a.json": `{"id":1,"text":"some words"},`, "a.rst": "Title\n=====\ntext\n", "a.csv": strings.Repeat("a,b\n", 300),
		"a.log": "2026-01-02 03:04:05 " + strings.Repeat("x", 1200) + "\n", "a.xml": "<a><b>c</b></a>\n", "a.po": "msgid \"a\"\nmsgstr \"b\"\n\n",
		"a.html": "<h2>x</h2>\n", "a.org": "* x\n",
	} {
		src := bytes.Repeat([]byte(unit), 6000)
		switch name {
		case "a.json":
			src = append([]byte("["), src...)
		case "a.xml":
			src = append([]byte("<r>"), src...)
		}
		cs := Sections(lang.Detect(name, nil), name, src)
		checkResult(t, src, Result{Chunks: cs})
		if len(cs) < maxSections-1 || len(cs) > maxSections+1 {
			t.Errorf("%s: %d sections", name, len(cs))
			continue
		}
		last := 0
		for _, c := range cs {
			last = max(last, c.EndByte)
		}
		if rest := bytes.TrimSpace(src[last:]); len(rest) > 1 {
			t.Errorf("%s: the last %d bytes are in no section", name, len(rest))
		}
	}
}

// BenchmarkSections gives MB/s for each format.
func BenchmarkSections(b *testing.B) {
	for name, src := range sectionSamples(b) {
		l := lang.Detect(name, src)
		src = bytes.Repeat(src, 256<<10/len(src)+1)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				Sections(l, name, src)
			}
		})
	}
}

// Nothing that a hostile file may hold takes more than linear time: a file twice as
// long may take about twice as long, not four times.
func TestSectionsAreLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, unit := range []string{"<", "<!", "<!--", "<a", "<a ", "<a b=\"", "<a>", "</a>", "<a><b>", "<h1>", "<script>", "\"", "{", "[", "[1,", "{\"a\":", "{a:",
		"a\n==\n", "*", "* \n", "** a\n* a\n", "'", "/*", "//", ",", "-", "msgid \"\n", "\n", "\\section{", "----\n", "= a\n", "@section\n", "1:1:1", "\xff", "{\"cells\":["} {
		for _, l := range sectionLanguages() {
			took := func(n int) time.Duration {
				src := bytes.Repeat([]byte(unit), n/len(unit))
				start := time.Now()
				Sections(l, "x.log", src)
				return time.Since(start)
			}
			const size = 1 << 20
			if d := took(size); d > 500*time.Millisecond && took(2*size) > 3*d {
				t.Errorf("%q as %q: %v for 1 MB", unit, l, d)
			}
		}
	}
}
