package chunk

import (
	"bytes"
	"strings"
)

// Markdown is read by lines. Its grammar reads 3.5 MB/s, a hundredth of what
// this scan does, and projects keep megabytes of changelogs; the sections are
// all that is wanted of it, and a test holds them to the grammar's.

// parseMarkdown makes a chunk of every section: from its heading to the next
// one of the same level or above.
func parseMarkdown(src []byte) Result {
	b := newBuilder(src, "markdown")
	b.out.Parser = howPattern
	b.nest(mdHeadings(src))
	return b.result()
}

// mdScanner goes through the lines and knows which are not text.
type mdScanner struct {
	fence     byte // of the open code fence, 0 for none
	fenceLen  int
	fenceIn   int  // its indentation
	comment   bool // inside <!-- -->
	paragraph int  // start of the line before when it may be a setext heading, -1
}

func mdHeadings(src []byte) (out []heading) {
	s := mdScanner{paragraph: -1}
	pos := frontMatter(src)
	for pos < len(src) && len(out) < maxChunks {
		end := pos + bytes.IndexByte(src[pos:], '\n')
		if end < pos {
			end = len(src)
		}
		if h, ok := s.line(src, pos, end); ok {
			out = append(out, h)
		}
		pos = end + 1
	}
	return out
}

// frontMatter is where the text begins after a block of metadata between lines
// of three dashes.
func frontMatter(src []byte) int {
	if !bytes.HasPrefix(src, []byte("---\n")) && !bytes.HasPrefix(src, []byte("---\r\n")) {
		return 0
	}
	const most = 64 << 10 // bytes that metadata may take
	if i := bytes.Index(src[3:min(len(src), most)], []byte("\n---")); i >= 0 {
		return 3 + i + 4
	}
	return 0
}

// line looks at one line, src[start:end] without its break.
func (s *mdScanner) line(src []byte, start, end int) (heading, bool) {
	line := bytes.TrimRight(src[start:end], " \t\r")
	text := bytes.TrimLeft(line, " \t")
	indent := len(line) - len(text)
	before := s.paragraph
	s.paragraph = -1
	if s.fence != 0 && s.fenceIn >= 2 && len(text) > 0 && indent == 0 {
		s.fence = 0 // it was in an item of a list, which ends here
	}
	switch {
	case s.comment:
		s.comment = !bytes.Contains(text, []byte("-->"))
		return heading{}, false
	case s.fence != 0:
		if n := run(text, s.fence); n >= s.fenceLen && n == len(text) {
			s.fence = 0
		}
		return heading{}, false
	case len(text) == 0:
		return heading{}, false
	case run(text, '`') >= 3 && bytes.IndexByte(text[run(text, '`'):], '`') < 0, run(text, '~') >= 3:
		s.fence, s.fenceLen, s.fenceIn = text[0], run(text, text[0]), indent
		return heading{}, false
	case bytes.HasPrefix(text, []byte("<!--")):
		s.comment = !bytes.Contains(text, []byte("-->"))
		return heading{}, false
	case indent > 3:
		s.paragraph = before // a continued paragraph, or code
		return heading{}, false
	}
	if level := run(text, '#'); level >= 1 && level <= 6 && (len(text) == level || text[level] == ' ' || text[level] == '\t') {
		return heading{level, start + indent, start + len(line), mdTitle(text)}, true
	}
	if before >= 0 && (run(text, '=') == len(text) || run(text, '-') == len(text)) {
		level := 1
		if text[0] == '-' {
			level = 2
		}
		first := src[before : before+bytes.IndexByte(src[before:], '\n')]
		return heading{level, before, before + len(first), mdTitle(bytes.TrimSpace(first))}, true
	}
	// Quotes, lists and tables are no paragraph that a line could underline.
	if !bytes.ContainsRune([]byte(">-*+|"), rune(text[0])) && run(text, '=') != len(text) {
		s.paragraph = start
		if before >= 0 {
			s.paragraph = before
		}
	}
	return heading{}, false
}

// run is how often c is at the beginning of text.
func run(text []byte, c byte) int {
	n := 0
	for n < len(text) && text[n] == c {
		n++
	}
	return n
}

// mdTitle is a heading's line without its marks.
func mdTitle(text []byte) string {
	return strings.Trim(string(text[:min(len(text), maxName)]), "# \t\r")
}
