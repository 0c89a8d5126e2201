package chunk

import "strings"

// piece is a part of a text and where it starts in it.
type piece struct {
	text   string
	offset int
}

// splitList cuts a list at its commas; brackets, line comments that start
// with "#" and line continuations around the items are dropped. offset is
// where the text starts.
func splitList(text string, offset int) []piece {
	var out []piece
	for len(text) > 0 {
		n := strings.IndexAny(text, ",\n")
		end := n
		if n < 0 {
			end, n = len(text), len(text)-1
		}
		item := text[:end]
		if i := strings.IndexByte(item, '#'); i >= 0 {
			item = item[:i]
			if end < len(text) && text[end] == ',' { // the comma is in the comment
				if i := strings.IndexByte(text, '\n'); i >= 0 {
					n = i
				} else {
					n = len(text) - 1
				}
			}
		}
		lead := len(item) - len(strings.TrimLeft(item, " \t\r\\({["))
		if item = strings.Trim(item, " \t\r\\(){}[];"); item != "" {
			out = append(out, piece{strings.Join(strings.Fields(item), " "), offset + lead})
		}
		text, offset = text[n+1:], offset+n+1
	}
	return out
}

// isIdent reports whether s is one identifier of letters, digits and "_$".
func isIdent(s string) bool {
	for i := range len(s) {
		if !identByte(s[i]) || (i == 0 && s[0] >= '0' && s[0] <= '9') {
			return false
		}
	}
	return s != ""
}

func identByte(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
}

// unquote drops one pair of quotes.
func unquote(s string) string {
	s = strings.TrimSpace(s)
	if len(s) >= 2 && strings.IndexByte("\"'`", s[0]) >= 0 && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}
