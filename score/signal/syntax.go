package signal

import "github.com/topo-dev/topo/index/token"

// Classes of text in a source file.
const (
	inCode = iota
	inComment
	inString
)

// syntax is as much of a language as it takes to tell comments and strings
// from code.
type syntax struct {
	line  []string
	block [][2]string
	quote string   // each opens a string that ends on its line
	long  []string // strings over several lines; of three characters, documentation
}

var slash = [][2]string{{"/*", "*/"}}

func syntaxOf(language string) syntax {
	switch language {
	case "python":
		return syntax{[]string{"#"}, nil, `"'`, []string{`"""`, `'''`}}
	case "ruby", "bash", "elixir", "yaml", "toml", "dockerfile", "perl":
		return syntax{[]string{"#"}, nil, `"'`, nil}
	case "php":
		return syntax{[]string{"//", "#"}, slash, `"'`, nil}
	case "lua":
		return syntax{[]string{"--"}, nil, `"'`, nil}
	case "ocaml":
		return syntax{nil, [][2]string{{"(*", "*)"}}, `"`, nil}
	case "go":
		return syntax{[]string{"//"}, slash, `"`, []string{"`"}}
	case "javascript", "typescript", "tsx":
		return syntax{[]string{"//"}, slash, `"'`, []string{"`"}}
	}
	return syntax{[]string{"//"}, slash, `"`, nil} // a quote in Rust or C may be a lifetime or one character
}

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
	text string
	to   *state
}

func newLexer(s syntax) *lexer {
	x := &lexer{code: newState(inCode, false, "")}
	add := func(text, end string, class uint8, line bool) {
		x.open = append(x.open, opening{text, newState(class, line, end)})
		x.code.bytes[text[0]] = byteOpen
	}
	for _, q := range s.long {
		class := uint8(inString)
		if len(q) == 3 {
			class = inComment
		}
		add(q, q, class, false)
	}
	for _, q := range s.quote {
		add(string(q), string(q), inString, true)
	}
	for _, q := range s.block {
		add(q[0], q[1], inComment, false)
	}
	for _, q := range s.line {
		add(q, "", inComment, true)
	}
	return x
}

// opens finds what opens at text[i], nil for nothing.
func (x *lexer) opens(text []byte, i int) *opening {
	for k := range x.open {
		if o := &x.open[k]; text[i] == o.text[0] && startsWith(text[i:], o.text) {
			return o
		}
	}
	return nil
}

func startsWith(text []byte, s string) bool { return len(text) >= len(s) && string(text[:len(s)]) == s }
