package signal

import (
	"bytes"
	"slices"
	"strings"

	"github.com/topo-dev/topo/scan/lang"
)

// runs cuts a text into pieces of one class, none longer than a line. It is a
// guess where the language is odd; every byte but line ends is in one piece.
func runs(text []byte, l *lang.Language, fn func(part []byte, off int, class uint8)) {
	r := runner{text: bytes.Clone(text), Language: l, quote: l.Strings.LineQuotes(), fn: fn}
	for r.i < len(text) {
		r.step()
	}
	r.i = len(text)
	r.flush()
}

type runner struct {
	*lang.Language
	quote    string
	text     []byte
	fn       func(part []byte, off int, class uint8)
	i, start int
	class    uint8
	end      string // ends the class; empty in code
}

func (r *runner) flush() {
	if r.i > r.start {
		r.fn(r.text[r.start:r.i], r.start, r.class)
	}
	r.start = r.i
}

func (r *runner) step() {
	c := r.text[r.i]
	switch {
	case c == '\n':
		r.flush()
		if r.end == "\n" || r.class == inString && strings.IndexByte(r.quote, r.end[0]) >= 0 && len(r.end) == 1 {
			r.class, r.end = inCode, ""
		}
		r.i++
	case r.end == "\n":
		r.skipLine()
	case r.end != "":
		r.inside(c)
	case opensNothing(c):
		for r.i++; r.i < len(r.text) && opensNothing(r.text[r.i]); r.i++ {
		}
	default:
		r.open(c)
	}
}

// opensNothing tells the bytes that begin no comment or string in any language.
func opensNothing(c byte) bool {
	return c >= 'a' && c <= 'z' || c == ' ' || c == '_' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// skipLine goes to the end of the line.
func (r *runner) skipLine() {
	if n := bytes.IndexByte(r.text[r.i:], '\n'); n >= 0 {
		r.i += n
	} else {
		r.i = len(r.text)
	}
}

func (r *runner) inside(c byte) {
	switch {
	case r.class == inString && c == '\\':
		r.i++
		if r.i < len(r.text) && r.text[r.i] != '\n' {
			r.i++
		}
	case c == r.end[0] && bytes.HasPrefix(r.text[r.i:], []byte(r.end)):
		r.mark(len(r.end))
		r.flush()
		r.class, r.end = inCode, ""
	default:
		r.i++
	}
}

func (r *runner) open(c byte) {
	rest := r.text[r.i:]
	for _, q := range r.Strings.Long {
		if c == q[0] && bytes.HasPrefix(rest, []byte(q)) {
			class := uint8(inString)
			if r.Comment.Docstring {
				class = inComment
			}
			r.enter(class, q, len(q))
			return
		}
	}
	if strings.IndexByte(r.quote, c) >= 0 {
		r.enter(inString, string(c), 1)
		return
	}
	for _, q := range r.Comment.Block {
		if r.begins(q[0]) {
			r.enter(inComment, q[1], len(q[0]))
			return
		}
	}
	for _, q := range r.Comment.Line {
		if r.begins(q) {
			r.enter(inComment, "\n", len(q))
			return
		}
	}
	r.i++
}

// begins reports whether a mark of a comment stands here: any but one in
// letters, and some only as the first thing on a line.
func (r *runner) begins(mark string) bool {
	line := r.text[bytes.LastIndexByte(r.text[:r.i], '\n')+1 : r.i]
	return bytes.HasPrefix(r.text[r.i:], []byte(mark)) && !opensNothing(mark[0]) && mark[0] < 0x80 &&
		(!slices.Contains(r.Comment.AtStart, mark) || len(bytes.Trim(line, " \t")) == 0)
}

func (r *runner) enter(class uint8, end string, skip int) {
	r.flush()
	r.class, r.end = class, end
	r.mark(skip)
}

// mark passes over a mark, whose letters are no word.
func (r *runner) mark(n int) {
	for range n {
		if opensNothing(r.text[r.i]) {
			r.text[r.i] = ' '
		}
		r.i++
	}
}
