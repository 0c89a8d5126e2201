package render

import (
	"encoding/json"
	"math/rand"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestAppendSafe(t *testing.T) {
	for in, want := range map[string]string{
		"plain\ttext":         "plain\ttext",
		"\x1b[31m":            "␛[31m",
		"a\x00b\x7f":          "a␀b␡",
		"\u009b2J":            "⟨U+009B⟩2J",
		"admin\u202e\u2066":   "admin⟨U+202E⟩⟨U+2066⟩",
		"\xffé\xc3":           "\uFFFDé\uFFFD",
		"\uFFFD":              "\uFFFD",
		"\uFFFE\uFFFF":        "⟨U+FFFE⟩⟨U+FFFF⟩",
		"a\nb\rc":             "a␊b␍c",
		"中文 😀 e\u0301 \u200d": "中文 😀 e\u0301 \u200d",
		"\U000E0041":          "⟨U+E0041⟩",
	} {
		if got := string(appendSafe(nil, []byte(in))); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

func TestSafePath(t *testing.T) {
	seen := map[string]string{}
	for in, want := range map[string]string{
		"a/b c.go":   "a/b c.go",
		"ü/中.go":     "ü/中.go",
		"a\nb":       `"a\nb"`,
		`"a\nb"`:     `"\"a\\nb\""`,
		"tab\there":  `"tab\there"`,
		"bad\xff":    `"bad\xff"`,
		"":           `""`,
		"rtl\u202ex": `"rtl\u202ex"`,
		`back\slash`: `back\slash`,
	} {
		got := safePath(in)
		if got != want {
			t.Errorf("%q becomes %s, want %s", in, got, want)
		}
		if other, ok := seen[got]; ok {
			t.Errorf("%q and %q look alike", in, other)
		}
		seen[got] = in
	}
}

// The inside of a JSON string gives the text back, and holds nothing that a
// terminal acts on.
func TestJSONText(t *testing.T) {
	r := rand.New(rand.NewSource(6))
	for range 3000 {
		text := randomText(r)
		for range r.Intn(4) {
			text = append(text, string(rune(r.Intn(0x3000)))...)
		}
		raw := appendJSONText(nil, text)
		if !utf8.Valid(raw) || strings.ContainsFunc(string(raw), func(r rune) bool { return unsafeRune(r, 2) }) {
			t.Fatalf("%q becomes %q", text, raw)
		}
		var got string
		if err := json.Unmarshal([]byte(`"`+string(raw)+`"`), &got); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if want := string(text); got != want {
			t.Fatalf("%q comes back as %q", want, got)
		}
	}
}

func TestMarshal(t *testing.T) {
	for in, want := range map[string]string{
		"<a> & b":         `"<a> & b"`,
		"\x1b\u009b\x7f":  `"\u001b\u009b\u007f"`,
		"\u202e":          `"\u202e"`,
		"\U000E0041":      `"\udb40\udc41"`,
		"line\u2028break": `"line\u2028break"`,
	} {
		got, err := marshal(in)
		if err != nil || string(got) != want {
			t.Errorf("%q becomes %s (%v), want %s", in, got, err, want)
		}
		var back string
		if err := json.Unmarshal(got, &back); err != nil || back != in {
			t.Errorf("%q comes back as %q (%v)", in, back, err)
		}
	}
}
