package chunk

import (
	"bytes"
	"strings"

	"github.com/topo-dev/topo/scan/lang"
)

// comments is how a language writes comments.
type comments lang.Comment

// commentsOf are the comments of a language by name.
func commentsOf(language string) comments { return comments(lang.SyntaxOf(language).Comment) }

// docBefore is the span of the comments that are right before offset start,
// without an empty line between: the doc comment. It reads the text, not the
// syntax tree, so every parser gives the same.
func (c comments) docBefore(src []byte, start int) (from, to int) {
	at := lineStart(src, start)
	if len(bytes.TrimLeft(src[at:start], " \t")) > 0 {
		return 0, 0
	}
	for at > 0 {
		line := lineStart(src, at-1)
		text := bytes.TrimSpace(src[line:at])
		first := line + bytes.IndexFunc(src[line:at], func(r rune) bool { return r != ' ' && r != '\t' })
		switch {
		case len(text) == 0 || bytes.HasPrefix(text, shebang):
			return from, to
		case c.isLine(text):
		default:
			open := c.blockEndingAt(src, line, at)
			if open < 0 {
				return from, to
			}
			first, line = open, lineStart(src, open)
		}
		if to == 0 {
			to = at - 1
			for to > first && isSpace(src[to-1]) {
				to--
			}
		}
		from, at = first, line
	}
	return from, to
}

var shebang = []byte("#!")

func (c comments) isLine(text []byte) bool {
	for _, p := range c.Line {
		if bytes.HasPrefix(text, []byte(p)) {
			return true
		}
	}
	return false
}

// blockEndingAt is where the block comment starts whose end is the last thing
// of the line [line, end), -1 when there is none or code is before it.
func (c comments) blockEndingAt(src []byte, line, end int) int {
	const maxDoc = 64 << 10 // bytes looked back at
	text := bytes.TrimSpace(src[line:end])
	for _, b := range c.Block {
		if !bytes.HasSuffix(text, []byte(b[1])) {
			continue
		}
		close := line + bytes.LastIndex(src[line:end], []byte(b[1]))
		back := max(0, close-maxDoc)
		open := bytes.LastIndex(src[back:close], []byte(b[0]))
		if open < 0 {
			continue
		}
		open += back
		if len(bytes.TrimLeft(src[lineStart(src, open):open], " \t")) == 0 {
			return open
		}
	}
	return -1
}

// onlySpaceBetween reports whether src[from:to] is white space and comments.
func (c comments) onlySpaceBetween(src []byte, from, to int) bool {
	for from < to {
		rest := src[from:to]
		if isSpace(rest[0]) {
			from++
			continue
		}
		n := c.length(rest)
		if n == 0 {
			return false
		}
		from += n
	}
	return true
}

// length is the length of the comment that text starts with, 0 for none.
func (c comments) length(text []byte) int {
	for _, b := range c.Block {
		if bytes.HasPrefix(text, []byte(b[0])) {
			if i := bytes.Index(text[len(b[0]):], []byte(b[1])); i >= 0 {
				return len(b[0]) + i + len(b[1])
			}
			return len(text)
		}
	}
	if c.isLine(text) {
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			return i
		}
		return len(text)
	}
	return 0
}

// docstring is the span of the string literal that text starts with.
func docstring(src []byte, start int) (from, to int) {
	i := start
	for i < len(src) && i < start+2 && strings.IndexByte("rRuUbB", src[i]) >= 0 {
		i++
	}
	for _, quote := range []string{`"""`, `'''`, `"`, `'`} {
		if !bytes.HasPrefix(src[i:], []byte(quote)) {
			continue
		}
		for j := i + len(quote); j < len(src); j++ {
			switch {
			case src[j] == '\\':
				j++
			case len(quote) == 1 && src[j] == '\n':
				return 0, 0
			case bytes.HasPrefix(src[j:], []byte(quote)):
				return start, j + len(quote)
			}
		}
		return 0, 0
	}
	return 0, 0
}

// lineStart is the offset of the first byte of the line that holds offset.
func lineStart(src []byte, offset int) int {
	return bytes.LastIndexByte(src[:min(offset, len(src))], '\n') + 1
}
