package files

import (
	"errors"
	"fmt"
	"sort"
	"strings"
)

// source is a text as a model knows it, with plain newlines and no byte order
// mark, and the way back to the bytes of the file.
type source struct {
	raw   string // the file
	text  string // what the model knows
	start int    // of text in raw: the length of the mark
	crs   []int  // offsets in text of the newlines that are CRLF in raw, ascending
}

func newSource(raw string) source {
	s := source{raw: raw}
	if strings.HasPrefix(raw, utf8BOM) {
		s.start = len(utf8BOM)
	}
	body := raw[s.start:]
	if !strings.Contains(body, "\r\n") {
		s.text = body
		return s
	}
	var b strings.Builder
	b.Grow(len(body))
	for {
		i := strings.Index(body, "\r\n")
		if i < 0 {
			break
		}
		b.WriteString(body[:i])
		s.crs = append(s.crs, b.Len())
		b.WriteByte('\n')
		body = body[i+2:]
	}
	b.WriteString(body)
	s.text = b.String()
	return s
}

// offset is the place in raw of an offset in text. That of a newline that is
// CRLF is the place of its carriage return.
func (s source) offset(at int) int { return s.start + at + sort.SearchInts(s.crs, at) }

// crlf reports whether most lines end in CRLF.
func (s source) crlf() bool { return len(s.crs) > strings.Count(s.text, "\n")-len(s.crs) }

// newlines writes a text of the model with the line ends of the file.
func (s source) newlines(text string) string {
	if s.crlf() {
		return strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

// applyEdit replaces the text of one edit.
func applyEdit(raw string, e oneEdit) (string, error) {
	s := newSource(raw)
	if len(s.crs) > 0 {
		e.OldText = strings.ReplaceAll(e.OldText, "\r\n", "\n")
		e.NewText = strings.ReplaceAll(e.NewText, "\r\n", "\n")
	}
	switch {
	case e.OldText == "":
		return "", errors.New("old_text is empty; give the text to replace, or use write for a whole file")
	case e.OldText == e.NewText:
		return "", errors.New("old_text and new_text are the same")
	}
	n := strings.Count(s.text, e.OldText)
	switch {
	case n == 0:
		return "", notFound(s, e.OldText)
	case overlaps(s.text, e.OldText, n) && !e.All, n > 1 && !e.All:
		return "", ambiguous(s.text, e.OldText)
	}
	replacement := s.newlines(e.NewText)
	if len(raw)+n*max(0, len(replacement)-len(e.OldText)) > maxResult {
		return "", errTooLong
	}
	var b strings.Builder
	done := 0
	for at := 0; ; {
		i := strings.Index(s.text[at:], e.OldText)
		if i < 0 {
			break
		}
		from, to := s.offset(at+i), s.offset(at+i+len(e.OldText))
		b.WriteString(raw[done:from])
		b.WriteString(replacement)
		done, at = to, at+i+len(e.OldText)
	}
	b.WriteString(raw[done:])
	return b.String(), nil
}

// overlaps reports whether the only occurrence that is counted shares text with
// another one, as "aa" in "aaa".
func overlaps(text, old string, n int) bool {
	first := strings.Index(text, old)
	return n == 1 && strings.Contains(text[first+1:], old)
}

// maxPlaces is how many places of an ambiguous text are reported.
const maxPlaces = 10

func ambiguous(text, old string) error {
	var places []string
	total, line, done := 0, 1, 0
	for at := 0; ; {
		i := strings.Index(text[at:], old)
		if i < 0 {
			break
		}
		total++
		if len(places) < maxPlaces {
			line += strings.Count(text[done:at+i], "\n")
			done = at + i
			places = append(places, fmt.Sprintf("  line %d: %s", line, lineAt(text, at+i)))
		}
		at += i + 1
	}
	if total > len(places) {
		places = append(places, fmt.Sprintf("  and %d more", total-len(places)))
	}
	return fmt.Errorf("old_text is there %d times; add lines around it to make it unique, or set all:\n%s",
		total, strings.Join(places, "\n"))
}

// lineAt is the line that the offset lies in, shortened.
func lineAt(text string, at int) string {
	from := strings.LastIndexByte(text[:at], '\n') + 1
	line, _, _ := strings.Cut(text[from:min(len(text), from+400)], "\n")
	return clip(strings.TrimSpace(line), 100)
}

// clip shortens to n characters.
func clip(s string, n int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}
