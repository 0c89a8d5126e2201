package rules

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/topo-dev/topo/detect"
	"github.com/topo-dev/topo/internal/lazy"
	"github.com/topo-dev/topo/scan/lang"
)

// loading says how files of a language load each other.
type loading struct {
	language string
	// deferred reports whether the import on a line is made later than its file
	// is loaded; nil for none.
	deferred func(lines [][]byte, at int) bool
	byName   bool // a file may be loaded, when it is used, without an import
}

// loadings are the languages in which a circle of imports between files matters:
// modules run when they are imported, so the order decides what is there. Go
// refuses circles, and in Java, C#, Rust and others they mean nothing. The slice
// is sorted by language.
var loadings = []loading{
	{"c", nil, false},
	{"cpp", nil, false},
	{"javascript", deferredJavaScript, false},
	{"python", deferredPython, false},
	{"ruby", deferredRuby, true},
	{"tsx", deferredJavaScript, false},
	{"typescript", deferredJavaScript, false},
}

func loadingOf(language string) *loading {
	for i := range loadings {
		if loadings[i].language == language {
			return &loadings[i]
		}
	}
	return nil
}

// deferredImports tells the imports that count from those that are made later, when a
// function runs, or never, because they are of types only.
type deferredImports struct {
	c   *detect.Code
	err error // the first
}

func (d *deferredImports) counts(from, to *detect.File) bool {
	how := loadingOf(from.Language)
	switch {
	case how == nil || !from.Ordinary() || !to.Ordinary():
		return false
	case how.deferred == nil:
		return true
	case strings.HasSuffix(from.Path, ".d.ts") || strings.HasSuffix(to.Path, ".d.ts"):
		return false // declarations are not there when the program runs
	case path.Base(to.Path) == "__init__.py" && strings.HasPrefix(from.Path, path.Dir(to.Path)+"/"):
		return false // Python loads the packages around a module by itself
	}
	later, err := d.allDeferred(how, from, to)
	if err != nil && d.err == nil {
		d.err = err
	}
	return !later
}

// allDeferred reports whether every import of a file that can mean the other one is
// deferred.
func (d *deferredImports) allDeferred(how *loading, from, to *detect.File) (bool, error) {
	imports, err := d.c.Imports(from)
	if err != nil {
		return false, err
	}
	var lines [][]byte
	met := how.byName
	for _, i := range imports {
		if !mayImport(i.Path, to.Path) {
			continue
		}
		if lines == nil {
			content, err := d.c.Content(from)
			if err != nil {
				return false, err
			}
			lines = bytes.Split(content, []byte("\n"))
		}
		if met = true; i.Line < 1 || i.Line > len(lines) || !how.deferred(lines, i.Line-1) {
			return false, nil
		}
	}
	return met, nil
}

// mayImport reports whether an import can be of the file: its parts, up to the
// file's name, are the last ones of the path. Leading dots and the marks of an
// alias, as in "@/util", are passed over.
func mayImport(imported, file string) bool {
	parts := strings.FieldsFunc(imported, func(r rune) bool { return r == '.' || r == '/' || r == '@' || r == '~' || r == '#' })
	at := strings.Split(strings.TrimSuffix(file, path.Ext(file)), "/")
	if last := at[len(at)-1]; last == "__init__" || last == "index" {
		at = at[:len(at)-1]
	}
	for n := range parts {
		if head := parts[:n+1]; len(head) <= len(at) && slices.Equal(head, at[len(at)-len(head):]) {
			return true
		}
	}
	return false
}

// deferredRuby holds for an autoload.
func deferredRuby(lines [][]byte, at int) bool { return !bytes.HasPrefix(lines[at], []byte("require")) }

// deferredPython holds for an import inside of a function or condition.
func deferredPython(lines [][]byte, at int) bool {
	return len(bytes.TrimLeft(lines[at], " \t")) < len(lines[at])
}

// deferredJavaScript holds for a call inside of something, for what stands in a
// comment, and for an import of types only.
func deferredJavaScript(lines [][]byte, at int) bool {
	line := string(lines[at])
	trimmed := strings.TrimLeft(line, " \t")
	return lang.SyntaxOf("javascript").IsComment(trimmed) || len(trimmed) < len(line) && deferring().MatchString(trimmed) ||
		typesOnly(statement(lines, at))
}

// statementLines is how long an import may be to be read as a whole.
const statementLines = 100

// statement is the import around a line, on one line: from "import" or "export"
// to "from".
func statement(lines [][]byte, at int) string {
	first := at
	for first > 0 && at-first < statementLines && !importing().Match(lines[first]) {
		first--
	}
	var b strings.Builder
	for i := first; i < len(lines) && i-first < statementLines; i++ {
		b.Write(lines[i])
		b.WriteByte(' ')
		if i >= at && bytes.Contains(lines[i], []byte("from")) {
			break
		}
	}
	return strings.TrimSpace(b.String())
}

var (
	deferring = lazy.Regexp(`\b(require|import)\s*\(`)
	importing = lazy.Regexp(`^\s*(import|export)\b`)
	typed     = lazy.Regexp(`^(import|export)\s+type\b`)
	braced    = lazy.Regexp(`^(?:import|export)\s*\{([^}]*)\}\s*from\b`)
)

// typesOnly reports whether an import of TypeScript brings nothing but types.
func typesOnly(s string) bool {
	if typed().MatchString(s) {
		return true
	}
	m := braced().FindStringSubmatch(s)
	if m == nil {
		return false
	}
	any := false
	for name := range strings.SplitSeq(m[1], ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if !strings.HasPrefix(name, "type ") {
			return false
		}
		any = true
	}
	return any
}
