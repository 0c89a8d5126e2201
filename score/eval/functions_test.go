package eval

import (
	"context"
	"slices"
	"testing"

	"github.com/topo-dev/topo/chunk"
)

func TestChanged(t *testing.T) {
	const head = "package a\n\nfunc Stays() {}\n"
	for _, test := range []struct {
		name, old, now string
		want           []string
	}{
		{"a body", "func Works() { one() }\n", "func Works() { two() }\n", []string{"Works"}},
		{"nothing but its place", "func Works() {}\n", "// moved\n\nfunc Works() {}\n", nil},
		{"gone", "func Works() {}\n", "", []string{"Works"}},
		{"a new one beside", "func Works() {}\n", "func Works() {}\n\nfunc New() {}\n", nil},
		{"one method of two alike", "type A int\ntype B int\nfunc (A) M() {}\nfunc (B) M() {}\n", "type A int\ntype B int\nfunc (A) M() {}\nfunc (B) M() { x() }\n", []string{"B.M"}},
	} {
		old, now := []byte(head+test.old), []byte(head+test.now)
		before := chunk.Parse(context.Background(), "go", "a.go", old).Chunks
		after := chunk.Parse(context.Background(), "go", "a.go", now).Chunks
		var got []string
		for _, i := range Changed(before, after, old, now) {
			got = append(got, before[i].Qualified())
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}
