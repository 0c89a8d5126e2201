package nearest

import (
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	fields := []string{"path", "offset", "limit", "old_text", "new_text"}
	for _, c := range []struct{ word, want string }{
		{"pth", "path"},
		{"Path", "path"},
		{"ofset", "offset"},
		{"lmiit", "limit"},
		{"old-text", "old_text"},
		{"oldText", "old_text"},
		{"file", ""},
		{"", ""},
		{strings.Repeat("x", 1000), ""},
	} {
		if got := Of(c.word, fields); got != c.want {
			t.Errorf("Of(%q) = %q, want %q", c.word, got, c.want)
		}
	}
	if got := Of("x", nil); got != "" {
		t.Errorf("of nothing: %q", got)
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0},
		{"abc", "acb", 1}, {"kitten", "sitting", 3}, {"ca", "abc", 3},
	} {
		if got := Distance(c.a, c.b); got != c.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func FuzzDistance(f *testing.F) {
	f.Add("kitten", "sitting")
	f.Fuzz(func(t *testing.T, a, b string) {
		d := Distance(a, b)
		if d != Distance(b, a) {
			t.Errorf("not symmetric: %q %q", a, b)
		}
		if d > max(len(a), len(b)) || (d == 0) != (a == b) && len(a) <= maxWord && len(b) <= maxWord {
			t.Errorf("Distance(%q, %q) = %d", a, b, d)
		}
	})
}
