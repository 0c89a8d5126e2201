package rules

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"unicode"

	"github.com/topo-dev/topo/detect"
	"github.com/topo-dev/topo/internal/lazy"
)

// UnusedFunction finds functions that nothing uses and nothing outside can use.
// The graph proposes them; what convinces is the text: within all that can see
// the function its name occurs only where it is defined.
func UnusedFunction() detect.Detector {
	return detect.Detector{
		ID: "unused-function", Category: "dead-code",
		Doc: "functions that nothing uses and that cannot be seen from outside",
		Why: "Dead code is read, kept compiling and refactored for nothing. Only functions are reported that their language hides from other packages or files, and whose name stands nowhere else in what can see them; exported ones may have users that are not here.",
		Run: func(ctx context.Context, c *detect.Code, report func(detect.Finding)) error {
			u := &uses{c: c, words: map[*detect.File]map[string]int{}, folders: map[string][]*detect.File{}}
			for _, f := range c.Files {
				u.folders[path.Dir(f.Path)] = append(u.folders[path.Dir(f.Path)], f)
			}
			for _, f := range c.Functions {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if f.Used > 0 || !f.File.Ordinary() {
					continue
				}
				unused, err := u.unused(f)
				if err != nil {
					return err
				}
				if unused {
					found := detect.Finding{Severity: detect.Low, Confidence: 0.95,
						Message: fmt.Sprintf("nothing uses %s, and nothing outside can", f.Name),
						Advice:  "remove it; the history keeps it"}
					place(&found, f)
					report(found)
				}
			}
			return nil
		},
	}
}

// uses counts words of files.
type uses struct {
	c       *detect.Code
	words   map[*detect.File]map[string]int
	folders map[string][]*detect.File
}

// unused reports whether a function is hidden and its name occurs nowhere in
// what can see it but in its own text and doc comment.
func (u *uses) unused(f *detect.Function) (bool, error) {
	source, err := u.c.Source(f.File, f.Line, f.EndLine)
	if err != nil || !hidden(f, source) {
		return false, err
	}
	line, err := u.c.Documented(f)
	if err != nil {
		return false, err
	}
	if source, err = u.c.Source(f.File, line, f.EndLine); err != nil {
		return false, err
	}
	own := words(source)[f.BareName()]
	if own == 0 || directive().Match(source) {
		return false, nil // defined by a macro, or used by the linker
	}
	n, files := 0, u.scope(f)
	for _, file := range files {
		all, err := u.of(file)
		if err != nil {
			return false, err
		}
		if n += all[f.BareName()]; n > own {
			return false, nil
		}
	}
	return len(files) > 0, nil
}

// scope are the files that can see a hidden function.
func (u *uses) scope(f *detect.Function) []*detect.File {
	if v := visibilityOf(f.Language); v != nil && v.scope != nil {
		return v.scope(u, f)
	}
	return []*detect.File{f.File}
}

// of counts the words of a file.
func (u *uses) of(f *detect.File) (map[string]int, error) {
	if w := u.words[f]; w != nil {
		return w, nil
	}
	content, err := u.c.Content(f)
	if err != nil {
		return nil, err
	}
	u.words[f] = words(content)
	return u.words[f], nil
}

// words counts the words of a text as identifiers are written.
func words(text []byte) map[string]int {
	w := map[string]int{}
	for _, b := range bytes.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '$' }) {
		w[string(b)]++
	}
	return w
}

// entry are names that something outside of the code calls.
var entry = map[string]bool{"main": true, "init": true, "_": true}

// hidden reports whether a function is hidden from all that lies outside of its
// scope. What is marked for a tool, exported to C, or has no body in the
// language is not.
func hidden(f *detect.Function, source []byte) bool {
	v := visibilityOf(f.Language)
	if v == nil || entry[f.BareName()] || len(source) == 0 {
		return false
	}
	first, _, _ := bytes.Cut(source, []byte("\n"))
	return v.hidden(f, first, source)
}

// directive hands a Go function to the linker or to C.
var directive = lazy.Regexp(`(?m)^//(go:linkname|go:wasmexport|export) `)
