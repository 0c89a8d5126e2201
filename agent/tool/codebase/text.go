package codebase

import (
	"fmt"
	"strings"
)

// maxText bounds an answer in bytes: what a model reads for one question. The
// last line says that there is more.
const maxText = 24 << 10

// text is an answer being written.
type text struct {
	b     strings.Builder
	full  bool
	hints []string
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
