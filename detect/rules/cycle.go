package rules

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/topo-dev/topo/detect"
)

// cycling are the languages in which a circle of imports between files matters:
// modules run when they are imported, so that the order decides what is there.
// Go refuses circles, and in Java, C#, Rust and others they mean nothing.
var cycling = []string{"c", "cpp", "javascript", "python", "ruby", "tsx", "typescript"}

// ImportCycle finds files that import each other in a circle.
func ImportCycle() detect.Detector {
	const large = 8 // files from which on a circle is a structure gone wrong
	return detect.Detector{
		ID: "import-cycle", Category: "architecture",
		Doc: "files that import each other in a circle",
		Why: "None of the files can be understood, tested or loaded alone, and which of them is loaded first decides what works. Imports within functions and of types only are not counted.",
		Run: func(ctx context.Context, c *detect.Code, report func(detect.Finding)) error {
			d := &deferred{c: c}
			cycles, err := c.ImportCycles(ctx, d.counts)
			if err == nil {
				err = d.err
			}
			for _, cycle := range cycles {
				var names []string
				for _, f := range cycle.Way {
					names = append(names, f.Path)
				}
				s := detect.Low
				if len(cycle.Files) >= large {
					s = detect.Medium
				}
				report(detect.Finding{Severity: s, Path: names[0], Value: len(cycle.Files), Limit: 2, Related: names[1:],
					Message: fmt.Sprintf("%d files import each other: %s → %s", len(cycle.Files), strings.Join(names, " → "), names[0]),
					Advice:  "move what both need into a third file, or import where it is used"})
			}
			return err
		},
	}
}

// deferred tells which imports count.
type deferred struct {
	c   *detect.Code
	err error
}

func (d *deferred) counts(from, to *detect.File) bool {
	switch {
	case !slices.Contains(cycling, from.Language) || !from.Ordinary() || !to.Ordinary():
		return false
	case from.Language == "c" || from.Language == "cpp" || from.Language == "ruby":
		return true
	case path.Base(to.Path) == "__init__.py" && strings.HasPrefix(from.Path, path.Dir(to.Path)+"/"):
		return false // Python loads the packages around a module by itself
	}
	later, err := d.later(from, to)
	if err != nil && d.err == nil {
		d.err = err
	}
	return !later
}

// later reports whether every import of a file that can mean the other one is
// made when a function runs, or for types only.
func (d *deferred) later(from, to *detect.File) (bool, error) {
	imports, err := d.c.Imports(from)
	if err != nil {
		return false, err
	}
	name := strings.TrimSuffix(path.Base(to.Path), path.Ext(to.Path))
	if name == "__init__" || name == "index" {
		name = path.Base(path.Dir(to.Path))
	}
	var lines [][]byte
	met := false
	for _, i := range imports {
		if !slices.Contains(strings.FieldsFunc(i.Path, func(r rune) bool { return r == '.' || r == '/' }), name) {
			continue
		}
		if lines == nil {
			content, err := d.c.Content(from)
			if err != nil {
				return false, err
			}
			lines = bytes.Split(content, []byte("\n"))
		}
		if met = true; i.Line < 1 || i.Line > len(lines) || !isLater(lines[i.Line-1]) {
			return false, nil
		}
	}
	return met, nil
}

// isLater reports whether an import on this line is indented, or of types only.
func isLater(line []byte) bool {
	trimmed := bytes.TrimLeft(line, " \t")
	return len(trimmed) < len(line) || bytes.HasPrefix(trimmed, []byte("import type ")) || bytes.HasPrefix(trimmed, []byte("export type "))
}
