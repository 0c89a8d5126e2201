package score

import (
	"slices"
	"testing"

	"github.com/topo-dev/topo/stream"
)

func TestSingleLetters(t *testing.T) {
	for text, want := range map[string][]string{
		"x": {"x"}, "C": {"C"}, "C++": {"C++"}, "c#": {"c#"}, "x y": {"x", "y"}, "a": {"a"}, "a x": {"x"}, "x.": {"x"}, "+": nil, "the": nil,
	} {
		if got := singleLetters(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestRankByLetter(t *testing.T) {
	files := []stream.File{
		{Path: "a/main.py", Language: "python"}, {Path: "c/main.go", Language: "go"}, {Path: "lib/c.go", Language: "go"}, {Path: "lib/util.c", Language: "c"},
		{Path: "lib/x.cc", Language: "cpp"},
	}
	for text, want := range map[string][]string{
		"C": {"lib/c.go", "c/main.go", "lib/util.c"}, "c++": {"lib/x.cc"}, "x": {"lib/x.cc"}, "z": nil,
	} {
		ranked, err := Rank(t.Context(), nil, files, Options{Query: mustQuery(t, text), Preset: "fast"})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range ranked {
			if f.Score > 0 {
				got = append(got, f.Path)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}
