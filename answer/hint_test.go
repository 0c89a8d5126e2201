package answer

import (
	"strings"
	"testing"
)

func TestHintSay(t *testing.T) {
	h := Hint{"{name} of a file: {ask}, then {ask}; raise {limit}", []Ask{{Question: "callers", Places: []string{"{ask}"}}, {Question: "stats"}}}
	got := h.Say(func(a Ask) string { return strings.Join(append([]string{a.Question}, a.Places...), " ") }, func(o string) string { return "--" + o })
	if want := "--name of a file: callers {ask}, then stats; raise --limit"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := (Hint{Text: "{ask}"}).Say(nil, nil); got != "{ask}" {
		t.Errorf("without a question: %q", got)
	}
}

func TestTextHasARoom(t *testing.T) {
	var b strings.Builder
	out := newText(&b, TextOptions{Most: 100})
	for range 50 {
		out.line("%s", "twelve bytes")
	}
	if n := strings.Count(b.String(), "\n"); n != 8 || !strings.HasSuffix(b.String(), leftOut+"\n") {
		t.Errorf("%d lines:\n%s", n, &b)
	}
}

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain é 漢": "plain é 漢", "a\nb\tc\rd": "a b c d", "\x1b[31m": `\x1b[31m`, "a\u202eb": `a\u202eb`, "a\u200bb": `a\u200bb`, "a\u2028b": `a\u2028b`, "\x85": "\uFFFD", "\u0085": `\x85`,
	} {
		if got := Visible(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
