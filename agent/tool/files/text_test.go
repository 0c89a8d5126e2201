package files

import (
	"bufio"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzLines holds reading by ranges to the plainest way: the lines of the
// ranges, one after the other, are those of the file, and no line is longer
// than the limit.
func FuzzLines(f *testing.F) {
	f.Add("one\ntwo\r\nthree", 2)
	f.Add(strings.Repeat("é", 1200)+"\n\n\xff", 1)
	f.Add("\ufeff\r\r\n\n", 3)
	f.Fuzz(func(t *testing.T, text string, step int) {
		step = 1 + min(max(step, 0), 50)
		var got []string
		for offset := 1; ; offset += step {
			v, err := lines(strings.NewReader(text), offset, step, true)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(v.text.String()) {
				n, s, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
				if n != fmt.Sprint(len(got)+1) {
					t.Fatalf("line %s after %d", n, len(got))
				}
				got = append(got, s)
			}
			if v.full {
				return
			}
			if offset+step > v.lines {
				break
			}
		}
		want := strings.Split(text, "\n")
		if last := len(want) - 1; want[last] == "" {
			want = want[:last]
		}
		if len(got) != len(want) {
			t.Fatalf("%d lines, want %d", len(got), len(want))
		}
		for i, line := range want {
			line = strings.TrimSuffix(line, "\r")
			if i == 0 {
				line = strings.TrimPrefix(line, utf8BOM)
			}
			if len(line) < maxLine-utf8.UTFMax && got[i] != strings.ToValidUTF8(line, "\uFFFD") {
				t.Fatalf("line %d is %q, want %q", i+1, got[i], line)
			}
			if len(line) > maxLine+len(utf8BOM) && !strings.HasSuffix(got[i], " […]") {
				t.Fatalf("line %d of %d bytes is not cut", i+1, len(line))
			}
		}
	})
}

func TestReadLine(t *testing.T) {
	long := strings.Repeat("x", maxLine)
	for _, c := range []struct {
		text, line string
		long       bool
	}{
		{"a\nb", "a", false}, {"a\r\nb", "a\r", false}, {"\nb", "", false}, {long + "\n", long, false}, {long + "\r\n", long + "\r", false},
		{long + "y\n", long, true}, {strings.Repeat("é", maxLine) + "\n", strings.Repeat("é", maxLine/2), true}, {"x" + strings.Repeat("é", maxLine) + "\n", "x" + strings.Repeat("é", maxLine/2-1), true},
	} {
		line, cut, err := readLine(bufio.NewReaderSize(strings.NewReader(c.text), 16))
		if err != nil || string(line) != c.line || cut != c.long {
			t.Errorf("%.10q: %.10q of %d bytes, %v, %v; want %d bytes", c.text, line, len(line), cut, err, len(c.line))
		}
	}
}

func TestEncoding(t *testing.T) {
	for text, want := range map[string]string{"": "UTF-8", "a": "UTF-8", "\ufeffa": "UTF-8 with a byte order mark", "\xff\xfea\x00": "UTF-16", "\xfe\xff\x00a": "UTF-16", "\xff": "UTF-8"} {
		if got := encoding([]byte(text)); got != want {
			t.Errorf("%q: %s", text, got)
		}
	}
	for text, want := range map[string]string{"\xff\xfe": "", "\xff\xfea\x00\x3d\xd8\x00\xde": "a😀", "\xfe\xff\x00a\x00": "a", "\xff\xfe\x00\xd8": "\uFFFD"} {
		if got := string(decode16([]byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]bool{"": false, "a\x00": true, "\xff\xfea\x00": false, strings.Repeat("a", sniffed) + "\x00": false, "\xe9": false} {
		if got := binary([]byte(text)); got != want {
			t.Errorf("%.10q: binary %v", text, got)
		}
	}
}

// TestBraces holds the expansion of braces to bash's.
func TestBraces(t *testing.T) {
	patterns := []string{"a", "{a,b}", "x{a,b}y", "{a,b}{c,d}", "{a,{b,c}d}e", "{a,}b", "a{b,c,d}{e,f}", "{a,b}/{c,{d,e}}.x"}
	for _, p := range patterns {
		got, err := braces(p)
		if err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("bash", "-c", "printf '%s\\n' "+p).Output()
		if err != nil {
			t.Skip("bash is not installed; install it with the system's package manager")
		}
		if want := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n"); !slices.Equal(got, want) {
			t.Errorf("%s: %q, bash has %q", p, got, want)
		}
	}
	for p, want := range map[string]string{`\{a,b\}`: `\{a,b\}`, "[{]a": "[{]a", "[]{]a": "[]{]a", "{a}": "a"} {
		if got, err := braces(p); err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q, %v", p, got, err)
		}
	}
	for _, p := range []string{"{", "{a,b", "a{b,{c}", strings.Repeat("{a,b}", 20)} {
		if got, err := braces(p); err == nil {
			t.Errorf("%s: %q", p, got)
		}
	}
}

func FuzzBraces(f *testing.F) {
	f.Add("{a,{b,c}}{d,e}")
	f.Add(`\{[{]}`)
	f.Fuzz(func(t *testing.T, p string) {
		list, err := braces(p)
		if err == nil && (len(list) == 0 || len(list) > maxBraces) {
			t.Errorf("%q expands to %d", p, len(list))
		}
		if openBrace(p) < 0 && (err != nil || list[0] != p) {
			t.Errorf("%q: %q, %v", p, list, err)
		}
	})
}

func TestNear(t *testing.T) {
	file := strings.Split("func a() {\n\tone()\n\ttwo()\n}\n\nfunc b() {\n\tone()\n\tthree()\n}", "\n")
	for _, c := range []struct {
		name, want string
		at         int
		ok         bool
	}{
		{"most lines the same", "func b() {\n one()\n four()\n}", 5, true},
		{"the first of equals", "  one()", 1, true},
		{"begins before the file", "package x\n\nimport y\n\nfunc a() {\n\tone()", -4, true},
		{"nothing", "zzz", 0, false},
		{"braces are not enough", "}\n}", 0, false},
	} {
		if got, ok := align(file, strings.Split(c.want, "\n")); got != c.at || ok != c.ok {
			t.Errorf("%s: %d, %v, want %d, %v", c.name, got, ok, c.at, c.ok)
		}
	}
	if got, ok := mostSimilar(file, []string{"\tthere()"}); got != 7 || !ok {
		t.Errorf("likest: %d, %v", got, ok)
	}
	if got, ok := mostSimilar(file, []string{"qqqqqqq"}); ok {
		t.Errorf("likest of nothing: %d", got)
	}
	if numbered([]string{"a\tb"}) || !numbered([]string{"1\ta", "22\t"}) || numbered([]string{""}) {
		t.Error("numbered")
	}
}

func TestDiffIsBounded(t *testing.T) {
	many := strings.Repeat("x\n", 1000)
	got := diff("f", many, strings.ReplaceAll(many, "x", "y"))
	if n := strings.Count(got, "\n"); n != maxDiffLines+1 || !strings.HasSuffix(got, "more lines …]\n") {
		t.Errorf("%d lines", n)
	}
	if got := diff("f", strings.Repeat("x", maxDiffed), "y"); !strings.Contains(got, "too long for a diff") {
		t.Errorf("%.80q", got)
	}
	if got := diff("f", "a\r\nb\xff\r\n", "a\r\nc\r\n"); got != "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\uFFFD\n+c\n" {
		t.Errorf("%q", got)
	}
}
