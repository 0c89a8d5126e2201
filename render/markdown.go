package render

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/topo-dev/topo/internal/english"
	"github.com/topo-dev/topo/stream"
)

// maxQuery cuts the task in a heading, in bytes. A task may be a whole bug
// report; the reader of the context has it already.
const maxQuery = 160

// markdownEncoder prints a heading with the task, the tree of the files, and
// each file under its own heading in a code fence.
type markdownEncoder struct {
	h stream.Header
	o *Options
}

func newMarkdown(h stream.Header, _ stream.Footer, o *Options) encoder { return &markdownEncoder{h, o} }

func (e *markdownEncoder) open(docs []*Doc) []byte {
	var b []byte
	if q := oneLine(e.h.Query); q != "" {
		b = append(b, "# Context: "+q+"\n\n"...)
	} else {
		b = append(b, "# Context\n\n"...)
	}
	if len(docs) == 0 {
		return b
	}
	tree := appendTree(nil, docs)
	fence := fenceFor([][]byte{tree})
	b = append(b, fence+"\n"...)
	b = append(b, tree...)
	return append(b, fence+"\n\n"...)
}

func (e *markdownEncoder) close(_ []*Doc, left leftOut) []byte {
	if left.none() {
		return nil
	}
	return []byte("> " + left.note() + "\n")
}

func (e *markdownEncoder) section(d *Doc, _ int) section {
	lines, spans, total := body(d, e.o)
	head := e.head(d, spans, total)
	if why := missing(d); why != "" {
		return atomic(append(head, "> Content not shown: "+safeText(why)+".\n\n"...))
	}
	if total == 0 {
		return atomic(append(head, "> The file is empty.\n\n"...))
	}
	texts := textLines(lines, total, e.o.LineNumbers)
	fence := fenceFor(texts)
	head = append(head, fence+e.fenceID(d.File.Language)+"\n"...)
	return section{head: head, lines: texts, total: len(texts), tail: func(n int) []byte {
		if n < len(lines) {
			return []byte(fence + "\n\n> Cut here: the rest of the file is left out.\n\n")
		}
		return []byte(fence + "\n\n")
	}}
}

// head is the heading of a file: path, what it is, which lines follow.
func (e *markdownEncoder) head(d *Doc, spans []stretch, total int) []byte {
	facts := make([]string, 0, 4)
	if d.File.Language != "" {
		facts = append(facts, safeText(d.File.Language))
	}
	if r := d.File.Role; r != "" && r != stream.RoleImpl {
		facts = append(facts, safeText(string(r)))
	}
	if missing(d) == "" {
		facts = append(facts, rangeText(spans, total))
	}
	if e.o.Scores {
		facts = append(facts, "score "+formatScore(d.File.Score))
	}
	if d.Masked > 0 {
		facts = append(facts, english.Count(d.Masked, "secret")+" masked")
	}
	b := []byte("## " + safePath(d.File.Path))
	if len(facts) > 0 {
		b = append(b, " ("+strings.Join(facts, ", ")+")"...)
	}
	b = append(b, "\n\n"...)
	if d.Stale {
		b = append(b, "> "+staleNote+"\n\n"...)
	}
	if note := sameNote(d); note != "" {
		b = append(b, "> "+note+"\n\n"...)
	}
	return b
}

// staleNote says that what is shown is what was indexed.
const staleNote = "This file changed since it was indexed; shown as indexed."

func (e *markdownEncoder) fenceID(language string) string {
	if e.o.Fence != nil {
		language = e.o.Fence(language)
	}
	for _, c := range []byte(language) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("+-#._", c) >= 0:
		default:
			return ""
		}
	}
	return language
}

// textLines are lines as plain text formats print them. They share one buffer.
func textLines(lines []bodyLine, total int, numbers bool) [][]byte {
	width := len(strconv.Itoa(total))
	size := 0
	for _, l := range lines {
		size += len(l.text) + width + 8
	}
	b := make([]byte, 0, size)
	out := make([][]byte, len(lines))
	for i, l := range lines {
		start := len(b)
		if numbers && l.no > 0 {
			b = fmt.Appendf(b, "%*d  ", width, l.no)
		}
		if l.gap {
			b = append(b, ellipsis...)
			if len(l.text) > 0 {
				b = append(b, ' ')
			}
		}
		b = append(appendSafe(b, l.text), '\n')
		out[i] = b[start:len(b):len(b)]
	}
	return out
}

// fenceFor is a code fence that no line of lines can close: longer than any
// run of the fence character that starts a line. It is made of backticks,
// unless tildes are shorter.
func fenceFor(lines [][]byte) string {
	ticks, tildes := 2, 2
	for _, l := range lines {
		l = afterMargin(l)
		ticks = max(ticks, runOf(l, '`'))
		tildes = max(tildes, runOf(l, '~'))
	}
	if tildes < ticks {
		return strings.Repeat("~", tildes+1)
	}
	return strings.Repeat("`", ticks+1)
}

// afterMargin is l without what may precede a fence: blanks, the line
// number and the mark of a gap.
func afterMargin(l []byte) []byte {
	for len(l) > 0 && (l[0] == ' ' || l[0] == '\t' || l[0] >= '0' && l[0] <= '9') {
		l = l[1:]
	}
	return bytes.TrimPrefix(bytes.TrimPrefix(l, []byte(ellipsis)), []byte{' '})
}

func runOf(l []byte, c byte) int {
	n := 0
	for n < len(l) && l[n] == c {
		n++
	}
	return n
}

// oneLine is the start of s on one line.
func oneLine(s string) string {
	if len(s) > 4*maxQuery {
		s = s[:4*maxQuery]
	}
	s = safeText(strings.Join(strings.Fields(s), " "))
	if len(s) > maxQuery {
		s = strings.ToValidUTF8(s[:maxQuery], "") + ellipsis
	}
	return s
}

func formatScore(s float64) string { return strconv.FormatFloat(s, 'g', 4, 64) }
