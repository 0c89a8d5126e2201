package chunk

import (
	"bytes"
	"strings"
)

// cPrepare gives C and C++ source in which the macros that no parser can know
// are blanked out: the same bytes and lines elsewhere. What is blanked:
//
//   - conditional branches that do not balance their braces or parentheses:
//     the first branch stays, the others go, with the directives themselves;
//   - __attribute__((…)), __declspec(…) and the like;
//   - upper-case macros before a declaration ("API_EXPORT void f()"), between
//     "class" and its name, after a parameter list, or alone on a line.
//
// Blanked macros become spaces and blanked branches tabs, so a chunk can
// be extended over the macros before it and not over branches.
func cPrepare(src []byte) []byte {
	out := cFlatten(src)
	m := macroBlanker{text: out, out: bytes.Clone(out)}
	m.run()
	return m.out
}

// macroBlanker goes over the tokens and blanks macros.
type macroBlanker struct {
	text, out []byte
	last      byte   // last byte of the code before the current token
	word      string // the identifier before the current token, "" for none
}

func (m *macroBlanker) run() {
	for i := 0; i < len(m.text); {
		c := m.text[i]
		switch {
		case isSpace(c):
			i++
		case c == '#' && onlyBlankBefore(m.text, i):
			i = directiveEnd(m.text, i)
			m.last, m.word = '\n', ""
		case c == '/' || c == '"' || c == '\'':
			next := skipLiteral(m.text, i)
			if next == i {
				next = i + 1
			}
			if c != '/' || next == i+1 {
				m.last, m.word = c, ""
			}
			i = next
		case identByte(c):
			i = m.identifier(i)
		default:
			m.last, m.word = c, ""
			i++
		}
	}
}

// identifier decides on the identifier at i and gives where to go on.
func (m *macroBlanker) identifier(i int) int {
	end := i
	for end < len(m.text) && identByte(m.text[end]) {
		end++
	}
	word := string(m.text[i:end])
	args := skipArgs(m.text, end)
	switch {
	case cNoise(word):
		if word != "__extension__" && word != "__restrict" && word != "__restrict__" {
			end = args
		}
		m.blank(i, end)
		return end
	case macroName(word) && m.removable(i, end, args):
		m.blank(i, args)
		return args
	case macroName(word) && args > end && m.removable(i, end, end):
		m.blank(i, end)
		return end
	}
	m.last, m.word = m.text[end-1], word
	return end
}

func (m *macroBlanker) blank(from, to int) {
	for k := from; k < to; k++ {
		if !isSpace(m.out[k]) {
			m.out[k] = ' '
		}
	}
}

// removable reports whether what is left without the macro [i, args) still
// reads as a declaration.
func (m *macroBlanker) removable(i, end, args int) bool {
	next := skipBlank(m.text, args)
	if next >= len(m.text) {
		return onlyBlankBefore(m.text, i)
	}
	c := m.text[next]
	switch {
	case m.word == "class" || m.word == "struct" || m.word == "union" || m.word == "enum":
		return identByte(c) // class EXPORT Name
	case (m.last == ')' && isSpace(m.text[i-1])) || m.word == "const" || m.word == "noexcept" || m.word == "override":
		return c == '{' || c == ';' || (c == '-' && bytes.HasPrefix(m.text[next:], []byte("->"))) || (c == ':' && !bytes.HasPrefix(m.text[next:], []byte("::")))
	case m.last == '(' && c == '*': // a calling convention: (WINAPI *f)
		return true
	case strings.IndexByte(";{}\n:>\x00", m.lastCode()) < 0:
		return false
	}
	alone := onlyBlankBefore(m.text, i) && bytes.IndexByte(m.text[args:next], '\n') >= 0
	if args > end { // with arguments it may be a call or a function made by a macro
		return (alone && c != '{' && c != ';' && c != ':' && c != '-' && c != '=' && c != ',' && c != '.') || declares(m.text[next:])
	}
	if alone {
		return identByte(c) && (declares(m.text[next:]) || macroName(wordAt(m.text[next:]))) || c == '#' || c == '}' || c == '['
	}
	return declares(m.text[next:])
}

func (m *macroBlanker) lastCode() byte { return m.last }

// declares reports whether text starts like a declaration that has its type.
func declares(text []byte) bool {
	word := wordAt(text)
	if word == "" {
		return bytes.HasPrefix(text, []byte("[["))
	}
	if declarationWords[word] {
		return true
	}
	rest := text[skipBlank(text, len(word)):]
	if len(rest) == 0 {
		return false
	}
	if rest[0] == '*' || rest[0] == '&' || rest[0] == '<' {
		return true
	}
	return identByte(rest[0]) && !macroName(word)
}

var declarationWords = map[string]bool{
	"static": true, "inline": true, "const": true, "void": true, "int": true, "char": true, "bool": true, "long": true,
	"short": true, "float": true, "double": true, "unsigned": true, "signed": true, "template": true, "struct": true,
	"class": true, "enum": true, "union": true, "typedef": true, "extern": true, "constexpr": true, "friend": true,
	"virtual": true, "explicit": true, "using": true, "auto": true, "namespace": true, "size_t": true, "typename": true,
	"public": true, "private": true, "protected": true, "operator": true, "volatile": true, "consteval": true,
}

func wordAt(text []byte) string {
	end := 0
	for end < len(text) && end < maxName && identByte(text[end]) {
		end++
	}
	return string(text[:end])
}

// macroName reports an upper-case identifier as macros have.
func macroName(s string) bool {
	letters := 0
	for i := range len(s) {
		if s[i] >= 'a' && s[i] <= 'z' {
			return false
		}
		if s[i] >= 'A' && s[i] <= 'Z' {
			letters++
		}
	}
	return letters >= 3
}

// cNoise reports the compiler's own decorations, with their arguments.
func cNoise(s string) bool {
	switch s {
	case "__attribute__", "__attribute", "__declspec", "__extension__", "__restrict", "__restrict__", "__asm__", "_Alignas",
		"__cdecl", "__stdcall", "__forceinline", "__noinline", "_Noreturn", "__inline", "__inline__":
		return true
	}
	return false
}

// skipArgs is the end of the bracketed arguments that follow offset i, or i.
func skipArgs(text []byte, i int) int {
	open := i
	for open < len(text) && (text[open] == ' ' || text[open] == '\t') {
		open++
	}
	if open >= len(text) || text[open] != '(' {
		return i
	}
	if end := matching(text, open, 4<<10); end > 0 {
		return end
	}
	return i
}

// matching is the offset after the bracket that closes the one at open, 0
// when it is not within limit bytes.
func matching(text []byte, open, limit int) int {
	depth := 0
	end := min(len(text), open+limit)
	for i := open; i < end; {
		switch c := text[i]; c {
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"', '\'', '/':
			if next := skipLiteral(text, i); next > i {
				i = next
				continue
			}
		}
		i++
	}
	return 0
}

// skipLiteral is the end of the string, character or comment at i, or i.
func skipLiteral(text []byte, i int) int {
	rest := text[i:]
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		if n := bytes.IndexByte(rest, '\n'); n >= 0 {
			return i + n
		}
		return len(text)
	case bytes.HasPrefix(rest, []byte("/*")):
		if n := bytes.Index(rest[2:], []byte("*/")); n >= 0 {
			return i + n + 4
		}
		return len(text)
	case rest[0] == '"' && i > 0 && text[i-1] == 'R': // raw string
		if n := bytes.IndexByte(rest[:min(len(rest), 20)], '('); n > 0 {
			end := ")" + string(rest[1:n]) + "\""
			if k := bytes.Index(rest, []byte(end)); k >= 0 {
				return i + k + len(end)
			}
		}
		return i + 1
	case rest[0] == '\'' && i > 0 && text[i-1] >= '0' && text[i-1] <= '9':
		return i + 1 // 1'000
	case rest[0] == '"' || rest[0] == '\'':
		for k := 1; k < len(rest); k++ {
			switch rest[k] {
			case '\\':
				k++
			case '\n':
				return i + k
			case rest[0]:
				return i + k + 1
			}
		}
		return len(text)
	}
	return i
}

func skipBlank(text []byte, i int) int {
	for i < len(text) {
		if isSpace(text[i]) {
			i++
		} else if next := skipComment(text, i); next > i {
			i = next
		} else {
			break
		}
	}
	return i
}

func skipComment(text []byte, i int) int {
	if text[i] != '/' {
		return i
	}
	return skipLiteral(text, i)
}

func onlyBlankBefore(text []byte, i int) bool {
	for i--; i >= 0 && text[i] != '\n'; i-- {
		if text[i] != ' ' && text[i] != '\t' {
			return false
		}
	}
	return true
}

// directiveEnd is the end of the preprocessor line at i, continuations and a
// comment that runs over its end included.
func directiveEnd(text []byte, i int) int {
	for i < len(text) {
		n := bytes.IndexByte(text[i:], '\n')
		if n < 0 {
			return len(text)
		}
		line := bytes.TrimRight(text[i:i+n], "\r ")
		if open := bytes.LastIndex(line, []byte("/*")); open >= 0 && !bytes.Contains(line[open:], []byte("*/")) {
			if close := bytes.Index(text[i+open:], []byte("*/")); close >= 0 {
				i += open + close + 2
				continue
			}
		}
		i += n
		if !bytes.HasSuffix(line, []byte("\\")) {
			return i
		}
		i++
	}
	return i
}
