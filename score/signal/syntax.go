package signal

import (
	"slices"

	"github.com/topo-dev/topo/index/token"
	"github.com/topo-dev/topo/scan/lang"
)

// Classes of text in a source file.
const (
	inCode = iota
	inComment
	inString
)

// What a byte is to a [lexer] in one state.
const (
	byteCut    = iota // cuts words and does nothing else
	byteWord          // a letter or digit of ASCII
	byteOther         // part of a longer rune
	byteLine          // the end of the line
	byteOpen          // may open a comment or string
	byteClose         // may close what is open
	byteEscape        // takes its meaning from the byte after it
)

// state is where a lexer may be: in code, or in what was opened.
type state struct {
	class uint8
	line  bool   // ends with the line at the latest
	close string // ends the state; empty in code and in a comment to the end of the line
	bytes [256]uint8
}

func newState(class uint8, line bool, end string) *state {
	s := &state{class: class, line: line, close: end}
	for c := range s.bytes {
		switch token.Kind(byte(c)) {
		case token.KindASCII:
			s.bytes[c] = byteWord
		case token.KindOther:
			s.bytes[c] = byteOther
		}
	}
	if class == inString {
		s.bytes['\\'] = byteEscape
	}
	if end != "" {
		s.bytes[end[0]] = byteClose
	}
	s.bytes['\n'] = byteLine
	return s
}

// lexer tells comments and strings from code. It guesses where the language is
// odd.
type lexer struct {
	code *state
	open []opening // what is first is tried first
}

// opening is what begins a comment or string.
type opening struct {
	text    string
	to      *state
	atStart bool // opens only as the first thing on a line
}

func newLexer(l *lang.Language) *lexer {
	x := &lexer{code: newState(inCode, false, "")}
	add := func(text, end string, class uint8, line bool) {
		if token.Kind(text[0]) != token.KindCut {
			return // a mark in letters, such as REM: its words are looked for before it
		}
		x.open = append(x.open, opening{text, newState(class, line, end), slices.Contains(l.Comment.AtStart, text)})
		x.code.bytes[text[0]] = byteOpen
	}
	for _, q := range l.Strings.Long {
		class := uint8(inString)
		if l.Comment.Docstring {
			class = inComment
		}
		add(q, q, class, false)
	}
	for _, q := range l.Strings.LineQuotes() {
		add(string(q), string(q), inString, true)
	}
	for _, q := range l.Comment.Block {
		add(q[0], q[1], inComment, false)
	}
	for _, q := range l.Comment.Line {
		add(q, "", inComment, true)
	}
	return x
}

// opens finds what opens at text[i], nil for nothing.
func (x *lexer) opens(text []byte, i int) *opening {
	for k := range x.open {
		if o := &x.open[k]; text[i] == o.text[0] && startsWith(text[i:], o.text) && (!o.atStart || startsLine(text, i)) {
			return o
		}
	}
	return nil
}

// startsLine reports whether nothing but blanks stands before text[i] on its
// line.
func startsLine(text []byte, i int) bool {
	for i > 0 && (text[i-1] == ' ' || text[i-1] == '\t') {
		i--
	}
	return i == 0 || text[i-1] == '\n'
}

func startsWith(text []byte, s string) bool { return len(text) >= len(s) && string(text[:len(s)]) == s }
