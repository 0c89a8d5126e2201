package secret

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestAlarms prints what is found in the folders that TOPO_SECRET_DIRS lists, to be
// judged by eye, and the findings for each 10,000 lines. docs/security.md has the
// figures.
func TestAlarms(t *testing.T) {
	dirs := os.Getenv("TOPO_SECRET_DIRS")
	if dirs == "" {
		t.Skip("TOPO_SECRET_DIRS lists no folders")
	}
	for _, dir := range filepath.SplitList(dirs) {
		files, lines, alarms := 0, 0, 0
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			content, err := os.ReadFile(path)
			if err != nil || len(content) > 2<<20 || !utf8.Valid(content) || bytes.IndexByte(content, 0) >= 0 {
				return err
			}
			files++
			lines += bytes.Count(content, []byte{'\n'})
			for _, f := range Find(content) {
				alarms++
				rel, _ := filepath.Rel(dir, path)
				fmt.Printf("%s\t%s:%d\t%s\n", f.Rule, rel, f.Line, context(content, f))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("%s: %d files, %d lines, %d findings, %.2f in 10,000 lines\n", dir, files, lines, alarms, float64(alarms)/float64(max(lines, 1))*1e4)
	}
}

// context returns the finding with what surrounds it, on one line.
func context(b []byte, f Finding) string {
	from, to := max(0, f.Start-40), min(len(b), f.Start+60)
	from += bytes.LastIndexByte(b[from:f.Start], '\n') + 1
	return strings.ReplaceAll(string(b[from:to]), "\n", "⏎")
}
