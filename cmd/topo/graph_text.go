package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// orderedObject is a JSON object whose keys keep their order.
type orderedObject []orderedField

type orderedField struct {
	key   string
	value any
}

func (o *orderedObject) add(key string, value any) { *o = append(*o, orderedField{key, value}) }

// MarshalJSON is the object, with nothing escaped that only HTML needs.
func (o orderedObject) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, f := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := enc.Encode(f.key); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := enc.Encode(f.value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
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

// graphText writes an answer for a person.
type graphText struct {
	w     io.Writer
	color bool
}

func (t *graphText) paint(code, s string) string {
	if !t.color || s == "" || code == "" {
		return s
	}
	return code + s + reset
}

func (t *graphText) line(format string, args ...any) { fmt.Fprintf(t.w, format+"\n", args...) }

// cell is a part of a row, with its colour; right aligns it to the right.
type cell struct {
	text  string
	color string
	right bool
}

// table writes rows whose cells stand under each other. The first row is the
// head. A column that is empty but for its head is left out.
func (t *graphText) table(indent string, rows [][]cell) { t.tableOver(indent, rows, nil) }

// tableOver is a table with lines under its rows.
func (t *graphText) tableOver(indent string, rows [][]cell, under [][]string) {
	var width []int
	for _, row := range rows {
		for i, c := range row {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], utf8.RuneCountInString(visible(c.text)))
		}
	}
	empty := emptyColumns(rows)
	for n, row := range rows {
		var b strings.Builder
		b.WriteString(indent)
		for i, c := range row {
			if empty[i] {
				continue
			}
			text := visible(c.text)
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(text))
			if b.Len() > len(indent) {
				b.WriteString("  ")
			}
			switch painted := t.paint(c.color, text); {
			case c.right:
				b.WriteString(pad + painted)
			case i == len(row)-1:
				b.WriteString(painted)
			default:
				b.WriteString(painted + pad)
			}
		}
		t.line("%s", strings.TrimRight(b.String(), " "))
		if n < len(under) {
			for _, line := range under[n] {
				t.line("%10s%s", "", line)
			}
		}
	}
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
		text, right := strings.CutPrefix(n, ">")
		row[i] = cell{text, bold, right}
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

// place is where a record stands: path, or path:line.
func (r *symbolRecord) place() string {
	if r.Line > 0 {
		return fmt.Sprintf("%s:%d", r.Path, r.Line)
	}
	return r.Path
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
