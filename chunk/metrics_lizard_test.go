package chunk

import (
	"bytes"
	"context"
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

type lizardFunc struct{ line, cyclomatic, params int }

// TestMetricsAgreeWithLizard compares functions of the tree in TOPO_LIZARD_TREE
// with lizard, for each language it holds.
func TestMetricsAgreeWithLizard(t *testing.T) {
	root := os.Getenv("TOPO_LIZARD_TREE")
	if root == "" {
		t.Skip("TOPO_LIZARD_TREE names no source tree to compare on")
	}
	if _, err := exec.LookPath("lizard"); err != nil {
		t.Skip("lizard is not installed: pip install lizard==1.24.3")
	}
	byExt := map[string]string{".py": "python", ".java": "java", ".js": "javascript", ".ts": "typescript", ".rs": "rust", ".rb": "ruby", ".c": "c", ".cc": "cpp", ".cpp": "cpp"}
	want := lizardMeasures(t, root)
	type sum struct{ met, cyclomatic, params, missing int }
	sums := map[string]*sum{}
	for path, theirs := range want {
		language := byExt[filepath.Ext(path)]
		src, err := os.ReadFile(path)
		if language == "" || err != nil {
			continue
		}
		s := sums[language]
		if s == nil {
			s = &sum{}
			sums[language] = s
		}
		r, f := ParseFacts(context.Background(), language, path, src)
		for _, u := range f.Funcs {
			c := r.Chunks[u.Chunk]
			l, ok := nearest(theirs[c.Name], c)
			if !ok {
				s.missing++
				continue
			}
			if language == "rust" && bytes.Contains(src[c.StartByte:c.EndByte], []byte("where")) {
				continue // lizard takes "where" for a decision
			}
			s.met++
			if l.cyclomatic == u.Metrics.Cyclomatic {
				s.cyclomatic++
			} else if testing.Verbose() && s.met-s.cyclomatic < 12 {
				t.Logf("%s:%d %s: cyclomatic %d, lizard says %d", path, l.line, c.Name, u.Metrics.Cyclomatic, l.cyclomatic)
			}
			if l.params == u.Metrics.Params {
				s.params++
			}
		}
	}
	for language, s := range sums {
		t.Logf("%s: %d functions met (%d not seen by lizard), cyclomatic equal for %d, parameters for %d", language, s.met, s.missing, s.cyclomatic, s.params)
		if s.met > 100 && s.cyclomatic*10 < s.met*8 {
			t.Errorf("%s: fewer than 8 of 10 functions agree", language)
		}
	}
}

// nearest is the first of the functions that starts inside the chunk.
func nearest(of []lizardFunc, c Chunk) (best lizardFunc, ok bool) {
	for _, l := range of {
		if l.line >= c.StartLine && l.line <= c.EndLine && (!ok || l.line < best.line) {
			best, ok = l, true
		}
	}
	return best, ok
}

// lizardMeasures maps path and bare name to what lizard says.
func lizardMeasures(t *testing.T, root string) map[string]map[string][]lizardFunc {
	b, err := exec.Command("lizard", "--csv", root).Output()
	if len(b) == 0 {
		t.Fatalf("lizard %s: %v", root, err)
	}
	rows := csv.NewReader(bytes.NewReader(b))
	rows.FieldsPerRecord, rows.LazyQuotes = -1, true
	out := map[string]map[string][]lizardFunc{}
	for {
		row, err := rows.Read()
		if err != nil {
			return out
		}
		if len(row) < 11 {
			continue
		}
		cyclomatic, _ := strconv.Atoi(row[1])
		params, _ := strconv.Atoi(row[3])
		line, _ := strconv.Atoi(row[9])
		name := row[7][strings.LastIndexAny(row[7], ".:")+1:]
		if out[row[6]] == nil {
			out[row[6]] = map[string][]lizardFunc{}
		}
		out[row[6]][name] = append(out[row[6]][name], lizardFunc{line, cyclomatic, params})
	}
}
