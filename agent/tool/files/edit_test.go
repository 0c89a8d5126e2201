package files

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestEdit(t *testing.T) {
	k := newKit(t, map[string]string{"f.go": "package f\n\nfunc a() {\n\treturn\n}\n\nfunc b() {\n\treturn\n}\n", "bin": "x\x00y", "wide": "\xff\xfeh\x00"})
	k.expect("edit", `{"path":"f.go","edits":[{"old_text":"a()","new_text":"c()"}]}`, "error: f.go: the file has not been read; read it first")
	for _, name := range []string{"f.go", "bin", "wide"} {
		if _, err := k.call("read", readInput{Path: name}); err != nil && name != "bin" {
			t.Fatal(err)
		}
	}
	k.expect("edit", `{"path":"f.go","edits":[{"old_text":"func a()","new_text":"func c()"}]}`,
		"Changed f.go.\n--- a/f.go\n+++ b/f.go\n@@ -1,6 +1,6 @@\n package f\n \n-func a() {\n+func c() {\n \treturn\n }\n \n")
	k.expect("edit", `{"path":"f.go","edits":[{"old_text":"\treturn\n","new_text":""}]}`,
		"error: f.go: nothing was changed: old_text is there 2 times; add lines around it to make it unique, or set all:\n  line 4: return\n  line 8: return")
	k.expect("edit", `{"path":"f.go","edits":[{"old_text":"c()","new_text":"d()"},{"old_text":"nowhere","new_text":"x"}]}`,
		"error: nothing was changed: edit 2 of 2: old_text is not in the file, and nothing like it")
	if strings.Contains(k.get("f.go"), "d()") {
		t.Error("one of two edits was made")
	}
	k.expect("edit", `{"path":"f.go","edits":[{"old_text":"c()","new_text":"d()"},{"old_text":"d()","new_text":"e()"}]}`,
		"Changed f.go.\n--- a/f.go\n+++ b/f.go\n@@ -1,6 +1,6 @@\n package f\n \n-func c() {\n+func e() {\n \treturn\n }\n \n")
	if _, err := k.call("edit", `{"path":"f.go","edits":[{"old_text":"return","new_text":"panic(1)","all":true}]}`); err != nil {
		t.Error(err)
	}
	if got, want := k.get("f.go"), "package f\n\nfunc e() {\n\tpanic(1)\n}\n\nfunc b() {\n\tpanic(1)\n}\n"; got != want {
		t.Errorf("%q", got)
	}
	k.put("f.go", k.get("f.go")+"// by another\n")
	k.expect("edit", `{"path":"f.go","edits":[{"old_text":"e()","new_text":"x()"}]}`, "error: f.go: the file changed since it was read; read it again")
	k.expect("edit", `{"path":"f.gp","edits":[{"old_text":"e","new_text":"x"}]}`, "error: did you mean f.go?")
	k.expect("edit", `{"path":"wide","edits":[{"old_text":"h","new_text":"x"}]}`, "error: encoded as UTF-16")
	k.expect("edit", `{"path":"f.go","edits":[]}`, "error: edits must have at least 1 items, not 0")
	k.expect("edit", `{"path":"f.go","edits":[{"old_text":"","new_text":"x"}]}`, "error: edits[0].old_text must have at least 1 characters")
	k.expect("edit", `{"path":".git/config","edits":[{"old_text":"a","new_text":"x"}]}`, "error: protected")
}

func TestEditKeeps(t *testing.T) {
	const edit = `,"edits":[{"old_text":"two\nthree","new_text":"2\n3\n4"}]}`
	for _, c := range []struct{ name, before, after string }{
		{"plain", "one\ntwo\nthree\nfour\n", "one\n2\n3\n4\nfour\n"},
		{"no last newline", "one\ntwo\nthree", "one\n2\n3\n4"},
		{"crlf", "one\r\ntwo\r\nthree\r\nfour\r\n", "one\r\n2\r\n3\r\n4\r\nfour\r\n"},
		{"crlf, no last newline", "one\r\ntwo\r\nthree", "one\r\n2\r\n3\r\n4"},
		{"mostly lf", "one\ntwo\nthree\r\nfour\n", "one\n2\n3\n4\r\nfour\n"},
		{"mostly crlf", "one\r\ntwo\nthree\r\nfour\r\nfive\n", "one\r\n2\r\n3\r\n4\r\nfour\r\nfive\n"},
		{"mark", "\ufefftwo\nthree\n", "\ufeff2\n3\n4\n"},
		{"mark and crlf", "\ufeffone\r\ntwo\r\nthree\r\n", "\ufeffone\r\n2\r\n3\r\n4\r\n"},
		{"other bytes", "\xe9\xff\ntwo\nthree\n\xfe", "\xe9\xff\n2\n3\n4\n\xfe"},
		{"lone carriage returns", "a\rb\ntwo\nthree\n\r", "a\rb\n2\n3\n4\n\r"},
	} {
		k := newKit(t, map[string]string{"f": c.before})
		if err := os.Chmod(filepath.Join(k.dir, "f"), 0o750); err != nil {
			t.Fatal(err)
		}
		if _, err := k.call("read", `{"path":"f"}`); err != nil {
			t.Fatal(err)
		}
		if _, err := k.call("edit", `{"path":"f"`+edit); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := k.get("f"); got != c.after {
			t.Errorf("%s: %q, want %q", c.name, got, c.after)
		}
		if st, _ := os.Stat(filepath.Join(k.dir, "f")); st.Mode().Perm() != 0o750 {
			t.Errorf("%s: mode %v", c.name, st.Mode())
		}
	}
}

func TestApplyEdit(t *testing.T) {
	text := "alpha\n\tbeta gamma\n\tdelta(x)\nalpha\n"
	for _, c := range []struct {
		name, text string
		edit       oneEdit
		want       string
	}{
		{"delete", text, oneEdit{OldText: "\tdelta(x)\n"}, "alpha\n\tbeta gamma\nalpha\n"},
		{"same", text, oneEdit{OldText: "x", NewText: "x"}, "error: are the same"},
		{"crlf in old_text", "a\r\nb\r\n", oneEdit{OldText: "a\r\nb", NewText: "c\r\nd"}, "c\r\nd\r\n"},
		{"old_text ends in a newline", "a\r\nb\r\n", oneEdit{OldText: "a\n", NewText: ""}, "b\r\n"},
		{"old_text begins with a newline", "a\r\nb\r\n", oneEdit{OldText: "\nb", NewText: ""}, "a\r\n"},
		{"twice", text, oneEdit{OldText: "alpha", NewText: "x"}, "error: there 2 times; add lines around it to make it unique, or set all:\n  line 1: alpha\n  line 4: alpha"},
		{"all", text, oneEdit{OldText: "alpha", NewText: "x", All: true}, "x\n\tbeta gamma\n\tdelta(x)\nx\n"},
		{"overlapping", "aaa\n", oneEdit{OldText: "aa", NewText: "b"}, "error: there 2 times"},
		{"overlapping, all", "aaa\n", oneEdit{OldText: "aa", NewText: "b", All: true}, "ba\n"},
		{"spaces for a tab", text, oneEdit{OldText: "    beta gamma\n", NewText: "x"},
			"error: lines 2 to 2 differ from it in whitespace only (· is a space, → a tab):\n- ····beta·gamma\n+ →beta·gamma\n"},
		{"trailing space", text, oneEdit{OldText: "alpha \n\tbeta gamma", NewText: "x"},
			"error: lines 1 to 2 differ from it in whitespace only (· is a space, → a tab):\n- alpha·\n+ alpha\n"},
		{"another word", text, oneEdit{OldText: "\tbeta gamma\n\tdelta(y)\n", NewText: "x"},
			"error: the nearest is at lines 2 to 3 (- is old_text, + is the file):\n@@ -1,2 +1,2 @@\n \tbeta gamma\n-\tdelta(y)\n+\tdelta(x)\n"},
		{"one line, misspelt", text, oneEdit{OldText: "dleta(x)", NewText: "x"}, "error: the nearest is at lines 3 to 3"},
		{"line numbers", text, oneEdit{OldText: "2\t\tbeta gamma\n3\t\tdelta(x)", NewText: "x"}, "error: it holds the line numbers that read prints"},
		{"nothing alike", text, oneEdit{OldText: "zzzz qqqq", NewText: "x"}, "error: nothing like it; read the file again"},
		{"many places", strings.Repeat("x\n", 30), oneEdit{OldText: "x", NewText: "y"}, "error:   and 20 more"},
		{"grows too long", strings.Repeat("x", 1<<20), oneEdit{OldText: "x", NewText: strings.Repeat("y", 100), All: true}, "error: would be too long"},
	} {
		got, err := applyEdit(c.text, c.edit)
		if bad, ok := strings.CutPrefix(c.want, "error: "); ok {
			if err == nil || !strings.Contains(err.Error(), bad) {
				t.Errorf("%s: error %v, want %q", c.name, err, bad)
			}
		} else if err != nil || got != c.want {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

// TestEditFailureIsReadable shows a whole error as a model reads it.
func TestEditFailureIsReadable(t *testing.T) {
	k := newKit(t, map[string]string{"f.py": "def f(x):\n    if x:\n        return 1\n    return 2\n"})
	if _, err := k.call("read", `{"path":"f.py"}`); err != nil {
		t.Fatal(err)
	}
	_, err := k.call("edit", `{"path":"f.py","edits":[{"old_text":"if x:\n      return 1\n","new_text":"pass\n"}]}`)
	const want = "f.py: nothing was changed: old_text is not in the file; lines 2 to 3 differ from it in whitespace only (· is a space, → a tab):\n" +
		"- if·x:\n+ ····if·x:\n- ······return·1\n+ ········return·1\n"
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant\n%s", err, want)
	}
}

// FuzzEdit holds edits to a naive oracle: on a text without carriage returns and
// mark an edit that succeeds is strings.Replace, and it succeeds when and only
// when the text is there once, or all is set. On any text, what an edit does not
// speak of stays, byte by byte.
func FuzzEdit(f *testing.F) {
	for _, s := range [][3]string{{"a\nb\nc", "b", "x"}, {"a\r\nb\r\n", "a\nb", "c\nd\n"}, {"\ufeffa\r\n", "a", ""}, {"aaa", "aa", "a"}, {"\r\n\r\r\n\n", "\n", "\r"}, {"é\xff", "\xff", "é"}} {
		f.Add(s[0], s[1], s[2], false)
		f.Add(s[0], s[1], s[2], true)
	}
	f.Fuzz(func(t *testing.T, text, old, with string, all bool) {
		got, err := applyEdit(text, oneEdit{old, with, all})
		if strings.Contains(text, "\r") || strings.HasPrefix(text, utf8BOM) {
			if err == nil {
				checkKept(t, text, got, old)
			}
			return
		}
		n := strings.Count(text, old)
		if n == 1 && strings.Contains(text[strings.Index(text, old)+1:], old) {
			n = 2
		}
		if ok := old != "" && old != with && (n == 1 || n > 1 && all); ok != (err == nil) {
			t.Fatalf("%d occurrences, all %v: %v", n, all, err)
		}
		if err == nil && got != strings.ReplaceAll(text, old, with) {
			t.Fatalf("%q", got)
		}
	})
}

// checkKept holds that the file's beginning up to the first occurrence and its
// end after the last one are the same bytes.
func checkKept(t *testing.T, before, after, old string) {
	t.Helper()
	s := newSource(before)
	old = strings.ReplaceAll(old, "\r\n", "\n")
	if len(s.crs) == 0 {
		return
	}
	first := strings.Index(s.text, old)
	last := strings.LastIndex(s.text, old)
	if first < 0 {
		t.Fatalf("%q was changed to %q without an occurrence", before, after)
	}
	if head := before[:s.offset(first)]; !strings.HasPrefix(after, head) {
		t.Fatalf("%q does not begin with %q", after, head)
	}
	if first != last {
		return // which of overlapping ones counts is another matter
	}
	if tail := before[s.offset(last+len(old)):]; !strings.HasSuffix(after, tail) {
		t.Fatalf("%q does not end with %q", after, tail)
	}
}

// FuzzSource holds the way back: every offset of the text leads to the same
// byte of the file, and the pieces put together are the file.
func FuzzSource(f *testing.F) {
	f.Add("\ufeffa\r\nb\rc\n\r\n")
	f.Fuzz(func(t *testing.T, raw string) {
		s := newSource(raw)
		if s.text != strings.ReplaceAll(strings.TrimPrefix(raw, utf8BOM), "\r\n", "\n") {
			t.Fatalf("text %q", s.text)
		}
		for i := range len(s.text) {
			at := s.offset(i)
			if c := raw[at]; c != s.text[i] && !(c == '\r' && s.text[i] == '\n' && raw[at+1] == '\n') {
				t.Fatalf("offset %d of %q leads to %d of %q", i, s.text, at, raw)
			}
		}
		if s.offset(len(s.text)) != len(raw) {
			t.Fatalf("the end leads to %d of %d", s.offset(len(s.text)), len(raw))
		}
	})
}

func BenchmarkNotFound(b *testing.B) {
	text := strings.Repeat("\tif err != nil {\n\t\treturn nil, err\n\t}\n", 5000)
	old := "\tif err == nil {\n\t\treturn nil, err\n\t}\n\tpanic(1)\n"
	for b.Loop() {
		if _, err := applyEdit(text, oneEdit{OldText: old}); err == nil {
			b.Fatal("found")
		}
	}
}

func BenchmarkEdit(b *testing.B) {
	text := strings.Repeat("\tif err != nil {\r\n\t\treturn nil, err\r\n\t}\r\n", 5000) + "unique\r\n"
	edits := []oneEdit{{OldText: "unique", NewText: "other"}}
	for b.Loop() {
		if _, err := applyEdits(b.Context(), text, edits); err != nil {
			b.Fatal(err)
		}
	}
}
