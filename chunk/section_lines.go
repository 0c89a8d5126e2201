package chunk

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"regexp"
	"sync"
)

// tableSections cuts a table into its header and runs of rows, named by their
// numbers and first cell. A quoted cell may hold line breaks.
func tableSections(b *builder, _ string) {
	row, first, start := 0, 0, 0 // rows so far, the first of the run, and its offset
	quoted := false
	flush := func(end int) {
		if first == row {
			b.section(fmt.Sprintf("row %d: %s", row, firstCell(b.src[start:end])), start, end)
		} else {
			b.section(fmt.Sprintf("rows %d–%d: %s", first, row, firstCell(b.src[start:end])), start, end)
		}
		start, first = end, row+1
	}
	eachLine(b.src, func(at, end int) bool {
		if bytes.Count(b.src[at:end], []byte{'"'})%2 == 1 {
			quoted = !quoted
		}
		if quoted && at-start < 4*largeSection {
			return true
		}
		quoted = false // a stray quote
		next := min(end+1, len(b.src))
		row++
		switch {
		case row == 1:
			b.section("header: "+string(b.src[at:min(end, at+4*maxName)]), start, next)
			start, first = next, 2
		case next-start >= runBytes && len(b.out.Chunks) < maxSections-1:
			flush(next)
		}
		return true
	})
	if start < len(b.src) {
		row = max(row, first)
		flush(len(b.src))
	}
}

func firstCell(row []byte) string {
	if i := bytes.IndexAny(row[:min(len(row), maxName)], ",;\t\n"); i >= 0 {
		row = row[:i]
	}
	return string(bytes.Trim(row[:min(len(row), maxName)], "\" \r"))
}

// timeStamp is a date or a time of day near the start of a line.
var timeStamp = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^.{0,24}?(\d{4}[-/]\d{2}[-/]\d{2}[T ]\d{2}:\d{2}:\d{2}|\d{2}/\w{3}/\d{4}:\d{2}:\d{2}:\d{2}|\w{3} [ \d]\d \d{2}:\d{2}:\d{2}|\d{2}:\d{2}:\d{2})`)
})

// logSections cuts a log into runs of entries, named by the time of the first. An
// entry begins with a time stamp; the lines without one belong to it. A log
// without times is cut into runs of lines.
func logSections(b *builder, _ string) {
	stamp := timeStamp()
	start, line := 0, 0
	title, dated := "", false
	eachLine(b.src, func(at, end int) bool {
		line++
		time := stamp.FindSubmatch(b.src[at:min(end, at+64)])
		full := at-start >= runBytes && len(b.out.Chunks) < maxSections-1
		if full && (time != nil || !dated || at-start >= largeSection) {
			b.section(title, start, at)
			start, title = at, ""
		}
		switch {
		case title != "":
		case time != nil:
			title, dated = string(time[1]), true
		default:
			title = fmt.Sprintf("line %d", line)
		}
		return true
	})
	b.section(cmp.Or(title, "entry"), start, len(b.src))
}

// Runs cuts a text without structure into runs of lines that end at an empty line
// where there is one. A short text is one section, named as the file.
func Runs(name string, src []byte) []Chunk {
	b := newBuilder(src, "")
	if len(src) < largeSection {
		b.section(path.Base(name), 0, len(src))
		return b.result().Chunks
	}
	start, line, first := 0, 0, 1
	eachLine(src, func(at, end int) bool {
		line++
		blank := len(bytes.TrimSpace(src[at:end])) == 0
		if n := at - start; (n >= largeSection || blank && n >= runBytes) && len(b.out.Chunks) < maxSections-1 {
			b.section(fmt.Sprintf("line %d", first), start, at)
			start, first = at, line
		}
		return true
	})
	b.section(fmt.Sprintf("line %d", first), start, len(src))
	return b.result().Chunks
}

// catalogSections cuts a catalog of messages at its empty lines; a section is
// named by the message.
func catalogSections(b *builder, _ string) {
	start, title := 0, ""
	eachLine(b.src, func(at, end int) bool {
		line := bytes.TrimSpace(b.src[at:end])
		switch {
		case len(line) == 0 && len(b.out.Chunks) < maxSections-1:
			b.section(cmp.Or(title, "entry"), start, at)
			start, title = at, ""
		case title == "" || title == "msgid":
			text := line
			if bytes.HasPrefix(line, []byte("msgid ")) {
				text, title = line[len("msgid "):], "msgid"
			}
			if text = bytes.Trim(text, `"`); title == "msgid" && len(text) > 0 && !bytes.HasPrefix(text, []byte("msgstr")) {
				title = string(text[:min(len(text), maxName)])
			}
		}
		return true
	})
	b.section(cmp.Or(title, "entry"), start, len(b.src))
}
