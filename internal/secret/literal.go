package secret

import "bytes"

// value is what is assigned to a name.
type value struct {
	start, end int
	quoted     bool
	text       []byte
}

// valueAt reads the value at b[i:]. A quoted one may be wrapped in a call or a
// conversion and may begin on the next line.
func (s *scanner) valueAt(n name, i int, f form) (value, bool) {
	b := s.b
	if f == textValue {
		return textAt(b, i)
	}
	j := i
	if j < len(b) && (b[j] == '\n' || b[j] == '\\' && j+1 < len(b) && b[j+1] == '\n') {
		j = skipBlank(b, i+1+bytes.IndexByte(b[i:], '\n'))
		f = quoted
	}
	for limit := j + maxWrap; j < len(b) && j < limit && (isWord(b[j]) || bytes.IndexByte([]byte(".[]*&:!@\\"), b[j]) >= 0); {
		j++
	}
	if j < len(b) && b[j] == '(' {
		j++
	} else if f == anyValue && j-i >= minPassword && j < len(b) && n.start > 0 && b[j] == b[n.start-1] {
		return s.unquotedAt(n, i) // the quote ends what began before the name
	}
	if j < len(b) && isQuote(b[j]) {
		v, ok := quotedAt(b, j)
		return v, ok && (f != plainValue || !bytes.ContainsAny(v.text, ",;()[]{}"))
	}
	if f != anyValue {
		return value{}, false
	}
	return s.unquotedAt(n, i)
}

// quotedAt reads the string whose opening quote is b[i]. It ends on its line.
func quotedAt(b []byte, i int) (value, bool) {
	quote := b[i]
	escaped := i > 0 && b[i-1] == '\\'
	i++
	if i+1 < len(b) && b[i] == quote && b[i+1] == quote {
		i += 2
	}
	for j := i; j < len(b) && j-i <= maxValue; j++ {
		switch {
		case b[j] == quote, escaped && b[j] == '\\':
			return value{i, j, true, b[i:j]}, j > i
		case b[j] == '\n':
			return value{}, false
		case b[j] == '\\':
			j++
		}
	}
	return value{}, false
}

// unquotedAt reads a value up to a blank, a quote or a bracket. A quote or an
// opening bracket means that it is an expression, unless the same quote precedes
// the name, as in curl -H 'X-Api-Key: …'.
func (s *scanner) unquotedAt(n name, i int) (value, bool) {
	e := element{class: classBit('v'), max: maxValue}
	j := i + e.forward(s.classes, s.b[i:])
	if j-i == maxValue || j-i < minPassword {
		return value{}, false
	}
	if j < len(s.b) && bytes.IndexByte([]byte("([{\"'`<"), s.b[j]) >= 0 && (n.start == 0 || s.b[j] != s.b[n.start-1]) {
		return value{}, false
	}
	return value{i, j, false, s.b[i:j]}, true
}

// textAt reads the text of an XML element.
func textAt(b []byte, i int) (value, bool) {
	n := bytes.IndexAny(b[i:min(len(b), i+maxValue)], "<\n")
	if n < minPassword || b[i+n] != '<' {
		return value{}, false
	}
	return value{i, i + n, true, b[i : i+n]}, true
}
