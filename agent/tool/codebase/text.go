package codebase

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/ask"
)

// maxText bounds an answer in bytes: what a model reads for one question. The
// last line says that there is more.
const maxText = 24 << 10

// text is an answer being written.
type text struct {
	b        strings.Builder
	full     bool
	hints    []string
	readable func(path string) bool // nil for all
}

// shows reports whether the source of a file may be part of the answer, and
// says so when it may not.
func (t *text) shows(path string) bool {
	if t.readable == nil || t.readable(path) {
		return true
	}
	t.line("%s: not shown, a rule denies reading it.", visible(path))
	return false
}

// line adds a line. What does not fit any more is left out, and said once.
func (t *text) line(format string, args ...any) {
	if t.full {
		return
	}
	s := fmt.Sprintf(format, args...)
	if t.b.Len()+len(s)+1 > maxText {
		t.full = true
		t.b.WriteString("[… more is left out: narrow the question or lower the limit …]\n")
		return
	}
	t.b.WriteString(s)
	t.b.WriteByte('\n')
}

// hint adds a next step.
func (t *text) hint(format string, args ...any) {
	t.hints = append(t.hints, fmt.Sprintf(format, args...))
}

func (t *text) String() string { return t.b.String() }

// visible makes a name from the repository safe to print in a line: line breaks
// and other characters that steer become visible.
func visible(s string) string {
	plain := utf8.ValidString(s)
	for _, r := range s {
		plain = plain && unicode.IsPrint(r)
	}
	if plain {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r == '\n' || r == '\t' || r == '\r':
			b.WriteByte(' ')
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// at is a node's place: path:line, or path:first-last with its extent.
func at(r graph.Ref, extent bool) string {
	switch {
	case r.Path == "":
		return "outside of the repository"
	case r.Line == 0:
		return visible(r.Path)
	case extent && r.EndLine > r.Line:
		return fmt.Sprintf("%s:%d-%d", visible(r.Path), r.Line, r.EndLine)
	}
	return fmt.Sprintf("%s:%d", visible(r.Path), r.Line)
}

// describeRef is a node in a list: kind, name and place.
func describeRef(r graph.Ref) string {
	if r.Path == r.Name {
		return "file " + visible(r.Path)
	}
	if r.Kind == graph.NodeModule.String() || r.Path == "" {
		return r.Kind + " " + visible(r.Name)
	}
	return fmt.Sprintf("%s %s  %s", r.Kind, visible(r.Name), at(r, false))
}

// place is how to ask for a node, quoted as an argument of a tool.
func place(r graph.Ref) string { return fmt.Sprintf("%q", ask.PlaceOf(r)) }

// confidenceSuffix is a confidence, left out where it is certain.
func confidenceSuffix(c float64) string {
	if c >= 0.995 {
		return ""
	}
	return fmt.Sprintf("  (%.0f %% sure)", 100*c)
}

// plural is a number with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "y") {
		return fmt.Sprintf("%d %sies", n, noun[:len(noun)-1])
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// several lists the other places that have the requested name.
func (t *text) several(p *ask.Places) {
	if len(p.Nodes) < 2 || p.Folder {
		return
	}
	t.hint("%q names %d places; ask for one as %s", p.Given, len(p.Nodes), place(p.Nodes[0].Ref()))
}
