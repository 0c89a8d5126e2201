package query

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokEnd    tokenKind = iota
	tokName             // identifier or keyword; quoted by backticks it is no keyword
	tokString           // text holds the value
	tokInt
	tokFloat
	tokParam // $name
	tokSign  // punctuation or operator
)

type token struct {
	kind   tokenKind
	quoted bool
	text   string
	pos    int // byte offset of its start
	end    int
}

// is reports whether the token is that keyword (upper case) or sign.
func (t token) is(s string) bool {
	switch t.kind {
	case tokSign:
		return t.text == s
	case tokName:
		return !t.quoted && strings.EqualFold(t.text, s)
	}
	return false
}

// show is the token in messages.
func (t token) show() string {
	if t.kind == tokEnd {
		return "the end of the query"
	}
	return strconv.Quote(t.text)
}

// signs are the operators of more than one character; longest match wins.
var signs = []string{"<>", "<=", ">=", "=~", "..", "!="}

// lex cuts a query into tokens; the last one is tokEnd.
func lex(src string) ([]token, error) {
	var all []token
	for i := 0; ; {
		i = skipSpace(src, i)
		if i < 0 {
			return nil, syntax(src, strings.LastIndex(src, "/*"), "comment without its end */")
		}
		if i >= len(src) {
			return append(all, token{kind: tokEnd, pos: len(src), end: len(src)}), nil
		}
		t, err := lexOne(src, i)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
		i = t.end
	}
}

// skipSpace returns the start of the next token, -1 for an open comment.
func skipSpace(src string, i int) int {
	for i < len(src) {
		r, n := utf8.DecodeRuneInString(src[i:])
		switch {
		case unicode.IsSpace(r):
			i += n
		case strings.HasPrefix(src[i:], "//"):
			end := strings.IndexByte(src[i:], '\n')
			if end < 0 {
				return len(src)
			}
			i += end
		case strings.HasPrefix(src[i:], "/*"):
			end := strings.Index(src[i+2:], "*/")
			if end < 0 {
				return -1
			}
			i += end + 4
		default:
			return i
		}
	}
	return i
}

func lexOne(src string, i int) (token, error) {
	r, n := utf8.DecodeRuneInString(src[i:])
	switch {
	case r == utf8.RuneError && n == 1:
		return token{}, syntax(src, i, "the query is not valid UTF-8 here")
	case r == '\'' || r == '"':
		return lexString(src, i)
	case r == '`':
		end := strings.IndexByte(src[i+1:], '`')
		if end < 0 {
			return token{}, syntax(src, i, "name without its closing backtick")
		}
		return token{kind: tokName, quoted: true, text: src[i+1 : i+1+end], pos: i, end: i + end + 2}, nil
	case nameRune(r, true):
		end := nameEnd(src, i)
		return token{kind: tokName, text: src[i:end], pos: i, end: end}, nil
	case r >= '0' && r <= '9' || r == '.' && i+1 < len(src) && digit(src[i+1]) && !strings.HasSuffix(src[:i], "."):
		return lexNumber(src, i)
	case r == '$':
		end := nameEnd(src, i+1)
		if end == i+1 {
			return token{}, syntax(src, i, "$ needs the name of a parameter")
		}
		return token{kind: tokParam, text: src[i+1 : end], pos: i, end: end}, nil
	}
	for _, s := range signs {
		if strings.HasPrefix(src[i:], s) {
			return token{kind: tokSign, text: s, pos: i, end: i + len(s)}, nil
		}
	}
	return token{kind: tokSign, text: src[i : i+n], pos: i, end: i + n}, nil
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func nameRune(r rune, first bool) bool {
	return r == '_' || unicode.IsLetter(r) || !first && unicode.IsDigit(r)
}

func nameEnd(src string, i int) int {
	for i < len(src) {
		r, n := utf8.DecodeRuneInString(src[i:])
		if !nameRune(r, false) {
			break
		}
		i += n
	}
	return i
}

// lexNumber reads an integer or a float. "1..3" is an integer and a range.
func lexNumber(src string, i int) (token, error) {
	start, kind := i, tokInt
	digits := func() {
		for i < len(src) && digit(src[i]) {
			i++
		}
	}
	digits()
	if i+1 < len(src) && src[i] == '.' && digit(src[i+1]) {
		kind = tokFloat
		i++
		digits()
	}
	if i < len(src) && (src[i] == 'e' || src[i] == 'E') {
		j := i + 1
		if j < len(src) && (src[j] == '-' || src[j] == '+') {
			j++
		}
		if j < len(src) && digit(src[j]) {
			kind = tokFloat
			i = j
			digits()
		}
	}
	if end := nameEnd(src, i); end > i {
		return token{}, syntax(src, start, "%q is no number", src[start:end])
	}
	return token{kind: kind, text: src[start:i], pos: start, end: i}, nil
}

var escapes = map[byte]string{'\\': `\`, '\'': "'", '"': `"`, 'n': "\n", 't': "\t", 'r': "\r", 'b': "\b", 'f': "\f", '`': "`"}

func lexString(src string, start int) (token, error) {
	var text strings.Builder
	for i := start + 1; i < len(src); i++ {
		switch c := src[i]; {
		case c == src[start]:
			return token{kind: tokString, text: text.String(), pos: start, end: i + 1}, nil
		case c == '\\' && i+1 < len(src):
			i++
			if src[i] == 'u' && i+4 < len(src) {
				r, err := strconv.ParseUint(src[i+1:i+5], 16, 16)
				if err != nil {
					return token{}, syntax(src, i-1, `\u needs four hexadecimal digits`)
				}
				text.WriteRune(rune(r))
				i += 4
				continue
			}
			s, ok := escapes[src[i]]
			if !ok {
				return token{}, syntax(src, i-1, `unknown escape \%c; write \\ for a backslash`, src[i])
			}
			text.WriteString(s)
		default:
			text.WriteByte(c)
		}
	}
	return token{}, syntax(src, start, "string without its closing quote")
}
