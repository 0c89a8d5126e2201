package goldensum

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// failures keeps what a check says.
type failures []string

func (f *failures) Helper()                           {}
func (f *failures) Errorf(format string, args ...any) { *f = append(*f, fmt.Sprintf(format, args...)) }
func (f *failures) Fatal(args ...any)                 { *f = append(*f, fmt.Sprint(args...)) }

func TestCheck(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sums")
	golden := func(in, out string) []Golden { return []Golden{{"go", []byte(in), []byte(out)}} }
	for _, step := range []struct {
		what    string
		version string
		update  bool
		goldens []Golden
		want    string // part of the one failure, "" for none
	}{
		{"an unknown golden", "1", false, golden("a", "x"), "-update"},
		{"is recorded", "1", true, golden("a", "x"), ""},
		{"and then holds", "1", false, golden("a", "x"), ""},
		{"another output", "1", false, golden("a", "y"), "raise"},
		{"is refused", "1", true, golden("a", "y"), "raise"},
		{"and not recorded", "1", false, golden("a", "x"), ""},
		{"a raised version", "2", false, golden("a", "y"), "-update"},
		{"lets it be recorded", "2", true, golden("a", "y"), ""},
		{"another input is another case", "2", true, golden("b", "z"), ""},
		{"a version alone changes nothing", "3", false, golden("b", "z"), ""},
		{"a golden that is gone", "3", false, nil, "no golden"},
	} {
		var f failures
		Check(&f, path, step.version, "Version", step.update, step.goldens)
		if (step.want == "") != (len(f) == 0) || step.want != "" && !strings.Contains(strings.Join(f, "\n"), step.want) {
			t.Errorf("%s: got %q, want %q", step.what, f, step.want)
		}
	}
	if err := os.WriteFile(path, []byte("go 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var f failures
	Check(&f, path, "1", "Version", false, nil)
	if len(f) == 0 {
		t.Error("a broken file of sums is taken")
	}
}
