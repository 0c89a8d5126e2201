package secret

import "bytes"

// form says how a value follows its name.
type form int

const (
	noValue    form = iota
	anyValue        // quoted or not
	quoted          // only quoted
	plainValue      // only quoted, and without what tells code from a token
	textValue       // the text of an XML element
)

// operator reads what separates a name from its value: a closing quote, then
// one of = : := => == and their like, or a comma, a parenthesis or blanks before
// a quoted value. A field "value" of the same object is the name's value too.
func operator(b []byte, n name) (int, form) {
	i, closed, ok := closing(b, n)
	if !ok {
		return 0, noValue
	}
	if i < len(b) && b[i] == '>' && n.start > 0 && b[n.start-1] == '<' {
		return i + 1, textValue
	}
	blank := i
	i = skipBlank(b, i)
	if at := sibling(b, i, n.start); at > 0 {
		return at, anyValue
	}
	if i >= len(b) {
		return 0, noValue
	}
	op := i
	assigns := false
	for i < len(b) && i < op+3 && bytes.IndexByte([]byte("=:>?|!+-"), b[i]) >= 0 {
		assigns = assigns || b[i] == '=' || b[i] == ':'
		i++
	}
	switch {
	case i == op+2 && (b[op] == '|' || b[op] == '?') && b[op] == b[op+1]:
		return skipBlank(b, i), quoted
	case assigns:
		return typed(b, skipBlank(b, i)), anyValue
	case i > op:
		return 0, noValue
	case b[i] == ',' && closed, b[i] == '(':
		return skipBlank(b, i+1), quoted
	case i > blank && (n.start >= 2 && b[n.start-1] == '-' || isSetting(b[:n.start])):
		return i, anyValue
	case i > blank && isQuote(b[i]) && !closed:
		return i, plainValue
	case i > blank && !closed && typed(b, i) > i:
		return typed(b, i), quoted
	}
	return 0, noValue
}

// closing skips the quote and the bracket that end a name.
func closing(b []byte, n name) (i int, closed, ok bool) {
	i = n.end
	for i < len(b) && b[i] == '\\' {
		i++
	}
	closed = i < len(b) && isQuote(b[i])
	switch {
	case closed:
		i++
	case i > n.end:
		return i, false, false
	}
	if i < len(b) && b[i] == ']' {
		i++
	}
	return i, closed, true
}

// isSetting reports whether what precedes a name takes a name and a value that
// only blanks separate.
func isSetting(before []byte) bool {
	for _, command := range [...]string{"ENV ", "SetEnv ", "setenv "} {
		if bytes.HasSuffix(before, []byte(command)) {
			return true
		}
	}
	return false
}

// sibling returns where the value begins in {"name": "API_KEY", "value": "…"}
// and its likes in YAML and XML, or 0. The name was at start.
func sibling(b []byte, i, start int) int {
	for range 2 {
		if i < len(b) && (b[i] == ',' || b[i] == '\n' || b[i] == '\r') {
			i = skipBlank(b, i+1)
		}
	}
	for i < len(b) && (isQuote(b[i]) || b[i] == '\\') && i < start+maxName+maxBlank {
		i++
	}
	if len(b)-i < len("value=") || !equalFold(b[i:i+5], "value") {
		return 0
	}
	i += 5
	for i < len(b) && (isQuote(b[i]) || b[i] == '\\') && i < start+maxName+2*maxBlank {
		i++
	}
	i = skipBlank(b, i)
	if i < len(b) && (b[i] == ':' || b[i] == '=') {
		return skipBlank(b, i+1)
	}
	return 0
}

// typed skips a type before the value, as in "const apiKey: string = …".
func typed(b []byte, i int) int {
	for _, t := range [...]string{"string", "str", "String", "&str", "&'static str", "Optional[str]"} {
		if bytes.HasPrefix(b[i:], []byte(t)) {
			if j := skipBlank(b, i+len(t)); j < len(b) && b[j] == '=' {
				return skipBlank(b, j+1)
			}
		}
	}
	return i
}

func skipBlank(b []byte, i int) int {
	for limit := i + maxBlank; i < len(b) && i < limit && (b[i] == ' ' || b[i] == '\t'); i++ {
	}
	return i
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }
