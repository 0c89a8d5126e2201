package answer

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/topo-dev/topo/index/fresh"
	"github.com/topo-dev/topo/internal/fault"
)

// opened indexes files and opens them for questions.
func opened(t *testing.T, files map[string]string) *Session {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := fresh.At(t.Context(), root, "")
	if err != nil {
		t.Fatal(err)
	}
	k := fresh.NewServer(fresh.Options{Place: p, Patience: time.Hour})
	t.Cleanup(k.Close)
	v, err := k.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.Close)
	return &Session{Session: v.Session, Tree: root}
}

func shopFiles() map[string]string {
	return map[string]string{
		"go.mod": "module shop\n\ngo 1.26\n",
		"a.go":   "package shop\n\n// A uses B.\nfunc A() int { return B(\"hunter2\") }\n",
		"b.go":   "package shop\n\nfunc B(s string) int {\n\treturn len(s)\n}\n",
	}
}

// everyAnswer asks every question that needs no history.
func everyAnswer(t *testing.T, s *Session) map[string]Answer {
	t.Helper()
	ctx, all := t.Context(), map[string]Answer{}
	add := func(name string) func(Answer, error) {
		return func(a Answer, err error) {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			all[name] = a
		}
	}
	for _, r := range Relations() {
		a, err := s.Walk(ctx, "b.go", r, WalkOptions{})
		add(r.Name)(a, err)
	}
	symbol, err := s.Symbol(ctx, "A", SymbolOptions{Source: -1})
	add("symbol")(symbol, err)
	file, err := s.File(ctx, "a.go", SymbolOptions{})
	add("file")(file, err)
	outline, err := s.Outline(ctx, "a.go")
	add("outline")(outline, err)
	folder, err := s.Outline(ctx, "")
	add("folder")(folder, err)
	way, err := s.Path(ctx, "A", "B", PathOptions{})
	add("path")(way, err)
	cycles, err := s.Cycles(ctx, CyclesOptions{})
	add("cycles")(cycles, err)
	spots, err := s.Hotspots(ctx, 0)
	add("hotspots")(spots, err)
	groups, err := s.Communities(ctx, CommunitiesOptions{})
	add("communities")(groups, err)
	stats, err := s.Stats(ctx)
	add("stats")(stats, err)
	rows, err := s.Query(ctx, "MATCH (f:Function) RETURN f", QueryOptions{})
	add("query")(rows, err)
	impact, err := s.Impact(ctx, "B", ImpactOptions{})
	add("impact")(impact, err)
	found, err := s.Findings(nil, FindingsOptions{Counts: true})
	add("findings")(found, err)
	return all
}

// No answer holds a line of a file that may not be read, nor a text that breaks
// out of its line.
func TestDeniedLinesAreLeftOut(t *testing.T) {
	s := opened(t, shopFiles())
	shown := 0
	for _, readable := range []bool{true, false} {
		s.Readable = func(path string) bool { return readable || path != "a.go" }
		for name, a := range everyAnswer(t, s) {
			raw, err := json.Marshal(a)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			var text strings.Builder
			a.Text(&text, TextOptions{})
			has := strings.Contains(string(raw)+text.String(), "hunter2")
			if has && !readable {
				t.Errorf("%s shows a line of a.go:\n%s\n%s", name, raw, &text)
			}
			if has {
				shown++
			}
			if text.Len() == 0 || a.Frame().Version == "" || a.Rest().ScannedFiles != 3 || a.Rest().Hints == nil {
				t.Errorf("%s: %s\n%s", name, raw, &text)
			}
		}
	}
	if shown < 2 {
		t.Errorf("%d answers show the line when it may be read", shown)
	}
}

// What was asked the wrong way is the fault of who asked.
func TestWrongQuestions(t *testing.T) {
	s, ctx := opened(t, shopFiles()), context.Background()
	for name, ask := range map[string]func() error{
		"a folder's symbol":  func() error { _, err := s.Symbol(ctx, ".", SymbolOptions{}); return err },
		"a definition":       func() error { _, err := s.File(ctx, "B", SymbolOptions{}); return err },
		"no such kind":       func() error { _, err := s.Path(ctx, "A", "B", PathOptions{Kinds: []string{"likes"}}); return err },
		"no such folder":     func() error { _, err := s.Outline(ctx, "nowhere"); return err },
		"no query":           func() error { _, err := s.Query(ctx, "CREATE (a)", QueryOptions{}); return err },
		"two states, staged": func() error { _, err := s.ImpactOfDiff(ctx, Diff{"A..B", true}, ImpactOptions{}); return err },
		"severity":           func() error { _, err := s.Findings(nil, FindingsOptions{MinSeverity: "dire"}); return err },
	} {
		if err := ask(); fault.KindOf(err) != fault.Usage {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A file that was written after the index is named first.
func TestStaleFiles(t *testing.T) {
	s := opened(t, shopFiles())
	s.Indexed = time.Now().Add(-time.Hour)
	ask := func() string {
		a, err := s.Impact(t.Context(), "B", ImpactOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return a.Hints[0].Text
	}
	if got := ask(); strings.Contains(got, "changed since") {
		t.Errorf("nothing changed: %s", got)
	}
	if err := os.WriteFile(filepath.Join(s.Tree, "a.go"), []byte("package shop\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := ask(); !strings.HasPrefix(got, "a.go changed since the index was made") {
		t.Errorf("a.go changed: %s", got)
	}
}

// The symbols of an impact that are not listed are counted.
func TestImpactPerTier(t *testing.T) {
	files := map[string]string{"go.mod": "module shop\n\ngo 1.26\n", "b.go": "package shop\n\nfunc B() {}\n"}
	for _, name := range []string{"c", "d", "e"} {
		files[name+".go"] = "package shop\n\nfunc " + strings.ToUpper(name) + "() { B() }\n"
	}
	s := opened(t, files)
	a, err := s.Impact(t.Context(), "B", ImpactOptions{PerTier: 2})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	a.Text(&text, TextOptions{})
	if a.Impact.Symbols != 3 || len(a.Symbols) != 3 || a.More["direct"] != 1 || a.Truncated == "" || !strings.Contains(text.String(), "  and 1 more\n") {
		t.Errorf("%+v\n%s", a, &text)
	}
}
