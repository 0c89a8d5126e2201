package answer

import (
	"context"
	"slices"
	"testing"

	"github.com/topo-dev/topo/scan"
)

const changedSource = `package a

type T struct {
	A int
}

func (t T) M() int {
	return t.A
}

func f() {
	g()
}
`

func TestTouched(t *testing.T) {
	d := parsed(context.Background(), "a.go", []byte(changedSource))
	for _, c := range []struct {
		name   string
		ranges []scan.LineRange
		want   []string
	}{
		{"none", nil, nil},
		{"a method's body", []scan.LineRange{{Start: 8, End: 8}}, []string{"T.M"}},
		{"two functions and what is between", []scan.LineRange{{Start: 8, End: 12}}, []string{"a.go", "T.M", "f"}},
		{"the package clause", []scan.LineRange{{Start: 1, End: 1}}, []string{"a.go"}},
		{"taken out within", []scan.LineRange{{Start: 9, End: 8}}, []string{"T.M"}},
		{"taken out between two functions", []scan.LineRange{{Start: 11, End: 10}}, nil},
		{"taken out at the start of one", []scan.LineRange{{Start: 7, End: 6}}, nil},
		{"all of it", []scan.LineRange{{Start: 1, End: 1 << 30}}, []string{"a.go", "T", "T.M", "f"}},
		{"beyond the end", []scan.LineRange{{Start: 100, End: 1 << 30}}, []string{"a.go"}},
	} {
		var got []string
		for _, n := range d.touched(c.ranges) {
			got = append(got, n.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// A doc comment belongs to what it documents.
func TestTouchedInADocComment(t *testing.T) {
	const source = "package a\n\n// f is\n// good.\nfunc f() {}\n\n// beside\n\n// T is.\ntype T struct{}\n"
	d := parsed(context.Background(), "a.go", []byte(source))
	for line, want := range map[int][]string{3: {"f"}, 4: {"f"}, 5: {"f"}, 7: {"a.go"}, 9: {"T"}} {
		var got []string
		for _, n := range d.touched([]scan.LineRange{{Start: line, End: line}}) {
			got = append(got, n.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("line %d: got %q, want %q", line, got, want)
		}
	}
}
