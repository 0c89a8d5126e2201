package embed

import (
	"bytes"
	"path"
	"strings"

	"github.com/topo-dev/topo/chunk"
)

// maxSections bounds what one text is cut into.
const maxSections = 1000

// textSections cuts a text that no parser knows into its sections: a heading is
// a line above, or between, lines of one punctuation mark, as in
// reStructuredText and AsciiDoc, or that begins with "= ". What comes before the
// first heading, or a text without any, is a section named as the file.
func textSections(name string, content []byte) []chunk.Chunk {
	if len(bytes.TrimSpace(content)) == 0 {
		return nil
	}
	out := []chunk.Chunk{{Kind: chunk.Section, Name: path.Base(name), StartLine: 1, EndLine: 1}}
	at, line := 0, 1
	var before string // the line before, trimmed
	var start int     // where it starts
	for at < len(content) {
		end := len(content)
		if n := bytes.IndexByte(content[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		text := strings.TrimSpace(string(content[at:min(end, at+300)]))
		switch {
		case strings.HasPrefix(text, "= ") || strings.HasPrefix(text, "== ") || strings.HasPrefix(text, "=== "):
			out = heading(out, strings.TrimLeft(text, "= "), at, line)
		case underline(text) && before != "" && !underline(before) && len(text)+2 >= len(before) && line > 1:
			out = heading(out, before, start, line-1)
		}
		before, start = text, at
		last := &out[len(out)-1]
		last.EndByte, last.EndLine = end, line
		at = end
		line++
	}
	return out
}

// heading begins a section, which ends the one before it.
func heading(list []chunk.Chunk, name string, at, line int) []chunk.Chunk {
	last := &list[len(list)-1]
	if len(list) == maxSections {
		return list
	}
	next := chunk.Chunk{Kind: chunk.Section, Name: clip(name, 200), StartByte: at, StartLine: line, EndByte: at + 1, EndLine: line}
	if last.StartByte == at {
		list[len(list)-1] = next
		return list
	}
	last.EndByte, last.EndLine = at, line-1
	return append(list, next)
}

// underline reports whether a line is of one punctuation mark.
func underline(s string) bool {
	return len(s) >= 3 && strings.ContainsRune("=-~^\"'`#*+:.", rune(s[0])) && strings.Trim(s, s[:1]) == ""
}
