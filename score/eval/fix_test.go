package eval

import (
	"strings"
	"testing"
)

func TestFix(t *testing.T) {
	source := func(p string) bool { return strings.HasSuffix(p, ".go") }
	commits := []Change{
		{ID: "aaaaaaaaaa11", Subject: "Other", Files: []string{"a.go", "b.go"}},
		{ID: "bbbbbbbbbb22", Subject: "Work", Files: []string{"b.go", "a.md"}},
		{ID: "cccccccccc33", Subject: "Merge pull request #12 from x/y"},
		{ID: "dddddddddd44", Subject: "Work more (#123)", Files: []string{"c.go"}},
	}
	for _, test := range []struct {
		id   string
		gold []string
		want string
	}{
		{"x-dddddddddd", []string{"b.go"}, "dddddddddd44"},
		{"x-eeeeeeeeee", []string{"b.go"}, "bbbbbbbbbb22"}, // not in the history
		{"x-12", []string{"b.go"}, "cccccccccc33"},
		{"x-123", []string{"b.go"}, "dddddddddd44"},
		{"x-1", []string{"b.go", "a.go"}, "aaaaaaaaaa11"},
		{"some", []string{"b.go"}, "bbbbbbbbbb22"},
		{"some", []string{"c.go", "a.go"}, ""},
	} {
		if got := Fix(Case{ID: test.id, Gold: test.gold}, commits, source); got != test.want {
			t.Errorf("%s %v: %q, want %q", test.id, test.gold, got, test.want)
		}
	}
}

func TestFixLooksNoFurther(t *testing.T) {
	commits := make([]Change, fixWithin+1)
	commits[fixWithin] = Change{ID: "f", Files: []string{"a.go"}}
	all := func(string) bool { return true }
	if got := Fix(Case{ID: "x", Gold: []string{"a.go"}}, commits, all); got != "" {
		t.Errorf("found %q beyond %d commits", got, fixWithin)
	}
	if got := Fix(Case{ID: "x", Gold: []string{"a.go"}}, commits[1:], all); got != "f" {
		t.Errorf("found %q, want f", got)
	}
}
