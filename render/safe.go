package render

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// appendSafe appends text with everything replaced that could drive a
// terminal, hide code from a reader or make XML ill-formed: control characters
// become their picture ("␛"), bytes that are not UTF-8 become U+FFFD, and
// invisible direction marks become "⟨U+202E⟩". Tab stays.
func appendSafe(b, text []byte) []byte {
	start := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c >= 0x20 && c < 0x7f || c == '\t' {
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if !unsafeRune(r, n) {
			i += n
			continue
		}
		b = append(b, text[start:i]...)
		b = append(b, picture(r)...)
		i += n
		start = i
	}
	return append(b, text[start:]...)
}

func unsafeRune(r rune, size int) bool {
	switch {
	case r == utf8.RuneError:
		return size == 1
	case r < 0x20, r >= 0x7f && r <= 0x9f:
		return true
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069: // text direction
		return true
	case r == 0x2028, r == 0x2029, r == 0xfffe, r == 0xffff: // line breaks to some; not XML
		return true
	}
	return r >= 0xe0000 && r <= 0xe007f // invisible tags
}

func picture(r rune) string {
	switch {
	case r == utf8.RuneError:
		return "\uFFFD"
	case r < 0x20:
		return string(0x2400 + r)
	case r == 0x7f:
		return "␡"
	}
	return fmt.Sprintf("⟨U+%04X⟩", r)
}

// safeText is text on one line: safe, and tabs are spaces.
func safeText(s string) string {
	b := appendSafe(nil, []byte(s))
	for i, c := range b {
		if c == '\t' {
			b[i] = ' '
		}
	}
	return string(b)
}

// safePath is a path for a reader: as it is when it is plain text, otherwise
// quoted as Go does: two paths never look the same.
func safePath(p string) string {
	if p == "" || p[0] == '"' || !utf8.ValidString(p) {
		return strconv.Quote(p)
	}
	for _, r := range p {
		if r == '\t' || unsafeRune(r, 2) {
			return strconv.Quote(p)
		}
	}
	return p
}
