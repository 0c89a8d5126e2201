// Package token is the one tokenizer of index and query: what is split here
// when a file is indexed is split the same way when a question is asked.
//
// A text is cut at everything that is neither letter, digit nor combining
// mark (an underscore is a cut), and words are cut again where an identifier
// joins its parts: HTTPServer gives http and server, userID user and id,
// parse_url parse and url, URLs url.
//
// What always holds:
//   - a digit belongs to the letters it is next to and never cuts: utf8,
//     sha256, x509, 3d and k8s stay whole, utf8Reader gives utf8 and reader;
//   - terms are lower case, in the order of the text, at most [MaxTerm] bytes
//     (a longer one is data, not a word, and is dropped), never stemmed;
//   - single ASCII letters and digits and the words of [StopWords] are dropped,
//     in index and query alike;
//   - a Han character is a term of its own, since no space parts the words;
//   - bytes that are not UTF-8 cut like punctuation;
//   - splitting a term gives that term again.
package token

import (
	"unicode"
	"unicode/utf8"
)

// Version changes whenever the same text may give other terms than before; an
// index made by another version is rebuilt.
const Version = 1

// MaxTerm is the length of the longest term, in bytes of its lower-case form.
const MaxTerm = 64

// Classes of bytes and runes.
const (
	sep   = iota // cuts
	lower        // lower-case letters and letters without case
	upper        // letters that have another lower-case form
	digit        // digits and combining marks: take the side of their neighbours
	han          // a term of its own
	multi        // bytes only: part of a rune of more than one byte
)

var classes = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c >= utf8.RuneSelf:
			t[c] = multi
		case 'a' <= c && c <= 'z':
			t[c] = lower
		case 'A' <= c && c <= 'Z':
			t[c] = upper
		case '0' <= c && c <= '9':
			t[c] = digit
		}
	}
	return t
}()

func runeClass(r rune) uint8 {
	switch {
	case r < utf8.RuneSelf:
		return classes[byte(max(r, 0))]
	case unicode.Is(unicode.Han, r) && unicode.IsLetter(r):
		return han
	case unicode.ToLower(r) != r && unicode.IsLetter(r):
		return upper
	case unicode.IsLetter(r):
		return lower
	case unicode.IsDigit(r) || unicode.IsMark(r):
		return digit
	}
	return sep
}

// Splitter splits texts without allocating. The zero value is ready; it must
// not be used by two goroutines at a time.
type Splitter struct {
	buf [MaxTerm + utf8.UTFMax]byte
}

// Each calls fn for every term of text in order. The term may be a part of
// text itself: it is valid during the call only and must not be written to.
func (s *Splitter) Each(text []byte, fn func(term []byte)) {
	for i := 0; i < len(text); {
		if classes[text[i]] == sep {
			i++
			continue
		}
		end, ok := asciiPart(text, i)
		if !ok {
			i = s.runePart(text, i, fn)
			continue
		}
		s.emit(text[i:end], fn)
		i = end
	}
}

// asciiPart finds the end of the part of a word that starts at i. It gives up
// when a byte that decides is not ASCII.
func asciiPart(text []byte, i int) (end int, ok bool) {
	j := i
	for j < len(text) && (classes[text[j]] == upper || classes[text[j]] == digit) {
		j++
	}
	if j < len(text) && classes[text[j]] == lower {
		if j-i >= 2 && classes[text[j-1]] == upper {
			if text[j] != 's' || classes[text[j-2]] != upper {
				return j - 1, true // HTTPServer: the last capital starts the next part
			}
			after := uint8(sep)
			if j+1 < len(text) {
				after = classes[text[j+1]]
			}
			switch after {
			case sep, upper:
				return j, true // URLs: the plural of an acronym
			case lower, digit:
				return j - 1, true
			}
			return 0, false
		}
		for j < len(text) && (classes[text[j]] == lower || classes[text[j]] == digit) {
			j++
		}
	}
	return j, j == len(text) || classes[text[j]] != multi
}

// emit passes on one ASCII part, lower-cased, unless it says nothing.
func (s *Splitter) emit(part []byte, fn func(term []byte)) {
	if len(part) < 2 || len(part) > MaxTerm {
		return
	}
	if !hasUpper(part) {
		if !isStop(part) {
			fn(part)
		}
		return
	}
	term := s.buf[:len(part)]
	for k, c := range part {
		if classes[c] == upper {
			c |= 0x20
		}
		term[k] = c
	}
	if !isStop(term) {
		fn(term)
	}
}

// hasUpper reports whether an ASCII part has a capital. A part starts with
// capitals and digits, if it has any, so the loop is short.
func hasUpper(part []byte) bool {
	for _, c := range part {
		switch classes[c] {
		case upper:
			return true
		case lower:
			return false
		}
	}
	return false
}

// runePart is asciiPart and emit for parts with other letters. It returns
// where to go on, past a rune that cuts if there is one at i.
func (s *Splitter) runePart(text []byte, i int, fn func(term []byte)) int {
	first, size := decode(text, i)
	if first == sep {
		return i + size
	}
	end := i + size
	if first != han {
		end = runeEnd(text, i)
	}
	n := 0
	for j := i; j < end; {
		r, size := utf8.DecodeRune(text[j:])
		if n > MaxTerm {
			return end
		}
		n += utf8.EncodeRune(s.buf[n:], unicode.ToLower(r))
		j += size
	}
	term := s.buf[:min(n, len(s.buf))]
	if n > MaxTerm || n == 1 && term[0] < utf8.RuneSelf || isStop(term) {
		return end
	}
	fn(term)
	return end
}

// runeEnd follows the rules of asciiPart rune by rune.
func runeEnd(text []byte, i int) int {
	j, last := i, i // last is where the rune before j starts
	before, prev := uint8(sep), uint8(sep)
	class, size := decode(text, j)
	for class == upper || class == digit {
		before, prev = prev, class
		last, j = j, j+size
		class, size = decode(text, j)
	}
	if class != lower {
		return j
	}
	if last > i && prev == upper {
		if text[j] == 's' && before == upper {
			if after, _ := decode(text, j+1); after != lower && after != digit {
				return j
			}
		}
		return last
	}
	for class == lower || class == digit {
		j += size
		class, size = decode(text, j)
	}
	return j
}

func decode(text []byte, j int) (class uint8, size int) {
	if j >= len(text) {
		return sep, 0
	}
	if c := text[j]; c < utf8.RuneSelf {
		return classes[c], 1
	}
	r, size := utf8.DecodeRune(text[j:])
	if r == utf8.RuneError {
		return sep, size
	}
	return runeClass(r), size
}

// Each calls fn for every term of text in order; the term is valid during the
// call only. It allocates a few bytes a call: in a loop over many short texts
// keep a [Splitter].
func Each(text []byte, fn func(term []byte)) {
	var s Splitter
	s.Each(text, fn)
}

// Terms returns every term of text in order, repetitions included.
func Terms(text string) []string {
	var out []string
	Each([]byte(text), func(term []byte) { out = append(out, string(term)) })
	return out
}

// IsCut reports whether a text is cut at a rune.
func IsCut(r rune) bool { return runeClass(r) == sep }
