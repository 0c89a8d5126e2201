package render

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// stretch is a range of lines to print, or a part of one line.
type stretch struct {
	Span
	from, to int // first and last byte of the part, 1-based; 0 for whole lines
}

// shortGap is the longest line that is printed rather than left out between two
// ranges, in bytes.
const shortGap = 400

// spansOf are the stretches of d to print: sorted, inside the file, and merged
// where a gap would not be shorter than what it hides.
func spansOf(d *Doc, lines [][]byte) []stretch {
	total := len(lines)
	spans := make([]stretch, 0, len(d.Spans)+len(d.File.Chunks)+1)
	for _, s := range d.Spans {
		spans = append(spans, stretch{Span: s})
	}
	if d.Spans == nil {
		for _, c := range d.File.Chunks {
			spans = append(spans, stretch{Span{c.StartLine, c.EndLine}, c.StartColumn, c.EndColumn})
		}
	}
	if d.Spans == nil && len(spans) == 0 {
		spans = append(spans, stretch{Span: Span{1, total}})
	}
	slices.SortStableFunc(spans, func(a, b stretch) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.from, b.from))
	})
	short := func(no int) bool { return no < 1 || no > total || len(lines[no-1]) <= shortGap }
	out := spans[:0]
	for _, s := range spans {
		s.Start, s.End = max(s.Start, 1), min(s.End, total)
		if s.Start > s.End || s.part() && !s.within(lines[s.Start-1]) {
			continue
		}
		if n := len(out); n == 0 || !out[n-1].merge(s, short) {
			out = append(out, s)
		}
	}
	if n := len(out); n > 0 {
		if out[0].Start == 2 && !out[0].part() && short(1) {
			out[0].Start = 1
		}
		if out[n-1].End == total-1 && !out[n-1].part() && short(total) {
			out[n-1].End = total
		}
	}
	return out
}

// part reports whether s is a part of a line.
func (s *stretch) part() bool { return s.from > 0 || s.to > 0 }

// within cuts a part to what its line has and reports whether anything is left.
func (s *stretch) within(line []byte) bool {
	s.from, s.to = max(s.from, 1), min(s.to, len(unbroken(line)))
	return s.Start == s.End && s.from <= s.to
}

// unbroken is a line without its break.
func unbroken(line []byte) []byte { return bytes.TrimRight(line, "\r\n") }

// merge adds next, which begins no earlier, when no gap would remain between.
func (s *stretch) merge(next stretch, short func(line int) bool) bool {
	switch {
	case s.part() && next.part():
		if next.Start != s.Start || next.from > s.to+1 {
			return false
		}
		s.to = max(s.to, next.to)
		return true
	case s.part():
		return false
	case next.part():
		return next.Start <= s.End
	case next.Start > s.End+2 || next.Start == s.End+2 && !short(s.End+1):
		return false
	}
	s.End = max(s.End, next.End)
	return true
}

// whole reports whether spans are all of a file with that many lines.
func whole(spans []stretch, total int) bool {
	return len(spans) == 1 && spans[0] == stretch{Span: Span{1, total}}
}

// rangeText is "lines 10–40, 80–95 of 650", or "650 lines" for a whole file. A
// part of a line is "7:1201–1400".
func rangeText(spans []stretch, total int) string {
	switch {
	case len(spans) == 0 && total > 0:
		return "none of " + plural(total, "line")
	case len(spans) == 0 || whole(spans, total):
		return plural(total, "line")
	}
	parts := make([]string, len(spans))
	for i, s := range spans {
		parts[i] = s.text("–")
	}
	return fmt.Sprintf("lines %s of %d", strings.Join(parts, ", "), total)
}

// text is "10–40", or "10" for a single line.
func (s stretch) text(dash string) string {
	line := strconv.Itoa(s.Start)
	switch {
	case s.part():
		return line + ":" + strconv.Itoa(s.from) + dash + strconv.Itoa(s.to)
	case s.Start == s.End:
		return line
	}
	return line + dash + strconv.Itoa(s.End)
}

// lineText is a line of a stretch: all of it, or the part between ellipses.
func (s stretch) lineText(line []byte) []byte {
	if !s.part() {
		return withoutBreak(line)
	}
	line = unbroken(line)
	var out []byte
	if s.from > 1 {
		out = append(out, ellipsis...)
	}
	out = append(out, line[s.from-1:s.to]...)
	if s.to < len(line) {
		out = append(out, ellipsis...)
	}
	return out
}
