package spill

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxNote is the room kept for the line that says what is left out.
const maxNote = 160

// Cap shortens text to at most limit bytes: its head, a line that says what is
// left out, and its tail, half each, because a command says at its beginning
// what it does and at its end what came of it. handle is named in that line as
// the place of the whole; it may be empty. Bytes that are not UTF-8 become
// U+FFFD. A limit too small for the line leaves a plain cut.
func Cap(text, handle string, limit int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= limit {
		return text
	}
	room := limit - maxNote
	if room < 2*utf8.UTFMax {
		return text[:runeStart(text, max(limit, 0))]
	}
	head := runeStart(text, room/2)
	tail := nextRuneStart(text, len(text)-room/2)
	// A line end within the last quarter of a part makes a cleaner cut.
	if at := strings.LastIndexByte(text[:head], '\n') + 1; at > head*3/4 {
		head = at
	}
	if text[head] == '\n' {
		head++
	}
	if at := strings.IndexByte(text[tail:], '\n') + 1; at > 0 && at < (len(text)-tail)/4 {
		tail += at
	}
	var b strings.Builder
	b.Grow(limit)
	b.WriteString(text[:head])
	if text[head-1] != '\n' {
		b.WriteByte('\n')
	}
	b.WriteString(note(text, handle, head, tail))
	b.WriteString(text[tail:])
	return b.String()
}

// note names what is left out by lines and bytes and, with a handle, the line
// at which reading continues.
func note(text, handle string, head, tail int) string {
	left := text[head:tail]
	s := fmt.Sprintf("[… %d lines, %d bytes left out", max(1, strings.Count(left, "\n")), len(left))
	if handle != "" {
		s += fmt.Sprintf("; read %s from line %d", handle, strings.Count(text[:head], "\n")+1)
	}
	return s + " …]\n"
}

// runeStart moves i down to the start of a rune.
func runeStart(s string, i int) int {
	for i > 0 && i < len(s) && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}

// nextRuneStart moves i up to the start of a rune.
func nextRuneStart(s string, i int) int {
	for i < len(s) && !utf8.RuneStart(s[i]) {
		i++
	}
	return i
}
