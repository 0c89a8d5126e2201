package render

import (
	"unicode"
	"unicode/utf8"
)

// The functions here cut text as the patterns of the vocabularies do. Each
// follows its pattern's alternatives in order, with the backtracking that can
// occur computed beforehand: a cut takes time linear in its length.

// class is what a pattern asks of a character.
type class uint8

const (
	other   class = iota // [^\s\p{L}\p{N}], marks left out
	mark                 // \p{M}
	upper                // \p{Lu}\p{Lt}
	lower                // \p{Ll}
	uncased              // \p{Lm}\p{Lo}
	number               // \p{N}
	space                // \s but not CR or LF
	newline              // CR, LF
)

func (c class) letter() bool { return c == upper || c == lower || c == uncased }
func (c class) blank() bool  { return c == space || c == newline }

// punct is [^\s\p{L}\p{N}].
func (c class) punct() bool { return c == other || c == mark }

var asciiClass = func() (t [utf8.RuneSelf]class) {
	for r := range rune(utf8.RuneSelf) {
		t[r] = classOfRune(r)
	}
	return t
}()

// first is the class of the first character of text and its length; the class
// of an empty text is other with length 0.
func first(text []byte) (class, int) {
	if len(text) == 0 {
		return other, 0
	}
	if c := text[0]; c < utf8.RuneSelf {
		return asciiClass[c], 1
	}
	r, n := utf8.DecodeRune(text)
	return classOfRune(r), n
}

func classOfRune(r rune) class {
	switch {
	case r == '\r' || r == '\n':
		return newline
	case unicode.IsSpace(r):
		return space
	case unicode.Is(unicode.Ll, r):
		return lower
	case unicode.Is(unicode.Lu, r), unicode.Is(unicode.Lt, r):
		return upper
	case unicode.IsLetter(r):
		return uncased
	case unicode.IsNumber(r):
		return number
	case unicode.IsMark(r):
		return mark
	}
	return other
}

// runWhile is the length of the longest start of text whose characters all are ok.
func runWhile(text []byte, ok func(class) bool) int {
	i := 0
	for i < len(text) {
		c, n := first(text[i:])
		if !ok(c) {
			break
		}
		i += n
	}
	return i
}

// contraction is the length of (?i:'s|'t|'re|'ve|'m|'ll|'d) at the start.
func contraction(text []byte) int {
	if len(text) < 2 || text[0] != '\'' {
		return 0
	}
	a := text[1] | 0x20
	switch a {
	case 's', 't', 'm', 'd':
		return 2
	}
	if len(text) > 2 {
		switch b := text[2] | 0x20; {
		case a == 'r' && b == 'e', a == 'v' && b == 'e', a == 'l' && b == 'l':
			return 3
		}
	}
	return 0
}

// cutCL100K is the pattern of cl100k_base:
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|
//	 ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
func cutCL100K(text []byte) int {
	if n := contraction(text); n > 0 {
		return n
	}
	c, n := first(text)
	if c.letter() {
		return n + runWhile(text[n:], class.letter)
	}
	if c != newline && c != number {
		if m := runWhile(text[n:], class.letter); m > 0 {
			return n + m
		}
	}
	return cutRest(text, c, "\r\n")
}

// cutO200K is the pattern of o200k_base, where U is [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}],
// L is [\p{Ll}\p{Lm}\p{Lo}\p{M}] and S is the contraction of cl100k_base:
//
//	[^\r\n\p{L}\p{N}]?U*L+S?|[^\r\n\p{L}\p{N}]?U+L*S?|\p{N}{1,3}|
//	 ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
func cutO200K(text []byte) int {
	c, n := first(text)
	prefix := 0
	if !c.letter() && c != newline && c != number {
		prefix = n
	}
	for _, word := range []func([]byte) int{mixedWord, upperWord} {
		for _, skip := range [2]int{prefix, 0} {
			if m := word(text[skip:]); m > 0 {
				m += skip
				return m + contraction(text[m:])
			}
			if prefix == 0 {
				break
			}
		}
	}
	return cutRest(text, c, "\r\n/")
}

func (c class) inUpper() bool { return c == upper || c == uncased || c == mark }
func (c class) inLower() bool { return c == lower || c == uncased || c == mark }

// mixedWord is U*L+ at the start of text. U* takes all it can; when no L
// follows it gives back until the last character that is in both classes.
func mixedWord(text []byte) int {
	i, both := 0, 0 // both: end of the last character of U* that is in L too
	for i < len(text) {
		c, n := first(text[i:])
		if !c.inUpper() {
			break
		}
		i += n
		if c.inLower() {
			both = i
		}
	}
	if n := runWhile(text[i:], class.inLower); n > 0 {
		return i + n
	}
	return both
}

// upperWord is U+L* at the start of text, where mixedWord found nothing: then
// no L follows.
func upperWord(text []byte) int { return runWhile(text, class.inUpper) }

// cutRest is what both patterns end with; c is the class of the first
// character, and trail the characters that may follow punctuation.
func cutRest(text []byte, c class, trail string) int {
	switch {
	case c == number:
		return numberLen(text)
	case c.punct():
		return punctLen(text, 0, trail)
	case text[0] == ' ' && len(text) > 1:
		if next, _ := first(text[1:]); next.punct() {
			return punctLen(text, 1, trail)
		}
	}
	return blankLen(text)
}

// numberLen is \p{N}{1,3}.
func numberLen(text []byte) int {
	i := 0
	for range 3 {
		c, n := first(text[i:])
		if c != number {
			break
		}
		i += n
	}
	return i
}

func punctLen(text []byte, from int, trail string) int {
	i := from + runWhile(text[from:], class.punct)
	for i < len(text) && (text[i] == trail[0] || text[i] == trail[1] || len(trail) > 2 && text[i] == trail[2]) {
		i++
	}
	return i
}

// blankLen is \s*[\r\n]+|\s+(?!\S)|\s+: up to the last line break of the run
// of space; without one, all of it but the last character, which goes with the
// word that follows.
func blankLen(text []byte) int {
	i, lastBreak, last := 0, 0, 0
	for i < len(text) {
		c, n := first(text[i:])
		if !c.blank() {
			break
		}
		last = i
		i += n
		if c == newline {
			lastBreak = i
		}
	}
	switch {
	case lastBreak > 0:
		return lastBreak
	case i == len(text) || last == 0:
		return i
	}
	return last
}
