package render

import (
	"fmt"
	"strings"

	"github.com/topo-dev/topo/stream"
)

// Format is one way to print a selection.
type Format struct {
	Name         string // as given to [Render]
	Doc          string // one line for the help text
	NeedsContent bool   // the content of files is printed
	namesSame    bool   // files with the content of an earlier one are named with it
	encoder      func(h stream.Header, f stream.Footer, o *Options) encoder
}

// formats is sorted by name.
var formats = []Format{
	{"human", "table of score, tokens, language and path for a person", false, false, newHuman},
	{"json", "one JSON object with the files, their content and totals", true, false, newJSON},
	{"jsonl", "the stream itself, with the content in each file record", true, false, newJSONL},
	{"markdown", "context for a model: tree, then each file in a code fence", true, true, newMarkdown},
	{"paths", "one path a line, quoted when it holds a special character", false, false, newPaths},
	{"xml", "context for a model that prefers tags, content in CDATA", true, true, newXML},
}

// DefaultFormat is what topo render prints by default.
const DefaultFormat = "markdown"

// Formats lists every format, sorted by name.
func Formats() []Format { return append([]Format(nil), formats...) }

// Lookup returns the format of that name. The error lists the known names.
func Lookup(name string) (*Format, error) {
	var names []string
	for i := range formats {
		if formats[i].Name == name {
			return &formats[i], nil
		}
		names = append(names, formats[i].Name)
	}
	return nil, fmt.Errorf("render: unknown format %q; known: %s", name, strings.Join(names, ", "))
}

// encoder turns documents into text. Every text it returns is safe to print
// and, except in the middle of a JSON string, ends with a newline:
// token counts of the pieces add up to the count of the whole.
type encoder interface {
	// open is what precedes the first document.
	open(docs []*Doc) []byte
	// section is the text of one document, the nth of those printed.
	section(d *Doc, nth int) section
	// close is what follows the last of docs, and says what was left out.
	close(docs []*Doc, left leftOut) []byte
}

// section is the text of one document. It can be cut after any of its lines.
type section struct {
	head  []byte
	lines [][]byte
	total int                // lines the document has to print; more than len(lines) once trimmed
	tail  func(n int) []byte // closes the section after n lines; n < total says that it is cut
}

// atomic is a section that is printed as a whole or not at all.
func atomic(text []byte) section {
	return section{head: text, tail: func(int) []byte { return nil }}
}

// text appends the section cut after n lines.
func (s *section) text(b []byte, n int) []byte {
	b = append(b, s.head...)
	for _, l := range s.lines[:n] {
		b = append(b, l...)
	}
	return append(b, s.tail(n)...)
}

// leftOut is what a budget did not hold.
type leftOut struct {
	docs  []*Doc // left out entirely, in order
	cut   *Doc   // the last document printed, when cut short
	limit string // "8000 tokens"
}

func (l leftOut) none() bool { return len(l.docs) == 0 && l.cut == nil }

// note says to a reader what was left out, in one line without markup.
func (l leftOut) note() string {
	const show = 5 // paths named; the rest is a number
	var parts []string
	if l.cut != nil {
		parts = append(parts, "the end of "+safePath(l.cut.File.Path))
	}
	if n := len(l.docs); n > 0 {
		names := make([]string, 0, show)
		for _, d := range l.docs[:min(n, show)] {
			names = append(names, safePath(d.File.Path))
		}
		if n > show {
			names = append(names, "…")
		}
		parts = append(parts, fmt.Sprintf("%s (%s)", plural(n, "file"), strings.Join(names, ", ")))
	}
	return fmt.Sprintf("Left out to stay within %s: %s.", l.limit, strings.Join(parts, " and "))
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
