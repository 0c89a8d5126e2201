package eval

import (
	"context"
	"slices"
	"testing"

	"github.com/topo-dev/topo/chunk"
)

func parse(language, src string) []chunk.Chunk {
	return chunk.Parse(context.Background(), language, "a", []byte(src)).Chunks
}

func TestChanged(t *testing.T) {
	const head = "package a\n\nimport \"fmt\"\n\nfunc Stays() {}\n"
	const class = "class A:\n    x = 1\n\n    def one(self):\n        return 1\n"
	for _, test := range []struct {
		name, language, old, now string
		want                     []string
	}{
		{"a body", "go", head + "func Works() { one() }\n", head + "func Works() { two() }\n", []string{"Works"}},
		{"nothing but its place", "go", head + "func Works() {}\n", head + "// moved\n\nfunc Works() {}\n", nil},
		{"gone", "go", head + "func Works() {}\n", head, []string{"Works"}},
		{"a new one beside", "go", head + "func Works() {}\n", head + "func Works() {}\n\nfunc New() {}\n", nil},
		{"one method of two alike", "go", head + "type A int\ntype B int\nfunc (A) M() {}\nfunc (B) M() {}\n",
			head + "type A int\ntype B int\nfunc (A) M() {}\nfunc (B) M() { x() }\n", []string{"B.M"}},
		{"an import", "go", head, "package a\n\nimport \"os\"\n\nfunc Stays() {}\n", nil},
		{"white space", "go", head + "func Works() { one()\ntwo() }\n", head + "func Works() {\n\tone()\n\ttwo()\n}\n", nil},
		{"a method added to a class", "python", class, class + "\n    def two(self):\n        return 2\n", nil},
		{"a method of a class", "python", class, class[:len(class)-2] + "2\n", []string{"A.one"}},
		{"what a class holds itself", "python", class, "class A:\n    x = 2\n" + class[len("class A:\n    x = 1\n"):], []string{"A"}},
		{"a function in another", "python", "def f():\n    def g():\n        return 1\n    return g\n",
			"def f():\n    def g():\n        return 2\n    return g\n", []string{"f.g"}},
	} {
		before, after := parse(test.language, test.old), parse(test.language, test.now)
		var got []string
		for _, i := range Changed(before, after, []byte(test.old), []byte(test.now)) {
			got = append(got, before[i].Qualified())
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func TestChangedNothing(t *testing.T) {
	bad := []chunk.Chunk{{StartByte: -1, EndByte: 3}, {StartByte: 2, EndByte: 99}, {StartByte: 3, EndByte: 3}}
	if got := Changed(bad, nil, []byte("text"), nil); len(got) != 0 {
		t.Errorf("definitions outside of the text: %v", got)
	}
}

func TestSamePlace(t *testing.T) {
	name := func(names ...string) (out []chunk.Chunk) {
		for _, n := range names {
			out = append(out, chunk.Chunk{Kind: chunk.Function, Name: n})
		}
		return out
	}
	from := name("a", "b", "a", "c")
	for _, test := range []struct {
		to   []chunk.Chunk
		want []int
	}{
		{from, []int{0, 1, 2, 3}},
		{name("x", "a", "c"), []int{1, -1, -1, 2}},
		{name("a", "a", "a", "b"), []int{0, 3, 1, -1}},
		{nil, []int{-1, -1, -1, -1}},
		{[]chunk.Chunk{{Kind: chunk.Type, Name: "a"}}, []int{-1, -1, -1, -1}},
	} {
		for i, want := range test.want {
			if got := SamePlace(from, test.to, i); got != want {
				t.Errorf("%d of %v in %v: %d, want %d", i, from, test.to, got, want)
			}
		}
	}
}
