package chunk

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// jsonSections cuts JSON, with or without comments, into the members of its
// outermost object or array, and those of large members into theirs.
func jsonSections(b *builder, _ string) {
	t := &partTree{b: b, large: largeSection}
	(&jsonScanner{src: b.src, tree: t}).scan()
	t.add()
}

// jsonScanner goes once through the bytes. It trusts nothing: brackets need not
// match, and text that is no JSON gives fewer parts.
type jsonScanner struct {
	src    []byte
	tree   *partTree
	levels []jsonLevel
	deep   int // brackets open beyond maxJSONDepth
}

// jsonLevel is an open object or array.
type jsonLevel struct {
	array bool
	index int  // of the element
	value bool // a member has begun
}

// maxJSONDepth is how deep brackets are told apart; deeper ones are counted.
const maxJSONDepth = 64

func (s *jsonScanner) scan() {
	for i := 0; i < len(s.src); {
		switch c := s.src[i]; c {
		case '{', '[':
			s.open(i, c == '[')
			i++
		case '}', ']':
			s.close(i)
			i++
		case ',':
			s.end(i)
			i++
		case '"', '\'':
			next := jsonString(s.src, i)
			s.text(i, next)
			i = next
		case '/', '#':
			i = jsonComment(s.src, i)
		case ' ', '\t', '\r', '\n', ':':
			i++
		default:
			s.value(i)
			i++
		}
	}
}

// open and close handle brackets.
func (s *jsonScanner) open(at int, array bool) {
	if s.deep > 0 || len(s.levels) == maxJSONDepth {
		s.deep++
		return
	}
	s.value(at)
	s.levels = append(s.levels, jsonLevel{array: array})
}

func (s *jsonScanner) close(at int) {
	if s.deep > 0 {
		s.deep--
	} else if n := len(s.levels); n > 0 {
		s.end(at)
		s.levels = s.levels[:n-1]
	}
}

// text handles a string: a key, or a value.
func (s *jsonScanner) text(from, to int) {
	if n := len(s.levels); n > 0 && s.deep == 0 && !s.levels[n-1].array && !s.levels[n-1].value {
		s.levels[n-1].value = true
		s.tree.begin(unquote(string(s.src[from:min(to, from+maxName)])), from)
		return
	}
	s.value(from)
}

// value begins a member of the innermost bracket unless it has begun.
func (s *jsonScanner) value(at int) {
	n := len(s.levels)
	if n == 0 || s.deep > 0 {
		return
	}
	l := &s.levels[n-1]
	if l.value {
		return
	}
	l.value = true
	if l.array {
		s.tree.begin(fmt.Sprintf("[%d]", l.index), at)
	} else {
		end := at
		for end < len(s.src) && identByte(s.src[end]) { // a key without quotes
			end++
		}
		s.tree.begin(string(s.src[at:min(end, at+maxName)]), at)
	}
}

// end closes the member of the innermost bracket.
func (s *jsonScanner) end(at int) {
	n := len(s.levels)
	if n == 0 || s.deep > 0 || !s.levels[n-1].value {
		return
	}
	s.tree.finish(at)
	s.levels[n-1].value = false
	s.levels[n-1].index++
}

// jsonString is the end of the string that starts at i; a string does not go
// beyond its line.
func jsonString(src []byte, i int) int {
	for j := i + 1; j < len(src); j++ {
		switch src[j] {
		case src[i]:
			return j + 1
		case '\\':
			j++
		case '\n':
			return j
		}
	}
	return len(src)
}

// jsonComment is the end of the comment that starts at i, or i+1 when none does.
func jsonComment(src []byte, i int) int {
	rest := src[i:]
	switch {
	case rest[0] == '#' || bytes.HasPrefix(rest, []byte("//")):
		return i + lineLength(rest)
	case bytes.HasPrefix(rest, []byte("/*")):
		if n := bytes.Index(rest[2:], []byte("*/")); n >= 0 {
			return i + n + 4
		}
		return len(src)
	}
	return i + 1
}

// notebookSections cuts a notebook into its cells, named by their text. What is
// no notebook is cut as JSON.
func notebookSections(b *builder, name string) {
	t := &partTree{b: b}
	(&jsonScanner{src: b.src, tree: t}).scan()
	cells := 0
	for _, p := range t.parts {
		if p.scope == "cells" && p.end > p.start && cells < maxSections {
			cells++
			b.section(cellName(b.src[p.start:p.end], cells), p.start, p.end)
		}
	}
	if cells == 0 {
		t.add()
	}
}

// cellName is the first line of a cell's text that holds a word.
func cellName(src []byte, number int) string {
	var cell struct {
		CellType string `json:"cell_type"`
		Source   json.RawMessage
	}
	if json.Unmarshal(src, &cell) != nil {
		return fmt.Sprintf("cell %d", number)
	}
	var lines []string
	if json.Unmarshal(cell.Source, &lines) != nil {
		var text string
		_ = json.Unmarshal(cell.Source, &text) // neither form: a cell without text
		lines = strings.Split(text, "\n")
	}
	for _, l := range lines {
		if l = strings.Trim(l, "# \t\r\n"); l != "" {
			return l
		}
	}
	return strings.TrimSpace(fmt.Sprintf("%s cell %d", cell.CellType, number))
}
