package detect

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/topo-dev/topo/index/fresh"
	"github.com/topo-dev/topo/scan/lang"
)

func codeOf(t testing.TB, files map[string]string) *Code {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := fresh.At(context.Background(), root, "")
	if err != nil {
		t.Fatal(err)
	}
	k := fresh.NewServer(fresh.Options{Place: p, Patience: time.Hour})
	t.Cleanup(k.Close)
	v, err := k.Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.Close)
	c, err := NewCode(context.Background(), v.Index, v.Graph)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// everyFunction reports every function, with severities in turn.
func everyFunction(id string) Detector {
	return Detector{ID: id, Run: func(_ context.Context, c *Code, report func(Finding)) error {
		for i := len(c.Functions) - 1; i >= 0; i-- { // against the order, which the engine must not keep
			f := c.Functions[i]
			report(Finding{Severity: Severity(i % 3), Path: f.Path, Line: f.Line, Symbol: f.Name, Message: "a function"})
		}
		return nil
	}}
}

func symbols(all []Finding) (out []string) {
	for _, f := range all {
		out = append(out, f.Detector+" "+f.Path+" "+f.Symbol)
	}
	return out
}

func TestOrderOnAnyNumberOfCores(t *testing.T) {
	files := map[string]string{}
	for i := range 5 {
		files[fmt.Sprintf("p%d/a.go", i)] = "package p\n\nfunc A() {}\n\nfunc B() {}\n"
	}
	c := codeOf(t, files)
	var first *Result
	for _, workers := range []int{1, 2, 8} {
		res, err := Run(context.Background(), c, []Detector{everyFunction("z"), everyFunction("a")}, Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = res
		}
		if !reflect.DeepEqual(res, first) {
			t.Errorf("%d workers: another result", workers)
		}
	}
	if len(first.Findings) != 20 || !slices.IsSortedFunc(first.Findings, compare) {
		t.Errorf("findings %v", symbols(first.Findings))
	}
}

func TestOptionsNarrow(t *testing.T) {
	c := codeOf(t, map[string]string{"a.go": "package a\n\nfunc A() {}\n", "b/b.go": "package b\n\nfunc B() {}\n\nfunc C() {}\n"})
	res, err := Run(context.Background(), c, []Detector{everyFunction("x")}, Options{MinSeverity: Medium, Keep: func(p string) bool { return p != "a.go" }})
	if err != nil {
		t.Fatal(err)
	}
	if got := symbols(res.Findings); !slices.Equal(got, []string{"x b/b.go B", "x b/b.go C"}) {
		t.Errorf("got %v", got)
	}
}

func TestSuppression(t *testing.T) {
	c := codeOf(t, map[string]string{
		"a.go": `package a

// Kept has a comment of topo:ignore without an ID.
func Kept() {}

// Quiet is known.
//
// topo:ignore x, y because it is so
func Quiet() {}

func SameLine() {} // topo:ignore x

// topo:ignore other
func Other() {}

// topo:ignore x

func TooFar() {}
`,
		"b.py": "# topo:ignore-file x all of it\n\n\ndef a():\n    pass\n\n\ndef b():\n    pass\n",
		"c.py": "def a():\n    pass\n\n\n# topo:ignore-file y\ndef b():\n    pass\n",
	})
	res, err := Run(context.Background(), c, []Detector{everyFunction("x")}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"x a.go Kept", "x a.go Other", "x a.go TooFar", "x c.py a", "x c.py b"}
	if got := symbols(res.Findings); !slices.Equal(got, want) || res.Suppressed != 4 {
		t.Errorf("got %v, %d suppressed; want %v, 4", got, res.Suppressed, want)
	}
}

func TestFingerprintsSurviveEdits(t *testing.T) {
	prints := func(content string) map[string]string {
		c := codeOf(t, map[string]string{"a.go": content})
		res, err := Run(context.Background(), c, []Detector{everyFunction("x")}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		m := map[string]string{}
		for _, f := range res.Findings {
			m[f.Symbol] = f.Fingerprint
		}
		return m
	}
	before := prints("package a\n\nfunc A() {}\n\nfunc B() {}\n")
	after := prints("package a\n\n// much was added\n\nfunc New() {}\n\nfunc B() { println() }\n\nfunc A() {}\n")
	if before["A"] != after["A"] || before["B"] != after["B"] || before["A"] == before["B"] || len(before["A"]) != 16 {
		t.Errorf("before %v, after %v", before, after)
	}
}

func TestBaseline(t *testing.T) {
	all := []Finding{{Detector: "a", Path: "x", Fingerprint: "01"}, {Detector: "b", Path: "y", Symbol: "f", Fingerprint: "02"}}
	var b bytes.Buffer
	if err := WriteBaseline(&b, all); err != nil {
		t.Fatal(err)
	}
	const want = `{"Record":"baseline","Fingerprint":"01","Detector":"a","Path":"x"}` + "\n" + `{"Record":"baseline","Fingerprint":"02","Detector":"b","Path":"y","Symbol":"f"}` + "\n"
	if b.String() != want {
		t.Errorf("wrote %s", &b)
	}
	b.WriteString(`{"Fingerprint":"04","Detector":"c","Path":"z"}` + "\n") // of an earlier version
	known, err := ReadBaseline(&b)
	if err != nil || !known["04"] {
		t.Fatal(known, err)
	}
	now := append(all[1:], Finding{Fingerprint: "03"})
	if fresh, gone := known.New(now); len(fresh) != 1 || fresh[0].Fingerprint != "03" || gone != 2 {
		t.Errorf("new %v, gone %d", fresh, gone)
	}
	if _, err := ReadBaseline(strings.NewReader("{}\n\nnonsense\n")); err == nil || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("nonsense: %v", err)
	}
}

func TestFailures(t *testing.T) {
	c := codeOf(t, map[string]string{"a.go": "package a\n"})
	failed := errors.New("failed")
	for _, d := range []Detector{
		{ID: "x", Run: func(context.Context, *Code, func(Finding)) error { return failed }},
		{ID: "x", Run: func(context.Context, *Code, func(Finding)) error { panic("failed") }},
	} {
		if _, err := Run(context.Background(), c, []Detector{d}, Options{}); err == nil || !strings.Contains(err.Error(), "failed") {
			t.Errorf("error %v", err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := NewCode(ctx, c.x, c.g); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestSeverity(t *testing.T) {
	for i, name := range Severities() {
		if s, err := ParseSeverity(strings.ToUpper(name)); err != nil || s != Severity(i) || s.String() != name {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
	if _, err := ParseSeverity("awful"); err == nil || !strings.Contains(err.Error(), "low, medium, high") {
		t.Errorf("awful: %v", err)
	}
	b, err := json.Marshal(Finding{Detector: "a", Severity: High})
	var back Finding
	if err == nil {
		err = json.Unmarshal(b, &back)
	}
	if err != nil || back.Severity != High || !strings.Contains(string(b), `"Severity":"high"`) {
		t.Errorf("%s, %v", b, err)
	}
	sorted := BySeverity([]Finding{{Symbol: "c"}, {Symbol: "a", Severity: High, Confidence: 0.5}, {Symbol: "b", Severity: High, Confidence: 1}})
	if sorted[0].Symbol != "b" || sorted[1].Symbol != "a" || sorted[2].Symbol != "c" {
		t.Errorf("order %v", symbols(sorted))
	}
}

func FuzzReadBaseline(f *testing.F) {
	f.Add(`{"Fingerprint":"01"}` + "\n")
	f.Add("{\n")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := ReadBaseline(strings.NewReader(text))
		if err == nil && len(b) > strings.Count(text, "\n")+1 {
			t.Errorf("%d entries", len(b))
		}
	})
}

func FuzzSuppressed(f *testing.F) {
	f.Add("// topo:ignore a, b\nfunc", 2)
	f.Add("x topo:ignore-file a", 0)
	f.Fuzz(func(t *testing.T, text string, line int) {
		suppressed(lang.SyntaxOf("go"), bytes.Split([]byte(text), []byte("\n")), Finding{Detector: "a", Line: line})
	})
}
