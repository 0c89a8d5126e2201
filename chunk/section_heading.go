package chunk

import (
	"bytes"
	"regexp"
	"sync"
	"unicode/utf8"
)

// headingOf reads one line; level 0 is no heading.
type headingOf func(line []byte) (level int, title string)

// markedSections cuts a document whose headings are lines of their own that begin
// with a mark.
func markedSections(read headingOf) func(b *builder, name string) {
	return func(b *builder, name string) {
		var heads []heading
		eachLine(b.src, func(start, end int) bool {
			if end-start > maxPatternLine {
				return true
			}
			if level, title := read(b.src[start:end]); level > 0 {
				heads = append(heads, heading{level, start, end, sectionName(title)})
			}
			return len(heads) < maxSections
		})
		b.document(name, heads)
	}
}

// marks reads a heading of n marks, a space and a title.
func marks(line []byte, mark byte) (level int, title string) {
	n := run(line, mark)
	if n == 0 || n >= len(line) || line[n] != ' ' && line[n] != '\t' {
		return 0, ""
	}
	return n, string(bytes.TrimSpace(line[n:]))
}

func orgHeading(line []byte) (int, string) { return marks(line, '*') }

func rdocHeading(line []byte) (int, string) { return marks(line, '=') }

func asciidocSections(b *builder, name string) { markedSections(asciidocHeading())(b, name) }

// asciidocHeading knows which lines are in a delimited block of code.
func asciidocHeading() headingOf {
	var block []byte // the line that closes the open block
	return func(line []byte) (int, string) {
		line = bytes.TrimRight(line, " \t")
		if block != nil {
			if bytes.Equal(line, block) {
				block = nil
			}
			return 0, ""
		}
		if len(line) >= 4 && bytes.IndexByte([]byte("-.+/"), line[0]) >= 0 && run(line, line[0]) == len(line) {
			block = bytes.Clone(line)
			return 0, ""
		}
		if level, title := marks(line, '='); level > 0 {
			return level, title
		}
		return marks(line, '#')
	}
}

// wikiHeading reads "== Title ==".
func wikiHeading(line []byte) (int, string) {
	line = bytes.TrimRight(line, " \t")
	n := run(line, '=')
	if n == 0 || n > 6 || len(line) <= 2*n || !bytes.HasSuffix(line, line[:n]) {
		return 0, ""
	}
	return n, string(bytes.TrimSpace(line[n : len(line)-n]))
}

// textileHeading reads "h2. Title".
func textileHeading(line []byte) (int, string) {
	if len(line) < 5 || line[0] != 'h' || line[1] < '1' || line[1] > '6' || line[2] != '.' || line[3] != ' ' {
		return 0, ""
	}
	return int(line[1] - '0'), string(line[4:])
}

var latexLevels = map[string]int{"part": 1, "chapter": 2, "section": 3, "subsection": 4, "subsubsection": 5, "paragraph": 6}

var latexCommand = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*\\(part|chapter|(?:sub){0,2}section|paragraph)\*?(?:\[[^\]]*\])?\{(.*)`)
})

func latexHeading(line []byte) (int, string) {
	if bytes.IndexByte(line, '\\') < 0 {
		return 0, ""
	}
	m := latexCommand().FindSubmatch(line)
	if m == nil {
		return 0, ""
	}
	depth, title := 1, m[2]
	for i, c := range title {
		switch c {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 0 {
			title = title[:i]
			break
		}
	}
	return latexLevels[string(m[1])], string(title)
}

var texinfoLevels = map[string]int{
	"top": 1, "chapter": 1, "unnumbered": 1, "appendix": 1, "section": 2, "unnumberedsec": 2, "appendixsec": 2, "heading": 2,
	"subsection": 3, "unnumberedsubsec": 3, "appendixsubsec": 3, "subheading": 3, "subsubsection": 4,
}

func texinfoHeading(line []byte) (int, string) {
	if len(line) == 0 || line[0] != '@' {
		return 0, ""
	}
	command, title, _ := bytes.Cut(line[1:], []byte(" "))
	return texinfoLevels[string(command)], string(title)
}

// underlinedSections cuts reStructuredText, and plain text that is written like
// it: a title is a line above, or between, lines of one punctuation mark. The
// levels are those of the marks in the order in which they come first.
func underlinedSections(b *builder, name string) {
	levels := map[string]int{}
	var heads []heading
	var before, over []byte // the line before, and the one before that
	start := 0              // where the line before begins
	overStart := 0
	eachLine(b.src, func(at, end int) bool {
		line := bytes.TrimRight(b.src[at:end], " \t")
		if isTitle(before, line) {
			style, from := string(line[:1]), start
			if isUnderline(over) && over[0] == line[0] {
				style, from = style+style, overStart
			}
			if levels[style] == 0 {
				levels[style] = len(levels) + 1
			}
			title := bytes.TrimSpace(before)
			heads = append(heads, heading{levels[style], from, at - 1, sectionName(string(title))})
			line = nil // an underline is no title, and no overline
		}
		overStart, start = start, at
		over, before = before, line
		return len(heads) < maxSections
	})
	b.document(name, heads)
}

// isTitle reports whether under underlines title.
func isTitle(title, under []byte) bool {
	const most = 300 // bytes of a title
	return len(under) >= 3 && len(title) <= most && isUnderline(under) && len(bytes.TrimSpace(title)) > 0 && !isUnderline(title) &&
		len(under)+2 >= utf8.RuneCount(bytes.TrimSpace(title))
}

// isUnderline reports whether a line is of one punctuation mark.
func isUnderline(line []byte) bool {
	return len(line) >= 3 && bytes.IndexByte([]byte("=-~^\"'`#*+:._"), line[0]) >= 0 && run(line, line[0]) == len(line)
}
