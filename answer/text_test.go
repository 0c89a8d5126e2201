package answer

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	var b strings.Builder
	text := newText(&b, TextOptions{})
	text.table("  ", [][]cell{head("name", ">n", "none", "note"), {{"a\x1bb", red, false}, figure(7), {}, {"x", "", false}}, {{"ä", "", false}, figure(0.5), {}, {}}})
	want := "  name       n  note\n  a\\x1bb     7  x\n  ä       0.50\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	b.Reset()
	text.color = true
	text.table("", [][]cell{{{"a\x1bb", red, false}, sure(0.9), sure(0.6), sure(0.3)}})
	if want := red + `a\x1bb` + reset + "  " + green + "0.90" + reset + "  " + yellow + "0.60" + reset + "  " + red + "0.30" + reset + "\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

func TestObject(t *testing.T) {
	o := Object{{"z", 1}, {"a<b", []any{nil, "x&y"}}}
	b, err := json.Marshal(o)
	if err != nil || !json.Valid(b) || strings.Index(string(b), `"z"`) > strings.Index(string(b), `a`) {
		t.Errorf("%s, %v", b, err)
	}
	if b, _ := o.MarshalJSON(); !strings.Contains(string(b), "x&y") {
		t.Errorf("escaped for HTML: %s", b)
	}
	if _, err := (Object{{"f", func() {}}}).MarshalJSON(); err == nil {
		t.Error("a function has no JSON")
	}
}
