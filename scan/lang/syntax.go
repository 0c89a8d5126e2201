package lang

import (
	"slices"
	"strings"
)

// Comment is how a language writes comments.
type Comment struct {
	Line      []string    // starts of a line comment, the usual one first
	Block     [][2]string // start and end of a block comment
	AtStart   []string    // those of Line and Block that open a comment only as the first thing on a line
	Doc       []string    // starts that mark documentation, such as "///"; empty: any comment before a definition is its documentation
	Docstring bool        // documentation is a string inside the definition
}

// Strings is how a language writes string literals.
type Strings struct {
	// Quotes are the characters that open and close a string on one line; empty
	// is the double quote alone, since a single quote is a character or a
	// lifetime in many languages.
	Quotes string
	// Long are the marks that open and close a string over several lines.
	Long []string
}

// LineQuotes are the quotes of strings that end on their line.
func (s *Strings) LineQuotes() string {
	if s.Quotes == "" {
		return `"`
	}
	return s.Quotes
}

// unknown is how files of no known language are read: most languages follow C.
var unknown = Language{Comment: Comment{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}}}

// SyntaxOf is the language of that name. Of a name that no language has it is
// one without a name, whose comments and strings are those of C. The language
// is shared and must not be changed.
func SyntaxOf(name string) *Language {
	if l := lookup().names[name]; l != nil {
		return l
	}
	return &unknown
}

// IsComment reports whether a line begins a comment or goes on with one, as far
// as one line can tell: a "*" with a blank after it goes on with a comment of C.
func (l *Language) IsComment(line string) bool {
	line = strings.TrimSpace(line)
	for _, mark := range l.Comment.Line {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	for _, b := range l.BlockMarks() {
		if strings.HasPrefix(line, b[0]) || b[1] == "*/" && (line == "*" || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "*/")) {
			return true
		}
	}
	return false
}

// BlockMarks are the starts and ends of what documents over several lines: block
// comments, and strings where a string is documentation.
func (l *Language) BlockMarks() [][2]string {
	if !l.Comment.Docstring {
		return l.Comment.Block
	}
	marks := slices.Clone(l.Comment.Block)
	for _, mark := range l.Strings.Long {
		marks = append(marks, [2]string{mark, mark})
	}
	return marks
}

// Uncomment is a line of a comment or docstring without the marks around it.
func (l *Language) Uncomment(line string) string {
	line = strings.TrimSpace(line)
	first := ""
	var ends []string
	begins := func(mark string) {
		if len(mark) > len(first) && strings.HasPrefix(line, mark) {
			first = mark
		}
	}
	for _, list := range [][]string{l.Comment.Line, l.Comment.Doc} {
		for _, mark := range list {
			begins(mark)
		}
	}
	for _, b := range l.BlockMarks() {
		begins(b[0])
		begins(b[1])
		ends = append(ends, b[1])
		if b[1] == "*/" {
			begins("*")
		}
	}
	if line = line[len(first):]; first != "" {
		line = strings.TrimLeft(line, first[len(first)-1:]) // ";;;", "####"
	}
	for _, mark := range ends {
		line = strings.TrimSuffix(line, mark)
	}
	return strings.TrimSpace(line)
}
