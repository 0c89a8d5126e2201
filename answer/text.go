package answer

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/topo-dev/topo/index/graph"
)

// TextOptions say how a text is written.
type TextOptions struct {
	Color bool // with the colours of a terminal
	Most  int  // bytes; what does not fit is left out, and the last line says so. 0 for all
}

// Colours are the eight of any terminal, so that its theme decides.
const (
	bold   = "\x1b[1m"
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	cyan   = "\x1b[36m"
	dim    = "\x1b[2m"
	reset  = "\x1b[0m"
)

// leftOut ends a text that has no more room.
const leftOut = "[… more is left out: narrow the question or lower the limit …]"

// text writes an answer.
type text struct {
	w     io.Writer
	color bool
	room  int // bytes that are left; negative for any number
	full  bool
}

func newText(w io.Writer, o TextOptions) *text {
	t := &text{w: w, color: o.Color, room: -1}
	if o.Most > 0 {
		t.room = o.Most
	}
	return t
}

func (t *text) paint(code, s string) string {
	if !t.color || s == "" || code == "" {
		return s
	}
	return code + s + reset
}

func (t *text) line(format string, args ...any) {
	if t.full {
		return
	}
	s := fmt.Sprintf(format, args...)
	if t.room >= 0 {
		if t.room -= len(s) + 1; t.room < 0 {
			t.full, s = true, leftOut
		}
	}
	fmt.Fprintln(t.w, s)
}

// cell is a part of a row, with its colour; right aligns it to the right.
type cell struct {
	text  string
	color string
	right bool
}

// table writes rows whose cells stand under each other. The first row is the
// head. A column that is empty but for its head is left out.
func (t *text) table(indent string, rows [][]cell) { t.tableOver(indent, rows, nil) }

// tableOver is a table with lines under its rows.
func (t *text) tableOver(indent string, rows [][]cell, under [][]string) {
	var width []int
	for _, row := range rows {
		for i, c := range row {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], utf8.RuneCountInString(Visible(c.text)))
		}
	}
	empty := emptyColumns(rows)
	for n, row := range rows {
		t.line("%s", strings.TrimRight(t.row(indent, row, width, empty), " "))
		if n < len(under) {
			for _, line := range under[n] {
				t.line("%10s%s", "", line)
			}
		}
	}
}

func (t *text) row(indent string, row []cell, width []int, empty map[int]bool) string {
	var b strings.Builder
	b.WriteString(indent)
	for i, c := range row {
		if empty[i] {
			continue
		}
		shown := Visible(c.text)
		pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(shown))
		if b.Len() > len(indent) {
			b.WriteString("  ")
		}
		switch painted := t.paint(c.color, shown); {
		case c.right:
			b.WriteString(pad + painted)
		case i == len(row)-1:
			b.WriteString(painted)
		default:
			b.WriteString(painted + pad)
		}
	}
	return b.String()
}

// emptyColumns are the columns of a table with a head that hold nothing. A
// table of one row has no head.
func emptyColumns(rows [][]cell) map[int]bool {
	empty := map[int]bool{}
	if len(rows) < 2 {
		return empty
	}
	for i := range rows[0] {
		empty[i] = true
	}
	for _, row := range rows[1:] {
		for i, c := range row {
			if c.text != "" {
				delete(empty, i)
			}
		}
	}
	return empty
}

// head is the first row of a table. A name that starts with ">" stands over a
// column of figures.
func head(names ...string) []cell {
	row := make([]cell, len(names))
	for i, n := range names {
		name, right := strings.CutPrefix(n, ">")
		row[i] = cell{name, bold, right}
	}
	return row
}

// figure is a cell with a number.
func figure(v any) cell {
	if f, ok := v.(float64); ok {
		return cell{fmt.Sprintf("%.2f", f), "", true}
	}
	return cell{fmt.Sprint(v), "", true}
}

// sure is the cell of a confidence.
func sure(c float64) cell {
	color := green
	switch {
	case c <= 0.3:
		color = red
	case c <= 0.6:
		color = yellow
	}
	return cell{fmt.Sprintf("%.2f", c), color, true}
}

// sites are the lines of code under a row.
func (t *text) sites(list []graph.Site, more int) []string {
	var out []string
	for _, s := range list {
		out = append(out, t.paint(dim, fmt.Sprintf("%s:%d", Visible(s.Path), s.Line))+"  "+Visible(s.Text))
	}
	if more > 0 {
		out = append(out, t.paint(dim, fmt.Sprintf("and %d more", more)))
	}
	return out
}

// Visible returns s with line breaks turned into spaces and what steers a
// terminal or cannot be seen escaped: it stays on one line.
func Visible(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			b.WriteByte(' ')
		case r < 0x20 || r == 0x7f || (0x80 <= r && r < 0xa0):
			fmt.Fprintf(&b, `\x%02x`, r)
		case r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Cf, r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
