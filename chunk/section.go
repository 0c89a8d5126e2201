package chunk

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// Limits of the sections of one file. What comes after the last of them belongs
// to it, or to a section of its own that ends the file.
const (
	maxSections = 4096
	// largeSection is the size in bytes from which the parts of a part are
	// listed too: the members of an object, the elements inside an element.
	largeSection = 4 << 10
	// runBytes is about the size of a section where a file has no structure but
	// its lines: rows of a table, entries of a log.
	runBytes = 1 << 10
)

// Sections cuts a document or data file into the parts that a reader would name:
// headings, cells, keys, elements, entries, rows. It returns nil for a format
// that it does not know and for a text without structure. Sections have the kind
// [Section], cover the file from their first line on, and keep the promises of
// the package. They are no definitions: [Parse] does not return them and an index
// does not hold them, because the keys of a data file are no names that code is
// searched by. It takes time linear in src.
func Sections(language, name string, src []byte) []Chunk {
	cut := sectionsOf(language, name)
	if cut == nil || len(src) > maxSource || len(bytes.TrimSpace(src)) == 0 {
		return nil
	}
	b := newBuilder(src, language)
	cut(b, path.Base(name))
	return b.result().Chunks
}

// Parts are what a reader is shown of a file: the sections of a document or data
// file, else its definitions.
func Parts(language, name string, src []byte, definitions []Chunk) []Chunk {
	if s := Sections(language, name, src); len(s) > 0 {
		return s
	}
	return definitions
}

// sectionTable lists the formats that have sections, sorted by language. Markdown,
// YAML, TOML and the like are not here: their definitions are their sections.
var sectionTable = []struct {
	language string
	cut      func(b *builder, name string)
}{
	{"asciidoc", asciidocSections},
	{"csv", tableSections},
	{"gettext", catalogSections},
	{"html", htmlSections},
	{"json", jsonSections},
	{"json5", jsonSections},
	{"jsonc", jsonSections},
	{"jupyter", notebookSections},
	{"latex", markedSections(latexHeading)},
	{"maven", xmlSections},
	{"org", markedSections(orgHeading)},
	{"rdoc", markedSections(rdocHeading)},
	{"restructuredtext", underlinedSections},
	{"svg", xmlSections},
	{"texinfo", markedSections(texinfoHeading)},
	{"text", underlinedSections},
	{"textile", markedSections(textileHeading)},
	{"tsv", tableSections},
	{"wiki", markedSections(wikiHeading)},
	{"xml", xmlSections},
}

// logExtensions are those of logs, which are in no language.
var logExtensions = []string{".err", ".log", ".out"}

// sectionsOf is the scanner of a file, nil for none.
func sectionsOf(language, name string) func(b *builder, name string) {
	if language == "" && slices.Contains(logExtensions, strings.ToLower(path.Ext(name))) {
		return logSections
	}
	for _, f := range sectionTable {
		if f.language == language {
			return f.cut
		}
	}
	return nil
}

// heading is a line that names what follows it.
type heading struct {
	level      int // 1 for the outermost
	start, end int // of its first line
	title      string
}

// nest adds a chunk for every heading: from it to the next one of the same level
// or above.
func (b *builder) nest(heads []heading) {
	var open []heading
	for i, h := range heads {
		for len(open) > 0 && open[len(open)-1].level >= h.level {
			open = open[:len(open)-1]
		}
		end := len(b.src)
		for _, next := range heads[i+1:] {
			if next.level <= h.level {
				end = next.start
				break
			}
		}
		scope := make([]string, 0, min(len(open), maxScopeDepth))
		for _, o := range open[:min(len(open), maxScopeDepth)] {
			scope = append(scope, o.title)
		}
		b.add(Chunk{Kind: Section, Name: h.title, Scope: strings.Join(scope, "."), StartByte: h.start, EndByte: end, SigEnd: h.end})
		if h.title != "" {
			open = append(open, h)
		}
	}
}

// document is nest with a section for the text before the first heading,
// named as the file.
func (b *builder) document(name string, heads []heading) {
	if len(heads) == 0 {
		return
	}
	b.section(name, 0, heads[0].start)
	b.nest(heads)
}

// section adds a section of [start, end) without the white space around it. Its
// first line is its signature.
func (b *builder) section(name string, start, end int) bool {
	for start < end && isSpace(b.src[start]) {
		start++
	}
	if start >= end {
		return false
	}
	return b.add(Chunk{Kind: Section, Name: sectionName(name), StartByte: start, EndByte: end, SigEnd: start + lineLength(b.src[start:end])})
}

// sectionName is a title on one line.
func sectionName(s string) string {
	s = strings.Join(strings.Fields(s[:min(len(s), 4*maxName)]), " ")
	return strings.ToValidUTF8(s[:min(len(s), maxSectionName)], "")
}

const maxSectionName = 120 // bytes

// eachLine calls fn for every line, src[start:end] without its break, until it
// returns false.
func eachLine(src []byte, fn func(start, end int) bool) {
	for at := 0; at < len(src); {
		end := at + lineLength(src[at:])
		stop := end
		if stop > at && src[stop-1] == '\r' {
			stop--
		}
		if !fn(at, stop) {
			return
		}
		at = end + 1
	}
}
