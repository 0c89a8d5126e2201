package chunk

import (
	"bytes"
	"sort"
	"strings"
)

// builder gathers the chunks of one file.
type builder struct {
	src      []byte
	comments comments
	out      Result
	lines    lineIndex
	work     int // bytes looked at for the ends of definitions
}

func newBuilder(src []byte, language string) *builder {
	return &builder{src: src, comments: commentsOf(language), lines: newLineIndex(src)}
}

// add records a chunk; the spans are clamped and the lines filled in.
// It reports false when the file's limit is reached or the chunk is empty.
func (b *builder) add(c Chunk) bool {
	c.EndByte = min(c.EndByte, len(b.src))
	for c.EndByte > c.StartByte && isSpace(b.src[c.EndByte-1]) {
		c.EndByte--
	}
	if len(b.out.Chunks) >= maxChunks || c.StartByte < 0 || c.StartByte >= c.EndByte {
		return false
	}
	if c.Name, c.Scope = clip(c.Name), clip(c.Scope); c.Name == "" {
		return false // an error node in the name's place
	}
	if c.SigEnd <= c.StartByte || c.SigEnd > c.EndByte {
		c.SigEnd = c.EndByte
	}
	if c.Kind == Const || c.Kind == Var { // the value is no part of a signature of several lines
		if i := bytes.IndexByte(b.src[c.StartByte:c.SigEnd], '\n'); i > 0 {
			c.SigEnd = c.StartByte + i
		}
	}
	for c.SigEnd > c.StartByte+1 && isSpace(b.src[c.SigEnd-1]) {
		c.SigEnd--
	}
	if c.DocEnd <= c.DocStart || c.DocEnd > len(b.src) {
		c.DocStart, c.DocEnd = 0, 0
	} else {
		c.DocLine = b.lines.at(c.DocStart)
	}
	c.StartLine, c.EndLine = b.lines.at(c.StartByte), b.lines.at(c.EndByte-1)
	b.out.Chunks = append(b.out.Chunks, c)
	return true
}

// importAt records an imported path.
func (b *builder) importAt(path string, offset int) {
	path = strings.TrimSpace(path)
	if path == "" || len(path) > maxName || len(b.out.Imports) >= maxChunks || strings.ContainsAny(path, "\n\r\x00") {
		return
	}
	b.out.Imports = append(b.out.Imports, ImportRef{Path: path, Line: b.lines.at(min(max(offset, 0), len(b.src)))})
}

// importChunk records an import statement; those that follow each other with
// white space alone between become one chunk.
func (b *builder) importChunk(start, end int) {
	if n := len(b.out.Chunks); n > 0 {
		last := &b.out.Chunks[n-1]
		if last.Kind == Import && start >= last.EndByte && len(bytes.TrimSpace(b.src[last.EndByte:start])) == 0 && start < end {
			last.EndByte, last.SigEnd, last.EndLine = end, end, b.lines.at(end-1)
			return
		}
	}
	b.add(Chunk{Kind: Import, Name: importName, StartByte: start, EndByte: end})
}

// importName is the name of a chunk of import statements.
const importName = "import"

// result sorts what was gathered and drops repeats.
func (b *builder) result() Result {
	cs := b.out.Chunks
	sort.SliceStable(cs, func(i, j int) bool {
		if cs[i].StartByte != cs[j].StartByte {
			return cs[i].StartByte < cs[j].StartByte
		}
		return cs[i].EndByte > cs[j].EndByte
	})
	kept := cs[:0]
	for i, c := range cs {
		if i > 0 && c == cs[i-1] {
			continue
		}
		kept = append(kept, c)
	}
	b.out.Chunks = kept
	im := b.out.Imports
	sort.SliceStable(im, func(i, j int) bool { return im[i].Line < im[j].Line })
	return b.out
}

// lineIndex finds the line of an offset.
type lineIndex []int32 // offset of each line's first byte

func newLineIndex(src []byte) lineIndex {
	x := make(lineIndex, 1, bytes.Count(src, newline)+1)
	for i := 0; ; {
		n := bytes.IndexByte(src[i:], '\n')
		if n < 0 {
			return x
		}
		i += n + 1
		x = append(x, int32(i))
	}
}

var newline = []byte("\n")

// at is the 1-based line of the offset.
func (x lineIndex) at(offset int) int {
	return sort.Search(len(x), func(i int) bool { return int(x[i]) > offset })
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

// clip bounds a name and frees it from the source it was cut from.
func clip(s string) string {
	if len(s) > maxName {
		s = s[:maxName]
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
